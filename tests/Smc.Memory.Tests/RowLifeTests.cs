namespace Smc.Memory.Tests;

public sealed class RowLifeTests
{
    private const string LongText = "a text that needs a chunk";

    public static TheoryData<BlockLayoutKind> Layouts => [BlockLayoutKind.Columnar, BlockLayoutKind.Row];

    [Theory, MemberData(nameof(Layouts))]
    public void A_published_row_is_found_through_its_handle(BlockLayoutKind layout)
    {
        using TestTable table = Make(layout);
        ulong handle = table.Add(7, LongText);
        Assert.True(table.TryRead(handle, out long key, out string? text));
        Assert.Equal((7L, LongText), (key, text));
        table.Check();
    }

    [Theory, MemberData(nameof(Layouts))]
    public void A_removed_row_is_not_found(BlockLayoutKind layout)
    {
        using TestTable table = Make(layout);
        ulong handle = table.Add(7);
        Assert.True(table.Context.Removal.TryRemove(handle));
        Assert.False(table.TryRead(handle, out _, out _));
        Assert.False(Handle.IsAlive(handle));
        table.Check();
    }

    [Fact]
    public void Of_two_removals_of_a_row_one_succeeds()
    {
        using TestTable table = new();
        ulong handle = table.Add(7);
        Assert.True(table.Context.Removal.TryRemove(handle));
        Assert.False(table.Context.Removal.TryRemove(handle));
        Assert.Equal(1, table.Context.Removals);
    }

    [Fact]
    public void Removing_the_null_handle_does_nothing()
    {
        using TestTable table = new();
        Assert.False(table.Context.Removal.TryRemove(0));
        Assert.False(Handle.IsAlive(0));
    }

    [Fact]
    public void Removing_the_row_of_another_collection_names_both()
    {
        using TestTable table = new();
        using TestTable other = new();
        table.Add(1);
        ulong foreign = other.Add(1);
        ArgumentException problem = Assert.Throws<ArgumentException>(() => table.Context.Removal.TryRemove(foreign));
        Assert.Contains("belongs to the collection test, not to test", problem.Message, StringComparison.Ordinal);
        Assert.True(Handle.IsAlive(foreign));
    }

    [Theory, MemberData(nameof(Layouts))]
    public void A_stale_handle_does_not_find_the_next_row_in_its_place(BlockLayoutKind layout)
    {
        using TestTable table = Make(layout);
        List<ulong> first = AddRows(table, 0, 4);
        foreach (ulong handle in first) table.Context.Removal.TryRemove(handle);
        TestTable.PassGrace();
        // The block is full, in limbo and ready: the next rows come into its slots.
        List<ulong> second = AddRows(table, 10, 4);
        Assert.Equal(1, table.Context.Blocks.Count);
        Assert.Equal(first.Select(Handle.EntryNumber).Order(), second.Select(Handle.EntryNumber).Order());
        foreach (ulong handle in first) Assert.False(table.TryRead(handle, out _, out _));
        Assert.Equal([10L, 11, 12, 13], table.Scan().Order());
        table.Check();
    }

    [Theory, MemberData(nameof(Layouts))]
    public void A_reused_slot_reads_as_zero_and_its_strings_are_freed(BlockLayoutKind layout)
    {
        using TestTable table = Make(layout);
        foreach (ulong handle in AddRows(table, 0, 4)) table.Context.Removal.TryRemove(handle);
        long strings = table.Context.Strings.LiveBytes;
        TestTable.PassGrace();
        using CriticalSection section = CriticalSection.Enter();
        RowSlot row = table.Context.Allocator.Allocate();
        Assert.Equal((0L, 0L, 0UL), table.RawAt(row.Block, row.Slot));
        Assert.True(table.Context.Strings.LiveBytes < strings);
        table.Context.Publisher.Abandon(row);
    }

    [Fact]
    public void A_slot_is_not_reused_while_a_reader_of_the_removed_row_is_inside()
    {
        using TestTable table = new();
        List<ulong> rows = AddRows(table, 0, 4);
        RowLocation location = default;
        using ParkedReader reader = new(
            before: () => Assert.True(Handle.TryLocate(rows[0], out location)),
            after: () => Assert.Equal((0L, LongText), table.ReadAt(location)));
        foreach (ulong handle in rows) table.Context.Removal.TryRemove(handle);
        for (int i = 0; i < 5; i++) Epoch.TryAdvance();
        AddRows(table, 10, 8);
        reader.Release();
        // The first block waited; only after the reader left is it taken again.
        Assert.Equal(3, table.Context.Blocks.Count);
        TestTable.PassGrace();
        AddRows(table, 20, 4);
        Assert.Equal(3, table.Context.Blocks.Count);
        table.Check();
    }

    [Fact]
    public void A_slot_is_not_reused_one_epoch_after_its_removal()
    {
        using TestTable table = new();
        foreach (ulong handle in AddRows(table, 0, 4)) table.Context.Removal.TryRemove(handle);
        Assert.True(Epoch.TryAdvance());
        AddRows(table, 10, 1);
        Assert.Equal(2, table.Context.Blocks.Count);
    }

    [Fact]
    public void Reserving_outside_a_section_is_refused()
    {
        using TestTable table = new();
        Assert.Throws<InvalidOperationException>(() => table.Context.Allocator.Allocate());
    }

    [Fact]
    public void A_reserved_row_is_not_seen()
    {
        using TestTable table = new();
        using CriticalSection section = CriticalSection.Enter();
        RowSlot row = table.Context.Allocator.Allocate();
        table.Write(row, 5);
        Assert.Empty(table.Scan());
        Assert.Equal(0, table.Context.Count);
        table.Context.Publisher.Publish(row);
        Assert.Equal([5L], table.Scan());
    }

    [Theory, MemberData(nameof(Layouts))]
    public void An_abandoned_row_leaves_everything_as_it_was(BlockLayoutKind layout)
    {
        using TestTable table = Make(layout);
        table.Add(1, LongText);
        MemoryUsage before = table.Context.Usage;
        using (CriticalSection.Enter())
        {
            RowSlot row = table.Context.Allocator.Allocate();
            table.Write(row, 2, LongText);
            table.Context.Publisher.Abandon(row);
        }
        Assert.Equal(before, table.Context.Usage);
        Assert.Equal([1L], table.Scan());
        table.Check();
    }

    [Fact]
    public void An_abandoned_place_in_the_middle_is_taken_again()
    {
        using TestTable table = new(slotsPerBlock: 4, threshold: 0.25);
        using (CriticalSection.Enter())
        {
            RowSlot first = table.Context.Allocator.Allocate();
            RowSlot second = table.Context.Allocator.Allocate();
            table.Write(second, 2);
            table.Context.Publisher.Publish(second);
            table.Context.Publisher.Abandon(first);
        }
        AddRows(table, 10, 3);
        Assert.Equal(1, table.Context.Blocks.Count);
        table.Check();
    }

    [Fact]
    public void A_run_of_rows_is_published_together()
    {
        using TestTable table = new(slotsPerBlock: 64);
        using CriticalSection section = CriticalSection.Enter();
        RowSlot single = table.Context.Allocator.Allocate();
        table.Write(single, 1);
        table.Context.Publisher.Publish(single);
        RowRun run = table.Context.Allocator.AllocateRun(100);
        Assert.Equal(63, run.Count);
        for (int i = 0; i < run.Count; i++) table.Write(run[i], 100 + i);
        Assert.Equal([1L], table.Scan());
        table.Context.Publisher.Publish(run);
        Assert.Equal(64, table.Context.Count);
        Assert.True(table.TryRead(run.Block.HandleAt(run[62].Slot), out long key, out _));
        Assert.Equal(162, key);
        table.Check();
    }

    [Fact]
    public void An_abandoned_run_leaves_everything_as_it_was()
    {
        using TestTable table = new(slotsPerBlock: 64);
        table.Add(1, LongText);
        MemoryUsage before = table.Context.Usage;
        using (CriticalSection.Enter())
        {
            RowRun run = table.Context.Allocator.AllocateRun(20);
            Assert.Equal(20, run.Count);
            table.Write(run[3], 5, LongText);
            for (int i = run.Count - 1; i >= 0; i--) table.Context.Publisher.Abandon(run[i]);
        }
        Assert.Equal(before, table.Context.Usage);
        table.Check();
    }

    [Fact]
    public void Clear_removes_every_row_and_gives_the_blocks_back()
    {
        using TestTable table = new();
        List<ulong> rows = AddRows(table, 0, 30);
        long mapped = table.Manager.MappedBytes;
        table.Context.Clearing.Clear();
        Assert.Equal(0, table.Context.Count);
        Assert.All(rows, static handle => Assert.False(Handle.IsAlive(handle)));
        Assert.Equal(0, table.Context.Blocks.Count);
        TestTable.PassGrace();
        Assert.True(table.Manager.MappedBytes < mapped);
        table.Check();
    }

    [Fact]
    public void After_Clear_the_same_dense_ids_are_used_again_with_other_incarnations()
    {
        using TestTable table = new();
        List<ulong> before = AddRows(table, 0, 8);
        table.Context.Clearing.Clear();
        TestTable.PassGrace();
        List<ulong> after = AddRows(table, 10, 8);
        Assert.Equal(before.Select(Handle.EntryNumber).Order(), after.Select(Handle.EntryNumber).Order());
        Assert.All(before, static handle => Assert.False(Handle.IsAlive(handle)));
        Assert.True(table.Context.EntryLimit <= 8);
        table.Check();
    }

    [Fact]
    public void TrimExcess_keeps_blocks_with_rows()
    {
        using TestTable table = new();
        List<ulong> rows = AddRows(table, 0, 16);
        foreach (ulong handle in rows.Skip(1)) table.Context.Removal.TryRemove(handle);
        table.Context.Clearing.TrimExcess();
        Assert.Equal(1, table.Context.Blocks.Count);
        Assert.Equal([0L], table.Scan());
        TestTable.PassGrace();
        table.Check();
    }

    [Fact]
    public void A_scan_that_began_before_TrimExcess_may_still_read_the_block()
    {
        using TestTable table = new();
        List<ulong> rows = AddRows(table, 0, 4);
        RowLocation location = default;
        using ParkedReader reader = new(
            before: () => Handle.TryLocate(rows[0], out location),
            after: () => Assert.Equal((0L, LongText), table.ReadAt(location)));
        table.Context.Clearing.Clear();
        for (int i = 0; i < 4; i++) Epoch.TryAdvance();
        reader.Release();
        TestTable.PassGrace();
        table.Check();
    }

    [Fact]
    public void Reserved_blocks_are_used_before_new_ones()
    {
        using TestTable table = new();
        table.Context.Allocator.Reserve(10);
        Assert.Equal(3, table.Context.Blocks.Count);
        AddRows(table, 0, 12);
        Assert.Equal(3, table.Context.Blocks.Count);
        table.Check();
    }

    [Fact]
    public void Reserving_what_is_there_maps_nothing()
    {
        using TestTable table = new();
        table.Add(1);
        table.Context.Allocator.Reserve(3);
        Assert.Equal(1, table.Context.Blocks.Count);
        table.Context.Allocator.Reserve(4);
        Assert.Equal(2, table.Context.Blocks.Count);
    }

    private static TestTable Make(BlockLayoutKind layout) => new(layout == BlockLayoutKind.Row ? TestTable.Rows : TestTable.Columnar);

    private static List<ulong> AddRows(TestTable table, int first, int count) =>
        [.. Enumerable.Range(first, count).Select(key => table.Add(key, LongText))];
}
