namespace Smc.Memory.Tests;

/// <summary>A thread inside a critical section for as long as the test wants: a stalled reader without sleeping.</summary>
internal sealed class ParkedReader : IDisposable
{
    private readonly ManualResetEventSlim _inside = new();
    private readonly ManualResetEventSlim _leave = new();
    private readonly Thread _thread;
    private Exception? _failure;

    /// <param name="before">Runs inside the section before the constructor returns.</param>
    /// <param name="after">Runs inside the section when the reader is let go.</param>
    public ParkedReader(Action? before = null, Action? after = null)
    {
        _thread = new Thread(() =>
        {
            try
            {
                using CriticalSection section = CriticalSection.Enter();
                before?.Invoke();
                _inside.Set();
                _leave.Wait();
                after?.Invoke();
            }
            catch (Exception failure)
            {
                _failure = failure;
                _inside.Set();
            }
        }) { Name = "parked reader" };
        _thread.Start();
        _inside.Wait();
    }

    public int ManagedThreadId => _thread.ManagedThreadId;

    /// <summary>Lets the reader finish; throws what it threw.</summary>
    public void Release()
    {
        _leave.Set();
        _thread.Join();
        if (_failure is not null) throw new InvalidOperationException("The parked reader failed.", _failure);
    }

    public void Dispose()
    {
        _leave.Set();
        _thread.Join();
    }
}
