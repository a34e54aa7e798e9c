using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>The thread that compacts in a scenario: again and again, whole passes and such that run out of time or are cancelled on the way.</summary>
internal sealed class CompactingWorker
{
    private long _rowsMoved, _blocksFreed, _passes;

    public long RowsMoved => Volatile.Read(ref _rowsMoved);

    public string Summary => $"{_passes:N0} compactions moved {_rowsMoved:N0} rows and freed {_blocksFreed:N0} blocks";

    /// <summary>A worker that compacts a collection until the time is up.</summary>
    public Action<Random> For(ScenarioRun run, MemoryContext context) => random =>
    {
        while (run.Goes)
        {
            Compact(context, random);
            if (random.Next(3) == 0) Thread.Sleep(random.Next(3));
        }
    };

    /// <summary>Compacts once. Nothing happens if the collection is disposed or there is no memory for a target.</summary>
    public void Compact(MemoryContext context, Random random)
    {
        CompactionOptions options = new()
        {
            Occupancy = random.Next(2) == 0 ? 0.3 : 0.7,
            // A few milliseconds are too few when a reader is in its section for longer. Half a second is enough for a whole pass, and ends one
            // that would never end because, on a busy machine, others make blocks sparse faster than it moves their rows.
            TimeLimit = random.Next(2) == 0 ? TimeSpan.FromMilliseconds(500) : TimeSpan.FromMilliseconds(random.NextDouble() * 3),
            MaxGroups = random.Next(1, 5),
            LeastPagesToPack = 1,
        };
        using CancellationTokenSource cancellation = new();
        if (random.Next(4) == 0) cancellation.CancelAfter(TimeSpan.FromMilliseconds(random.Next(1, 3)));
        try
        {
            Count(context.Compaction.Run(options, cancellation.Token));
        }
        catch (ObjectDisposedException) when (context.IsDisposed)
        {
            // Expected: another thread ended the collection.
        }
        catch (OffHeapMemoryException)
        {
            // Expected under a limit: no block to move rows to.
        }
    }

    private void Count(CompactionResult result)
    {
        Interlocked.Increment(ref _passes);
        Interlocked.Add(ref _rowsMoved, result.RowsMoved);
        Interlocked.Add(ref _blocksFreed, result.BlocksFreed);
    }
}
