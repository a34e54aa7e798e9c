using System.Diagnostics.Metrics;

namespace Smc.Collections;

/// <summary>Instruments of queries, under the same meter as those of memory. docs/metrics.md lists them.</summary>
internal static class QueryMeter
{
    private const string MeterName = "SelfManaged";
    private const string LambdaTag = "smc.query.lambda";
    private const string ErrorTag = "error.type";

    private static readonly Meter s_meter = new(MeterName, typeof(QueryMeter).Assembly.GetName().Version?.ToString(3));

    private static readonly Counter<long> s_fallbacks =
        s_meter.CreateCounter<long>("smc.query.fallbacks", "{call}", "Calls of Query.Run that were not compiled: the lambda ran as LINQ to Objects.");

    private static readonly Counter<long> s_repeats =
        s_meter.CreateCounter<long>("smc.query.repeats", "{call}", "Kernels that raised an exception: the query ran again as LINQ to Objects, which decides what is raised.");

    private static readonly Counter<long> s_faults =
        s_meter.CreateCounter<long>("smc.query.faults", "{call}", "Kernels that raised an exception which no expression of their query can raise: a fault of the compiler or the library.");

    /// <summary>Called where a compiled query never comes: in the method that the generator replaces.</summary>
    public static void CountFallback(Delegate query)
    {
        // The name costs more than the count, and nobody may be listening.
        if (s_fallbacks.Enabled)
            s_fallbacks.Add(1, new KeyValuePair<string, object?>(LambdaTag, $"{query.Method.DeclaringType}.{query.Method.Name}"));
    }

    /// <summary>Called where a kernel ended in an exception that its query cannot raise.</summary>
    public static void CountFault(Exception raised) => s_faults.Add(1, new KeyValuePair<string, object?>(ErrorTag, raised.GetType().FullName));

    /// <summary>Called where a kernel ended in an exception and the query begins again.</summary>
    public static void CountRepeat(Exception raised) => s_repeats.Add(1, new KeyValuePair<string, object?>(ErrorTag, raised.GetType().FullName));
}
