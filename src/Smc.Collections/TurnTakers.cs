using System.Runtime.ExceptionServices;

namespace Smc.Collections;

/// <summary>Threads, the calling one among them, that take turns to get their next piece of work, each into a place of its own, and do it beside each other.</summary>
/// <remarks>A piece so stays in the caches of the processor that got it, and nobody waits for anybody but the one whose turn it is.</remarks>
/// <typeparam name="T">Where a thread has its piece.</typeparam>
/// <param name="next">Gets the next piece; false if there is none. One thread at a time, until it returns false or somebody fails.</param>
/// <param name="work">Does it.</param>
internal sealed class TurnTakers<T>(Func<T, bool> next, Action<T> work)
    where T : new()
{
    private readonly Lock _turn = new();
    private bool _isDone;
    private Exception? _failure;

    /// <summary>Does all there is, and throws what the first of those that failed threw. No thread is at work then.</summary>
    /// <param name="degree">How many threads, at least 1.</param>
    public void Run(int degree)
    {
        Task[] others = new Task[degree - 1];
        for (int i = 0; i < others.Length; i++)
            others[i] = Task.Factory.StartNew(Work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        Work();
        Task.WaitAll(others, CancellationToken.None);
        if (_failure is { } failure)
            ExceptionDispatchInfo.Throw(failure);
    }

    private void Work()
    {
        try
        {
            for (T place = new(); TryGet(place);)
                work(place);
        }
        catch (Exception error)
        {
            Interlocked.CompareExchange(ref _failure, error, null);
        }
    }

    private bool TryGet(T place)
    {
        lock (_turn)
        {
            if (_isDone || Volatile.Read(ref _failure) is not null)
                return false;
            // Should it throw, nobody gets what comes after.
            _isDone = true;
            _isDone = !next(place);
            return !_isDone;
        }
    }
}
