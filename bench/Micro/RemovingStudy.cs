using System.Diagnostics;
using System.Globalization;
using Smc.Collections;
using Smc.Memory;

namespace Micro;

/// <summary>A row with a reference about which nothing is said.</summary>
[Tabular]
public readonly partial struct Loose
{
    public partial int Number { get; set; }
    public partial Loose? Other { get; set; }
}

/// <summary>The same with a reference that stays whole.</summary>
[Tabular]
public readonly partial struct Tied
{
    public partial int Number { get; set; }
    [OnRemove(RemoveBehavior.SetNull)] public partial Tied? Other { get; set; }
}

/// <summary>
/// What additions, removals and setters of references cost in collections without <c>Retire</c> and <c>[OnRemove]</c>, in one with a retired row, and in one with the attribute. Batches in turns, of which the
/// shortest is printed, which a busy machine changes least.
/// </summary>
internal static class RemovingStudy
{
    public const string Verb = "removing";

    private const int Batch = 500;
    private const int Batches = 200;
    private const int Rounds = 8;
    private const int Operations = 3;
    private const int Kinds = 3;

    public static void Run()
    {
        double[] least = new double[Operations * Kinds];
        Array.Fill(least, double.MaxValue);
        for (int round = 0; round < Rounds; round++)
        {
            MeasureLoose(least.AsSpan(0, Operations), isOneRetired: false);
            MeasureLoose(least.AsSpan(Operations, Operations), isOneRetired: true);
            MeasureTied(least.AsSpan(2 * Operations, Operations));
        }
        Console.WriteLine("| ns an operation | neither | a row is retired | `[OnRemove]` |");
        Console.WriteLine("| --- | ---: | ---: | ---: |");
        string[] names = ["add a row with a reference", "store another reference", "remove a row"];
        for (int i = 0; i < Operations; i++)
        {
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture, $"| {names[i]} | {least[i]:0.0} | {least[Operations + i]:0.0} | {least[(2 * Operations) + i]:0.0} |"));
        }
    }

    private static void MeasureLoose(Span<double> least, bool isOneRetired)
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Retired = RetireBudget.OnDemand });
        using Collection<Loose> rows = new(new CollectionOptions { Manager = manager, CompactionOccupancy = 0 });
        Loose first = rows.Add(number: -1, other: null), second = rows.Add(number: -2, other: null);
        if (isOneRetired) rows.Retire(rows.Add(number: -3, other: null));
        Loose[] added = new Loose[Batch];
        for (int batch = 0; batch < Batches; batch++)
        {
            long start = Stopwatch.GetTimestamp();
            for (int i = 0; i < Batch; i++) added[i] = rows.Add(number: i, other: first);
            Note(ref least[0], ref start);
            foreach (ref Loose row in added.AsSpan()) row.Other = second;
            Note(ref least[1], ref start);
            foreach (Loose row in added) rows.Remove(row);
            Note(ref least[2], ref start);
        }
        if (rows.Count != 2) throw new InvalidOperationException($"{rows.Count} rows are left.");
    }

    private static void MeasureTied(Span<double> least)
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Retired = RetireBudget.OnDemand });
        using Collection<Tied> rows = new(new CollectionOptions { Manager = manager, CompactionOccupancy = 0 });
        Tied first = rows.Add(number: -1, other: null), second = rows.Add(number: -2, other: null);
        Tied[] added = new Tied[Batch];
        for (int batch = 0; batch < Batches; batch++)
        {
            long start = Stopwatch.GetTimestamp();
            for (int i = 0; i < Batch; i++) added[i] = rows.Add(number: i, other: first);
            Note(ref least[0], ref start);
            foreach (ref Tied row in added.AsSpan()) row.Other = second;
            Note(ref least[1], ref start);
            foreach (Tied row in added) rows.Remove(row);
            Note(ref least[2], ref start);
        }
        if (rows.Count != 2) throw new InvalidOperationException($"{rows.Count} rows are left.");
    }

    private static void Note(ref double least, ref long start)
    {
        long now = Stopwatch.GetTimestamp();
        least = Math.Min(least, Stopwatch.GetElapsedTime(start, now).TotalNanoseconds / Batch);
        start = Stopwatch.GetTimestamp();
    }
}
