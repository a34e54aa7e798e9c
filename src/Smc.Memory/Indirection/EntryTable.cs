using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Compaction;
using Smc.Memory.Indirection;
using Smc.Memory.Reclamation;

namespace Smc.Memory;

/// <summary>The entries of one collection: a range of addresses, the dense ids that are handed out, and the pages of entries that are kept elsewhere.</summary>
/// <remarks>
/// Invariants: an id serves one slot at a time, and no incarnation is used twice in an entry (I3 of docs/memory-model.md): every one that an entry gets is noted before, so the next
/// tenant of the range begins above all of them. Ids are taken and returned under the collection's lock. <see cref="FirstIncarnation"/> does not change while the collection
/// has the range.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class EntryTable
{
    private readonly CollectionLife _life;
    private readonly MemoryBudget _budget;
    private readonly Departures _departures;
    private long _highestIncarnation;
    private long _wornOut;

    /// <exception cref="OffHeapMemoryException">The system does not reserve the addresses.</exception>
    internal EntryTable(CollectionLife life, MemoryManager manager, Departures departures, long maxRows, int incarnationBits)
    {
        _life = life;
        _departures = departures;
        _budget = manager.Budget;
        MaxRows = maxRows;
        Range = RangeRegistry.Take(EntryRange.BytesFor(maxRows), manager.Reclaimer);
        First = Range.First;
        FirstIncarnation = Range.FirstIncarnation;
        _highestIncarnation = FirstIncarnation - 1;
        // A narrow width counts from where the range begins.
        uint lives = (1u << incarnationBits) - 1;
        uint maxIncarnation = Math.Min(Handle.MaxIncarnation, FirstIncarnation - 1 + lives);
        Packed = new PackedEntries(Range, maxIncarnation, _budget, Retire);
        Ids = new DenseIds(Range, Range.Bytes / EntryWord.SizeInBytes, maxIncarnation, Packed, _budget, life.Name);
    }

    internal EntryRange Range { get; }

    /// <summary>So many rows at most.</summary>
    internal long MaxRows { get; }

    internal DenseIds Ids { get; }

    /// <summary>The entries that are not in their places.</summary>
    internal PackedEntries Packed { get; }

    /// <summary>The entry with dense id 0.</summary>
    public EntryRef First { get; }

    /// <summary>The incarnation that an entry gives to its first row.</summary>
    internal uint FirstIncarnation { get; }

    /// <summary>Whether earlier collections had some of the entries, so that a reference that outlived one of them may have the dense id of a row here. Rare: see <see cref="EntryRange"/>.</summary>
    internal bool HadTenants => FirstIncarnation > 1;

    /// <summary>Entries that no row can use any more because their incarnations are used up.</summary>
    public long WornOut => Volatile.Read(ref _wornOut);

    /// <summary>The entry of an id that was handed out.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal EntryRef Of(uint id) => First.After(id);

    internal uint IdOf(EntryRef entry) => entry.IdFrom(First);

    /// <summary>True if the handle, alive or not, was made by this collection. False for 0.</summary>
    /// <remarks>Where entries had rows of other collections, the handles of these have lower incarnations.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Owns(ulong handle) =>
        Handle.EntryNumber(handle) - First.Number < (ulong)Ids.Taken && Handle.Incarnation(handle) >= FirstIncarnation;

    /// <summary>The handle of the row that has an id in one of its lives.</summary>
    public ulong HandleOf(uint id, uint incarnation) => Of(id).HandleWith(incarnation);

    /// <summary>Whether no entry of a block's rows had a row before, so that all of them give their rows the same incarnation.</summary>
    /// <safety>All rows that the block has had are reserved places.</safety>
    public bool AreUnused(BlockRef block) => !HadTenants && !block.Header.HasUsedIds;

    /// <summary>The handle that a reserved place will have as a row.</summary>
    /// <param name="entry">The place's entry.</param>
    /// <safety>The entry is that of a reserved place of this collection.</safety>
    public ulong HandleToBe(EntryRef entry) => entry.HandleWith(NextIncarnation(entry));

    /// <exception cref="ArgumentException">The handle was made by another collection.</exception>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void RequireOwn(ulong handle)
    {
        _life.ThrowIfDisposed();
        if (!Owns(handle)) ThrowForeign(handle);
    }

    /// <summary>The incarnation that the next row of an entry gets.</summary>
    /// <safety>The entry is one of this collection, and the caller reserved it or keeps others from it.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal uint NextIncarnation(EntryRef entry) => entry.NextIncarnation(FirstIncarnation);

    /// <summary>Notes the incarnation that the row of an id gets next.</summary>
    /// <returns>True if the entry had a row before.</returns>
    /// <safety>As <see cref="NextIncarnation"/>.</safety>
    internal bool NoteIncarnation(uint id)
    {
        long next = NextIncarnation(Of(id));
        for (long highest = Volatile.Read(ref _highestIncarnation); next > highest;)
        {
            long found = Interlocked.CompareExchange(ref _highestIncarnation, next, highest);
            if (found == highest) break;
            highest = found;
        }
        return next > FirstIncarnation;
    }

    /// <summary>Whether an id can have no further row where its entry is.</summary>
    internal bool IsSpent(uint id) => Packed.Contains(id) || Ids.IsWornOut(id);

    /// <summary>Takes an id in place of one whose entry is worn out or packed. Under the collection's lock.</summary>
    /// <param name="replaced">The id. Its entry is dead, and no reader that found it alive is left.</param>
    /// <param name="isReturned">False to lose an id that could serve others.</param>
    internal uint Replace(uint replaced, bool isReturned)
    {
        uint id = Ids.TakeSingle();
        if (!Packed.Contains(replaced) && Ids.IsWornOut(replaced)) Interlocked.Increment(ref _wornOut);
        else if (isReturned) Ids.ReturnSingle(replaced);
        return id;
    }

    /// <summary>Gives a new block its ids. Those that are free come before new ones, so that the entries do not grow for ever. Under the collection's lock.</summary>
    /// <returns>True if others had the ids before.</returns>
    /// <safety>The caller just made the block, and nobody else sees it.</safety>
    internal bool GiveIds(BlockRef block, int slots)
    {
        ref BlockPrefix prefix = ref block.Header;
        prefix.HasListedIds = Ids.TryTakeList(block.SlotIds(slots));
        bool areUsed = true;
        if (!prefix.HasListedIds) prefix.FirstId = Ids.TakeRun(slots, out areUsed);
        prefix.HasUsedIds = areUsed;
        return areUsed;
    }

    /// <summary>Takes the ids of a block back.</summary>
    /// <safety>No reader can have the block, and it is mapped.</safety>
    internal void ReturnIds(BlockRef block, int slots)
    {
        ref BlockPrefix prefix = ref block.Header;
        lock (_life.Lock)
        {
            if (prefix.HasListedIds)
            {
                foreach (uint id in block.SlotIds(slots)) Ids.ReturnSingle(id);
                return;
            }
            Ids.ReturnRun(prefix.FirstId);
            if (prefix.HasReplacedIds) ReturnReplacedIds(block, Ids);
        }
    }

    /// <summary>The memory goes back, and the rest of the addresses serves the next collection. No reader can have an entry.</summary>
    internal void Release()
    {
        Packed.Release();
        long bytes = Packed.MappedBytes;
        EntryRange next = Range.Vacate((uint)Volatile.Read(ref _highestIncarnation));
        _budget.Release(bytes);
        RangeRegistry.Return(next);
    }

    private static void ReturnReplacedIds(BlockRef block, DenseIds ids)
    {
        for (int slot = 0; slot < block.SlotCount; slot++)
        {
            uint id = block.DenseIdAt(slot);
            if (id != block.Header.FirstId + (uint)slot) ids.ReturnSingle(id);
        }
    }

    [DoesNotReturn]
    private void ThrowForeign(ulong handle)
    {
        string owner = MemoryContext.Find(handle) is { } other ? $"the collection {other.Name}" : "no collection that exists";
        throw new ArgumentException($"The row belongs to {owner}, not to {_life.Name}.", nameof(handle));
    }

    private void Retire(PackedBatch batch) => _departures.Retire(new RetiredBatch(Packed, _departures, batch));

    /// <summary>A mapping of packed pages that are restored.</summary>
    private sealed class RetiredBatch(PackedEntries entries, Departures departures, PackedBatch batch) : Retired, IFreedBetweenCompactions
    {
        public override void Release() => departures.Release(this);

        public void Free() => entries.Free(batch);
    }
}
