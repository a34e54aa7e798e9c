using Smc.Collections;
using Smc.Collections.Tests;
using Smc.Collections.Saving;
using Xunit;

namespace Smc.Saving.Tests;

/// <summary>The checksum is the one that RFC 3720 defines, however long the data is.</summary>
public sealed class Crc32CTests
{
    [Fact]
    public void It_is_that_of_the_standard() => Assert.Equal(0xE3069283u, Crc32C.Of("123456789"u8));

    [Fact]
    public void Data_that_comes_in_pieces_has_the_checksum_of_the_whole()
    {
        byte[] data = new byte[60_000];
        new Random(2).NextBytes(data);
        foreach (int cut in new[] { 0, 1, 8, 12_289, 59_999, 60_000 })
            Assert.Equal(Crc32C.Of(data), Crc32C.Append(Crc32C.Of(data.AsSpan(0, cut)), data.AsSpan(cut)));
    }

    [Fact]
    public void Three_streams_give_what_one_byte_after_the_other_gives()
    {
        byte[] data = new byte[60_000];
        new Random(1).NextBytes(data);
        foreach (int length in new[] { 0, 1, 7, 8, 63, 12_287, 12_288, 12_289, 24_576, 40_001, 60_000 })
        {
            uint expected = uint.MaxValue;
            foreach (byte next in data.AsSpan(0, length))
                expected = System.Numerics.BitOperations.Crc32C(expected, next);
            Assert.Equal(~expected, Crc32C.Of(data.AsSpan(0, length)));
        }
    }
}
