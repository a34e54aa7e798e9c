using System.Diagnostics.Metrics;

namespace Smc.Collections.Tests;

/// <summary>Listens to counters that report call sites.</summary>
internal static class Instruments
{
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
