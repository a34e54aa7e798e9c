using Smc.Memory.Diagnostics;

namespace Smc.Memory.Tests;

/// <summary>What a compaction does to a collection that nobody else uses.</summary>
public sealed class CompactionTests
{
    private const string LongText = "a text that needs a chunk";
    private static readonly CompactionOptions s_half = new() { Occupancy = 0.5 };

    public static TheoryData<BlockLayoutKind> Layouts => [BlockLayoutKind.Columnar, BlockLayoutKind.Row];

    [Theory, MemberData(nameof(Layouts))]
    public void Rows_of_sparse_blocks_move_together_and_keep_handles_values_and_strings(BlockLayoutKind layout)
    {
        using TestTable table = Sparse(layout, out Dictionary<ulong, long> rows);
        CompactionResult result = table.Context.Compaction.Run(s_half);
        Assert.Equal(new CompactionResult(BlocksFreed: 8, BlocksFilled: 2, RowsMoved: 8, BytesFreed: 6L * BlockLayout.BlockAlignment, CodesWritten: 0, IsComplete: true), result);
        foreach ((ulong handle, long key) in rows)
        {
            Assert.True(table.TryRead(handle, out long found, out string? text));
            Assert.Equal((key, TextOf(key)), (found, text));
        }
        Assert.Equal(rows.Values.Order(), table.Scan().Order());
        table.Check();
    }

    [Fact]
    public void The_memory_of_old_blocks_goes_back()
    {
        using MemoryManager manager = new();
        using TestTable table = Sparse(BlockLayoutKind.Columnar, out _, manager);
        MemoryUsage before = manager.Usage;
        table.Context.Compaction.Run(s_half);
        MemoryUsage after = manager.Usage;
        Assert.True(after.Mapped <= before.Mapped - 6L * BlockLayout.BlockAlignment, $"{before.Mapped} then {after.Mapped}");
        Assert.Equal(8 * table.Context.Layout.BytesPerRow, after.Live);
        table.Check();
    }

    [Fact]
    public void Zone_maps_are_tight_again()
    {
        using TestTable table = new();
        ulong[] rows = [.. Enumerable.Range(0, 8).Select(i => table.Add(i))];
        table.SetKey(rows[0], 1_000_000);
        table.SetKey(rows[0], 5);
        foreach (int gone in (int[])[1, 2, 3, 5, 6, 7]) table.Context.Removal.TryRemove(rows[gone]);
        table.Context.Compaction.Run(s_half);
        using CriticalSection section = CriticalSection.Enter();
        ZoneView zone = table.ZoneOf(Assert.Single(BlocksOf(table)));
        Assert.Equal((4L, 5L), (zone.Min, zone.Max));
    }

    [Fact]
    public void Empty_blocks_leave_and_a_block_alone_stays()
    {
        using TestTable table = new();
        ulong[] rows = [.. Enumerable.Range(0, 12).Select(i => table.Add(i))];
        foreach (int gone in (int[])[0, 1, 2, 3, 4, 5, 6]) table.Context.Removal.TryRemove(rows[gone]);
        CompactionResult result = table.Context.Compaction.Run(s_half);
        Assert.Equal((1, 0, 0L, true), (result.BlocksFreed, result.BlocksFilled, result.RowsMoved, result.IsComplete));
        table.Check();
    }

    [Fact]
    public void Ids_of_dead_rows_come_back_with_their_incarnations()
    {
        using TestTable table = Sparse(BlockLayoutKind.Columnar, out Dictionary<ulong, long> rows);
        long ids = table.Context.EntryLimit;
        HashSet<ulong> handles = [.. rows.Keys];
        for (int round = 0; round < 5; round++)
        {
            table.Context.Compaction.Run(s_half);
            ulong[] added = [.. Enumerable.Range(0, 24).Select(i => table.Add(100 + i))];
            Assert.All(added, handle => Assert.True(handles.Add(handle)));
            foreach (ulong handle in added) table.Context.Removal.TryRemove(handle);
            TestTable.PassGrace();
            table.Check();
        }
        Assert.InRange(table.Context.EntryLimit, 1, ids + 2 * TestTable.Capacity);
        Assert.Equal(rows.Count, table.Context.Count);
    }

    [Fact]
    public void Worn_out_entries_do_not_come_back()
    {
        using TestTable table = new(incarnationBits: 2, slotsPerBlock: 2);
        HashSet<ulong> handles = [];
        for (int round = 0; round < 40; round++)
        {
            ulong[] added = [.. Enumerable.Range(0, 6).Select(i => table.Add(i))];
            Assert.All(added, handle => Assert.True(handles.Add(handle)));
            foreach (ulong handle in added.Where((_, i) => i % 2 == 0)) table.Context.Removal.TryRemove(handle);
            table.Context.Compaction.Run(s_half);
            foreach (ulong handle in added) table.Context.Removal.TryRemove(handle);
            TestTable.PassGrace();
            table.Check();
        }
    }

    [Fact]
    public void New_rows_fill_the_rest_of_a_target()
    {
        using TestTable table = new();
        ulong[] rows = [.. Enumerable.Range(0, 8).Select(i => table.Add(i))];
        foreach (int gone in (int[])[1, 2, 3, 5, 6, 7]) table.Context.Removal.TryRemove(rows[gone]);
        table.Context.Compaction.Run(s_half);
        table.Add(10, LongText);
        table.Add(11);
        Assert.Equal(1, table.Context.Blocks.Count);
        Assert.Equal([0L, 4, 10, 11], table.Scan().Order());
        table.Check();
    }

    [Fact]
    public void Compact_refuses_to_run_inside_a_section()
    {
        using TestTable table = new();
        using CriticalSection section = CriticalSection.Enter();
        bool threw = false;
        try
        {
            table.Context.Compaction.Run();
        }
        catch (InvalidOperationException)
        {
            threw = true;
        }
        Assert.True(threw);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1.01)]
    [InlineData(double.NaN)]
    public void An_occupancy_out_of_range_is_refused(double occupancy)
    {
        using TestTable table = new();
        Assert.Throws<ArgumentOutOfRangeException>(() => table.Context.Compaction.Run(new CompactionOptions { Occupancy = occupancy }));
    }

    [Fact]
    public void Without_memory_for_a_target_the_collection_is_as_before()
    {
        using MemoryManager manager = new();
        using TestTable table = Sparse(BlockLayoutKind.Columnar, out Dictionary<ulong, long> rows, manager);
        manager.Budget.Fault = static _ => true;
        // Mapped memory that is free serves a target without a charge, so it is used up first.
        List<ulong> held = [];
        while (TryTake(manager) is > 0 and ulong block) held.Add(block);
        Assert.Throws<OffHeapMemoryException>(() => table.Context.Compaction.Run(s_half));
        manager.Budget.Fault = null;
        foreach (ulong block in held) manager.Arenas.Return(block, BlockLayout.BlockAlignment);
        AssertWhole(table, rows);
        Assert.True(table.Context.Compaction.Run(s_half).IsComplete);
        AssertWhole(table, rows);
    }

    [Fact]
    public void Sparse_blocks_are_compacted_in_the_background()
    {
        using MemoryManager manager = new();
        using MemoryContext context = new(manager, TestTable.Columnar, "background", new MemoryContextOptions
        {
            BlockCapacity = 4,
            CompactionOccupancy = 0.5,
            BackgroundCompactionBytes = 4L * BlockLayout.BlockAlignment,
        });
        ulong[] rows = new ulong[64];
        for (int i = 0; i < rows.Length; i++)
        {
            using CriticalSection section = CriticalSection.Enter();
            rows[i] = context.Publisher.Publish(context.Allocator.Allocate());
        }
        foreach (ulong row in rows.Where(static (_, i) => i % 4 != 0)) context.Removal.TryRemove(row);
        Assert.True(SpinWait.SpinUntil(() => context.Store.List.Count <= 8, TimeSpan.FromSeconds(60)), $"{context.Store.List.Count} blocks");
        Assert.All(rows.Where(static (_, i) => i % 4 == 0), row => Assert.True(Handle.IsAlive(row)));
    }

    /// <summary>Eight blocks of four slots with one row each.</summary>
    internal static TestTable Sparse(BlockLayoutKind layout, out Dictionary<ulong, long> rows, MemoryManager? manager = null)
    {
        TestTable table = new(layout == BlockLayoutKind.Row ? TestTable.Rows : TestTable.Columnar, manager: manager);
        ulong[] all = [.. Enumerable.Range(0, 32).Select(i => table.Add(i, TextOf(i)))];
        rows = all.Index().Where(static row => row.Index % 4 == 1).ToDictionary(static row => row.Item, static row => (long)row.Index);
        foreach (ulong handle in all)
        {
            if (!rows.ContainsKey(handle)) table.Context.Removal.TryRemove(handle);
        }
        return table;
    }

    internal static string TextOf(long key) => $"the text of row {key}";

    internal static void AssertWhole(TestTable table, Dictionary<ulong, long> rows)
    {
        foreach ((ulong handle, long key) in rows)
        {
            Assert.True(table.TryRead(handle, out long found, out string? text));
            Assert.Equal((key, TextOf(key)), (found, text));
        }
        Assert.Equal(rows.Values.Order(), table.Scan().Order());
        Assert.Equal(rows.Count, table.Context.Count);
        AssertThawed(rows.Keys);
        table.Check();
    }

    private static unsafe void AssertThawed(IEnumerable<ulong> handles)
    {
        using CriticalSection section = CriticalSection.Enter();
        foreach (ulong handle in handles) Assert.True(RowWriter.TryLocate(handle, out _));
    }

    private static BlockRef[] BlocksOf(TestTable table)
    {
        BlockList blocks = table.Context.Blocks;
        return [.. Enumerable.Range(0, blocks.Count).Select(i => blocks[i])];
    }

    private static ulong TryTake(MemoryManager manager)
    {
        try
        {
            return manager.Arenas.Take(BlockLayout.BlockAlignment, hugePages: true);
        }
        catch (OffHeapMemoryException)
        {
            return 0;
        }
    }
}
