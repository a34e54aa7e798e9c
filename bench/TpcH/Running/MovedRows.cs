using System.Diagnostics.Metrics;

namespace TpcH.Running;

/// <summary>Counts the rows that compaction moves in all collections of the process, from construction on.</summary>
internal sealed class MovedRows : IDisposable
{
    private const string Meter = "SelfManaged";
    private const string Counter = "smc.compaction.rows_moved";

    private readonly MeterListener _listener = new();
    private long _count;

    public MovedRows()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == Meter && instrument.Name == Counter)
                listener.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<long>((_, rows, _, _) => Interlocked.Add(ref _count, rows));
        _listener.Start();
    }

    /// <summary>The rows moved since the last call.</summary>
    public long Take() => Interlocked.Exchange(ref _count, 0);

    public void Dispose() => _listener.Dispose();
}
