using System.Diagnostics;

namespace Reclamation;

/// <summary>How often an operation took so long, in steps of 50 ns up to some milliseconds, and the longest.</summary>
internal sealed class Latencies
{
    private static readonly double s_ticksPerBucket = Stopwatch.Frequency / 2e7;
    private readonly int[] _counts = new int[1 << 17];
    private long _longest;

    public void Note(long ticks)
    {
        _counts[Math.Min((long)(ticks / s_ticksPerBucket), _counts.Length - 1)]++;
        if (ticks > _longest) _longest = ticks;
    }

    public void Add(Latencies other)
    {
        for (int i = 0; i < _counts.Length; i++) _counts[i] += other._counts[i];
        _longest = Math.Max(_longest, other._longest);
    }

    /// <summary>The longest, in microseconds.</summary>
    public double Longest => _longest * 1e6 / Stopwatch.Frequency;

    /// <summary>Microseconds within which that share of the operations ended.</summary>
    public double Quantile(double share)
    {
        long wanted = (long)Math.Ceiling(_counts.Sum(static count => (long)count) * share), seen = 0;
        int bucket = 0;
        while (bucket < _counts.Length && (seen += _counts[bucket]) < wanted) bucket++;
        return (bucket + 1) / 20.0;
    }
}
