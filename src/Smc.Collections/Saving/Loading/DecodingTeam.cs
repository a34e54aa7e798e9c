using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;

namespace Smc.Collections.Saving;

/// <summary>Threads that do something with each section, in any order, and give its buffer back.</summary>
internal sealed class DecodingTeam : IDisposable
{
    private readonly Action<LoadedSection> _decode;
    private readonly BlockingCollection<LoadedSection> _waiting;
    private readonly ConcurrentBag<LoadedSection> _idle = [];
    private readonly CancellationTokenSource _stop;
    private readonly Task[] _threads;
    private Exception? _failure;

    /// <param name="degree">How many threads.</param>
    /// <param name="decode">What they do.</param>
    /// <param name="cancellationToken">Ends all.</param>
    public DecodingTeam(int degree, Action<LoadedSection> decode, CancellationToken cancellationToken)
    {
        _decode = decode;
        _waiting = new BlockingCollection<LoadedSection>(2 * degree);
        _stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        _threads = new Task[degree];
        for (int i = 0; i < degree; i++)
            _threads[i] = Task.Factory.StartNew(Work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    /// <summary>A buffer that nobody uses.</summary>
    public LoadedSection Take() => _idle.TryTake(out LoadedSection? section) ? section : new LoadedSection();

    /// <summary>Hands a section to the threads; waits while they have many.</summary>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public void Add(LoadedSection section)
    {
        try
        {
            _waiting.Add(section, _stop.Token);
        }
        catch (OperationCanceledException)
        {
            ThrowFailure();
            throw;
        }
    }

    /// <summary>Waits until all sections are done.</summary>
    public void Finish()
    {
        _waiting.CompleteAdding();
        Task.WaitAll(_threads, CancellationToken.None);
        ThrowFailure();
    }

    /// <summary>Ends the threads: what they write to is not touched after this.</summary>
    public void Dispose()
    {
        _stop.Cancel();
        Task.WaitAll(_threads, CancellationToken.None);
        _waiting.Dispose();
        _stop.Dispose();
    }

    private void Work()
    {
        try
        {
            foreach (LoadedSection section in _waiting.GetConsumingEnumerable(_stop.Token))
            {
                _decode(section);
                _idle.Add(section);
            }
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            // Whoever cancelled knows.
        }
        catch (Exception error)
        {
            Interlocked.CompareExchange(ref _failure, error, null);
            _stop.Cancel();
        }
    }

    private void ThrowFailure()
    {
        if (Volatile.Read(ref _failure) is { } failure)
            ExceptionDispatchInfo.Throw(failure);
    }
}
