using System.Diagnostics.Metrics;

namespace Smc.Collections;

/// <summary>Instruments of queries, under the same meter as those of memory. docs/metrics.md lists them.</summary>
internal static class QueryMeter
{
    private const string MeterName = "SelfManaged";
    private const string CallSiteTag = "smc.query.call_site";
    private const string ErrorTag = "error.type";

    private static readonly Meter s_meter = new(MeterName, typeof(QueryMeter).Assembly.GetName().Version?.ToString(3));

    private static readonly Counter<long> s_fallbacks =
        s_meter.CreateCounter<long>("smc.query.fallbacks", "{call}", "Queries that ran as LINQ to Objects.");

    private static readonly Counter<long> s_enumerations =
        s_meter.CreateCounter<long>("smc.query.enumerations", "{enumeration}", "Enumerations of a collection as IEnumerable<T>: LINQ to Objects, or a method that takes a sequence, reads it row by row.");

    private static readonly Counter<long> s_repeats =
        s_meter.CreateCounter<long>("smc.query.repeats", "{call}", "Kernels that raised an exception: the query ran again as LINQ to Objects, which decides what is raised.");

    private static readonly Counter<long> s_faults =
        s_meter.CreateCounter<long>("smc.query.faults", "{call}", "Kernels that raised an exception which no expression of their query can raise: a fault of the compiler or the library.");

    /// <summary>Called where a compiled query never comes: in the methods that the generator replaces.</summary>
    public static void CountFallback() => Count(s_fallbacks);

    /// <summary>Called where something outside of the library begins to read a collection row by row through its interface.</summary>
    public static void CountEnumeration() => Count(s_enumerations);

    private static void Count(Counter<long> counter)
    {
        // The place costs more than the count, and there may be no listener.
        if (counter.Enabled)
            counter.Add(1, new KeyValuePair<string, object?>(CallSiteTag, CallSite.OfCaller()));
    }

    /// <summary>Called where a kernel ended in an exception that its query cannot raise.</summary>
    public static void CountFault(Exception raised) => s_faults.Add(1, new KeyValuePair<string, object?>(ErrorTag, raised.GetType().FullName));

    /// <summary>Called where a kernel ended in an exception and the query begins again.</summary>
    public static void CountRepeat(Exception raised) => s_repeats.Add(1, new KeyValuePair<string, object?>(ErrorTag, raised.GetType().FullName));
}
