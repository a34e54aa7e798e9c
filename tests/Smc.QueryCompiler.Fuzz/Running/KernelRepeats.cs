using System.Diagnostics.Metrics;

namespace Smc.QueryCompiler.Fuzz.Running;

/// <summary>Which kernels raised, so that their query ran again as LINQ to Objects: the answer is right then, and says nothing about the kernel.</summary>
internal static class KernelRepeats
{
    private static readonly MeterListener s_listener = Listen();

    [ThreadStatic]
    private static int t_count;

    /// <summary>How many kernels that this thread asked have raised.</summary>
    public static int OfThisThread => s_listener is null ? 0 : t_count;

    private static MeterListener Listen()
    {
        MeterListener listener = new()
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (instrument is { Meter.Name: "SelfManaged", Name: "smc.query.repeats" })
                    listener.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<long>((_, count, _, _) => t_count += (int)count);
        listener.Start();
        return listener;
    }
}
