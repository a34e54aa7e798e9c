using System.Diagnostics;

namespace TpcH.Compacting;

/// <summary>What it takes to read a value of a row through its handle, in random order: the least of some turns, in nanoseconds.</summary>
/// <param name="Problem">What was read wrongly, or null.</param>
internal sealed record HandleReads(double CompactedNs, double FreshNs, string? Problem)
{
    private const int Turns = 7;

    public double Ratio => CompactedNs / FreshNs;

    /// <summary>Reads both in turns.</summary>
    public static HandleReads Measure(ILineItemHandles compacted, ILineItemHandles fresh, CancellationToken cancellationToken)
    {
        double compactedNs = double.MaxValue, freshNs = double.MaxValue;
        bool areEqual = compacted.Count == fresh.Count;
        for (int turn = 0; turn < Turns; turn++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            compactedNs = Math.Min(compactedNs, Time(compacted, out long sum));
            freshNs = Math.Min(freshNs, Time(fresh, out long freshSum));
            areEqual &= sum == freshSum;
        }
        return new HandleReads(compactedNs, freshNs, areEqual ? null : "the keys read through handles of compacted and of fresh rows differ in their sum");
    }

    private static double Time(ILineItemHandles handles, out long sum)
    {
        long start = Stopwatch.GetTimestamp();
        sum = handles.SumByHandle();
        return Stopwatch.GetElapsedTime(start).TotalNanoseconds / handles.Count;
    }
}
