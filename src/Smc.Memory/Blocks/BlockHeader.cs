using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Memory;

/// <summary>What kernels, which have the addresses of blocks, read of a <see cref="BlockRef"/>. All members take the address of a block that the caller reached in its critical section.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class BlockHeader
{
    /// <inheritdoc cref="BlockRef.SlotCount"/>
    /// <safety>The caller is inside the critical section in which it got the block.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int SlotCount(ulong block) => new BlockRef(block).SlotCount;

    /// <summary>Address of the validity bitmap: 64-bit words, bit = slot.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Validity(ulong block) => block + BlockLayout.ValidityOffset;

    /// <inheritdoc cref="BlockRef.HandleAt"/>
    /// <safety>As <see cref="SlotCount"/>; the slot is below it.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong HandleAt(ulong block, int slot) => new BlockRef(block).HandleAt(slot);

    /// <inheritdoc cref="BlockRef.HandleOfSeen"/>
    /// <safety>As <see cref="HandleAt"/>, and the caller has been in one section since it saw the bit.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong HandleOfSeen(ulong block, int slot) => new BlockRef(block).HandleOfSeen(slot);

    /// <inheritdoc cref="BlockRef.DenseIdAt"/>
    /// <safety>As <see cref="HandleAt"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint DenseIdAt(ulong block, int slot) => new BlockRef(block).DenseIdAt(slot);

    /// <summary>What handles of the block's collection have above the incarnation, for the row with dense id 0.</summary>
    /// <safety>As <see cref="SlotCount"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong FirstEntry(ulong block) => new BlockRef(block).Header.FirstEntry.Number;

    /// <summary>Address of the back-pointers: the dense id of every slot, 32 bits each.</summary>
    /// <safety>As <see cref="SlotCount"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong BackPointers(ulong block) => block + (uint)new BlockRef(block).Header.BackPointersOffset;

    /// <summary>Whether the dense ids of the block's slots follow one another, and the first of them.</summary>
    /// <safety>As <see cref="SlotCount"/>.</safety>
    public static bool TryFirstId(ulong block, out uint first)
    {
        // Where ids were replaced, back-pointers tell.
        ref Blocks.BlockPrefix header = ref new BlockRef(block).Header;
        first = header.FirstId;
        return !header.HasListedIds && !header.HasReplacedIds;
    }

    /// <summary>Whether a row of the block may have the dense id that an older row had, whose handles somebody may still hold.</summary>
    /// <safety>As <see cref="SlotCount"/>.</safety>
    public static bool HasReusedEntries(ulong block) => new BlockRef(block).Header.HasReusedEntries;

    /// <inheritdoc cref="BlockRef.Context"/>
    /// <safety>As <see cref="SlotCount"/>.</safety>
    public static MemoryContext? Context(ulong block) => new BlockRef(block).Context;
}
