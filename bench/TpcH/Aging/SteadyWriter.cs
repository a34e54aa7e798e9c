using System.Diagnostics;

namespace TpcH.Aging;

/// <summary>A thread that writes so many rows a second, from construction to disposal.</summary>
internal sealed class SteadyWriter : IDisposable
{
    private readonly IRowRewriter _rows;
    private readonly int _perSecond;
    private readonly Thread _thread;
    private readonly long _start = Stopwatch.GetTimestamp();
    private volatile bool _isStopping;
    private long _written;

    public SteadyWriter(IRowRewriter rows, int perSecond)
    {
        (_rows, _perSecond) = (rows, perSecond);
        _thread = new Thread(Write) { Name = "writer" };
        _thread.Start();
    }

    /// <summary>What it really writes a second.</summary>
    public double Rate => Volatile.Read(ref _written) / Stopwatch.GetElapsedTime(_start).TotalSeconds;

    public void Dispose()
    {
        _isStopping = true;
        _thread.Join();
    }

    private void Write()
    {
        while (!_isStopping)
        {
            long due = (long)(Stopwatch.GetElapsedTime(_start).TotalSeconds * _perSecond);
            for (; _written < due; _written++)
                _rows.WriteNext();
            Thread.Sleep(1);
        }
    }
}
