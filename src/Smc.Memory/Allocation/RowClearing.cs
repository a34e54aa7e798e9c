using System.ComponentModel;
using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Compaction;
using Smc.Memory.Reachability;
using Smc.Memory.Reclamation;
using Smc.Memory.Snapshots;
using Smc.Memory.Strings;

namespace Smc.Memory;

/// <summary>Ends all rows of a collection at once, and gives back what a collection without rows does not need: empty blocks, and the strings that rows shared.</summary>
/// <remarks>Invariants: what an open snapshot does not let go is given back when the last one has ended. Nothing waits for readers here; memory follows two epochs later.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class RowClearing
{
    private readonly CollectionLife _life;
    private readonly BlockStore _store;
    private readonly RowRemoval _removal;
    private readonly RetiredRows _retired;
    private readonly EmptyBlocks _emptyBlocks;
    private readonly SnapshotMarks _snapshots;
    private readonly StringHeap _strings;
    private readonly StringCompaction _stringCompaction;
    private readonly Reclaimer _reclaimer;
    private bool _endsInterningLater;

    internal RowClearing(
        CollectionLife life, BlockStore store, RowRemoval removal, RetiredRows retired, EmptyBlocks emptyBlocks, SnapshotMarks snapshots, StringHeap strings, StringCompaction stringCompaction, Reclaimer reclaimer)
    {
        _life = life;
        _store = store;
        _removal = removal;
        _retired = retired;
        _emptyBlocks = emptyBlocks;
        _snapshots = snapshots;
        _strings = strings;
        _stringCompaction = stringCompaction;
        _reclaimer = reclaimer;
    }

    /// <summary>Removes all rows that are there, retired ones too, one by one, and gives back blocks that are empty then, and the strings that rows shared.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public void Clear()
    {
        _life.ThrowIfDisposed();
        // Also of a group in motion: the old blocks know their rows wherever these are now.
        using (CriticalSection.Enter()) _removal.EndRowsOf(_store.List, keepSlots: true);
        EndClearing();
    }

    /// <summary>The handles of all rows that are there, retired ones too, and of those that a bulk addition hides.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public IReadOnlyList<ulong> CopyHandles()
    {
        _life.ThrowIfDisposed();
        List<ulong> handles = [];
        using CriticalSection section = CriticalSection.Enter();
        BlockList blocks = _store.List.Decide();
        for (int i = 0; i < blocks.Count; i++)
        {
            foreach (int slot in _retired.SlotsOf(blocks[i]))
            {
                if (blocks[i].HandleAt(slot) is not 0 and ulong handle) handles.Add(handle);
            }
        }
        return handles;
    }

    /// <summary>Gives back what <see cref="Clear"/> gives back, when the caller has removed the rows.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public void EndClearing()
    {
        TrimExcess();
        if (_snapshots.IsSnapshotted)
        {
            Volatile.Write(ref _endsInterningLater, true);
            return;
        }
        // Without readers the shared strings are gone when this returns.
        _strings.ResetInterning(_stringCompaction);
        for (int i = 0; i < InternedStrings.ResetGraces; i++) _reclaimer.AdvanceTwice();
    }

    /// <summary>Gives blocks without rows back, two epochs later.</summary>
    /// <exception cref="ObjectDisposedException">The collection was disposed.</exception>
    public void TrimExcess()
    {
        _life.ThrowIfDisposed();
        if (_emptyBlocks.Retire(includeUnused: true, includeActive: true) > 0) _reclaimer.AdvanceTwice();
    }

    /// <summary>Does what had to wait for the end of the snapshots.</summary>
    internal void DoPostponed()
    {
        if (_life.IsDisposed) return;
        bool trims = _emptyBlocks.WasPostponed(), endsInterning = Interlocked.Exchange(ref _endsInterningLater, false);
        try
        {
            if (trims) _emptyBlocks.Retire(includeUnused: false, includeActive: true);
            if (endsInterning && _stringCompaction.IsEmpty) _strings.ResetInterning(_stringCompaction);
        }
        catch (ObjectDisposedException)
        {
            // Meanwhile.
        }
        _reclaimer.AdvanceTwice();
    }
}
