using System.Diagnostics.Metrics;

namespace Bench.Shared;

/// <summary>Counts the queries that this thread runs as LINQ to Objects because they are not compiled, from construction on.</summary>
internal sealed class Fallbacks : IDisposable
{
    private const string Meter = "SelfManaged";
    private const string Counter = "smc.query.fallbacks";

    private readonly MeterListener _listener = new();
    private readonly HashSet<string> _lambdas = [];
    private readonly int _thread = Environment.CurrentManagedThreadId;

    public Fallbacks()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == Meter && instrument.Name == Counter)
                listener.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<long>((_, _, tags, _) =>
        {
            if (Environment.CurrentManagedThreadId == _thread)
                _lambdas.Add((string)tags[0].Value!);
        });
        _listener.Start();
    }

    /// <summary>How many different ones there were.</summary>
    public int Count => _lambdas.Count;

    public void Dispose() => _listener.Dispose();
}
