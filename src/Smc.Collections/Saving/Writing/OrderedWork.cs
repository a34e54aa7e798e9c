namespace Smc.Collections.Saving;

/// <summary>Makes numbered results on several threads and takes them in order on one, with so many under way at most.</summary>
/// <typeparam name="TResult">What is made; used again after it was taken.</typeparam>
/// <param name="count">How many results.</param>
/// <param name="degree">The threads that make them; with 1 the calling thread does.</param>
/// <param name="make">Makes the result of a number.</param>
internal sealed class OrderedWork<TResult>(int count, int degree, Action<int, TResult> make)
    where TResult : class, new()
{
    private readonly object _gate = new();
    private readonly TResult?[] _made = new TResult?[2 * degree];
    private readonly Stack<TResult> _idle = new();
    private int _next;
    private int _taken;
    private bool _isOver;
    private Exception? _failure;

    /// <summary>Makes all results and takes each.</summary>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public void Run(Action<TResult> take, CancellationToken cancellationToken)
    {
        if (degree == 1)
        {
            TResult result = new();
            for (int i = 0; i < count; i++)
            {
                cancellationToken.ThrowIfCancellationRequested();
                make(i, result);
                take(result);
            }

            return;
        }

        Task[] workers = new Task[Math.Min(degree, count)];
        for (int i = 0; i < workers.Length; i++)
            workers[i] = Task.Factory.StartNew(Work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        try
        {
            for (int i = 0; i < count; i++)
            {
                cancellationToken.ThrowIfCancellationRequested();
                take(WaitFor(i));
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
            Task.WaitAll(workers, CancellationToken.None);
        }
    }

    private TResult WaitFor(int number)
    {
        lock (_gate)
        {
            // The result before this one has been taken.
            if (number > 0)
            {
                ref TResult? last = ref _made[(number - 1) % _made.Length];
                _idle.Push(last!);
                last = null;
                _taken = number;
                Monitor.PulseAll(_gate);
            }

            while (_made[number % _made.Length] is null && _failure is null)
                Monitor.Wait(_gate);
            if (_failure is not null)
                System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(_failure);
            return _made[number % _made.Length]!;
        }
    }

    private void Work()
    {
        while (true)
        {
            int number;
            TResult? result;
            lock (_gate)
            {
                while (!_isOver && _next < count && _next - _taken >= _made.Length)
                    Monitor.Wait(_gate);
                if (_isOver || _next >= count)
                    return;
                number = _next++;
                _idle.TryPop(out result);
            }

            try
            {
                result ??= new TResult();
                make(number, result);
                lock (_gate)
                {
                    _made[number % _made.Length] = result;
                    Monitor.PulseAll(_gate);
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

                return;
            }
        }
    }
}
