using System.Numerics;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Indirection;
using Smc.Memory.Reachability;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <content>Rows that are hidden and wait until nothing refers to them. docs/retire.md.</content>
/// <remarks>
/// A retired row has its bit in <see cref="_retiredRows"/> and none in the validity bitmap of its block; its entry and its slot's word are those of a row. The
/// bit of the id is set before the validity bit is cleared, so who looks for the row in this order finds one of them.
/// </remarks>
public sealed partial class MemoryContext
{
    private IdBitmap? _retiredRows;
    private ScanPart? _scan;

    /// <summary>Rows that are retired and not reclaimed; exact when nobody retires or removes.</summary>
    public long RetiredRows => Volatile.Read(ref _retiredRows)?.Count ?? 0;

    /// <summary>The retired rows by dense id; null until the first.</summary>
    internal IdBitmap? RetiredIds => Volatile.Read(ref _retiredRows);

    /// <summary>What the scan that is at work knows of the collection; null if there is none.</summary>
    internal ScanPart? Scan
    {
        get => Volatile.Read(ref _scan);
        set => Interlocked.Exchange(ref _scan, value);
    }

    /// <summary>Hides a row from scans and indexes. Handles and references find it until a scan finds none of the latter.</summary>
    /// <returns>False if the handle is null or the row was retired or removed before; of several threads that retire a row one gets true.</returns>
    /// <exception cref="ArgumentException">The row belongs to another collection.</exception>
    /// <exception cref="InvalidOperationException">The row is being initialised.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public bool TryRetire(ulong handle)
    {
        if (handle == 0) return false;
        using CriticalSection section = CriticalSection.Enter();
        RequireOwn(handle);
        return RetireInSection(handle);
    }

    /// <summary>Whether a slot holds a retired row.</summary>
    /// <safety>The caller is inside the critical section in which it got the block; the slot is below the high-water mark.</safety>
    internal unsafe bool IsRetired(ulong block, int slot) =>
        RetiredIds is { } retired && SlotWord.IsValid(Volatile.Read(ref BlockHeader.Directory(block)[slot])) // SAFETY: as the caller promises.
        && retired.IsSet(BlockHeader.DenseIdAt(block, slot));

    internal bool IsRetired(uint id) => RetiredIds is { } retired && retired.IsSet(id);

    /// <summary>The rows of 64 slots, retired or not, as bits.</summary>
    /// <param name="block">The block.</param>
    /// <param name="word">The first slot is 64 times this.</param>
    /// <safety>As <see cref="IsRetired(ulong, int)"/>.</safety>
    internal unsafe ulong RowsOf(ulong block, int word)
    {
        // SAFETY: as the caller promises. The validity bits first: a row that is retired in between is then found below or here.
        ulong rows = Volatile.Read(ref *((ulong*)BlockHeader.Validity(block) + word));
        if (RetiredIds is not { Count: > 0 }) return rows;
        int end = Math.Min(64, BlockHeader.SlotCount(block) - word * 64);
        for (int i = 0; i < end; i++)
        {
            if ((rows >> i & 1) == 0 && IsRetired(block, word * 64 + i)) rows |= 1UL << i;
        }
        return rows;
    }

    /// <summary>The handle of the row that has an id; 0 if none has.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    internal unsafe ulong HandleOfId(uint id)
    {
        // SAFETY: ids of the bitmaps were handed out, and entries are never unmapped.
        EntryWord* entry = (EntryWord*)_range.Base + id;
        uint incarnation = (uint)PackedEntries.Current(entry, out _);
        return incarnation is 0 or >= EntryWord.Dead ? 0 : Handle.Make((ulong)entry, incarnation);
    }

    /// <summary>Where rows keep references, direct ones among them.</summary>
    internal RowField[] References { get; }

    /// <summary>Removes a row that a scan condemned.</summary>
    /// <returns>False if it is gone.</returns>
    /// <safety>The caller is inside a critical section.</safety>
    internal unsafe bool Reclaim(ScanPart part, uint id)
    {
        if (IsDisposed) return false;
        ulong handle = HandleOfId(id);
        // The handle first: a row that is still a candidate after that is the one whose handle it is, until this section ends.
        if (handle == 0 || !part.Candidates.IsSet(id)) return false;
        // SAFETY: the entry is one of this context.
        if (!RemoveInSection((EntryWord*)Handle.EntryAddress(handle), Handle.Incarnation(handle))) return false;
        Reclaimer.AddGarbage(Layout.BytesPerRow);
        return true;
    }

    /// <summary>Takes the validity bit of a copy whose row is retired.</summary>
    /// <safety>The block is the target of a compaction of this context, and the caller has locked the row.</safety>
    internal static unsafe void Hide(ulong block, int slot) =>
        Interlocked.And(ref *((ulong*)BlockHeader.Validity(block) + (slot >> 6)), ~(1UL << (slot & 63))); // SAFETY: as the caller promises.

    /// <summary>What the column at an offset holds.</summary>
    internal ColumnStorage StorageOf(int offset)
    {
        foreach (ColumnLayout column in Layout.Columns)
        {
            if (column.Offset == offset) return column.Storage;
        }
        return ColumnStorage.Plain;
    }

    private unsafe bool RetireInSection(ulong handle)
    {
        using WriteWindow window = WriteWindow.Enter();
        EntryWord* entry = (EntryWord*)Handle.EntryAddress(handle);
        uint id = IdOf((ulong)entry);
        IdBitmap retired = RetiredIds ?? MakeRetiredIds();
        // A snapshot that is open keeps the block with the row, before the row is located for its indexes.
        if (SnapshotState.IsSlow) PrepareRow(handle);
        RowIndex[]? indexes = Indexes;
        IndexedRemoval removal = default;
        if (indexes is not null && !BeginIndexedRemoval(indexes, entry, Handle.Incarnation(handle), out removal)) return false;
        bool isDraft = false, isRetired = false;
        // Locked if a compaction is about to move the row: its mover looks at the id's bit after this.
        if (RowWriter.TryBegin(handle, out ulong location, out bool isLocked))
        {
            ulong slot = Location.SlotOf(location);
            // SAFETY: the section keeps the block mapped.
            ref ulong word = ref *((ulong*)BlockHeader.Validity(Location.BlockOf(location)) + (slot >> 6));
            ulong bit = 1UL << (int)(slot & 63);
            bool isVisible = (Volatile.Read(ref word) & bit) != 0;
            isDraft = !isVisible && !retired.IsSet(id);
            isRetired = isVisible && retired.TrySet(id);
            ProtocolSteps.Reach(ProtocolStep.RetiredBitSet);
            if (isRetired) Interlocked.And(ref word, ~bit);
            if (isLocked) RowWriter.End(handle);
        }
        if (indexes is not null) EndIndexedRemoval(indexes, removal);
        // Store of the bit, fence, look at the entry; partner: RemoveInSection kills the entry and then looks at the bit. One of the two takes the bit back.
        if (isRetired && HandleOfId(id) != handle)
        {
            retired.TryClear(id);
            return false;
        }
        if (isDraft && HandleOfId(id) == handle)
            throw new InvalidOperationException($"The row of {Name} is being initialised. Retire it when it has been added.");
        return isRetired;
    }

    private IdBitmap MakeRetiredIds()
    {
        IdBitmap made = new();
        return Interlocked.CompareExchange(ref _retiredRows, made, null) ?? made;
    }

    /// <summary>A row was killed: its id is no longer that of a retired row, or of a candidate, before another row can have it.</summary>
    private void ForgetRetired(uint id)
    {
        if (RetiredIds is not { } retired || !retired.TryClear(id)) return;
        // Clear the one, fence, look for the other; partner: ReachabilityScan.TakeCandidates.
        Scan?.Candidates.TryClear(id);
    }

    /// <summary>Ends the life of every retired row.</summary>
    /// <safety>The caller is inside a critical section in which the entries are mapped.</safety>
    private unsafe void EndRetiredRows(bool keepSlots)
    {
        if (RetiredIds is not { } retired) return;
        for (int word = 0; word < retired.WordLimit; word++)
        {
            for (ulong bits = retired.Word(word); bits != 0; bits &= bits - 1)
            {
                uint id = (uint)(word * 64 + BitOperations.TrailingZeroCount(bits));
                ulong handle = HandleOfId(id);
                if (handle == 0) continue;
                EntryWord* entry = (EntryWord*)Handle.EntryAddress(handle);
                // SAFETY: the entry is one of this context.
                if (keepSlots) RemoveInSection(entry, Handle.Incarnation(handle));
                else KillCounted(entry, Handle.Incarnation(handle));
                retired.TryClear(id);
            }
        }
    }

    /// <summary>Admits the references of a row that is being published (<see cref="ReferenceBarrier"/>): once before it can be seen, and once after it.</summary>
    /// <safety>The caller is inside a critical section and a window, and the slot is one of the block.</safety>
    private unsafe void AdmitReferences(ulong block, int slot)
    {
        foreach (RowField field in References)
        {
            // SAFETY: as the caller promises.
            ref ulong word = ref *(ulong*)field.At(block, slot);
            ulong value = Volatile.Read(ref word);
            if (ReferenceBarrier.AdmitTo(block, (int)field.Offset, value) != value) Interlocked.CompareExchange(ref word, 0, value);
        }
    }
}
