using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;

namespace Smc.Memory;

/// <summary>A block: what its header, slot directory, validity bitmap and back-pointers say, each read and written with the ordering that it needs.</summary>
/// <remarks>
/// Whoever has one is inside the critical section in which it was read from a list, an entry or another block, or has the block otherwise: as its allocator, by the
/// compaction gate, or because it was just mapped. Slots passed to members are below the block's number of slots.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly record struct BlockRef
{
    /// <safety>The address is that of a block, or 0.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal BlockRef(ulong address) => Address = address;

    /// <summary>Where the block begins, for kernels and others that read columns by offset and stride.</summary>
    public ulong Address { get; }

    /// <summary>True if there is no block.</summary>
    internal bool IsNone => Address == 0;

    /// <summary>Slots ever used: rows are in <c>[0, SlotCount)</c>, those whose validity bit is set. Acquire; partner: <see cref="UseSlots"/>.</summary>
    public unsafe int SlotCount
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Volatile.Read(ref Prefix->HighWater); // SAFETY: see the remarks.
    }

    /// <summary>The collection that the block belongs to; null once it is disposed.</summary>
    public unsafe MemoryContext? Context => Prefix->FirstEntry.Context; // SAFETY: see the remarks.

    /// <summary>The constant parts of the header, and those that only the caller changes: it allocates in the block, or made it.</summary>
    internal unsafe ref BlockPrefix Header
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref *Prefix; // SAFETY: see the remarks.
    }

    /// <summary>Slots below the high-water mark without a row.</summary>
    internal unsafe int Limbo => Volatile.Read(ref Prefix->Limbo); // SAFETY: see the remarks.

    /// <summary>Epoch in which the limbo last reached the threshold.</summary>
    internal unsafe long LimboStamp => Volatile.Read(ref Prefix->LimboStamp); // SAFETY: see the remarks.

    /// <summary>A <see cref="BlockState"/>.</summary>
    internal unsafe int State => Volatile.Read(ref Prefix->State); // SAFETY: see the remarks.

    /// <summary>The block that took this one's place while a snapshot was open. Acquire; partner: <see cref="SetNext"/>.</summary>
    internal unsafe BlockRef Next
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => new(Volatile.Read(ref Prefix->Next)); // SAFETY: see the remarks.
    }

    /// <summary>The version before, while a snapshot needs it. Acquire.</summary>
    internal unsafe BlockRef Older => new(Volatile.Read(ref Prefix->Older)); // SAFETY: see the remarks.

    /// <summary>The clock of snapshots when the block was made.</summary>
    internal unsafe long Born => Prefix->Born; // SAFETY: see the remarks.

    /// <summary>True if no slot holds a row or is reserved for one.</summary>
    internal bool IsEmpty => Limbo == SlotCount;

    /// <summary>The slots with rows at this moment, 64 at a time: each word is loaded once.</summary>
    internal ValidSlots ValidSlots => new(this);

    private unsafe BlockPrefix* Prefix
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (BlockPrefix*)Address; // SAFETY: only members of this type follow it.
    }

    private unsafe uint* Directory
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (uint*)(Address + (uint)Prefix->DirectoryOffset); // SAFETY: an element per slot.
    }

    private unsafe uint* Ids
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (uint*)(Address + (uint)Prefix->BackPointersOffset); // SAFETY: an id per slot.
    }

    private unsafe ulong* Validity
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (ulong*)(Address + BlockLayout.ValidityOffset); // SAFETY: a word for every 64 slots of the capacity.
    }

    /// <summary>The zone map and sketch of a column that has them.</summary>
    /// <param name="offset">Where the layout has them.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ZoneView Zone(int offset) => new(this, offset);

    /// <summary>Rows in the block; approximate while others add and remove.</summary>
    public int ValidCount()
    {
        int count = 0;
        for (int i = 0; i < (SlotCount + 63) / 64; i++) count += BitOperations.PopCount(ValidWord(i));
        return count;
    }

    /// <summary>Handle of the row in a slot whose validity bit was seen set; 0 if the row is dead by now.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong HandleAt(int slot)
    {
        EntryRef entry = EntryAt(slot);
        ProtocolSteps.Reach(ProtocolStep.BackPointerRead);
        return entry.LiveHandle();
    }

    /// <summary>Handle of the row in a slot whose validity bit was seen set in this critical section; one that finds nothing if the row is dead by now.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong HandleOfSeen(int slot) => SnapshotView.IsAnyActive ? SnapshotView.HandleOfSeen(this, slot) : EntryAt(slot).HandleOfSeen();

    /// <summary>The dense id of the row in a slot: the index of its entry in its collection. It changes only while the slot is reserved.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe uint DenseIdAt(int slot) => Ids[(uint)slot]; // SAFETY: see the remarks.

    /// <summary>The entry of the row in a slot, where dead rows have one, too.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal unsafe EntryRef EntryAt(int slot) => Prefix->FirstEntry.After(DenseIdAt(slot)); // SAFETY: see the remarks.

    /// <summary>The dense ids of all slots.</summary>
    /// <safety>The caller is the only one who changes them: it made the block, or frees it.</safety>
    internal unsafe Span<uint> SlotIds(int slots) => new(Ids, slots); // SAFETY: an id per slot.

    /// <safety>The slot is reserved by the caller, or in a block that nobody else sees.</safety>
    internal unsafe void SetId(int slot, uint id) => Ids[(uint)slot] = id; // SAFETY: as the caller promises.

    /// <summary>The slots below this are in use from here on. Release: header and bitmap come before.</summary>
    /// <safety>The caller owns the block.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal unsafe void UseSlots(int slots) => Volatile.Write(ref Prefix->HighWater, slots); // SAFETY: as the caller promises.

    /// <summary>Asks the processor for what the end of a slot's row changes.</summary>
    internal unsafe void PrefetchState(int slot)
    {
        // SAFETY: see the remarks.
        Platform.Prefetch.Line((ulong)(Directory + (uint)slot));
        Platform.Prefetch.Line((ulong)(Validity + ((uint)slot >> 6)));
    }

    /// <summary>A slot's <see cref="SlotWord"/>. Acquire; partner: <see cref="SetSlot"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal unsafe uint SlotAt(int slot) => Volatile.Read(ref Directory[(uint)slot]); // SAFETY: see the remarks.

    /// <summary>Changes the word of a slot. Release.</summary>
    /// <safety>The slot is the caller's: it reserved it, ended its row, or locked the row.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal unsafe void SetSlot(int slot, uint word) => Volatile.Write(ref Directory[(uint)slot], word); // SAFETY: as the caller promises.

    /// <summary>Writes the words of several slots, without an order.</summary>
    /// <safety>The slots are the caller's, which makes them known after this: <see cref="UseSlots"/>.</safety>
    internal unsafe void FillSlots(int first, int count, uint word) => new Span<uint>(Directory + (uint)first, count).Fill(word); // SAFETY: as the caller promises.

    /// <summary>The validity bits of 64 slots. Acquire; partner: <see cref="SetValid(int, ulong)"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal unsafe ulong ValidWord(int word) => Volatile.Read(ref Validity[(uint)word]); // SAFETY: see the remarks.

    /// <summary>Whether enumerations see the row in a slot at this moment. Acquire; partner: <see cref="SetValid(int, ulong)"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool IsValid(int slot) => (ValidWord(slot >> 6) >> (slot & 63) & 1) != 0;

    /// <summary>Shows a row to enumerations. A full fence.</summary>
    /// <safety>The caller owns the slot.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void SetValid(int slot) => SetValid(slot >> 6, 1UL << (slot & 63));

    /// <summary>Shows rows of 64 slots to enumerations. A full fence.</summary>
    /// <safety>The caller owns these slots; others change other bits of the word.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal unsafe void SetValid(int word, ulong rows) => Interlocked.Or(ref Validity[(uint)word], rows); // SAFETY: as the caller promises.

    /// <summary>Sets the bit of a row.</summary>
    /// <safety>Nobody else sees the block.</safety>
    internal unsafe void FillValid(int slot) => Validity[(uint)slot >> 6] |= 1UL << (slot & 63); // SAFETY: as the caller promises.

    /// <summary>Hides a row from enumerations. A full fence.</summary>
    /// <safety>The caller owns the slot.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal unsafe void ClearValid(int slot) => Interlocked.And(ref Validity[(uint)slot >> 6], ~(1UL << (slot & 63))); // SAFETY: as the caller promises.

    /// <summary>Counts a slot more in limbo. A full fence.</summary>
    internal unsafe int AddLimbo() => Interlocked.Increment(ref Prefix->Limbo); // SAFETY: see the remarks.

    /// <summary>Counts a slot less in limbo.</summary>
    internal unsafe void TakeLimbo() => Interlocked.Decrement(ref Prefix->Limbo); // SAFETY: see the remarks.

    internal unsafe void SetLimboStamp(long stamp) => Volatile.Write(ref Prefix->LimboStamp, stamp); // SAFETY: see the remarks.

    /// <summary>A full fence.</summary>
    internal unsafe void ExchangeState(int state) => Interlocked.Exchange(ref Prefix->State, state); // SAFETY: see the remarks.

    internal unsafe bool TryChangeState(int from, int to) => Interlocked.CompareExchange(ref Prefix->State, to, from) == from; // SAFETY: see the remarks.

    /// <summary>Changes the state under the collection's lock, or of a block that nobody else has.</summary>
    internal unsafe void SetState(int state) => Volatile.Write(ref Prefix->State, state); // SAFETY: see the remarks.

    /// <summary>Release: who follows it finds the copy complete.</summary>
    internal unsafe void SetNext(BlockRef block) => Volatile.Write(ref Prefix->Next, block.Address); // SAFETY: see the remarks.

    internal unsafe void SetOlder(BlockRef block) => Volatile.Write(ref Prefix->Older, block.Address); // SAFETY: see the remarks.

    /// <summary>Copies a part of a block to the same place of another.</summary>
    /// <safety>The part lies in both blocks, whose layout is the same.</safety>
    internal unsafe void CopyTo(BlockRef target, int offset, int bytes) =>
        Buffer.MemoryCopy((void*)(Address + (uint)offset), (void*)(target.Address + (uint)offset), bytes, bytes); // SAFETY: as the caller promises.
}
