using System.Diagnostics;
using System.Diagnostics.Metrics;
using Smc.Collections.Kernels;
using Smc.Memory;
using Smc.Memory.Diagnostics;
using Xunit;

namespace Smc.Collections.Tests;

[Tabular]
public readonly partial struct Reading
{
    public partial int Small { get; set; }

    public partial long Large { get; set; }

    public partial int? Optional { get; set; }

    public partial Reading Before { get; set; }
}

[Tabular(Layout = TabularLayout.Row)]
public readonly partial struct ReadingRow
{
    public partial int Small { get; set; }

    public partial long Large { get; set; }

    public partial short Short { get; set; }

    public partial uint Unsigned { get; set; }
}

/// <summary>Codes of values that were set are known again after a compaction, and whoever read them meanwhile knows that they changed.</summary>
public sealed class CodeRewritingTests
{
    private const int Capacity = 256;

    [Fact]
    public void A_compaction_makes_the_codes_of_set_values_known()
    {
        using Collection<Reading> rows = Filled(1000, out List<Reading> all);
        Random random = new(5);
        int sets = 0;
        foreach (Reading row in all.Where(_ => random.Next(3) == 0))
        {
            Reading set = row;
            (set.Small, set.Large, set.Before) = (random.Next(-50, 5000), random.NextInt64(), random.Next(4) == 0 ? default : all[random.Next(all.Count)]);
            set.Optional = random.Next(3) == 0 ? null : random.Next(100);
            sets++;
        }

        long unknown = Unknown(rows);
        Assert.InRange(unknown, sets, 4 * sets);
        CompactionResult result = rows.Compact();
        Assert.Equal((0, 0L, true), (result.BlocksFreed, result.RowsMoved, result.IsComplete));
        // The first block has no steps, as it was filled first.
        Assert.InRange(result.CodesWritten, unknown / 2, unknown);
        Assert.All(BlocksWithSteps(rows), block => Assert.All(Zones(rows, block), static zone => Assert.False(zone.HasUnknown)));
        Assert.Equal(0, rows.Compact().CodesWritten);
    }

    [Fact]
    public void The_row_layout_has_its_codes_again()
    {
        using Collection<ReadingRow> rows = new(new CollectionOptions { BlockCapacity = Capacity, CompactionOccupancy = 0 });
        ReadingRow[] all = [.. Enumerable.Range(0, 1000).Select(i => rows.Add(small: i % 100, large: i, @short: (short)i, unsigned: (uint)i))];
        for (int i = 0; i < all.Length; i += 3)
            all[i].Set(small: -i, large: long.MinValue + i, @short: (short)-i, unsigned: uint.MaxValue - (uint)i);
        Assert.InRange(rows.Compact().CodesWritten, 500, 4 * 334);
        Assert.InRange(Unknown(rows), 0, Capacity * 4);
        Assert.Equal(all.Count(row => row.Small < 0), rows.Count(row => row.Small < 0));
        Assert.Equal(all.Count(row => row.Unsigned > int.MaxValue), rows.Count(row => row.Unsigned > int.MaxValue));
    }

    [Fact]
    public void Large_blocks_take_several_pauses()
    {
        using Collection<Reading> rows = new(new CollectionOptions { CompactionOccupancy = 0 });
        List<Reading> all = [];
        for (int i = 0; i < 100_000; i++)
            all.Add(rows.Add(small: i % 1000, large: i, optional: null, before: default));
        foreach (Reading row in all)
        {
            Reading set = row;
            set.Small = 999 - row.Small;
        }

        Assert.True(rows.Compact().IsComplete);
        Assert.All(BlocksWithSteps(rows), block => Assert.All(Zones(rows, block), static zone => Assert.False(zone.HasUnknown)));
        Assert.Equal(all.Count(row => row.Small < 300), rows.Count(row => row.Small < 300));
    }

    [Fact]
    public void A_range_from_before_notices_codes_that_were_unknown_meanwhile()
    {
        using Collection<Reading> rows = Filled(1000, out List<Reading> all);
        ColumnLayout column = Column(rows, "Small");
        using CriticalSection section = CriticalSection.Enter();
        BlockRef block = CollectionAccess.Context(rows).Blocks[1];
        BlockRange range = BlockRange.Of(block.Address, (ulong)column.ZoneMapOffset, ValueRange.All.AtLeast(10).Below(50));
        Assert.True(range.IsSharp);
        Reading set = all[Capacity + 3];
        set.Small = 20;
        RunElsewhere(() => Assert.Equal(1, rows.Compact(TimeSpan.FromMilliseconds(300)).CodesWritten));

        Assert.True(range.FallsBack());
        Assert.True(BlockRange.Of(block.Address, (ulong)column.ZoneMapOffset, ValueRange.All.AtLeast(10).Below(50)).IsSharp);
    }

    [Fact]
    public void A_range_that_looked_at_unknown_codes_stays_when_they_are_known()
    {
        using Collection<Reading> rows = Filled(1000, out List<Reading> all);
        ColumnLayout column = Column(rows, "Small");
        Reading set = all[Capacity + 3];
        set.Small = 20;
        using CriticalSection section = CriticalSection.Enter();
        BlockRef block = CollectionAccess.Context(rows).Blocks[1];
        BlockRange range = BlockRange.Of(block.Address, (ulong)column.ZoneMapOffset, ValueRange.All.AtLeast(10).Below(50));
        Assert.False(range.IsSharp);
        RunElsewhere(() => rows.Compact(TimeSpan.FromMilliseconds(300)));
        Assert.False(range.FallsBack());
    }

    [Fact]
    public void A_row_that_is_being_added_keeps_its_own_codes()
    {
        using Collection<Reading> rows = Filled(1000, out List<Reading> all);
        Reading set = all[^1];
        set.Small = 20;
        Reading added = rows.AddNew(row =>
        {
            row.Small = 77;
            RunElsewhere(() => Assert.Equal(1, rows.Compact(TimeSpan.FromMilliseconds(300)).CodesWritten));
            row.Small = 78;
        });
        Unknown(rows);
        Assert.Equal(all.Count(row => row.Small == 78) + 1, rows.Count(row => row.Small == 78));
        Assert.Equal(78, added.Small);
    }

    [Fact]
    public void Codes_stay_as_they_are_while_a_snapshot_is_open()
    {
        using Collection<Reading> rows = Filled(1000, out List<Reading> all);
        Reading set = all[Capacity + 3];
        set.Small = 20;
        using (Snapshot.Take(rows))
            Assert.Equal((0L, false), (rows.Compact().CodesWritten, rows.Compact().IsComplete));
        Assert.Equal(1, Unknown(rows));
        // Writers look for snapshots until all windows of then have ended.
        SpinWait.SpinUntil(() => rows.Compact().IsComplete, TimeSpan.FromSeconds(10));
        Assert.Equal(0, Unknown(rows));
    }

    [Fact]
    public void A_write_group_that_does_not_end_is_not_waited_for()
    {
        using Collection<Reading> rows = Filled(1000, out List<Reading> all);
        Reading set = all[Capacity + 3];
        using (WriteGroup.Begin())
        {
            set.Small = 20;
            RunElsewhere(() => Assert.False(rows.Compact(TimeSpan.FromMilliseconds(50)).IsComplete));
            // Its own would never end.
            Assert.False(rows.Compact().IsComplete);
        }

        Assert.Equal(1, Unknown(rows));
        Assert.Equal((1L, true), (rows.Compact().CodesWritten, rows.Compact().IsComplete));
    }

    [Fact]
    public void The_background_moves_rows_beside_write_groups_that_do_not_end()
    {
        using Collection<Reading> rows = Filled(1000, out List<Reading> all, CollectionOptionsOf(occupancy: 0.3));
        MemoryContext context = CollectionAccess.Context(rows);
        // Too few to ask the background for.
        SetSmall(all, Capacity, 10);
        foreach (Reading row in all.Where((_, i) => i % 16 != 0))
            rows.Remove(row);
        int blocks = context.Blocks.Count;
        using (WriteGroup.Begin())
            RunElsewhere(() => context.Compaction.TryRunInBackground(TimeSpan.FromSeconds(1)));
        Assert.InRange(context.Blocks.Count, 1, blocks - 1);
    }

    [Fact]
    public void A_token_ends_it_and_the_collection_is_whole()
    {
        using Collection<Reading> rows = Filled(1000, out List<Reading> all);
        Reading set = all[Capacity + 3];
        set.Small = 20;
        using CancellationTokenSource source = new();
        source.Cancel();
        Assert.Throws<OperationCanceledException>(() => rows.Compact(cancellationToken: source.Token));
        Assert.Equal(1, Unknown(rows));
    }

    [Fact]
    public void In_the_background_codes_are_written_anew_without_being_asked()
    {
        using Collection<Reading> rows = Filled(1000, out List<Reading> all, CollectionOptionsOf(occupancy: 0.3));
        long start = Stopwatch.GetTimestamp();
        bool areKnown = false;
        // A writer may be between two of these when the background looks: it is asked again with the next ones.
        for (int i = 0; !areKnown && Stopwatch.GetElapsedTime(start) < TimeSpan.FromSeconds(30); i++)
        {
            for (int row = Capacity; row < all.Count; row++)
            {
                Reading set = all[row];
                set.Small = (row + i) % 100;
            }

            areKnown = SpinWait.SpinUntil(() => Unknown(rows) == 0, TimeSpan.FromSeconds(2));
        }

        Assert.True(areKnown);
        for (int i = 0; i < 100; i++)
            Assert.Equal(all.Count(row => row.Small == i), rows.Count(row => row.Small == i));
    }

    [Fact]
    public void Without_background_compaction_codes_are_written_anew_by_Compact_only()
    {
        using Collection<Reading> rows = Filled(1000, out List<Reading> all);
        for (int row = Capacity; row < all.Count; row++)
        {
            Reading set = all[row];
            set.Small = row % 100;
        }

        Thread.Sleep(300);
        Assert.Equal(1000 - Capacity, Unknown(rows));
        Assert.Equal(1000 - Capacity, rows.Compact().CodesWritten);
    }

    [Fact]
    public void Codes_that_become_unknown_while_it_waits_for_writers_are_counted_again()
    {
        using Collection<Reading> rows = Filled(1000, out List<Reading> all, CollectionOptionsOf(occupancy: 0.3));
        using (WriteGroup.Begin())
        {
            SetSmall(all, Capacity, 20);
            // The background has looked by then, and waits for the end of the group.
            Thread.Sleep(150);
            SetSmall(all, Capacity + 20, 40);
        }

        Assert.True(SpinWait.SpinUntil(() => Unknown(rows) == 0, TimeSpan.FromSeconds(10)));
        Thread.Sleep(500);
        SetSmall(all, Capacity, 100);
        Assert.True(SpinWait.SpinUntil(() => Unknown(rows) == 0, TimeSpan.FromSeconds(30)));
    }

    [Fact]
    public void The_background_rests_however_much_is_written()
    {
        using Collection<Reading> rows = Filled(1000, out List<Reading> all, CollectionOptionsOf(occupancy: 0.3) with { Name = "rests" });
        int runs = 0;
        using MeterListener listener = new() { InstrumentPublished = static (instrument, listener) => Enable(instrument, listener) };
        listener.SetMeasurementEventCallback<long>((_, _, tags, _) =>
        {
            foreach (KeyValuePair<string, object?> tag in tags)
            {
                if (tag.Value is "rests")
                    Interlocked.Increment(ref runs);
            }
        });
        listener.Start();
        // It cannot begin before the group ends, so it works for 0.2 s at least, and asks for more meanwhile.
        using (WriteGroup.Begin())
            SetFor(TimeSpan.FromSeconds(0.3));
        SetFor(TimeSpan.FromSeconds(2));
        Assert.Equal(1, runs);

        void SetFor(TimeSpan time)
        {
            long start = Stopwatch.GetTimestamp();
            for (int i = 0; Stopwatch.GetElapsedTime(start) < time; i++)
                SetSmall(all, Capacity + (i * 20 % 700), 20);
        }

        static void Enable(Instrument instrument, MeterListener listener)
        {
            if (instrument.Name == "smc.compaction.codes_written")
                listener.EnableMeasurementEvents(instrument);
        }
    }

    private static void SetSmall(List<Reading> all, int first, int count)
    {
        for (int row = first; row < first + count; row++)
        {
            Reading set = all[row];
            set.Small = (set.Small + 1) % 100;
        }
    }

    private static CollectionOptions CollectionOptionsOf(double occupancy) => new() { BlockCapacity = Capacity, CompactionOccupancy = occupancy };

    private static Collection<Reading> Filled(int count, out List<Reading> all, CollectionOptions? options = null)
    {
        Collection<Reading> rows = new(options ?? CollectionOptionsOf(occupancy: 0));
        all = [];
        for (int i = 0; i < count; i++)
            all.Add(rows.Add(small: i % 100, large: i * 1_000_003L, optional: i % 5 == 0 ? null : i, before: i % 7 == 0 ? default : all[^1]));
        return rows;
    }

    // Checks each code, and counts those that are unknown.
    private static long Unknown<T>(Collection<T> rows)
        where T : unmanaged => CodeInvariants.Check(CollectionAccess.Context(rows));

    private static IEnumerable<BlockRef> BlocksWithSteps<T>(Collection<T> rows)
        where T : unmanaged
    {
        BlockList blocks = CollectionAccess.Context(rows).Blocks;
        return Enumerable.Range(1, blocks.Count - 1).Select(i => blocks[i]);
    }

    private static IEnumerable<ZoneView> Zones<T>(Collection<T> rows, BlockRef block)
        where T : unmanaged =>
        [.. CollectionAccess.Context(rows).Layout.Columns.ToArray().Where(static column => column.SketchOffset >= 0).Select(column => block.Zone(column.ZoneMapOffset)).Where(static zone => zone.IsScaled)];

    private static ColumnLayout Column<T>(Collection<T> rows, string name)
        where T : unmanaged => Array.Find(CollectionAccess.Context(rows).Layout.Columns.ToArray(), column => column.Name == name)!;

    private static void RunElsewhere(Action action)
    {
        Exception? failure = null;
        Thread thread = new(() =>
        {
            try
            {
                action();
            }
            catch (Exception thrown)
            {
                failure = thrown;
            }
        });
        thread.Start();
        thread.Join();
        Assert.Null(failure);
    }
}
