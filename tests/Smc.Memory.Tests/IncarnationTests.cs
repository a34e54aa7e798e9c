namespace Smc.Memory.Tests;

public sealed class IncarnationTests
{
    [Fact]
    public void An_entry_whose_incarnations_are_used_up_is_retired()
    {
        // Three incarnations: the fourth tenant of the slot needs another entry.
        using TestTable table = new(slotsPerBlock: 1, incarnationBits: 2);
        List<ulong> handles = [];
        for (int i = 0; i < 10; i++)
        {
            ulong handle = table.Add(i);
            handles.Add(handle);
            Assert.True(table.TryRead(handle, out long key, out _));
            Assert.Equal(i, key);
            table.Check();
            table.Context.Removal.TryRemove(handle);
            TestTable.PassGrace();
        }
        Assert.Equal(1, table.Context.Blocks.Count);
        Assert.Equal(3, table.Context.Entries.WornOut);
        Assert.Equal(4, handles.Select(Handle.EntryNumber).Distinct().Count());
        Assert.Equal(10, handles.Distinct().Count());
        Assert.All(handles, static handle => Assert.False(Handle.IsAlive(handle)));
    }

    [Fact]
    public void A_dense_id_stays_below_the_limit_after_entries_were_replaced()
    {
        using TestTable table = new(slotsPerBlock: 2, incarnationBits: 1);
        for (int i = 0; i < 12; i++)
        {
            ulong handle = table.Add(i);
            ulong id = Handle.EntryNumber(handle) - table.Context.Entries.First.Number;
            Assert.True((long)id < table.Context.EntryLimit);
            table.Context.Removal.TryRemove(handle);
            TestTable.PassGrace();
        }
        table.Check();
    }

    [Fact]
    public void Ids_of_a_freed_block_with_worn_out_entries_are_not_used_again()
    {
        using TestTable table = new(slotsPerBlock: 2, incarnationBits: 1);
        HashSet<ulong> seen = [];
        for (int i = 0; i < 8; i++)
        {
            Assert.True(seen.Add(table.Add(i)));
            Assert.True(seen.Add(table.Add(i)));
            table.Check();
            table.Context.Clearing.Clear();
            TestTable.PassGrace();
        }
    }

    [Fact]
    public void The_handle_pattern_keeps_entry_and_incarnation_apart()
    {
        ulong handle = Handle.Make(0x7FFF_FFFF_FFF0, Handle.MaxIncarnation);
        Assert.Equal(0x7FFF_FFFF_FFFUL, Handle.EntryNumber(handle));
        Assert.Equal(Handle.MaxIncarnation, Handle.Incarnation(handle));
    }

    [Fact]
    public void Used_up_row_numbers_are_reported()
    {
        using TestTable table = new(slotsPerBlock: 64, maxRows: 64);
        long capacity = EntryCapacity(table);
        OffHeapMemoryException problem = Assert.Throws<OffHeapMemoryException>(() =>
        {
            for (long i = 0; i <= capacity; i++) table.Add(i);
        });
        Assert.Contains("MaxRows", problem.Message, StringComparison.Ordinal);
        Assert.Equal(capacity, table.Context.Count);
        table.Check();
    }

    // A range is at least one large page.
    private static long EntryCapacity(TestTable table) => table.Context.Layout.Capacity > 0 ? 2 * 1024 * 1024 / 16 : 0;
}
