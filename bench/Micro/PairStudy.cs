using System.Diagnostics;
using System.Globalization;
using Smc.Collections;
using Smc.Memory;

namespace Micro;

/// <summary>What lies at the end of both references of a voyage.</summary>
[Tabular]
public readonly partial struct Coast
{
    public partial string Name { get; set; }
}

/// <summary>A row on the way.</summary>
[Tabular]
public readonly partial struct Harbour
{
    public partial int Size { get; set; }
    public partial Coast Coast { get; set; }
}

/// <summary>A row that refers to two harbours.</summary>
[Tabular]
public readonly partial struct Voyage
{
    public partial Harbour From { get; set; }
    public partial Harbour To { get; set; }
}

/// <summary>
/// A condition on the two rows at the ends of two paths of references (decision 0047): up to 254 rows at the end it is asked once for each pair of them, beyond that the paths are followed for each row of the scan. Answers
/// are compared with a loop over arrays.
/// </summary>
internal static class PairStudy
{
    public const string Verb = "pairs";

    private const int Voyages = 2_000_000;
    private const int Rounds = 9;

    public static void Run()
    {
        Console.WriteLine("| harbours | harbours that pass | ends | ns for each voyage that is left |");
        Console.WriteLine("| ---: | ---: | ---: | ---: |");
        foreach (int harbours in new[] { 10_000, 500_000 })
        {
            foreach (int share in new[] { 10, 30, 100 })
            {
                foreach (int coasts in new[] { 25, 250, 260, 1000 })
                    Measure(harbours, share, coasts);
            }
        }
    }

    private static void Measure(int harbours, int share, int coasts)
    {
        using MemoryManager manager = new();
        CollectionOptions options = new() { Manager = manager };
        using Collection<Coast> allCoasts = new(options);
        using Collection<Harbour> allHarbours = new(options);
        using Collection<Voyage> voyages = new(options);
        Random random = new(3);
        int[] coastOf = [.. Enumerable.Range(0, harbours).Select(_ => random.Next(coasts))], sizeOf = [.. Enumerable.Range(0, harbours).Select(_ => random.Next(100))];
        Coast[] coastAt = [.. Enumerable.Range(0, coasts).Select(i => allCoasts.Add(name: $"coast {i}"))];
        Harbour[] harbourAt = [.. Enumerable.Range(0, harbours).Select(i => allHarbours.Add(size: sizeOf[i], coast: coastAt[coastOf[i]]))];
        long expected = 0, left = 0;
        for (int i = 0; i < Voyages; i++)
        {
            // Neighbouring voyages begin in harbours near each other, as facts refer to what they belong to.
            int from = (int)((long)i * harbours / Voyages), to = random.Next(harbours);
            voyages.Add(from: harbourAt[from], to: harbourAt[to]);
            bool passes = sizeOf[from] < share && sizeOf[to] < share;
            left += passes ? 1 : 0;
            expected += passes && coastOf[from] == coastOf[to] ? 1 : 0;
        }

        double best = double.MaxValue;
        for (int round = 0; round < Rounds; round++)
        {
            long start = Stopwatch.GetTimestamp();
            long found = voyages.LongCount(v => v.From.Size < share && v.To.Size < share && v.From.Coast == v.To.Coast);
            best = Math.Min(best, Stopwatch.GetElapsedTime(start).TotalNanoseconds);
            if (found != expected)
                throw new InvalidOperationException($"{found:N0} voyages are found, and {expected:N0} are there.");
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {harbours:N0} | {share} % | {coasts:N0} | {best / left:F1} |"));
    }
}
