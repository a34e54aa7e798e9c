namespace Smc.Memory.Tests;

public sealed class BlockTests
{
    [Fact]
    public unsafe void Kernels_find_everything_through_the_header()
    {
        using TestTable table = new(slotsPerBlock: 8);
        ulong[] handles = [.. Enumerable.Range(0, 5).Select(key => table.Add(key))];
        table.Context.Removal.TryRemove(handles[2]);
        using CriticalSection section = CriticalSection.Enter();
        BlockRef block = table.Context.Blocks[0];
        Assert.Equal(5, block.SlotCount);
        Assert.Equal(4, block.ValidCount());
        Assert.Equal(0b11011UL, *(ulong*)BlockHeader.Validity(block.Address));
        Assert.Equal(TestTable.Columnar.Hash, block.Header.LayoutHash);
        Assert.Same(table.Context, BlockHeader.Context(block.Address));
        for (int slot = 0; slot < 5; slot++)
        {
            Assert.Equal(slot == 2 ? 0 : handles[slot], block.HandleAt(slot));
            Assert.Equal(handles[slot], block.HandleOfSeen(slot));
            Assert.Equal((uint)slot, block.DenseIdAt(slot));
            Assert.Equal((uint)slot, ((uint*)BlockHeader.BackPointers(block.Address))[slot]);
        }
    }

    [Fact]
    public void Dense_ids_follow_the_order_of_addition()
    {
        using TestTable table = new();
        for (ulong i = 0; i < 20; i++)
        {
            Assert.Equal((long)i, table.Context.EntryLimit);
            ulong handle = table.Add((long)i);
            Assert.Equal(i, Handle.EntryNumber(handle) - table.Context.Entries.First.Number);
        }
        Assert.Equal(20, table.Context.EntryLimit);
    }

    [Fact]
    public void A_list_of_blocks_does_not_change()
    {
        using TestTable table = new();
        table.Add(1);
        BlockList one = table.Context.Blocks;
        for (int i = 0; i < 20; i++) table.Add(i);
        Assert.Equal(1, one.Count);
        Assert.Equal(6, table.Context.Blocks.Count);
        Assert.Throws<ArgumentOutOfRangeException>(() => one[1]);
        Assert.Equal(one[0], table.Context.Blocks[0]);
    }

    [Fact]
    public void A_zone_map_covers_every_value_that_was_announced()
    {
        using TestTable table = new(slotsPerBlock: 64);
        foreach (long key in (long[])[5, -3, 100, 0]) table.Add(key);
        using CriticalSection section = CriticalSection.Enter();
        ZoneView zone = table.ZoneOf(table.Context.Blocks[0]);
        Assert.Equal((-3L, 100L), (zone.Min, zone.Max));
    }

    [Fact]
    public void The_zone_map_of_an_empty_block_contains_nothing()
    {
        using TestTable table = new();
        table.Context.Allocator.Reserve(1);
        using CriticalSection section = CriticalSection.Enter();
        ZoneView zone = table.ZoneOf(table.Context.Blocks[0]);
        Assert.Equal((long.MaxValue, long.MinValue), (zone.Min, zone.Max));
    }

    [Fact]
    public void Threads_that_widen_a_zone_map_at_once_lose_nothing()
    {
        using TestTable table = new();
        table.Add(0);
        ZoneView zone = table.ZoneOf(table.Context.Blocks[0]);
        Parallel.For(0, 4, part =>
        {
            for (int i = 0; i < 10_000; i++) zone.Widen(part % 2 == 0 ? i : -i);
        });
        Assert.Equal((-9999L, 9999L), (zone.Min, zone.Max));
    }

    [Fact]
    public void A_block_from_used_memory_is_blank()
    {
        using MemoryManager manager = new();
        // Two blocks keep the arena, so that the second collection gets memory that the first has written.
        using TestTable keeper = new(manager: manager, slotsPerBlock: 64);
        for (int i = 0; i < 64 * 3; i++) keeper.Add(i, "text that is longer than a word");
        using TestTable table = new(manager: manager, slotsPerBlock: 64);
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < 64 * 3; i++)
            {
                using CriticalSection section = CriticalSection.Enter();
                RowSlot row = table.Context.Allocator.Allocate();
                Assert.Equal((0L, 0L, 0UL), table.RawAt(row.Block, row.Slot));
                table.Write(row, i, "text that is longer than a word");
                table.Context.Publisher.Publish(row);
            }
            table.Context.Clearing.Clear();
            TestTable.PassGrace();
        }
    }
}
