using System.Diagnostics.Metrics;

namespace Smc.QueryCompiler.Tests.Generation;

/// <summary>Counts the queries that a call runs as LINQ to Objects, and where they are.</summary>
internal static class Fallbacks
{
    public static (T Result, long Fallbacks) Count<T>(Func<T> call)
    {
        (T result, IReadOnlyList<string> sites) = Sites("smc.query.fallbacks", call);
        return (result, sites.Count);
    }

    /// <summary>The call sites that an instrument reports while a function runs on this thread.</summary>
    public static (T Result, IReadOnlyList<string> Sites) Sites<T>(string instrumentName, Func<T> call)
    {
        List<string> sites = [];
        int thread = Environment.CurrentManagedThreadId;
        using MeterListener listener = new();
        listener.InstrumentPublished = (instrument, l) =>
        {
            if (instrument.Meter.Name == "SelfManaged" && instrument.Name == instrumentName)
                l.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<long>((_, _, tags, _) =>
        {
            if (Environment.CurrentManagedThreadId == thread)
                sites.Add($"{tags[0].Value}");
        });
        listener.Start();
        return (call(), sites);
    }
}
