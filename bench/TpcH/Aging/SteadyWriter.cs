using System.Diagnostics;

namespace TpcH.Aging;

/// <summary>A thread that writes so many rows a second, from construction to disposal, but for pauses.</summary>
internal sealed class SteadyWriter : IDisposable
{
    private readonly IRowRewriter _rows;
    private readonly int _perSecond;
    private readonly Thread _thread;
    private volatile bool _isPaused;
    private volatile bool _isStopping;
    private double _seconds;
    private long _written;

    public SteadyWriter(IRowRewriter rows, int perSecond)
    {
        (_rows, _perSecond) = (rows, perSecond);
        _thread = new Thread(Write) { Name = "writer" };
        _thread.Start();
    }

    public bool IsPaused
    {
        get => _isPaused;
        set => _isPaused = value;
    }

    /// <summary>What it really wrote a second, pauses left out.</summary>
    public double Rate => Volatile.Read(ref _written) / Volatile.Read(ref _seconds);

    public void Dispose()
    {
        _isStopping = true;
        _thread.Join();
    }

    private void Write()
    {
        long before = Stopwatch.GetTimestamp();
        while (!_isStopping)
        {
            Thread.Sleep(1);
            long now = Stopwatch.GetTimestamp();
            if (!_isPaused)
            {
                _seconds += Stopwatch.GetElapsedTime(before, now).TotalSeconds;
                for (long due = (long)(_seconds * _perSecond); _written < due; _written++)
                    _rows.WriteNext();
            }
            before = now;
        }
    }
}
