namespace Smc.QueryCompiler.Fuzz.Running;

/// <summary>A thread that goes on changing the rows of databases while their snapshots are asked.</summary>
internal sealed class SnapshotWriter : IDisposable
{
    private readonly LoadedDatabase[] _databases;
    private readonly Thread _thread;
    private volatile bool _isStopping;
    private Exception? _raised;

    public SnapshotWriter(LoadedDatabase[] databases)
    {
        _databases = databases;
        _thread = new Thread(Run) { IsBackground = true };
        _thread.Start();
    }

    /// <summary>Stops, and throws what the writer raised, which it never should.</summary>
    public void Dispose()
    {
        _isStopping = true;
        _thread.Join();
        if (_raised is not null)
            throw new InvalidOperationException("A writer beside a snapshot was refused.", _raised);
    }

    private void Run()
    {
        Random random = new(_databases.Length);
        try
        {
            for (int i = 0; !_isStopping; i++)
            {
                _databases[random.Next(_databases.Length)].Change(random);
                // Queries are to be asked, too.
                if (i % 64 == 0)
                {
                    Memory.Epoch.TryAdvance();
                    Thread.Sleep(1);
                }
            }
        }
        catch (Exception exception)
        {
            _raised = exception;
        }
    }
}
