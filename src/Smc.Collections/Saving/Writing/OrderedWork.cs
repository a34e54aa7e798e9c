using System.Runtime.ExceptionServices;

namespace Smc.Collections.Saving;

/// <summary>Makes numbered results on several threads, the calling one among them, which also takes them, in order; with so many under way at most.</summary>
/// <remarks>
/// The calling thread takes the next result if it is there, and else makes one: it has no processor to itself, and what waits for another thread each time waits longer than a result takes to make.
/// Invariant: every number from <c>_taken</c> up to <c>_next</c> is made, or being made by one thread, so whoever waits for one of them is woken by that thread.
/// </remarks>
/// <typeparam name="TResult">What is made; used again after it was taken.</typeparam>
/// <param name="count">How many results.</param>
/// <param name="degree">How many threads.</param>
/// <param name="make">Makes the result of a number.</param>
internal sealed class OrderedWork<TResult>(int count, int degree, Action<int, TResult> make)
    where TResult : class, new()
{
    private const int AheadPerThread = 4;

    private readonly object _gate = new();
    private readonly TResult?[] _made = new TResult?[AheadPerThread * degree];
    private readonly Stack<TResult> _idle = new();
    private int _next;
    private int _taken;
    private bool _isOver;
    private Exception? _failure;

    private int Ahead => _next - _taken;

    /// <summary>Makes all results and takes each.</summary>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public void Run(Action<TResult> take, CancellationToken cancellationToken)
    {
        Task[] others = new Task[Math.Min(degree, count) is > 1 and int threads ? threads - 1 : 0];
        for (int i = 0; i < others.Length; i++)
            others[i] = Task.Factory.StartNew(Work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        try
        {
            while (_taken < count)
            {
                cancellationToken.ThrowIfCancellationRequested();
                if (TryGetNext(out TResult? result, out int number))
                {
                    take(result);
                    Return(result);
                }
                else
                {
                    make(number, result);
                    Show(number, result);
                }
            }
        }
        finally
        {
            lock (_gate)
            {
                _isOver = true;
                Monitor.PulseAll(_gate);
            }

            // What they read is the caller's, who goes on when this returns.
            Task.WaitAll(others, CancellationToken.None);
        }
    }

    /// <summary>For the calling thread.</summary>
    /// <returns>True: a result to take. False: the number of one to make.</returns>
    private bool TryGetNext(out TResult result, out int number)
    {
        lock (_gate)
        {
            while (true)
            {
                if (_failure is not null)
                    ExceptionDispatchInfo.Throw(_failure);
                if (_made[_taken % _made.Length] is { } made)
                {
                    (result, number) = (made, _taken);
                    return true;
                }

                if (_next < count && Ahead < _made.Length)
                {
                    number = Begin(out result);
                    return false;
                }

                Monitor.Wait(_gate);
            }
        }
    }

    private void Return(TResult result)
    {
        lock (_gate)
        {
            _made[_taken % _made.Length] = null;
            _idle.Push(result);
            _taken++;
            // Not for each: a thread that is woken has several to make.
            if (Ahead == _made.Length / 2)
                Monitor.PulseAll(_gate);
        }
    }

    private int Begin(out TResult result)
    {
        result = _idle.TryPop(out TResult? idle) ? idle : new TResult();
        return _next++;
    }

    private void Show(int number, TResult result)
    {
        lock (_gate)
        {
            _made[number % _made.Length] = result;
            Monitor.PulseAll(_gate);
        }
    }

    private void Work()
    {
        try
        {
            while (true)
            {
                TResult result;
                int number;
                lock (_gate)
                {
                    while (!_isOver && _next < count && Ahead >= _made.Length)
                        Monitor.Wait(_gate);
                    if (_isOver || _next >= count)
                        return;
                    number = Begin(out result);
                }

                make(number, result);
                Show(number, result);
            }
        }
        catch (Exception error)
        {
            lock (_gate)
            {
                _failure ??= error;
                _isOver = true;
                Monitor.PulseAll(_gate);
            }
        }
    }
}
