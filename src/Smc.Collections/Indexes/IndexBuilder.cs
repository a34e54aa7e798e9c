using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>Fills an index with the rows that are there, while others write.</summary>
/// <remarks>
/// First every write maintains the index (two epochs pass until all do). Then the rows are walked: under its stripe each gets a word unless a writer gave it one meanwhile.
/// Duplicates are noted until the walk is over; then they are refused, and when two more epochs have passed all that were not refused are known.
/// </remarks>
internal sealed class IndexBuilder(KeyedIndex index, IProgress<long>? progress, CancellationToken cancellationToken)
{
    private const int RowsPerSection = 4096;

    private readonly MemoryContext _context = index.Context;
    private BlockRoute _route;

    /// <summary>Builds the index.</summary>
    /// <exception cref="DuplicateKeyException">Two rows have one key. The index is dropped.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled. The index is dropped.</exception>
    public void Build()
    {
        try
        {
            _context.Indexes.Add(index);
            IndexSet.AwaitGrace(cancellationToken);
            _route = new BlockRoute(_context);
            long rows = 0;
            while (AddRows(ref rows))
            {
                progress?.Report(rows);
                cancellationToken.ThrowIfCancellationRequested();
            }

            index.BecomeStrict();
            IndexSet.AwaitGrace(cancellationToken);
            if (index.Failure is { } failure)
                throw failure;
            index.BecomeComplete();
            progress?.Report(rows);
        }
        catch
        {
            index.End();
            throw;
        }
    }

    /// <summary>Adds the rows of one critical section.</summary>
    /// <returns>False at the end, or when the index has failed.</returns>
    private bool AddRows(ref long rows)
    {
        using CriticalSection section = CriticalSection.Enter();
        _context.ThrowIfDisposed();
        int slots = 0;
        while (_route.TryFind(out BlockRef block, out int from, out int to))
        {
            for (; from < to && slots < RowsPerSection; from++, slots++)
            {
                if (Add(block, from))
                    rows++;
                if (index.Failure is not null)
                    return false;
            }

            _route.Pass(from);
            if (slots == RowsPerSection)
                return true;
        }

        return false;
    }

    private bool Add(BlockRef block, int slot)
    {
        if (!new RowLocation(block, slot).IsVisible || block.HandleAt(slot) is not (not 0 and ulong handle))
            return false;
        uint id = _context.Indexes.Enter(handle);
        try
        {
            // Under the stripe: the row stays, and keeps its key.
            if (!Handle.TryLocate(handle, out RowLocation location) || !index.TryHash(location, out _))
                return false;
            if (index.Holds(location, id))
                return true;
            if (index.TryClaim(location, id, Handle.Incarnation(handle), out ClaimedWord claimed))
                index.Settle(claimed, id);
            else
                index.Fail(index.Duplicate(location));
            return true;
        }
        finally
        {
            _context.Indexes.Exit(id);
        }
    }
}
