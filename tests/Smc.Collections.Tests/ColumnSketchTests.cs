using System.Numerics;
using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

[Tabular]
public readonly partial struct Measure
{
    public partial long Large { get; set; }

    public partial int Small { get; set; }

    public partial uint Unsigned { get; set; }
}

[Tabular(Layout = TabularLayout.Row)]
public readonly partial struct MeasureRow
{
    public partial long Large { get; set; }

    public partial int Small { get; set; }

    public partial uint Unsigned { get; set; }
}

/// <summary>The filter of kernels over blocks with sketches, against a comparison of every value.</summary>
public sealed class ColumnSketchTests
{
    private static readonly CollectionOptions s_smallBlocks = new() { BlockCapacity = 192 };

    public static TheoryData<string> Distributions() => ["narrow", "wide", "extreme", "rising", "constant", "drifting"];

    [Theory]
    [MemberData(nameof(Distributions))]
    public void Filtered_rows_are_those_with_values_in_the_range(string distribution)
    {
        Random random = new(1);
        using Collection<Measure> rows = new(s_smallBlocks);
        for (int i = 0; i < 1000; i++)
            Add(rows, Value(distribution, i, random));

        CheckAll(rows, random);
    }

    [Theory]
    [MemberData(nameof(Distributions))]
    public void Rows_that_were_written_again_are_found_by_their_new_values(string distribution)
    {
        Random random = new(2);
        using Collection<Measure> rows = new(s_smallBlocks);
        List<Measure> all = [];
        for (int i = 0; i < 1000; i++)
            all.Add(Add(rows, Value(distribution, i, random)));
        foreach (Measure row in all.Where(_ => random.Next(3) == 0))
        {
            long value = Value("extreme", 0, random);
            Measure written = row;
            if (random.Next(2) == 0)
                (written.Large, written.Small, written.Unsigned) = (value, (int)value, (uint)value);
            else
                written.Set(large: value, small: (int)value, unsigned: (uint)value);
        }

        CheckAll(rows, random);
    }

    [Fact]
    public void A_slot_that_is_used_again_forgets_the_row_before()
    {
        Random random = new(3);
        using Collection<Measure> rows = new(s_smallBlocks);
        List<Measure> all = [];
        for (int i = 0; i < 5000; i++)
        {
            all.Add(random.Next(2) == 0 ? Add(rows, Value("narrow", i, random)) : rows.AddNew(row => row.Small = random.Next(3000)));
            if (all.Count > 600)
            {
                int victim = random.Next(all.Count);
                Assert.True(rows.Remove(all[victim]));
                all.RemoveAt(victim);
            }
        }

        CheckAll(rows, random);
    }

    [Fact]
    public void Rows_that_lie_one_after_another_are_filtered_in_the_same_way()
    {
        Random random = new(4);
        using Collection<MeasureRow> rows = new(s_smallBlocks);
        for (int i = 0; i < 1000; i++)
        {
            long value = Value("narrow", i, random);
            rows.Add(large: value, small: (int)value, unsigned: (uint)value);
        }

        CheckAll(rows, random);
    }

    [Fact]
    public void Narrow_ranges_of_values_are_decided_without_a_look_at_values()
    {
        using Collection<Measure> rows = new(s_smallBlocks);
        for (int i = 0; i < 400; i++)
            Add(rows, i % 100);
        ColumnLayout column = Column(rows, "Small");
        using CriticalSection section = CriticalSection.Enter();
        ulong second = CollectionAccess.Context(rows).Blocks[1].Address;

        Assert.True(BlockRange.Of(second, (ulong)column.ZoneMapOffset, ValueRange.All.AtLeast(10).Below(50)).IsSharp);
        Assert.True(BlockRange.Of(second, (ulong)column.ZoneMapOffset, ValueRange.All.AtLeast(0)).IsAll);
        Assert.True(BlockRange.Of(second, (ulong)column.ZoneMapOffset, ValueRange.All.Above(99)).IsEmpty);
    }

    private static Measure Add(Collection<Measure> rows, long value) => rows.Add(large: value, small: (int)value, unsigned: (uint)value);

    private static long Value(string distribution, int index, Random random) => distribution switch
    {
        "narrow" => random.Next(3000),
        "wide" => random.NextInt64() - random.NextInt64(),
        "extreme" => random.Next(6) switch { 0 => long.MinValue, 1 => long.MaxValue, 2 => 0, 3 => -1, 4 => int.MinValue, _ => random.NextInt64() },
        "rising" => index * 1000L,
        "constant" => 42,
        _ => random.Next(200_000) + (index * 300L),
    };

    private static void CheckAll<T>(Collection<T> rows, Random random)
        where T : unmanaged
    {
        Check<T, long>(rows, "Large", random);
        Check<T, int>(rows, "Small", random);
        Check<T, uint>(rows, "Unsigned", random);
    }

    private static ColumnLayout Column<T>(Collection<T> rows, string name)
        where T : unmanaged => Array.Find(CollectionAccess.Context(rows).Layout.Columns.ToArray(), c => c.Name == name)!;

    private static void Check<T, TValue>(Collection<T> rows, string name, Random random)
        where T : unmanaged
        where TValue : unmanaged, IBinaryInteger<TValue>, IMinMaxValue<TValue>
    {
        ColumnLayout column = Column(rows, name);
        MemoryContext context = CollectionAccess.Context(rows);
        using CriticalSection section = CriticalSection.Enter();
        List<long> values = [];
        for (int i = 0; i < context.Blocks.Count; i++)
            values.AddRange(ValuesOf<TValue>(context.Blocks[i], column));
        Assert.True(values.Count > 500);
        for (int round = 0; round < 60; round++)
        {
            ValueRange range = Range(values, random);
            int found = 0;
            for (int i = 0; i < context.Blocks.Count; i++)
                found += CheckBlock<TValue>(context.Blocks[i], column, range);
            Assert.Equal(values.Count(v => v >= range.Low && v <= range.High), found);
        }
    }

    private static ValueRange Range(List<long> values, Random random)
    {
        long a = values[random.Next(values.Count)] + random.Next(-1, 2), b = values[random.Next(values.Count)];
        return random.Next(4) switch
        {
            0 => ValueRange.All.AtLeast(a),
            1 => ValueRange.All.AtMost(a),
            2 => ValueRange.All.Exactly(a),
            _ => ValueRange.All.AtLeast(Math.Min(a, b)).AtMost(Math.Max(a, b)),
        };
    }

    /// <summary>The rows of a block that pass, having compared each bit with its value.</summary>
    private static int CheckBlock<TValue>(BlockRef block, ColumnLayout column, ValueRange range)
        where TValue : unmanaged, IBinaryInteger<TValue>, IMinMaxValue<TValue>
    {
        int found = 0;
        int slots = block.SlotCount;
        using Region region = new(MemoryManager.Default);
        ulong bitmap = region.Allocate(ScanBatch.BitmapBytes);
        BlockRange here = BlockRange.Of(block.Address, (ulong)column.ZoneMapOffset, range);
        if (here.IsEmpty)
            return ValuesOf<TValue>(block, column).Count(v => v >= range.Low && v <= range.High);
        RowBitmap.Begin(bitmap, BlockHeader.Validity(block.Address), 0, slots);
        ColumnFilter.Keep<TValue>(here, block.Address + (ulong)column.Offset, (ulong)column.Stride, 0, slots, bitmap);
        for (int slot = 0; slot < slots; slot++)
        {
            bool isIn = IsSet(bitmap, slot);
            long value = ValueOf<TValue>(block, column, slot);
            bool isRow = IsSet(BlockHeader.Validity(block.Address), slot);
            Assert.True(isIn == (isRow && value >= range.Low && value <= range.High), $"{column.Name} slot {slot}: {value} in {range.Low} … {range.High}");
            found += isIn ? 1 : 0;
        }

        return found;
    }

    private static bool IsSet(ulong bitmap, int slot) => (RowAccess.Read<ulong>(bitmap + ((ulong)slot / 64 * 8)) >> (slot & 63) & 1) != 0;

    private static List<long> ValuesOf<TValue>(BlockRef block, ColumnLayout column)
        where TValue : unmanaged, IBinaryInteger<TValue>
    {
        List<long> values = [];
        for (int slot = 0; slot < block.SlotCount; slot++)
        {
            if (IsSet(BlockHeader.Validity(block.Address), slot))
                values.Add(ValueOf<TValue>(block, column, slot));
        }

        return values;
    }

    private static long ValueOf<TValue>(BlockRef block, ColumnLayout column, int slot)
        where TValue : unmanaged, IBinaryInteger<TValue> =>
        long.CreateChecked(RowAccess.Read<TValue>(block.Address + (ulong)column.Offset + ((ulong)slot * (ulong)column.Stride)));
}
