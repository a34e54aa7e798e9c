using System.Diagnostics;
using System.Globalization;
using Smc.Collections;
using Smc.Memory;

namespace Micro;

/// <summary>What a sensor measured, column by column.</summary>
[Tabular]
public readonly partial struct Sample
{
    public partial long Number { get; set; }
    public partial int Day { get; set; }
    public partial long Micros { get; set; }
    public partial int Sensor { get; set; }
}

/// <summary>The same, row by row.</summary>
[Tabular(Layout = TabularLayout.Row)]
public readonly partial struct SampleRow
{
    public partial long Number { get; set; }
    public partial int Day { get; set; }
    public partial long Micros { get; set; }
    public partial int Sensor { get; set; }
    public partial Guid Batch { get; set; }
    public partial Guid Site { get; set; }
}

/// <summary>
/// What a filter takes while the 16 bits of more and more of its values are unknown because they were set, and after <c>Compact</c> has written them anew; and what setters wait for that. Nothing is done in the
/// background. Every count is compared with that of a loop over an array.
/// </summary>
internal static class CodeStudy
{
    public const string Verb = "codes";

    private const int Rows = 4_000_000;
    private const int Days = 3_000;
    private const int First = 1_000;
    private const int Last = 1_060;
    private const int Rounds = 21;
    private static readonly double[] s_shares = [0, 0.001, 0.01, 0.1, 1];

    public static void Run()
    {
        Random random = new(9);
        int[] days = [.. Enumerable.Range(0, Rows).Select(_ => random.Next(Days))];
        int[] order = [.. Enumerable.Range(0, Rows)];
        random.Shuffle(order);
        using MemoryManager manager = new();
        CollectionOptions options = new() { Manager = manager, CompactionOccupancy = 0 };
        using Collection<Sample> columns = new(options);
        using Collection<SampleRow> rows = new(options);
        Sample[] samples = [.. days.Select((day, i) => columns.Add(number: i, day: day, micros: i * 1_000_003L, sensor: i % 1000))];
        SampleRow[] sampleRows = [.. days.Select((day, i) => rows.Add(number: i, day: day, micros: i * 1_000_003L, sensor: i % 1000, batch: default, site: default))];
        Console.WriteLine("| days set | columns, ms | rows, ms |");
        Console.WriteLine("| --- | ---: | ---: |");
        int set = 0;
        foreach (double share in s_shares)
        {
            for (; set < share * Rows; set++)
            {
                int row = order[set];
                days[row] = random.Next(Days);
                samples[row].Day = days[row];
                sampleRows[row].Day = days[row];
            }

            Report(share == 0 ? "none" : string.Create(CultureInfo.InvariantCulture, $"{share * 100:0.#} %"), columns, rows, days);
        }

        (CompactionResult result, TimeSpan took) = Compact(columns);
        rows.Compact();
        Report("all, and Compact", columns, rows, days);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Compact of the columns: {result.CodesWritten:N0} codes in {took.TotalMilliseconds:N0} ms."));
        Write(columns, samples, days, "nothing else", static _ => { });
        Write(columns, samples, days, "Compact again and again", static samples => samples.Compact());
        Check(columns, rows, days, isSame: false);
    }

    private static (CompactionResult Result, TimeSpan Took) Compact(Collection<Sample> columns)
    {
        long start = Stopwatch.GetTimestamp();
        CompactionResult result = columns.Compact();
        return (result, Stopwatch.GetElapsedTime(start));
    }

    private static void Report(string state, Collection<Sample> columns, Collection<SampleRow> rows, int[] days)
    {
        double inColumns = double.MaxValue, inRows = double.MaxValue;
        for (int round = 0; round < Rounds; round++)
        {
            long start = Stopwatch.GetTimestamp();
            Count(columns);
            inColumns = Math.Min(inColumns, Stopwatch.GetElapsedTime(start).TotalMilliseconds);
            start = Stopwatch.GetTimestamp();
            Count(rows);
            inRows = Math.Min(inRows, Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        }

        Check(columns, rows, days, isSame: true);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {state} | {inColumns:F2} | {inRows:F2} |"));
    }

    private static long Count(Collection<Sample> columns) => columns.LongCount(s => s.Day >= First && s.Day < Last);

    private static long Count(Collection<SampleRow> rows) => rows.LongCount(s => s.Day >= First && s.Day < Last);

    private static void Check(Collection<Sample> columns, Collection<SampleRow> rows, int[] days, bool isSame)
    {
        long expected = days.LongCount(static day => day is >= First and < Last);
        if (Count(columns) != expected || (isSame && Count(rows) != expected))
            throw new InvalidOperationException($"{Count(columns):N0} and {Count(rows):N0} samples are found, and {expected:N0} are there.");
    }

    /// <summary>One thread sets days for some seconds, beside one that does something else, and notes how long each took.</summary>
    private static void Write(Collection<Sample> columns, Sample[] samples, int[] days, string beside, Action<Collection<Sample>> action)
    {
        TimeSpan duration = TimeSpan.FromSeconds(4);
        bool hasEnded = false;
        long runs = 0;
        Thread other = new(() =>
        {
            for (; !Volatile.Read(ref hasEnded); runs++)
            {
                action(columns);
                Thread.Sleep(1);
            }
        });
        Random random = new(3);
        List<double> waits = [];
        long sets = 0, start = Stopwatch.GetTimestamp();
        other.Start();
        while (Stopwatch.GetElapsedTime(start) < duration)
        {
            long before = Stopwatch.GetTimestamp();
            for (int i = 0; i < 20; i++)
            {
                int row = random.Next(Rows);
                days[row] = random.Next(Days);
                samples[row].Day = days[row];
            }

            sets += 20;
            double micros = Stopwatch.GetElapsedTime(before).TotalMicroseconds;
            if (micros > 50)
                waits.Add(micros);
        }

        Volatile.Write(ref hasEnded, true);
        other.Join();
        waits.Sort();
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"Beside {beside} ({runs:N0} times): {sets / duration.TotalSeconds:N0} sets a second; 20 sets took more than 50 us {waits.Count:N0} times, the median of these {(waits.Count == 0 ? 0 : waits[waits.Count / 2]):N0} us, 99 % below {(waits.Count == 0 ? 0 : waits[waits.Count * 99 / 100]):N0}, the longest {(waits.Count == 0 ? 0 : waits[^1]):N0}."));
    }
}
