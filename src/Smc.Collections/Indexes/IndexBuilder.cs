using System.Runtime.ExceptionServices;
using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>Fills an index with the rows that are there, while others write.</summary>
/// <remarks>
/// First every write maintains the index (two epochs pass until all do). Then the rows are walked in batches (<see cref="IndexBatch"/>), by one thread or several:
/// under its stripe each row gets a word unless a writer gave it one meanwhile.
/// Duplicates are noted until the walk is over; then they are refused, and when two more epochs have passed all that were not refused are known.
/// </remarks>
/// <param name="index">The index.</param>
/// <param name="threads">How many threads add rows, the calling one among them.</param>
/// <param name="progress">Receives the number of rows, on one thread after the other.</param>
/// <param name="cancellationToken">Ends it early.</param>
internal sealed class IndexBuilder(KeyedIndex index, int threads, IProgress<long>? progress, CancellationToken cancellationToken)
{
    private readonly MemoryContext _context = index.Context;
    private readonly Lock _lock = new();
    private BlockRoute _route;
    private long _rows;

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
            if (threads == 1)
                AddRows();
            else
                AddRowsOnThreads();
            index.BecomeStrict();
            IndexSet.AwaitGrace(cancellationToken);
            ThrowIfFailed();
            index.BecomeComplete();
            progress?.Report(_rows);
        }
        catch
        {
            index.End();
            throw;
        }
    }

    private void AddRowsOnThreads()
    {
        try
        {
            Parallel.For(0, threads, new ParallelOptions { MaxDegreeOfParallelism = threads }, _ => AddRows());
        }
        catch (AggregateException several)
        {
            ExceptionDispatchInfo.Throw(several.InnerExceptions[0]);
        }
    }

    private void AddRows()
    {
        IndexBatch batch = new(index);
        while (TryCollect(batch))
        {
            batch.Sort();
            while (!batch.IsEmpty)
            {
                int added = batch.AddSome();
                ThrowIfFailed();
                Report(added);
                cancellationToken.ThrowIfCancellationRequested();
            }
        }
    }

    /// <returns>False if there are no more rows.</returns>
    private bool TryCollect(IndexBatch batch)
    {
        lock (_lock)
            return batch.TryCollect(ref _route);
    }

    private void Report(int added)
    {
        lock (_lock)
        {
            _rows += added;
            progress?.Report(_rows);
        }
    }

    private void ThrowIfFailed()
    {
        if (index.Failure is { } failure)
            throw failure;
    }
}
