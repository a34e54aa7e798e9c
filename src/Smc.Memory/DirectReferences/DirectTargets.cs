using Smc.Memory.Allocation;
using Smc.Memory.Blocks;
using Smc.Memory.Compaction;
using Smc.Memory.Indirection;
using Smc.Memory.Reachability;
using Smc.Memory.Snapshots;

namespace Smc.Memory.DirectReferences;

/// <summary>The direct references from rows of one collection: which collections they lead to, and their repair when blocks leave one of these.</summary>
/// <remarks>
/// Invariants: a collection is among the targets, and knows this one as a referrer, before the first reference to a row of it is stored. A repair holds the compaction gate, so
/// that it does not miss words that are being copied, and no lock or gate of the collection whose blocks leave, so that two collections that refer to each other do not wait for one another.
/// </remarks>
internal sealed class DirectTargets(CollectionLife life, CompactionGate gate, BlockStore store, RetiredRows retired)
{
    // Who refers to whom changes rarely.
    private static readonly Lock s_lock = new();

    private MemoryContext[] _all = [];

    public bool IsDisposed => life.IsDisposed;

    /// <summary>See <see cref="MemoryContext.DirectWordOf"/>.</summary>
    public ulong WordOf(ulong handle)
    {
        if (handle == 0 || !Handle.TryLocate(handle, out RowLocation location)) return 0;
        return IsKnown(handle) ? DirectWord.Make(location, Handle.Incarnation(handle)) : 0;
    }

    /// <summary>Makes the collection of a row a target.</summary>
    /// <returns>False if it is disposed by now.</returns>
    public bool IsKnown(ulong handle)
    {
        foreach (MemoryContext target in Volatile.Read(ref _all))
        {
            // The addresses of a disposed collection may have a new tenant.
            if (target.Owns(handle) && !target.IsDisposed) return true;
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
    public bool TryRepairReferencesTo(HashSet<BlockRef> leaving, in CompactionPatience patience)
    {
        if (!gate.TryEnter(patience)) return false;
        try
        {
            ReferenceRepair repair = new(store.Layout, retired, leaving);
            // Rows in blocks that are added from here on refer to nothing that leaves.
            BlockList blocks = store.List;
            for (int i = 0; i < blocks.Count; i++)
            {
                using CriticalSection section = CriticalSection.Enter();
                using WriteWindow window = WriteWindow.Enter();
                if (SnapshotState.IsOpen) return false;
                // Blocks without rows may have left; when all have, the collection was disposed, and its rows are dead.
                if (store.List.Contains(blocks[i], i)) repair.Walk(blocks[i]);
            }
            return true;
        }
        finally
        {
            gate.Exit();
        }
    }
}
