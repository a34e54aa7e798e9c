using System.Diagnostics;

namespace TpcH.Pauses;

/// <summary>How long blocking full collections stopped the program.</summary>
/// <param name="Median">Of the collections.</param>
/// <param name="LongestGap">That another thread saw between two looks at the clock.</param>
internal sealed record PauseSample(TimeSpan Median, TimeSpan Longest, TimeSpan LongestGap)
{
    private const int Collections = 7;

    public static PauseSample Take()
    {
        // Once unmeasured: it also takes away what the load left behind.
        CollectFully();
        var pauses = new TimeSpan[Collections];
        using var probe = new LatencyProbe();
        for (int i = 0; i < Collections; i++)
        {
            long start = Stopwatch.GetTimestamp();
            CollectFully();
            pauses[i] = Stopwatch.GetElapsedTime(start);
        }
        TimeSpan gap = probe.Stop();
        Array.Sort(pauses);
        return new PauseSample(pauses[Collections / 2], pauses[^1], gap);
    }

    private static void CollectFully() => GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: false);
}
