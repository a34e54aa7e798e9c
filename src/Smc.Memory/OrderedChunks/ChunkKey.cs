using System.Diagnostics;
using Smc.Memory.Slices;

namespace Smc.Memory.OrderedChunks;

/// <summary>A key in a slice of its own, in 64 bits: where it is, so that comparing needs no table, and the number of its block, so that it can be freed.</summary>
/// <remarks>
/// <code>[ number of the block 20 | address of the slice / 16 : 44 ]</code>
/// The slice stays private (it is never published), so nobody but the owner of the chunks gives it back: its block stays mapped even if the heap is disposed.
/// </remarks>
/// <param name="Word">The bits; 0 for no key.</param>
internal readonly record struct ChunkKey(ulong Word)
{
    private const int AddressBits = 64 - SafePtr.BlockBits;
    private const int AlignmentBits = 4;

    /// <summary>Copies a key into a slice.</summary>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public static ChunkKey Allocate(SliceHeap heap, ReadOnlySpan<byte> key)
    {
        SlicePlace place = heap.ReservePlace(key.Length);
        key.CopyTo(place.Bytes((uint)key.Length));
        ulong address = place.Address;
        Debug.Assert(address >> (AddressBits + AlignmentBits) == 0);
        return new ChunkKey((ulong)place.Block.Number << AddressBits | address >> AlignmentBits);
    }

    /// <summary>The bytes of the key.</summary>
    /// <safety>The key is not freed while the span is in use: the caller owns it, or is in a section in which it found it in a chunk.</safety>
    public unsafe ReadOnlySpan<byte> Bytes
    {
        get
        {
            byte* slice = (byte*)((Word & ((1UL << AddressBits) - 1)) << AlignmentBits);
            // SAFETY: as the caller promises. The length never changes.
            return new ReadOnlySpan<byte>(slice + SliceSize.Overhead, *(int*)(slice + SliceHeader.SizeInBytes));
        }
    }

    /// <summary>Gives the slice back.</summary>
    /// <safety>No thread reads the key any more, and it is freed once.</safety>
    public void Free()
    {
        // A block with a slice in use stays in the table.
        SliceBlock block = SliceBlockTable.Find((int)(Word >> AddressBits))!;
        ulong address = (Word & ((1UL << AddressBits) - 1)) << AlignmentBits;
        SlicePlaces.Abandon(new SlicePlace(block, (int)((address - block.Address) / (ulong)block.SliceBytes)));
    }
}
