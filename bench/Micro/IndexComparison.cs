using System.Diagnostics;
using System.Globalization;
using Smc.Collections;

namespace Micro;

/// <summary>One query over a collection without an index and over the same rows with one, in turns. The answers are compared before times are printed.</summary>
internal static class IndexComparison
{
    // Short ones in turns: the least time of each is that of a moment in which nobody disturbed.
    private const int Rounds = 41;
    private const double RoundNanoseconds = 6e6;

    public static void Compare(Collection<Trade> without, Collection<Trade> with, string name, Func<Collection<Trade>, List<long>> query)
    {
        if (!query(without).SequenceEqual(query(with)))
            throw new InvalidOperationException($"The answers of {name} are different.");
        int repeats = (int)Math.Clamp(RoundNanoseconds / Time(without, query, 3), 1, 10_000);
        (double Without, double With) best = (double.MaxValue, double.MaxValue);
        for (int round = 0; round < Rounds; round++)
        {
            best.Without = Math.Min(best.Without, Time(without, query, repeats));
            best.With = Math.Min(best.With, Time(with, query, repeats));
        }

        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"  {name,-34} without {best.Without / 1000,10:F1} us ({best.Without / without.Count:F2} ns a row), with {best.With / 1000,10:F1} us, ratio {best.Without / best.With,8:F2}"));
    }

    private static double Time(Collection<Trade> trades, Func<Collection<Trade>, List<long>> query, int repeats)
    {
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < repeats; i++)
            query(trades);
        return Stopwatch.GetElapsedTime(start).TotalNanoseconds / repeats;
    }
}
