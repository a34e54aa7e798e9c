using Smc.Memory.Allocation;
using Smc.Memory.Indirection;
using Smc.Memory.Reclamation;

namespace Smc.Memory.Indexes;

/// <summary>The indexes of a collection, and what the addition and the removal of a row do to all of them. docs/models/uniqueindex.pml.</summary>
/// <remarks>
/// Invariants: words of a row are claimed, set in motion and taken out only under the row's stripe, under which its key columns stay as they are. <see cref="All"/> has the
/// order in which words are claimed. An index that was dropped leaves <see cref="All"/> first and keeps its memory until no reader is in it. Memory that an index
/// replaced is counted as garbage after the stripe was left, because an advance of the epoch takes long: no latch is held then.
/// </remarks>
internal sealed class IndexSet(CollectionLife life, EntryTable entries, Reclaimer reclaimer)
{
    // Null without an index: one predictable branch for an addition or a removal.
    private RowIndex[]? _all;
    private RowIndex[] _withMemory = [];
    private RowStripes? _stripes;
    private long _garbage;

    /// <summary>The indexes; null if there are none. Good for the caller's critical section.</summary>
    public RowIndex[]? All => Volatile.Read(ref _all);

    /// <summary>Bytes mapped for indexes, those that were dropped and wait for readers among them.</summary>
    public long Bytes => Volatile.Read(ref _withMemory).Sum(static index => index.MemoryBytes);

    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public void Add(RowIndex index)
    {
        lock (life.Lock)
        {
            life.ThrowIfDisposed();
            _stripes ??= new RowStripes();
            Volatile.Write(ref _withMemory, [.. _withMemory, index]);
            Volatile.Write(ref _all, [.. _all ?? [], index]);
        }
    }

    public void Remove(RowIndex index)
    {
        lock (life.Lock)
        {
            RowIndex[] left = Array.FindAll(_all ?? [], other => other != index);
            Volatile.Write(ref _all, left.Length == 0 ? null : left);
        }
    }

    /// <summary>An index that was dropped has given its memory back.</summary>
    public void Forget(RowIndex index)
    {
        lock (life.Lock) Volatile.Write(ref _withMemory, Array.FindAll(_withMemory, other => other != index));
    }

    /// <summary>Gives the memory of all indexes back. No reader can be in one.</summary>
    public void Release()
    {
        foreach (RowIndex index in Volatile.Read(ref _withMemory)) index.Release();
    }

    /// <summary>Takes the stripe of a row.</summary>
    /// <safety>The caller saw <see cref="All"/> not null in its critical section.</safety>
    public void Enter(uint id) => _stripes!.Enter(id);

    /// <summary>Leaves the stripe, and counts what the index replaced meanwhile as garbage.</summary>
    public void Exit(uint id)
    {
        _stripes!.Exit(id);
        if (TakeGarbage() is not 0 and long bytes) reclaimer.AddGarbage(bytes);
    }

    /// <summary>Memory of an index waits for readers: <see cref="Exit"/>, or the removal of a row, moves the epoch on in time.</summary>
    public void NoteGarbage(long bytes) => Interlocked.Add(ref _garbage, bytes);

    /// <summary>The garbage that nobody has counted yet, for the caller to count.</summary>
    public long TakeGarbage() => Volatile.Read(ref _garbage) == 0 ? 0 : Interlocked.Exchange(ref _garbage, 0);

    /// <summary>Claims a word for a row in each index, or in none and throws.</summary>
    public static void ClaimAll(RowIndex[] indexes, RowLocation location, uint id, uint incarnation, Span<ClaimedWord> claimed)
    {
        claimed.Clear();
        try
        {
            for (int i = 0; i < indexes.Length; i++)
            {
                RowIndex index = indexes[i];
                if (index.TryClaim(location, id, incarnation, out claimed[i])) continue;
                Exception duplicate = index.Duplicate(location);
                if (!index.IsBuilding) throw duplicate;
                index.Fail(duplicate);
            }
        }
        catch
        {
            TakeBackAll(indexes, claimed, location, id);
            throw;
        }
    }

    /// <summary>The row does not come after all.</summary>
    public static void TakeBackAll(RowIndex[] indexes, ReadOnlySpan<ClaimedWord> claimed, RowLocation location, uint id)
    {
        for (int i = 0; i < indexes.Length; i++) indexes[i].TakeBack(claimed[i], location, id);
    }

    /// <summary>The row is there.</summary>
    public static void SettleAll(RowIndex[] indexes, ReadOnlySpan<ClaimedWord> claimed, uint id)
    {
        for (int i = 0; i < indexes.Length; i++) indexes[i].Settle(claimed[i], id);
    }

    /// <summary>Takes the stripe of a row that is about to be removed and sets its words in motion. <see cref="EndRemoval"/> follows.</summary>
    /// <returns>False, without the stripe, if the row is gone.</returns>
    /// <safety>The caller is inside a critical section.</safety>
    public bool TryBeginRemoval(RowIndex[] indexes, EntryRef entry, uint incarnation, out IndexedRemoval removal)
    {
        uint id = entries.IdOf(entry);
        Enter(id);
        // Under the stripe the row's keys stay, wherever a compaction puts it meanwhile.
        ulong word = entries.Packed.Current(entry, out EntryRef home);
        if ((uint)word != incarnation)
        {
            _stripes!.Exit(id);
            removal = default;
            return false;
        }
        RowLocation location = home.Location;
        bool hasFirst = indexes[0].TryHash(location, out ulong first);
        removal = new IndexedRemoval(id, location, IndexTable.IsVisible(location), hasFirst, first);
        if (removal.IsVisible) SetAllInMotion(indexes, removal);
        return true;
    }

    /// <summary>Takes the words of a removed row out, before its place can be used again, and leaves the stripe.</summary>
    public void EndRemoval(RowIndex[] indexes, in IndexedRemoval removal)
    {
        // A draft has no words.
        if (removal.IsVisible)
        {
            for (int i = 0; i < indexes.Length; i++)
            {
                if (removal.TryHash(indexes, i, out ulong hash)) indexes[i].Leave(hash, removal.Location, removal.Id);
            }
        }
        _stripes!.Exit(removal.Id);
    }

    private static void SetAllInMotion(RowIndex[] indexes, in IndexedRemoval removal)
    {
        for (int i = 0; i < indexes.Length; i++)
        {
            if (removal.TryHash(indexes, i, out ulong hash)) indexes[i].BeginToLeave(hash, removal.Id);
        }
    }
}
