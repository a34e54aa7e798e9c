namespace Smc.QueryCompiler.Fuzz.Change;

/// <summary>The thread that changes rows.</summary>
internal sealed class RowWriter : IDisposable
{
    private static readonly int[] s_pauses = [0, 10, 100];

    private readonly Thread _thread;
    private readonly SemaphoreSlim _begin = new(0);
    private readonly SemaphoreSlim _end = new(0);
    private ChangingTables? _tables;
    private Random _random = new(0);
    private long _changes;
    private volatile bool _isStopping;

    public RowWriter()
    {
        _thread = new Thread(Run) { IsBackground = true };
        _thread.Start();
    }

    /// <summary>How many values and rows it has changed since it was started.</summary>
    public long Changes => Volatile.Read(ref _changes);

    /// <summary>What the writer raised, which it never should.</summary>
    public Exception? Raised { get; private set; }

    /// <summary>Begins to change rows, and comes back when the first was changed.</summary>
    public void Start(ChangingTables tables, int seed)
    {
        _tables = tables;
        _random = new Random(seed);
        _isStopping = false;
        Volatile.Write(ref _changes, 0);
        _begin.Release();
        SpinWait wait = default;
        while (Volatile.Read(ref _changes) == 0 && Raised is null)
            wait.SpinOnce(sleep1Threshold: -1);
    }

    public void Stop()
    {
        _isStopping = true;
        _end.Wait();
    }

    public void Dispose()
    {
        _tables = null;
        _begin.Release();
        _thread.Join();
        _begin.Dispose();
        _end.Dispose();
    }

    private void Run()
    {
        while (true)
        {
            _begin.Wait();
            if (_tables is not { } tables)
                return;
            try
            {
                // A quick writer makes every block unsharp before a kernel has come to it; a slow one lets rows alone while they are read.
                int pause = s_pauses[_random.Next(s_pauses.Length)];
                while (!_isStopping)
                {
                    tables.Change(_random);
                    Thread.SpinWait(pause);
                    Volatile.Write(ref _changes, _changes + 1);
                }
            }
            catch (Exception exception)
            {
                Raised = exception;
            }

            _end.Release();
        }
    }
}
