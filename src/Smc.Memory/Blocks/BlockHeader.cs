using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Indirection;

namespace Smc.Memory;

/// <summary>What kernels read of a block. All members take the address of a block that the caller reached in its critical section.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class BlockHeader
{
    /// <summary>Slots ever used: rows are in <c>[0, SlotCount)</c>, those whose validity bit is set.</summary>
    /// <safety>The caller is inside the critical section in which it got the block.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe int SlotCount(ulong block) => Volatile.Read(ref Prefix(block)->HighWater); // SAFETY: as the caller promises.

    /// <summary>Address of the validity bitmap: 64-bit words, bit = slot.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Validity(ulong block) => block + BlockLayout.ValidityOffset;

    /// <summary>Rows in the block; approximate while others add and remove.</summary>
    /// <safety>As <see cref="SlotCount"/>.</safety>
    public static unsafe int ValidCount(ulong block)
    {
        // SAFETY: as the caller promises; the bitmap has a word for every 64 slots of the capacity.
        ulong* words = (ulong*)Validity(block);
        int count = 0;
        for (int i = 0; i < (SlotCount(block) + 63) / 64; i++) count += BitOperations.PopCount(words[i]);
        return count;
    }

    /// <summary>Handle of the row in a slot whose validity bit was seen set; 0 if the row is dead by now.</summary>
    /// <safety>As <see cref="SlotCount"/>; the slot is below it.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong HandleAt(ulong block, int slot)
    {
        EntryRef entry = EntryAt(block, slot);
        ProtocolSteps.Reach(ProtocolStep.BackPointerRead);
        return entry.LiveHandle();
    }

    /// <summary>Handle of the row in a slot whose validity bit was seen set in this critical section; one that finds nothing if the row is dead by now.</summary>
    /// <safety>As <see cref="SlotCount"/>; the slot is below it, and the caller has been in one section since it saw the bit.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong HandleOfSeen(ulong block, int slot) =>
        SnapshotView.IsAnyActive ? SnapshotView.HandleOfSeen(block, slot) : EntryAt(block, slot).HandleOfSeen();

    /// <summary>The entry of the row in a slot, where dead rows have one, too.</summary>
    /// <safety>As <see cref="HandleAt"/>. The id of a slot changes only while the slot is reserved.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe EntryRef EntryAt(ulong block, int slot) => Prefix(block)->FirstEntry.After(DenseIdAt(block, slot)); // SAFETY: as the caller promises.

    /// <summary>The dense id of the row in a slot: the index of its entry in its collection.</summary>
    /// <safety>As <see cref="HandleAt"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe uint DenseIdAt(ulong block, int slot) => ((uint*)BackPointers(block))[(uint)slot]; // SAFETY: as the caller promises.

    /// <summary>What handles of the block's collection have above the incarnation, for the row with dense id 0.</summary>
    /// <safety>As <see cref="SlotCount"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe ulong FirstEntry(ulong block) => Prefix(block)->FirstEntry.Number; // SAFETY: as the caller promises.

    /// <summary>Address of the back-pointers: the dense id of every slot, 32 bits each.</summary>
    /// <safety>As <see cref="SlotCount"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe ulong BackPointers(ulong block) => block + (uint)Prefix(block)->BackPointersOffset; // SAFETY: as the caller promises.

    /// <summary>Whether the dense ids of the block's slots follow one another, and the first of them.</summary>
    /// <safety>As <see cref="SlotCount"/>.</safety>
    public static unsafe bool TryFirstId(ulong block, out uint first)
    {
        // SAFETY: as the caller promises. Where ids were replaced, back-pointers tell.
        BlockPrefix* prefix = Prefix(block);
        first = prefix->FirstId;
        return !prefix->HasListedIds && !prefix->HasReplacedIds;
    }

    /// <summary>Whether a row of the block may have the dense id that an older row had, whose handles somebody may still hold.</summary>
    /// <safety>As <see cref="SlotCount"/>.</safety>
    public static unsafe bool HasReusedEntries(ulong block) => Prefix(block)->HasReusedEntries; // SAFETY: as the caller promises.

    /// <summary>The hash of the layout that the block was made with.</summary>
    /// <safety>As <see cref="SlotCount"/>.</safety>
    public static unsafe ulong LayoutHash(ulong block) => Prefix(block)->LayoutHash; // SAFETY: as the caller promises.

    /// <summary>The collection that the block belongs to; null once it is disposed.</summary>
    /// <safety>As <see cref="SlotCount"/>.</safety>
    public static unsafe MemoryContext? Context(ulong block) => Prefix(block)->FirstEntry.Context; // SAFETY: as the caller promises.

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe BlockPrefix* Prefix(ulong block) => (BlockPrefix*)block;

    /// <summary>The slot directory.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe uint* Directory(ulong block) => (uint*)(block + (uint)Prefix(block)->DirectoryOffset);

    /// <summary>True if no slot holds a row or is reserved for one.</summary>
    /// <safety>As <see cref="SlotCount"/>.</safety>
    internal static unsafe bool IsEmpty(ulong block) => Volatile.Read(ref Prefix(block)->Limbo) == Volatile.Read(ref Prefix(block)->HighWater); // SAFETY: as the caller promises.

    /// <summary>The dense ids of all slots of a block.</summary>
    /// <safety>The caller is the only one who changes them: it made the block, or frees it.</safety>
    internal static unsafe Span<uint> SlotIds(ulong block, int slots) => new((void*)BackPointers(block), slots); // SAFETY: an id per slot.

    /// <summary>Whether enumerations see the row in a slot at this moment. Acquire; partner: <see cref="SetValid"/>.</summary>
    /// <safety>The caller's section keeps the block mapped.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe bool IsValid(ulong block, int slot) =>
        (Volatile.Read(ref *((ulong*)Validity(block) + (slot >> 6))) >> (slot & 63) & 1) != 0; // SAFETY: as the caller promises.

    /// <summary>Shows a row to enumerations. A full fence.</summary>
    /// <safety>The caller owns the slot, and its section keeps the block mapped.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe void SetValid(ulong block, int slot) =>
        Interlocked.Or(ref *((ulong*)Validity(block) + (slot >> 6)), 1UL << (slot & 63)); // SAFETY: as the caller promises; others change other bits of the word.

    /// <summary>Hides a row from enumerations. A full fence.</summary>
    /// <safety>As <see cref="SetValid"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe void ClearValid(ulong block, int slot) =>
        Interlocked.And(ref *((ulong*)Validity(block) + (slot >> 6)), ~(1UL << (slot & 63))); // SAFETY: as in SetValid.

    /// <summary>The slots with rows at this moment, 64 at a time: each word is loaded once.</summary>
    /// <safety>The caller's section keeps the block mapped.</safety>
    internal static ValidSlots ValidSlots(ulong block) => new(block);
}
