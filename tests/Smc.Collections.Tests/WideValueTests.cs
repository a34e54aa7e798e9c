using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text.Json.Nodes;
using Smc.Collections.Kernels;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Three words: no processor reads them at once.</summary>
[StructLayout(LayoutKind.Sequential)]
public record struct Triple(long First, long Second, long Third);

/// <summary>One word of two fields.</summary>
[StructLayout(LayoutKind.Sequential)]
public record struct Pair(int First, int Second);

/// <summary>Columns of values that take more than one word, or one word of several fields.</summary>
public interface IWideValues
{
    Int128 Int128 { get; set; }

    UInt128 UInt128 { get; set; }

    Guid Guid { get; set; }

    decimal Money { get; set; }

    decimal Decimal { get; set; }

    DateTimeOffset Moment { get; set; }

    Guid? OptionalGuid { get; set; }

    Triple Triple { get; set; }

    Pair Pair { get; set; }
}

[Tabular]
public readonly partial struct WideColumns : IWideValues
{
    public partial byte Number { get; set; }

    public partial Int128 Int128 { get; set; }

    public partial UInt128 UInt128 { get; set; }

    public partial Guid Guid { get; set; }

    [Precision(28, 2)]
    public partial decimal Money { get; set; }

    public partial decimal Decimal { get; set; }

    public partial DateTimeOffset Moment { get; set; }

    public partial Guid? OptionalGuid { get; set; }

    public partial Triple Triple { get; set; }

    public partial Pair Pair { get; set; }
}

[Tabular(Layout = TabularLayout.Row)]
public readonly partial struct WideRow : IWideValues
{
    public partial long Number { get; set; }

    public partial Int128 Int128 { get; set; }

    public partial UInt128 UInt128 { get; set; }

    public partial Guid Guid { get; set; }

    [Precision(28, 2)]
    public partial decimal Money { get; set; }

    public partial decimal Decimal { get; set; }

    public partial DateTimeOffset Moment { get; set; }

    public partial Guid? OptionalGuid { get; set; }

    public partial Triple Triple { get; set; }

    public partial Pair Pair { get; set; }
}

/// <summary>A value that takes several words, read while another thread writes it, is one that was written.</summary>
public sealed class WideValueTests
{
    private const string Switch = "Smc.GuardedWideValues";
    private const int Rows = 8;

    // Readings of a door: each takes some microseconds.
    private const int Rounds = 2_000;
    private const int RoundsOfHandles = 30_000;

    private static readonly Values s_even = Values.Of(0x11, 11_111_111_111_111_111_111_111.11m, new DateTimeOffset(2001, 1, 1, 1, 0, 0, TimeSpan.FromHours(1)));
    private static readonly Values s_odd = Values.Of(0x22, -22_222_222_222_222_222_222_222.22m, new DateTimeOffset(2002, 2, 2, 2, 0, 0, TimeSpan.FromHours(2)));

    [Theory]
    [InlineData("handle"), InlineData("LINQ to Objects"), InlineData("copy of a row"), InlineData("kernel"), InlineData("grouping kernel"), InlineData("summing kernel")]
    public void Columns_are_read_whole(string door)
    {
        using Collection<WideColumns> rows = new();
        WideColumns[] all = [.. Enumerable.Range(0, Rows).Select(_ => rows.AddNew(r => Write(r, s_even)))];
        Play(all, door is "handle" or "copy of a row" ? RoundsOfHandles : Rounds, door switch
        {
            "handle" => () => All(all[0]),
            "LINQ to Objects" => () => rows.AsEnumerable().SelectMany(row => All(row)),
            "copy of a row" => () => Data(all[0].ToData()),
            "kernel" => () =>
            [
                .. rows.Select(r => r.Int128).ToList(), .. rows.Select(r => r.UInt128).ToList(), .. rows.Select(r => r.Guid).ToList(),
                .. rows.Select(r => r.Money).ToList(), .. rows.Select(r => r.Decimal).ToList(), .. rows.Select(r => r.Moment).ToList(),
                .. rows.Select(r => r.OptionalGuid).ToList().Select(id => (object)id!), .. rows.Select(r => r.Triple).ToList(), .. rows.Select(r => r.Pair).ToList(),
            ],
            "grouping kernel" => () =>
            [
                .. rows.GroupBy(r => r.Guid).Select(g => g.Key).ToList(), .. rows.GroupBy(r => r.Int128).Select(g => g.Key).ToList(),
                .. rows.GroupBy(r => r.Money).Select(g => g.Key).ToList(),
            ],
            _ => () => [IsSum(rows.Sum(r => r.Money)), rows.Max(r => r.Money)],
        });
    }

    [Theory]
    [InlineData("handle"), InlineData("LINQ to Objects"), InlineData("copy of a row"), InlineData("kernel"), InlineData("grouping kernel"), InlineData("summing kernel")]
    public void Rows_are_read_whole(string door)
    {
        using Collection<WideRow> rows = new();
        WideRow[] all = [.. Enumerable.Range(0, Rows).Select(_ => rows.AddNew(r => Write(r, s_even)))];
        Play(all, door is "handle" or "copy of a row" ? RoundsOfHandles : Rounds, door switch
        {
            "handle" => () => All(all[0]),
            "LINQ to Objects" => () => rows.AsEnumerable().SelectMany(row => All(row)),
            "copy of a row" => () => Data(all[0].ToData()),
            "kernel" => () =>
            [
                .. rows.Select(r => r.Int128).ToList(), .. rows.Select(r => r.UInt128).ToList(), .. rows.Select(r => r.Guid).ToList(),
                .. rows.Select(r => r.Money).ToList(), .. rows.Select(r => r.Decimal).ToList(), .. rows.Select(r => r.Moment).ToList(),
                .. rows.Select(r => r.OptionalGuid).ToList().Select(id => (object)id!), .. rows.Select(r => r.Triple).ToList(), .. rows.Select(r => r.Pair).ToList(),
            ],
            "grouping kernel" => () =>
            [
                .. rows.GroupBy(r => r.Guid).Select(g => g.Key).ToList(), .. rows.GroupBy(r => r.Int128).Select(g => g.Key).ToList(),
                .. rows.GroupBy(r => r.Money).Select(g => g.Key).ToList(),
            ],
            _ => () => [IsSum(rows.Sum(r => r.Money)), rows.Max(r => r.Money)],
        });
    }

    [Fact]
    public void Rows_that_move_are_read_whole()
    {
        using Collection<WideRow> rows = new(new CollectionOptions { BlockCapacity = 64, CompactionOccupancy = 0 });
        WideRow[] stay = [.. Enumerable.Range(0, Rows).Select(_ => rows.AddNew(r => Write(r, s_even)))];
        int round = 0;
        Play(stay, Rounds / 2, () =>
        {
            // Every row that stays has a block of its own after this, until the compaction.
            if (round++ % 200 == 0)
            {
                WideRow[] others = [.. Enumerable.Range(0, 128).Select(_ => rows.AddNew(r => Write(r, s_even)))];
                foreach (WideRow other in others)
                    rows.Remove(other);
                rows.Compact();
            }

            return stay.SelectMany(row => All(row));
        });
    }

    [Fact]
    public void The_switch_has_wide_values_guarded() =>
        Assert.False(WholeValue.AreVectorsAtomic && AppContext.TryGetSwitch(Switch, out bool isOn) && isOn);

    [Fact]
    public async Task Values_are_read_whole_where_the_processor_does_not_access_vectors_at_once()
    {
        string tests = typeof(WideValueTests).Assembly.Location, directory = Directory.CreateTempSubdirectory().FullName;
        JsonNode settings = JsonNode.Parse(await File.ReadAllTextAsync(Path.ChangeExtension(tests, "runtimeconfig.json"), TestContext.Current.CancellationToken))!;
        JsonNode options = settings["runtimeOptions"]!;
        (options["configProperties"] ??= new JsonObject())[Switch] = true;
        string changed = Path.Combine(directory, "runtimeconfig.json");
        await File.WriteAllTextAsync(changed, settings.ToJsonString(), TestContext.Current.CancellationToken);
        string[] arguments = ["exec", "--runtimeconfig", changed, tests, "-class", typeof(WideValueTests).FullName!, "-method-", typeof(WideValueTests).FullName + ".Values_*"];

        using Process program = Process.Start(new ProcessStartInfo("dotnet", arguments) { RedirectStandardOutput = true })!;
        string output = await program.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await program.WaitForExitAsync(TestContext.Current.CancellationToken);

        Directory.Delete(directory, recursive: true);
        Assert.True(program.ExitCode == 0 && output.Contains("Total: 14", StringComparison.Ordinal), output);
    }

    private static void Play<T>(T[] rows, int rounds, Func<IEnumerable<object>> read)
        where T : struct, IWideValues
    {
        using CancellationTokenSource done = new();
        Thread writer = new(() =>
        {
            for (int i = 0; !done.IsCancellationRequested; i++)
            {
                foreach (T row in rows)
                    Write(row, i % 2 == 0 ? s_odd : s_even);
            }
        });
        writer.Start();
        HashSet<object> known = [.. s_even.All, .. s_odd.All];
        object? torn = null;
        try
        {
            for (int i = 0; i < rounds && torn is null; i++)
                torn = read().FirstOrDefault(value => !known.Contains(value));
        }
        finally
        {
            done.Cancel();
            writer.Join();
        }

        Assert.True(torn is null, $"the {torn?.GetType().Name} {torn} was never written");
    }

    private static void Write<T>(T row, Values values)
        where T : IWideValues
    {
        row.Int128 = values.Int128;
        row.UInt128 = (UInt128)values.Int128;
        row.Guid = values.Guid;
        row.Money = values.Money;
        row.Decimal = values.Money;
        row.Moment = values.Moment;
        row.OptionalGuid = values.Guid;
        row.Triple = values.Triple;
        row.Pair = values.Pair;
    }

    private static IEnumerable<object> All<T>(T row)
        where T : IWideValues =>
        [row.Int128, row.UInt128, row.Guid, row.Money, row.Decimal, row.Moment, row.OptionalGuid!, row.Triple, row.Pair];

    private static IEnumerable<object> Data(WideColumnsData row) =>
        [row.Int128, row.UInt128, row.Guid, row.Money, row.Decimal, row.Moment, row.OptionalGuid!, row.Triple, row.Pair];

    private static IEnumerable<object> Data(WideRowData row) =>
        [row.Int128, row.UInt128, row.Guid, row.Money, row.Decimal, row.Moment, row.OptionalGuid!, row.Triple, row.Pair];

    /// <summary>A known value if the sum is one of rows that each have one of the two values, else the sum.</summary>
    private static object IsSum(decimal sum)
    {
        decimal odd = (sum - (Rows * s_even.Money)) / (s_odd.Money - s_even.Money);
        return odd is >= 0 and <= Rows && decimal.IsInteger(odd) ? s_even.Money : sum;
    }

    private sealed record Values(Int128 Int128, Guid Guid, decimal Money, DateTimeOffset Moment, Triple Triple, Pair Pair)
    {
        public IEnumerable<object> All => [Int128, (UInt128)Int128, Guid, Money, Moment, Triple, Pair];

        public static Values Of(byte filler, decimal money, DateTimeOffset moment)
        {
            byte[] bytes = [.. Enumerable.Repeat(filler, 16)];
            ulong word = BitConverter.ToUInt64(bytes);
            return new Values(new Int128(word, word), new Guid(bytes), money, moment, new Triple(filler, filler, filler), new Pair(filler, filler));
        }
    }
}
