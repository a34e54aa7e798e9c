using System.Diagnostics.Metrics;

namespace Smc.Stress.Change;

/// <summary>Counts queries whose answer did not come from a kernel alone: they were not compiled, or the kernel threw and LINQ to Objects answered.</summary>
internal sealed class QueryRepeats : IDisposable
{
    private readonly MeterListener _listener;
    private string? _last;

    public QueryRepeats()
    {
        _listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument is { Meter.Name: "SelfManaged", Name: "smc.query.repeats" or "smc.query.fallbacks" or "smc.query.faults" }) listener.EnableMeasurementEvents(instrument);
            },
        };
        _listener.SetMeasurementEventCallback<long>((instrument, _, tags, _) => _last = $"{instrument.Name}: {(tags.Length > 0 ? tags[0].Value : "")}");
        _listener.Start();
    }

    /// <summary>Throws if a query since the last call was not answered by its kernel.</summary>
    public void RequireNone()
    {
        string? last = Interlocked.Exchange(ref _last, null);
        ViolationException.Require(last is null, $"the kernel did not answer the query ({last})");
    }

    public void Forget() => _last = null;

    public void Dispose() => _listener.Dispose();
}
