using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>What blocks know about the values of rows that an initialiser filled: zone maps and sketches.</summary>
public sealed class DraftSummaryTests
{
    private static readonly CollectionOptions s_smallBlocks = new() { BlockCapacity = 192 };

    [Fact]
    public void An_initialised_row_has_the_zone_maps_and_sketches_of_a_row_with_named_arguments()
    {
        using Collection<Order> named = new(s_smallBlocks), initialised = new(s_smallBlocks);
        using Collection<Customer> customers = new();
        Customer customer = customers.Add(name: "Ann");
        for (int i = 0; i < 500; i++)
        {
            int key = 1000 + (i % 100);
            DateOnly date = new DateOnly(2024, 1, 1).AddDays(i % 28);
            int? priority = i % 3 == 0 ? null : i;
            named.Add(key: key, customer: customer, date: date, total: key, comment: "", priority: priority, level: 5);
            initialised.AddNew(o =>
            {
                o.Key = -1;
                o.Priority = 7_000_000;
                o.Key = key;
                o.Set(customer: customer, date: date, priority: null);
                o.Total = o.Key;
                o.Priority = priority;
                o.Level = 5;
            });
        }

        Assert.Equal(Summaries(named), Summaries(initialised));
    }

    [Fact]
    public void An_initialised_row_of_the_row_layout_has_the_zone_maps_and_sketches_of_a_row_with_named_arguments()
    {
        using Collection<MeasureRow> named = new(s_smallBlocks), initialised = new(s_smallBlocks);
        for (int i = 0; i < 500; i++)
        {
            int value = 70_000 + i;
            named.Add(large: value, small: value, unsigned: (uint)value);
            initialised.AddNew(m => (m.Large, m.Small, m.Unsigned) = (value, value, (uint)value));
        }

        Assert.Equal(Summaries(named), Summaries(initialised));
    }

    [Fact]
    public void A_filter_over_initialised_rows_is_decided_without_a_look_at_values()
    {
        using Collection<Measure> rows = new(s_smallBlocks);
        for (int i = 0; i < 400; i++)
            rows.AddNew(m => m.Small = 1000 + (i % 100));
        ColumnLayout column = Column(rows, "Small");
        using CriticalSection section = CriticalSection.Enter();
        ulong second = CollectionAccess.Context(rows).Blocks[1].Address;

        Assert.True(BlockRange.Of(second, (ulong)column.ZoneMapOffset, ValueRange.All.AtLeast(1010).Below(1050)).IsSharp);
        Assert.True(BlockRange.Of(second, (ulong)column.ZoneMapOffset, ValueRange.All.AtLeast(1000)).IsAll);
        Assert.True(BlockRange.Of(second, (ulong)column.ZoneMapOffset, ValueRange.All.Below(1000)).IsEmpty);
    }

    [Fact]
    public void A_reference_that_every_initialiser_sets_is_never_null_in_the_zone_map()
    {
        using Collection<Customer> customers = new();
        using Collection<Order> orders = new(s_smallBlocks);
        for (int i = 0; i < 300; i++)
            orders.AddNew(o => o.Customer = customers.AddNew(c => c.LastOrder = o));

        Assert.True(ZoneSpan.Over(CollectionAccess.Context(orders), (ulong)Column(orders, "Customer").ZoneMapOffset).Minimum > long.MinValue);
        Assert.True(ZoneSpan.Over(CollectionAccess.Context(customers), (ulong)Column(customers, "LastOrder").ZoneMapOffset).Minimum > long.MinValue);
    }

    [Fact]
    public void An_initialiser_that_throws_leaves_zone_maps_and_sketches_as_they_were()
    {
        using Collection<Measure> rows = new(s_smallBlocks);
        for (int i = 0; i < 250; i++)
            rows.Add(large: 100 + i, small: 100 + i, unsigned: 100);
        List<string> before = Summaries(rows);

        Assert.Throws<FormatException>(() => rows.AddNew(m =>
        {
            m.Large = -5;
            m.Small = 1_000_000;
            throw new FormatException();
        }));

        Assert.Equal(before, Summaries(rows));
    }

    [Fact]
    public void Values_that_another_thread_sets_while_a_row_becomes_visible_are_inside_its_zone_map_and_sketch()
    {
        using Collection<Measure> rows = new(s_smallBlocks);
        ColumnLayout column = Column(rows, "Small");
        Measure draft = default;
        using Barrier drafted = new(2), written = new(2);
        const int Rows = 2000;
        Thread writer = new(() =>
        {
            for (int i = 0; i < Rows; i++)
            {
                drafted.SignalAndWait();
                for (int value = 1; value <= 40; value++)
                    draft.Small = (i * 100) + value;
                written.SignalAndWait();
            }
        });
        writer.Start();
        for (int i = 0; i < Rows; i++)
        {
            rows.AddNew(m =>
            {
                draft = m;
                drafted.SignalAndWait();
                m.Large = i;
                Thread.SpinWait(i % 200);
            });
            written.SignalAndWait();
        }

        writer.Join();
        using CriticalSection section = CriticalSection.Enter();
        MemoryContext context = CollectionAccess.Context(rows);
        for (int i = 0; i < context.Blocks.Count; i++)
            AssertCovered(context.Blocks[i], column);
    }

    private static void AssertCovered(BlockRef block, ColumnLayout column)
    {
        ZoneView zone = block.Zone(column.ZoneMapOffset);
        ulong codes = zone.Codes;
        for (int slot = 0; slot < block.SlotCount; slot++)
        {
            int value = RowAccess.Read<int>(block.Address + (ulong)column.Offset + ((ulong)slot * (ulong)column.Stride));
            Assert.InRange(value, zone.Min, zone.Max);
            ushort code = RowAccess.Read<ushort>(codes + ((ulong)slot * sizeof(ushort)));
            if (code == ColumnSketch.Unknown)
                Assert.True(zone.HasUnknown);
            else
                Assert.Equal(ColumnSketch.CodeOf(value, zone.Origin, zone.Shift), code);
        }
    }

    private static ColumnLayout Column<T>(Collection<T> rows, string name)
        where T : unmanaged => Array.Find(CollectionAccess.Context(rows).Layout.Columns.ToArray(), c => c.Name == name)!;

    /// <summary>The zone map of each column of each block, whether its sketch has unknown codes, and the codes of its rows. Handles are left out, which differ.</summary>
    private static List<string> Summaries<T>(Collection<T> rows)
        where T : unmanaged
    {
        MemoryContext context = CollectionAccess.Context(rows);
        using CriticalSection section = CriticalSection.Enter();
        List<string> summaries = [];
        for (int i = 0; i < context.Blocks.Count; i++)
        {
            foreach (ColumnLayout column in context.Layout.Columns)
            {
                if (column.ZoneMapOffset >= 0)
                    summaries.Add($"block {i}, {column.Name}: {Summary(context.Blocks[i], column)}");
            }
        }

        return summaries;
    }

    private static string Summary(BlockRef block, ColumnLayout column)
    {
        ZoneView zone = block.Zone(column.ZoneMapOffset);
        ulong codes = zone.Codes;
        bool isHandle = column.Storage == ColumnStorage.Reference;
        string bounds = isHandle ? $"{zone.Min == long.MinValue}" : $"{zone.Min} to {zone.Max}";
        IEnumerable<ushort> ofRows = codes == 0 ? [] : Enumerable.Range(0, block.SlotCount)
            .Where(slot => RowBitmap.Contains(BlockHeader.Validity(block.Address), (ulong)slot))
            .Select(slot => RowAccess.Read<ushort>(codes + ((ulong)slot * sizeof(ushort))));
        return $"{bounds}, {zone.HasUnknown}, {string.Join(' ', ofRows)}";
    }
}
