using System.Diagnostics.Metrics;

namespace Smc.QueryCompiler.Fuzz.Running;

/// <summary>Which kernels raised, so that their query ran again as LINQ to Objects: the answer is right then, and says nothing about the kernel.</summary>
internal static class KernelRepeats
{
    private static readonly MeterListener s_listener = Listen();

    [ThreadStatic]
    private static int t_count;

    [ThreadStatic]
    private static int t_faults;

    [ThreadStatic]
    private static string? t_raised;

    /// <summary>How many kernels that this thread asked have raised.</summary>
    public static int OfThisThread => s_listener is null ? 0 : t_count;

    /// <summary>How many of those raised because of a fault of their own, which the library counts.</summary>
    public static int FaultsOfThisThread => s_listener is null ? 0 : t_faults;

    /// <summary>The type of the last exception that a kernel raised.</summary>
    public static string? LastRaised => t_raised;

    private static MeterListener Listen()
    {
        MeterListener listener = new()
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (instrument is { Meter.Name: "SelfManaged", Name: "smc.query.repeats" or "smc.query.faults" })
                    listener.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<long>((instrument, count, tags, _) =>
        {
            if (instrument.Name == "smc.query.faults")
                t_faults += (int)count;
            else
                t_count += (int)count;
            foreach (KeyValuePair<string, object?> tag in tags)
                t_raised = tag.Key == "error.type" ? tag.Value as string : t_raised;
        });
        listener.Start();
        return listener;
    }
}
