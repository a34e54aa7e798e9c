using Smc.Memory.Slices;

namespace Smc.Memory.Tests;

/// <summary>How pointers, headers and sizes of slices are put together.</summary>
public sealed class SliceLayoutTests
{
    [Theory]
    [InlineData(1u, 0, 0)]
    [InlineData(SafePtr.MaxVersion, 0, 0)]
    [InlineData(1u, SafePtr.MaxBlocks - 1, 0)]
    [InlineData(1u, 0, SafePtr.MaxSlicesPerBlock - 1)]
    [InlineData(SafePtr.MaxVersion, SafePtr.MaxBlocks - 1, SafePtr.MaxSlicesPerBlock - 1)]
    [InlineData(0x1001u, 256, 4096)]
    [InlineData(0x801000u, 0x80001, 0x80001)]
    public void A_pointer_gives_back_what_it_was_made_of(uint version, int block, int index)
    {
        SafePtr pointer = new(version, block, index);
        Assert.Equal((version, block, index), (pointer.Version, pointer.Block, pointer.Index));
        Assert.Equal(pointer, SafePtr.FromUInt64(pointer.ToUInt64()));
        Assert.False(pointer.IsNull);
    }

    [Fact]
    public void The_default_pointer_is_null()
    {
        Assert.True(default(SafePtr).IsNull);
        Assert.Equal(default, SafePtr.FromUInt64(0));
        Assert.NotEqual(default, new SafePtr(1, 0, 0));
    }

    [Fact]
    public void Every_length_has_the_smallest_class_that_it_fits_into()
    {
        for (int length = 0; length <= SliceSize.Largest - SliceSize.Overhead; length += length < 5000 ? 1 : 97)
        {
            int sizeClass = SliceSize.ClassOf(length), bytes = SliceSize.BytesOf(sizeClass);
            Assert.True(bytes >= length + SliceSize.Overhead, $"{length} bytes do not fit into {bytes}");
            Assert.True(sizeClass == 0 || SliceSize.BytesOf(sizeClass - 1) < length + SliceSize.Overhead, $"{length} bytes have a smaller class than {bytes}");
        }
        Assert.False(SliceSize.IsLarge(SliceSize.Largest - SliceSize.Overhead));
        Assert.True(SliceSize.IsLarge(SliceSize.Largest - SliceSize.Overhead + 1));
    }

    [Fact]
    public void Classes_are_multiples_of_16_bytes_that_grow_by_at_most_an_eighth()
    {
        for (int sizeClass = 0; sizeClass < SliceSize.Classes; sizeClass++)
        {
            int bytes = SliceSize.BytesOf(sizeClass);
            Assert.Equal(0, bytes % 16);
            if (bytes > 2048) Assert.True(bytes - SliceSize.BytesOf(sizeClass - 1) <= SliceSize.BytesOf(sizeClass - 1) / 8);
            Assert.Equal(sizeClass, SliceSize.ClassOf(bytes - SliceSize.Overhead));
        }
        Assert.Equal(SliceSize.Largest, SliceSize.BytesOf(SliceSize.Classes - 1));
    }

    [Fact]
    public void The_count_of_writes_overflows_without_touching_the_version()
    {
        // All ones in the 30 bits of the count.
        ulong before = SliceHeader.Published(SafePtr.MaxVersion) | ~0UL << 34;
        ulong header = before;
        Assert.True(SliceHeader.TryEnterWriter(ref header, before));
        ulong after = SliceHeader.LeaveWriter(ref header, before);
        Assert.Equal(SliceHeader.Published(SafePtr.MaxVersion), after);
        Assert.Equal(after, header);
    }

    [Fact]
    public void Readers_are_counted_up_to_255_beside_everything_else()
    {
        ulong header = SliceHeader.Published(5);
        for (int reader = 0; reader < SliceHeader.MaxReaders; reader++) Assert.True(SliceHeader.TryEnterReader(ref header, header));
        Assert.Equal(SliceHeader.MaxReaders, SliceHeader.ReadersOf(header));
        Assert.True(SliceHeader.IsAlive(header, 5));
        Assert.True(SliceHeader.TryDelete(ref header, header));
        for (int reader = 0; reader < SliceHeader.MaxReaders; reader++) SliceHeader.LeaveReader(ref header);
        Assert.Equal(SliceHeader.Free(5), header);
    }
}
