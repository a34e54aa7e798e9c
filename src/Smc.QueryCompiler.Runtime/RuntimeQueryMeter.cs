using System.Diagnostics.Metrics;

namespace Smc.QueryCompiler;

/// <summary>What the run-time compiler counts, in the meter <c>SelfManaged</c>; docs/metrics.md lists it.</summary>
internal static class RuntimeQueryMeter
{
    private static readonly Meter s_meter = new("SelfManaged", typeof(RuntimeQueryMeter).Assembly.GetName().Version?.ToString(3));

    private static readonly Counter<long> s_fallbacks = s_meter.CreateCounter<long>(
        "smc.query.runtime.fallbacks", "{query}", "Runs of a recorded query as LINQ to Objects.");

    private static readonly Histogram<double> s_compilations = s_meter.CreateHistogram<double>(
        "smc.query.runtime.compilation.duration", "s", "Time to make a kernel of a recorded query.");

    public static void CountFallback(bool isPending) => s_fallbacks.Add(1, new KeyValuePair<string, object?>("smc.query.pending", isPending));

    public static void AddCompilation(TimeSpan duration) => s_compilations.Record(duration.TotalSeconds);
}
