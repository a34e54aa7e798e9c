namespace Micro;

/// <summary>Threads that wait for work, so that a benchmark does not measure how they are started.</summary>
public sealed class ThreadTeam : IDisposable
{
    private readonly Barrier _barrier;
    private readonly List<Thread> _threads = [];
    private Action<int>? _work;

    public ThreadTeam(int threads)
    {
        _barrier = new Barrier(threads + 1);
        for (int i = 0; i < threads; i++)
        {
            int index = i;
            Thread thread = new(() => Serve(index)) { IsBackground = true };
            thread.Start();
            _threads.Add(thread);
        }
    }

    public int Threads => _threads.Count;

    /// <summary>Runs the work on all threads, which get their numbers, and waits for the last.</summary>
    public void Run(Action<int> work)
    {
        _work = work;
        _barrier.SignalAndWait();
        _barrier.SignalAndWait();
    }

    public void Dispose()
    {
        _work = null;
        _barrier.SignalAndWait();
        foreach (Thread thread in _threads)
            thread.Join();
        _barrier.Dispose();
    }

    private void Serve(int index)
    {
        while (true)
        {
            _barrier.SignalAndWait();
            if (_work is not { } work)
                return;
            work(index);
            _barrier.SignalAndWait();
        }
    }
}
