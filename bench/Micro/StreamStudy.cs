using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Smc.Collections;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Micro;

/// <summary>
/// How memory is kept busy by loops over columns (decision 0042): sums of selected rows, of which more or fewer are selected, whose lines nobody asks for, are asked for one by one, or are asked for by
/// <see cref="ScanBatch.AskForColumn"/>, which reads a byte of every line where values are neither side by side nor far apart; and sums of whole columns with and without the line a page later.
/// A loop without branches runs ahead of its memory by itself. One with a branch on what it read waits for it, unless it was foreseen.
/// </summary>
internal static class StreamStudy
{
    public const string Verb = "streams";

    private const int Rows = 4_000_000;
    private const int Rounds = 15;
    private const ulong PageAhead = 4096;

    private static readonly string[] s_columns = [nameof(Reading.Level), nameof(Reading.Flow), nameof(Reading.Heat), nameof(Reading.Load), nameof(Reading.Drift), nameof(Reading.Noise)];

    private enum Way
    {
        Unasked,
        OneByOne,
        Library,
    }

    public static void Run()
    {
        using Collection<Reading> readings = new();
        readings.Reserve(Rows);
        for (int i = 0; i < Rows; i++)
            readings.Add(level: i, flow: i + 1, heat: i + 2, load: i + 3, drift: i + 4, noise: i + 5);
        Console.WriteLine("| columns of 8 bytes | selected at random | loop | rows | unasked, ms | one by one, ms | `AskForColumn`, ms | to the better of the others |");
        Console.WriteLine("| ---: | --- | --- | ---: | ---: | ---: | ---: | ---: |");
        foreach (int columns in new[] { 1, 2, 6 })
        {
            foreach (int step in new[] { 1, 3, 6, 12, 18, 30, 100, 1000 })
            {
                CompareSelected(readings, step, columns, branches: false);
                CompareSelected(readings, step, columns, branches: true);
            }
        }

        Console.WriteLine();
        Console.WriteLine("| sum of whole columns | unasked, ms | a page later, ms | ratio |");
        Console.WriteLine("| --- | ---: | ---: | ---: |");
        foreach (int columns in new[] { 1, 2, 4, 6 })
            CompareWhole(readings, columns);
    }

    private static void CompareSelected(Collection<Reading> readings, int step, int columns, bool branches)
    {
        uint[][] selections = Selections(readings, step, columns, out long expected, out int count);
        double[] best = new double[3];
        Array.Fill(best, double.MaxValue);
        for (int round = 0; round < Rounds; round++)
        {
            foreach (Way way in Enum.GetValues<Way>())
            {
                long start = Stopwatch.GetTimestamp();
                long sum = SumSelected(readings, selections, columns, way, branches);
                best[(int)way] = Math.Min(best[(int)way], Stopwatch.GetElapsedTime(start).TotalMilliseconds);
                if (sum != expected)
                    throw new InvalidOperationException($"{sum} instead of {expected}");
            }
        }

        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {columns} | one row in {step}, {8 * step} bytes apart | {(branches ? "branches on each value" : "sum")} | {count:#,0} | {best[0]:0.00} | {best[1]:0.00} | {best[2]:0.00} | {best[2] / Math.Min(best[0], best[1]):0.00} |"));
    }

    private static void CompareWhole(Collection<Reading> readings, int columns)
    {
        long expected = 0;
        for (int column = 0; column < columns; column++)
            expected += ((long)Rows * (Rows - 1) / 2) + ((long)Rows * column);
        double[] best = [double.MaxValue, double.MaxValue];
        for (int round = 0; round < Rounds; round++)
        {
            for (int way = 0; way < 2; way++)
            {
                long start = Stopwatch.GetTimestamp();
                long sum = SumWhole(readings, columns, asks: way == 1);
                best[way] = Math.Min(best[way], Stopwatch.GetElapsedTime(start).TotalMilliseconds);
                if (sum != expected)
                    throw new InvalidOperationException($"{sum} instead of {expected}");
            }
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {columns} | {best[0]:0.00} | {best[1]:0.00} | {best[1] / best[0]:0.00} |"));
    }

    // Slots by block, ascending, chosen by a seed.
    private static uint[][] Selections(Collection<Reading> readings, int step, int columns, out long expected, out int count)
    {
        Random random = new(step);
        List<uint[]> selections = [];
        (expected, count) = (0, 0);
        using BlockScanner scan = BlockScanner.Begin(readings, CollectionAccess.Context(readings).Layout.Hash);
        ulong first = Offset(readings, s_columns[0]);
        while (scan.MoveNext())
        {
            List<uint> slots = [];
            for (uint slot = 0; slot < scan.SlotCount; slot++)
            {
                if (random.Next(step) != 0)
                    continue;
                slots.Add(slot);
                expected += (columns * KernelMemory.Read<long>(scan.Block + first + (slot * 8UL))) + (columns * (columns - 1) / 2);
            }

            count += slots.Count;
            selections.Add([.. slots]);
        }

        return [.. selections];
    }

    private static unsafe long SumSelected(Collection<Reading> readings, uint[][] selections, int columns, Way way, bool branches)
    {
        ulong[] offsets = [.. s_columns.Take(columns).Select(column => Offset(readings, column))];
        long sum = 0;
        int number = 0;
        using BlockScanner scan = BlockScanner.Begin(readings, CollectionAccess.Context(readings).Layout.Hash);
        while (scan.MoveNext())
        {
            fixed (uint* slots = selections[number])
            {
                int all = selections[number++].Length;
                // As kernels do: a batch of some thousand rows at a time.
                for (int from = 0; from < all; from += ScanBatch.Rows)
                    sum += SumBatch(scan.Block, offsets, slots + from, Math.Min(ScanBatch.Rows, all - from), way, branches);
            }
        }

        return sum;
    }

    private static unsafe long SumBatch(ulong block, ulong[] offsets, uint* slots, int count, Way way, bool branches)
    {
        foreach (ulong offset in offsets)
        {
            if (way == Way.Library)
            {
                ScanBatch.AskForColumn(block + offset, 8, (ulong)slots, count);
            }
            else if (way == Way.OneByOne)
            {
                for (int i = 0; i < count; i++)
                    KernelMemory.Prefetch(block + offset + (slots[i] * 8UL));
            }
        }

        long sum = 0;
        for (int i = 0; i < count; i++)
        {
            ulong at = block + (slots[i] * 8UL);
            foreach (ulong offset in offsets)
            {
                long value = KernelMemory.Read<long>(at + offset);
                if (branches)
                    Add(ref sum, value);
                else
                    sum += value;
            }
        }

        return sum;
    }

    // One way in four, which the processor cannot foresee; the sum is the same.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Add(ref long sum, long value)
    {
        if ((ulong)value * 0x9E3779B97F4A7C15 >> 62 == 0)
            sum = Rare(sum, value);
        else
            sum += value;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Rare(long sum, long value) => sum + value;

    // Column by column of a batch that stays in the cache, as kernels do.
    private static long SumWhole(Collection<Reading> readings, int columns, bool asks)
    {
        ulong[] offsets = [.. s_columns.Take(columns).Select(column => Offset(readings, column))];
        long sum = 0;
        using BlockScanner scan = BlockScanner.Begin(readings, CollectionAccess.Context(readings).Layout.Hash);
        while (scan.MoveNext())
        {
            for (int from = 0; from < scan.SlotCount; from += ScanBatch.Rows)
            {
                int rows = Math.Min(ScanBatch.Rows, scan.SlotCount - from);
                foreach (ulong offset in offsets)
                {
                    ulong values = scan.Block + offset + ((ulong)from * 8);
                    sum += asks ? SumAsking(values, rows) : Sum(values, rows);
                }
            }
        }

        return sum;
    }

    private static unsafe long Sum(ulong values, int rows)
    {
        Vector256<long> sum = default;
        int row = 0;
        for (; row + 8 <= rows; row += 8)
            sum += Vector256.Load((long*)values + row) + Vector256.Load((long*)values + row + 4);
        long rest = 0;
        for (; row < rows; row++)
            rest += ((long*)values)[row];
        return Vector256.Sum(sum) + rest;
    }

    private static unsafe long SumAsking(ulong values, int rows)
    {
        Vector256<long> sum = default;
        int row = 0;
        for (; row + 8 <= rows; row += 8)
        {
            KernelMemory.Prefetch(values + ((ulong)row * 8) + PageAhead);
            sum += Vector256.Load((long*)values + row) + Vector256.Load((long*)values + row + 4);
        }

        long rest = 0;
        for (; row < rows; row++)
            rest += ((long*)values)[row];
        return Vector256.Sum(sum) + rest;
    }

    private static ulong Offset(Collection<Reading> readings, string column) =>
        (ulong)CollectionAccess.Context(readings).Layout.Columns.ToArray().Single(each => each.Name == column).Offset;
}

/// <summary>What a sensor measured.</summary>
[Tabular]
public readonly partial struct Reading
{
    public partial long Level { get; set; }

    public partial long Flow { get; set; }

    public partial long Heat { get; set; }

    public partial long Load { get; set; }

    public partial long Drift { get; set; }

    public partial long Noise { get; set; }
}
