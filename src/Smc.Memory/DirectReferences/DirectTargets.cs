using System.ComponentModel;
using Smc.Memory.DirectReferences;
using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Compaction;
using Smc.Memory.Indirection;
using Smc.Memory.Reachability;
using Smc.Memory.Snapshots;

namespace Smc.Memory;

/// <summary>The direct references from rows of one collection: which collections they lead to, and their repair when blocks leave one of these.</summary>
/// <remarks>
/// Invariants: a collection is among the targets, and knows this one as a referrer, before the first reference to a row of it is stored. A repair holds the compaction gate, so
/// that it does not miss words that are being copied, and no lock or gate of the collection whose blocks leave, so that two collections that refer to each other do not wait for one another.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class DirectTargets
{
    private readonly CollectionLife _life;
    private readonly CompactionGate _gate;
    private readonly BlockStore _store;
    private readonly RetiredRows _retired;

    internal DirectTargets(CollectionLife life, CompactionGate gate, BlockStore store, RetiredRows retired)
    {
        _life = life;
        _gate = gate;
        _store = store;
        _retired = retired;
    }

    // Who refers to whom changes rarely.
    private static readonly Lock s_lock = new();

    private MemoryContext[] _all = [];

    internal bool IsDisposed => _life.IsDisposed;

    /// <summary>The collection is disposed, and no reader is left at its rows.</summary>
    internal void Leave()
    {
        foreach (MemoryContext target in Volatile.Read(ref _all)) target.Referrers.LoseReferrer();
    }

    /// <summary>
    /// The word with which a row of this collection refers directly to the row of a handle; 0 if the handle is null or the row was removed.
    /// </summary>
    /// <safety>The caller is inside a critical section, stores the word in a column of storage <see cref="ColumnStorage.DirectReference"/>
    /// of this collection or nowhere, and does so before the section ends.</safety>
    public ulong WordOf(ulong handle)
    {
        if (handle == 0 || !Handle.TryLocate(handle, out RowLocation location)) return 0;
        return IsKnown(handle) ? DirectWord.Make(location, Handle.Incarnation(handle)) : 0;
    }

    /// <summary>The word with which a row of this collection will refer directly to the row of a reserved place.</summary>
    /// <param name="target">The place, of another collection or this one.</param>
    /// <param name="handle">What <see cref="EntryTable.HandleToBe"/> gave for it.</param>
    /// <returns>The word; 0 if the other collection is disposed by now.</returns>
    /// <safety>As <see cref="RowAllocator.ReserveRuns"/>, of both collections: the word goes into a row that is published after its target.</safety>
    public ulong WordToBe(in RowSlot target, ulong handle) =>
        IsKnown(handle) ? DirectWord.Make(new RowLocation(target.Block, target.Slot), Handle.Incarnation(handle)) : 0;

    /// <summary>Makes the collection of a row a target.</summary>
    /// <returns>False if it is disposed by now.</returns>
    internal bool IsKnown(ulong handle)
    {
        foreach (MemoryContext target in Volatile.Read(ref _all))
        {
            // The addresses of a disposed collection may have a new tenant.
            if (target.Entries.Owns(handle) && !target.IsDisposed) return true;
        }
        return TryAdd(handle);
    }

    private bool TryAdd(ulong handle)
    {
        if (MemoryContext.Find(handle) is not { } target) return false;
        lock (s_lock)
        {
            if (Array.IndexOf(_all, target) >= 0) return true;
            target.Referrers.Add(this);
            Volatile.Write(ref _all, [.. Array.FindAll(_all, static known => !known.IsDisposed), target]);
        }
        return true;
    }

    /// <summary>Rewrites all references to blocks that leave some collection.</summary>
    /// <returns>False if patience ended before, or a snapshot was begun; nothing has changed then but some references.</returns>
    internal bool TryRepairReferencesTo(HashSet<BlockRef> leaving, in CompactionPatience patience)
    {
        if (!_gate.TryEnter(patience)) return false;
        try
        {
            ReferenceRepair repair = new(_store.Layout, _retired, leaving);
            // Rows in blocks that are added from here on refer to nothing that leaves.
            BlockList blocks = _store.List;
            for (int i = 0; i < blocks.Count; i++)
            {
                using CriticalSection section = CriticalSection.Enter();
                using WriteWindow window = WriteWindow.Enter();
                if (SnapshotState.IsOpen) return false;
                // Blocks without rows may have left; when all have, the collection was disposed, and its rows are dead.
                if (_store.List.Contains(blocks[i], i)) repair.Walk(blocks[i]);
            }
            return true;
        }
        finally
        {
            _gate.Exit();
        }
    }
}
