namespace TpcH;

/// <summary>Produces numbered items on the thread pool, a bounded number ahead of the consumer, and hands them over in order.</summary>
internal static class OrderedProduction
{
    // Two for each processor, so that a worker has the next item at hand when the consumer is held up.
    private static readonly int ItemsAhead = 2 * Environment.ProcessorCount;

    public static IEnumerable<T> Run<T>(long count, Func<long, CancellationToken, T> produce, CancellationToken cancellationToken)
        where T : IDisposable
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var pending = new Queue<Task<T>>();
        try
        {
            for (long next = 0; next < count || pending.Count > 0;)
            {
                for (; next < count && pending.Count < ItemsAhead; next++)
                    pending.Enqueue(Start(next, produce, stop.Token));
                cancellationToken.ThrowIfCancellationRequested();
                yield return pending.Dequeue().GetAwaiter().GetResult();
            }
        }
        finally
        {
            stop.Cancel();
            DiscardAll(pending);
        }
    }

    private static Task<T> Start<T>(long index, Func<long, CancellationToken, T> produce, CancellationToken token) =>
        Task.Run(() => produce(index, token), token);

    // Workers may use files and memory that the caller is about to release, so nobody returns before they have ended.
    private static void DiscardAll<T>(Queue<Task<T>> pending)
        where T : IDisposable
    {
        foreach (Task<T> task in pending)
        {
            ((Task)task).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing).GetAwaiter().GetResult();
            if (task.IsCompletedSuccessfully)
                task.Result.Dispose();
        }
    }
}
