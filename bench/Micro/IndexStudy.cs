using System.Diagnostics;
using System.Globalization;
using Smc.Collections;

namespace Micro;

/// <summary>
/// Look-ups by a unique index against <see cref="Dictionary{TKey, TValue}"/>, in and out of cache, and what an index adds to an addition. Answers are checked before ratios are printed.
/// </summary>
internal static class IndexStudy
{
    public const string Verb = "index";
    private const int Rows = 10_000_000;
    private const int LookUps = 2_000_000;
    private const int Rounds = 5;
    private const int QueriesByScan = 50;
    private const int QueriesByIndex = 50_000;

    public static void Run(string[] arguments)
    {
        int rows = arguments is [var count, ..] ? int.Parse(count, CultureInfo.InvariantCulture) : Rows;
        string part = arguments is [_, var name, ..] ? name : "all";
        long[] keys = ShuffledKeys(rows);
        if (part is "all" or "integers")
            Integers(keys);
        if (part is "all" or "queries")
            Queries(keys.AsSpan(0, rows / 5).ToArray());
        if (part is "all" or "texts")
            Texts(keys.AsSpan(0, rows / 5).ToArray());
        if (part is "all" or "additions")
            Additions(keys.AsSpan(0, rows / 5).ToArray());
        if (part is "all" or "building")
            Building(keys.AsSpan(0, rows / 5).ToArray());
    }

    private static void Integers(long[] keys)
    {
        using Collection<Trade> trades = new();
        Dictionary<long, Trade> dictionary = [];
        using UniqueIndex<Trade, long> byId = trades.CreateUniqueIndex(t => t.Id);
        foreach (long key in keys)
            dictionary.Add(key, trades.Add(id: key, instrument: 1, account: 1, time: default, price: 0, quantity: 0, weight: 0));
        long[] wanted = Wanted(keys);
        foreach (long key in wanted)
            Require(byId.TryFind(key, out Trade row) == dictionary.TryGetValue(key, out Trade same) && row == same);
        Print($"{keys.Length:N0} rows, long key", Compare(
            () => wanted.Count(key => dictionary.TryGetValue(key, out _)),
            () => wanted.Count(key => byId.TryFind(key, out _))));
        Console.WriteLine($"index: {(double)byId.MemoryBytes / keys.Length:F1} bytes a row");
    }

    private static void Queries(long[] keys)
    {
        using Collection<Trade> trades = new();
        foreach (long key in keys)
            trades.Add(id: key, instrument: 1, account: 1, time: default, price: 0, quantity: 0, weight: key);
        long[] wanted = Wanted(keys)[..QueriesByIndex];
        double scan = Ask(trades, wanted.AsSpan(0, QueriesByScan));
        using UniqueIndex<Trade, long> byId = trades.CreateUniqueIndex(t => t.Id);
        double lookUp = Ask(trades, wanted);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{keys.Length:N0} rows, query by key: scan {scan / 1000:F1} us, index {lookUp / 1000:F2} us, ratio {scan / lookUp:F0}"));
    }

    private static double Ask(Collection<Trade> trades, ReadOnlySpan<long> wanted)
    {
        double best = double.MaxValue;
        for (int round = 0; round < Rounds; round++)
        {
            long start = Stopwatch.GetTimestamp();
            foreach (long key in wanted)
            {
                double sum = Query.Run(trades, key, static (trades, key) => trades.Where(t => t.Id == key).Sum(t => t.Weight));
                Require(sum == (key % 2 == 0 ? key : 0));
            }

            best = Math.Min(best, Stopwatch.GetElapsedTime(start).TotalNanoseconds / wanted.Length);
        }

        return best;
    }

    private static void Texts(long[] keys)
    {
        using Collection<Note> notes = new();
        Dictionary<string, Note> dictionary = new(StringComparer.Ordinal);
        using UniqueIndex<Note, string> byText = notes.CreateUniqueIndex(n => n.Text);
        foreach (long key in keys)
            dictionary.Add(TextOf(key), notes.Add(id: key, text: TextOf(key)));
        string[] wanted = [.. Wanted(keys).Select(TextOf)];
        foreach (string text in wanted)
            Require(byText.TryFind(text, out Note row) == dictionary.TryGetValue(text, out Note same) && row == same);
        Print($"{keys.Length:N0} rows, text key", Compare(
            () => wanted.Count(text => dictionary.TryGetValue(text, out _)),
            () => wanted.Count(text => byText.TryFind(text, out _))));
        Console.WriteLine($"index: {(double)byText.MemoryBytes / keys.Length:F1} bytes a row");
    }

    private static void Additions(long[] keys)
    {
        (double Without, double With) best = (double.MaxValue, double.MaxValue);
        for (int round = 0; round < Rounds; round++)
        {
            best.Without = Math.Min(best.Without, Add(keys, isIndexed: false));
            best.With = Math.Min(best.With, Add(keys, isIndexed: true));
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"adding {keys.Length:N0} rows of 64 bytes: {best.Without:F0} ns a row without an index, {best.With:F0} ns with one, ratio {best.With / best.Without:F2}"));
    }

    private static double Add(long[] keys, bool isIndexed)
    {
        using Collection<Trade> trades = new();
        using UniqueIndex<Trade, long>? byId = isIndexed ? trades.CreateUniqueIndex(t => t.Id) : null;
        long start = Stopwatch.GetTimestamp();
        foreach (long key in keys)
            trades.Add(id: key, instrument: 1, account: 1, time: default, price: 0, quantity: 0, weight: 0);
        double nanoseconds = Stopwatch.GetElapsedTime(start).TotalNanoseconds / keys.Length;
        Require(trades.LongCount == keys.Length && (byId is null || byId.LongCount == keys.Length));
        return nanoseconds;
    }

    // Over rows that are there, as after a load.
    private static void Building(long[] keys)
    {
        using Collection<Trade> trades = new();
        using Collection<Note> notes = new();
        foreach (long key in keys)
        {
            trades.Add(id: key, instrument: 1, account: 1, time: default, price: 0, quantity: 0, weight: 0);
            notes.Add(id: key, text: TextOf(key));
        }

        PrintBuild("unique, long key", keys.Length, () => trades.CreateUniqueIndex(t => t.Id), static index => index.LongCount);
        PrintBuild("unique, text key", keys.Length, () => notes.CreateUniqueIndex(n => n.Text), static index => index.LongCount);
        PrintBuild("ordered, long key", keys.Length, () => trades.CreateIndex(t => t.Id), static index => index.LongCount);
        PrintBuild("ordered, text key", keys.Length, () => notes.CreateIndex(n => n.Text), static index => index.LongCount);
    }

    private static void PrintBuild<TIndex>(string what, int rows, Func<TIndex> build, Func<TIndex, long> count)
        where TIndex : IDisposable
    {
        double best = double.MaxValue;
        for (int round = 0; round < Rounds; round++)
        {
            // What is left of the index before goes first.
            for (int i = 0; i < 3; i++)
                Smc.Memory.Epoch.TryAdvance();
            long start = Stopwatch.GetTimestamp();
            using TIndex index = build();
            best = Math.Min(best, Stopwatch.GetElapsedTime(start).TotalNanoseconds / rows);
            Require(count(index) == rows);
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"building over {rows:N0} rows, {what}: {best:F0} ns a row"));
    }

    private static (double Dictionary, double Index) Compare(Func<int> dictionary, Func<int> index)
    {
        (double Dictionary, double Index) best = (double.MaxValue, double.MaxValue);
        for (int round = 0; round < Rounds; round++)
        {
            best.Dictionary = Math.Min(best.Dictionary, Time(dictionary));
            best.Index = Math.Min(best.Index, Time(index));
        }

        return best;
    }

    private static double Time(Func<int> lookUps)
    {
        long start = Stopwatch.GetTimestamp();
        Require(lookUps() > 0);
        return Stopwatch.GetElapsedTime(start).TotalNanoseconds / LookUps;
    }

    private static void Print(string what, (double Dictionary, double Index) times) => Console.WriteLine(string.Create(
        CultureInfo.InvariantCulture, $"{what}: Dictionary {times.Dictionary:F0} ns, index {times.Index:F0} ns, ratio {times.Index / times.Dictionary:F2}"));

    // Every second number, so that the others are not there.
    private static long[] ShuffledKeys(int rows)
    {
        long[] keys = new long[rows];
        for (int i = 0; i < rows; i++)
            keys[i] = i * 2L;
        new Random(1).Shuffle(keys);
        return keys;
    }

    // Nine of ten are there.
    private static long[] Wanted(long[] keys)
    {
        Random random = new(2);
        long[] wanted = new long[LookUps];
        for (int i = 0; i < LookUps; i++)
            wanted[i] = keys[random.Next(keys.Length)] + (random.Next(10) == 0 ? 1 : 0);
        return wanted;
    }

    private static string TextOf(long key) => string.Create(CultureInfo.InvariantCulture, $"customer {key}@example.org");

    private static void Require(bool condition)
    {
        if (!condition)
            throw new InvalidOperationException("The index gives another answer than the dictionary.");
    }
}
