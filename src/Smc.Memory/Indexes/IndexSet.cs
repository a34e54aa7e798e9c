using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory.Indexes;
using Smc.Memory.Allocation;
using Smc.Memory.Compaction;
using Smc.Memory.Epochs;
using Smc.Memory.Indirection;
using Smc.Memory.Reclamation;

namespace Smc.Memory;

/// <summary>The indexes of a collection, and what the addition and the removal of a row do to all of them. docs/models/uniqueindex.pml.</summary>
/// <remarks>
/// Invariants: words of a row are claimed, set in motion and taken out only under the row's stripe, under which its key columns stay as they are. <see cref="All"/> has the
/// order in which words are claimed. An index that was dropped leaves <see cref="All"/> first and keeps its memory until no reader is in it. Memory that an index
/// replaced is counted as garbage after the stripe was left, because an advance of the epoch takes long: no latch is held then.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class IndexSet
{
    private readonly CollectionLife _life;
    private readonly EntryTable _entries;
    private readonly Reclaimer _reclaimer;

    // Null without an index: one predictable branch for an addition or a removal.
    private RowIndex[]? _all;
    private RowIndex[] _withMemory = [];
    private RowStripes? _stripes;
    private long _garbage;

    internal IndexSet(CollectionLife life, EntryTable entries, Reclaimer reclaimer)
    {
        _life = life;
        _entries = entries;
        _reclaimer = reclaimer;
    }

    /// <summary>The indexes in the order in which words are claimed; null if there are none. Good for the caller's critical section.</summary>
    public RowIndex[]? All => Volatile.Read(ref _all);

    /// <summary>Bytes mapped for indexes, those that were dropped and wait for readers among them.</summary>
    internal long Bytes => Volatile.Read(ref _withMemory).Sum(static index => index.MemoryBytes);

    /// <summary>Makes additions, removals and changes maintain an index: those in sections that begin from here on; <see cref="AwaitGrace"/> waits for the others.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public void Add(RowIndex index)
    {
        ArgumentNullException.ThrowIfNull(index);
        lock (_life.Lock)
        {
            _life.ThrowIfDisposed();
            _stripes ??= new RowStripes();
            Volatile.Write(ref _withMemory, [.. _withMemory, index]);
            Volatile.Write(ref _all, [.. _all ?? [], index]);
        }
    }

    internal void Remove(RowIndex index)
    {
        lock (_life.Lock)
        {
            RowIndex[] left = Array.FindAll(_all ?? [], other => other != index);
            Volatile.Write(ref _all, left.Length == 0 ? null : left);
        }
    }

    /// <summary>An index that was dropped has given its memory back.</summary>
    internal void Forget(RowIndex index)
    {
        lock (_life.Lock) Volatile.Write(ref _withMemory, Array.FindAll(_withMemory, other => other != index));
    }

    /// <summary>Gives the memory of all indexes back. No reader can be in one.</summary>
    internal void Release()
    {
        foreach (RowIndex index in Volatile.Read(ref _withMemory)) index.Release();
    }

    /// <summary>Waits for the end of all sections that are open now, of all threads.</summary>
    /// <exception cref="InvalidOperationException">The caller is inside a critical section.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static void AwaitGrace(CancellationToken cancellationToken)
    {
        if (Epoch.IsInsideSection) throw new InvalidOperationException("An index is created outside of initialisers and critical sections: it would wait for the caller's own.");
        // What the caller has stored is visible before the epoch is read; partner: the advance.
        Interlocked.MemoryBarrier();
        long end = GlobalEpoch.Now + Epoch.Grace;
        EpochWait wait = new(null, new CompactionPatience(null, null, cancellationToken));
        while (GlobalEpoch.Now < end)
        {
            if (!wait.TryWait()) cancellationToken.ThrowIfCancellationRequested();
        }
    }

    /// <summary>Takes the stripe of a row.</summary>
    /// <returns>The row's dense id.</returns>
    /// <safety>The caller saw <see cref="All"/> not null in its critical section, and the handle is one of this collection.</safety>
    public uint Enter(ulong handle)
    {
        uint id = _entries.IdOf(EntryRef.Of(handle));
        EnterById(id);
        return id;
    }

    /// <summary>Leaves the stripe that <see cref="Enter"/> took, and counts what the index replaced meanwhile as garbage.</summary>
    public void Exit(uint id)
    {
        _stripes!.Exit(id);
        if (TakeGarbage() is not 0 and long bytes) _reclaimer.AddGarbage(bytes);
    }

    /// <summary>Asks the processor for what the addition of some rows to an index reads. Nothing that is read here counts: rows may change, move and go meanwhile.</summary>
    /// <param name="index">The index.</param>
    /// <param name="handles">The rows, of this collection; at most <see cref="OrderedSearches.Most"/>.</param>
    /// <safety>The caller is inside a critical section.</safety>
    public void Prefetch(RowIndex index, ReadOnlySpan<ulong> handles)
    {
        ArgumentNullException.ThrowIfNull(index);
        Span<RowLocation> rows = stackalloc RowLocation[OrderedSearches.Most];
        Span<uint> ids = stackalloc uint[OrderedSearches.Most];
        for (int i = 0; i < handles.Length; i++)
        {
            if (!Handle.TryLocate(handles[i], out rows[i])) continue;
            ids[i] = _entries.IdOf(EntryRef.Of(handles[i]));
            index.PrefetchKeyColumns(rows[i]);
        }
        index.PrefetchWords(rows[..handles.Length], ids);
    }

    /// <summary>Takes the stripe of a row.</summary>
    /// <safety>The caller saw <see cref="All"/> not null in its critical section.</safety>
    internal void EnterById(uint id) => _stripes!.Enter(id);

    /// <summary>Memory of an index waits for readers: <see cref="Exit"/>, or the removal of a row, moves the epoch on in time.</summary>
    internal void NoteGarbage(long bytes) => Interlocked.Add(ref _garbage, bytes);

    /// <summary>The garbage that nobody has counted yet, for the caller to count.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal long TakeGarbage() => Volatile.Read(ref _garbage) == 0 ? 0 : Interlocked.Exchange(ref _garbage, 0);

    /// <summary>Claims a word for a row in each index, or in none and throws.</summary>
    internal static void ClaimAll(RowIndex[] indexes, RowLocation location, uint id, uint incarnation, Span<ClaimedWord> claimed)
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
    internal static void TakeBackAll(RowIndex[] indexes, ReadOnlySpan<ClaimedWord> claimed, RowLocation location, uint id)
    {
        for (int i = 0; i < indexes.Length; i++) indexes[i].TakeBack(claimed[i], location, id);
    }

    /// <summary>The row is there.</summary>
    internal static void SettleAll(RowIndex[] indexes, ReadOnlySpan<ClaimedWord> claimed, uint id)
    {
        for (int i = 0; i < indexes.Length; i++) indexes[i].Settle(claimed[i], id);
    }

    /// <summary>Takes the stripe of a row that is about to be removed and sets its words in motion. <see cref="EndRemoval"/> follows.</summary>
    /// <returns>False, without the stripe, if the row is gone.</returns>
    /// <safety>The caller is inside a critical section.</safety>
    internal bool TryBeginRemoval(RowIndex[] indexes, EntryRef entry, uint incarnation, out IndexedRemoval removal)
    {
        uint id = _entries.IdOf(entry);
        EnterById(id);
        // Under the stripe the row's keys stay, wherever a compaction puts it meanwhile.
        ulong word = _entries.Packed.Current(entry, out EntryRef home);
        if ((uint)word != incarnation)
        {
            _stripes!.Exit(id);
            removal = default;
            return false;
        }
        RowLocation location = home.Location;
        bool hasFirst = indexes[0].TryHash(location, out ulong first);
        removal = new IndexedRemoval(id, location, location.IsVisible, hasFirst, first);
        if (removal.IsVisible) SetAllInMotion(indexes, removal);
        return true;
    }

    /// <summary>Takes the words of a removed row out, before its place can be used again, and leaves the stripe.</summary>
    internal void EndRemoval(RowIndex[] indexes, in IndexedRemoval removal)
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
