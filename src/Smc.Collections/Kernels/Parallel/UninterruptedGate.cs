namespace Smc.Collections.Kernels;

/// <summary>
/// A monitor whose waits <see cref="Thread.Interrupt"/> does not cut short: other threads use the stack of who waits. The thread that made the gate
/// is interrupted again when it closes it.
/// </summary>
internal sealed class UninterruptedGate
{
    private readonly object _monitor = new();
    private readonly Thread _owner = Thread.CurrentThread;
    private bool _isInterrupted;

    /// <summary>Enters until the scope ends.</summary>
    public Scope Enter()
    {
        while (true)
        {
            try
            {
                Monitor.Enter(_monitor);
                return new Scope(this);
            }
            catch (ThreadInterruptedException)
            {
                Remember();
            }
        }
    }

    /// <summary>Waits, inside, for <see cref="WakeAll"/>; may return early.</summary>
    public void Wait()
    {
        try
        {
            Monitor.Wait(_monitor);
        }
        catch (ThreadInterruptedException)
        {
            Remember();
        }
    }

    /// <summary>Wakes, inside, all who wait.</summary>
    public void WakeAll() => Monitor.PulseAll(_monitor);

    /// <summary>Called by the owner when nobody else needs its stack any longer.</summary>
    public void Close()
    {
        if (_isInterrupted)
            _owner.Interrupt();
    }

    private void Remember() => _isInterrupted |= Thread.CurrentThread == _owner;

    /// <summary>Leaves the gate, if there is one.</summary>
    public readonly ref struct Scope(UninterruptedGate? gate) : IDisposable
    {
        /// <inheritdoc/>
        public void Dispose()
        {
            if (gate is not null)
                Monitor.Exit(gate._monitor);
        }
    }
}
