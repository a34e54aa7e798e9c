namespace Smc.Stress.Change;

/// <summary>The threads that change a world while its query runs. They begin together and repeat their action until the end.</summary>
internal sealed class ChangeThreads
{
    private readonly List<Thread> _threads = [];
    private volatile bool _haveBegun, _haveEnded;
    private volatile Exception? _failure;

    public bool HaveEnded => _haveEnded;

    public void Start(Action action)
    {
        Thread thread = new(() => Repeat(action)) { IsBackground = true };
        _threads.Add(thread);
        thread.Start();
    }

    public void Release() => _haveBegun = true;

    /// <summary>Ends the threads and waits for them.</summary>
    /// <exception cref="ViolationException">One of them failed.</exception>
    public void End()
    {
        _haveEnded = true;
        foreach (Thread thread in _threads) thread.Join();
        if (_failure is { } failure) throw new ViolationException($"a thread that changes rows throws {failure}");
    }

    private void Repeat(Action action)
    {
        SpinWait wait = default;
        while (!_haveBegun && !_haveEnded) wait.SpinOnce();
        try
        {
            while (!_haveEnded) action();
        }
        catch (Exception failure)
        {
            _failure = failure;
        }
    }
}
