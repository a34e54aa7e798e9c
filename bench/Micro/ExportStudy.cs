using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Apache.Arrow;
using Smc.Arrow;
using Smc.Collections;
using Smc.Data.Batches;

namespace Micro;

/// <summary>
/// What a million rows cost on their way to Arrow (decision 0046): out of the blocks into buffers, from there into record batches, from there into a stream of which nobody takes the bytes. Beside it the bare
/// copy of as many bytes, the least that any copy takes. To lend columns would save the way to record batches, for columns that Arrow has in the same form.
/// </summary>
internal static class ExportStudy
{
    public const string Verb = "arrow";

    private const int Rows = 1_000_000;
    private const int Rounds = 15;
    private const int BatchRows = 64 * 1024;

    public static void Run()
    {
        using Collection<FourIntegers> integers = new();
        using Collection<FourAmounts> amounts = new();
        using Collection<TwoTexts> texts = new();
        for (int i = 0; i < Rows; i++)
        {
            integers.Add(a: i, b: -i, c: i * 3L, d: i & 7);
            amounts.Add(a: i, b: i / 4m, c: -i, d: i / 100m);
            texts.Add(a: $"text {i} of the first column", b: $"and {i % 1000}");
        }

        Console.WriteLine("| columns | bytes in Arrow | copy of as many, ms | to buffers, ms | to record batches, ms | to a stream, ms | sum of the batches, ms |");
        Console.WriteLine("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
        Measure("4 of `long`", integers);
        Measure("4 of `[Precision(15, 2)] decimal`", amounts);
        Measure("2 of `string`", texts);
    }

    private static void Measure<T>(string columns, Collection<T> rows)
        where T : unmanaged
    {
        RecordBatch[] batches = [.. rows.ToRecordBatches()];
        ArrowBuffer[] buffers = [.. batches.SelectMany(batch => batch.Arrays).SelectMany(array => array.Data.Buffers)];
        long bytes = buffers.Sum(buffer => (long)buffer.Length);
        double copy = Best(() => buffers.Sum(buffer => buffer.Span.ToArray().Length), bytes);
        double toBuffers = Best(() => Count(RowBatches.Of(rows, BatchRows)), Rows);
        double toBatches = Best(() => rows.ToRecordBatches().Sum(batch => batch.Length), Rows);
        double toStream = Best(
            () =>
            {
                rows.WriteArrow(Stream.Null);
                return Rows;
            },
            Rows);
        double sum = Best(() => buffers.Aggregate(0L, (sum, buffer) => sum + Sum(buffer.Span)) is 0 ? 0 : 1, 1);
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"| {columns} | {bytes / 1e6:0.0} MB | {copy:0.0} | {toBuffers:0.0} | {toBatches:0.0} | {toStream:0.0} | {sum:0.0} |"));
    }

    private static long Count(BatchSource source)
    {
        using (source)
        {
            long rows = 0;
            while (source.Read() is > 0 and var count)
                rows += count;
            return rows;
        }
    }

    private static long Sum(ReadOnlySpan<byte> bytes)
    {
        long sum = 0;
        foreach (long word in MemoryMarshal.Cast<byte, long>(bytes))
            sum += word;
        return sum;
    }

    private static double Best(Func<long> run, long expected)
    {
        double best = double.MaxValue;
        for (int round = 0; round < Rounds; round++)
        {
            long start = Stopwatch.GetTimestamp();
            long result = run();
            best = Math.Min(best, Stopwatch.GetElapsedTime(start).TotalMilliseconds);
            if (result != expected)
                throw new InvalidOperationException($"{result} instead of {expected}");
        }

        return best;
    }
}

/// <summary>Columns that Arrow has in the same form.</summary>
[Tabular]
public readonly partial struct FourIntegers
{
    public partial long A { get; set; }
    public partial long B { get; set; }
    public partial long C { get; set; }
    public partial long D { get; set; }
}

/// <summary>Columns of 8 bytes that have 16 in Arrow.</summary>
[Tabular]
public readonly partial struct FourAmounts
{
    [Precision(15, 2)] public partial decimal A { get; set; }
    [Precision(15, 2)] public partial decimal B { get; set; }
    [Precision(15, 2)] public partial decimal C { get; set; }
    [Precision(15, 2)] public partial decimal D { get; set; }
}

/// <summary>Texts are in a heap of their own.</summary>
[Tabular]
public readonly partial struct TwoTexts
{
    public partial string A { get; set; }
    public partial string B { get; set; }
}
