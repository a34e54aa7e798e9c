using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Words sorted by some of their bits; those with the same bits keep their order.</summary>
public sealed class RadixSortTests
{
    [Theory]
    [InlineData(0, 0xFF00UL)]
    [InlineData(1, 0xFF00UL)]
    [InlineData(2, ulong.MaxValue)]
    [InlineData(300, 0UL)]
    [InlineData(300, 1UL)]
    [InlineData(300, 0xFFUL)]
    [InlineData(5_000, 0x1FFUL)]
    [InlineData(5_000, 0x8000_0000_0000_0001UL)]
    [InlineData(5_000, 0x00F0_0000_0010_0300UL)]
    [InlineData(5_000, 0xFFFF_FFFF_0000_0000UL)]
    [InlineData(5_000, ulong.MaxValue)]
    public void Words_are_in_the_order_of_the_bits(int count, ulong bits)
    {
        Random random = new(count);
        // Few different values of the bits, too, so that many words are equal.
        ulong[] words = [.. Enumerable.Range(0, count).Select(i => i % 3 == 0 ? (ulong)random.NextInt64() << 1 | (uint)i & 1 : (ulong)random.Next(5) * 0x0101_0101_0101_0101UL)];
        Region region = new(MemoryManager.Default);
        ulong memory = region.Allocate((count + 1) * sizeof(ulong)), spare = region.Allocate((count + 1) * sizeof(ulong));
        for (int i = 0; i < count; i++)
            KernelMemory.Write(memory + ((ulong)i * sizeof(ulong)), words[i]);

        ulong sorted = RadixSort.Sort(memory, spare, count, bits);

        Assert.Contains(sorted, new[] { memory, spare });
        Assert.Equal(words.OrderBy(word => word & bits), Enumerable.Range(0, count).Select(i => KernelMemory.Read<ulong>(sorted + ((ulong)i * sizeof(ulong)))));
        region.Dispose();
    }
}
