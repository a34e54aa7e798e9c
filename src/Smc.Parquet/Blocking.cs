namespace Smc.Parquet;

/// <summary>Waits for what the Parquet library offers asynchronously only.</summary>
internal static class Blocking
{
    public static void Wait(Func<Task> run) => Wait(async () =>
    {
        await run().ConfigureAwait(false);
        return true;
    });

    /// <summary>Runs the function to its end. Where continuations would need the thread that waits, it runs on another one.</summary>
    public static TResult Wait<TResult>(Func<Task<TResult>> run) =>
        (SynchronizationContext.Current is null && TaskScheduler.Current == TaskScheduler.Default ? run() : Task.Run(run)).GetAwaiter().GetResult();
}
