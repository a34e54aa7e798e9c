using Smc.Memory.Indirection;

namespace Smc.Memory.Tests;

public sealed class DisposeTests
{
    private const string LongText = "a text that needs a chunk";

    [Fact]
    public void Handles_die_with_their_collection()
    {
        TestTable table = new();
        ulong handle = table.Add(1, LongText);
        table.Dispose();
        Assert.False(Handle.IsAlive(handle));
        Assert.Equal(0, table.Context.Count);
    }

    [Fact]
    public void Disposing_twice_does_nothing()
    {
        TestTable table = new();
        table.Add(1);
        table.Dispose();
        table.Dispose();
    }

    [Fact]
    public void All_memory_comes_back_when_nobody_reads()
    {
        using MemoryManager manager = new();
        TestTable table = new(manager: manager);
        for (int i = 0; i < 100; i++) table.Add(i, LongText);
        Assert.True(manager.MappedBytes > 0);
        table.Dispose();
        TestTable.PassGrace();
        Assert.Equal(0, manager.MappedBytes);
        Assert.Equal(default, manager.Usage);
    }

    [Fact]
    public void A_reader_inside_may_finish_and_the_memory_waits_for_it()
    {
        using MemoryManager manager = new();
        TestTable table = new(manager: manager);
        ulong handle = table.Add(1, LongText);
        RowLocation location = default;
        using ParkedReader reader = new(
            before: () => Assert.True(Handle.TryLocate(handle, out location)),
            after: () =>
            {
                Assert.Equal((1L, LongText), table.ReadAt(location));
                Assert.False(Handle.TryLocate(handle, out _));
            });
        long mapped = manager.MappedBytes;
        table.Dispose();
        for (int i = 0; i < 4; i++) Epoch.TryAdvance();
        Assert.Equal(mapped, manager.MappedBytes);
        MemoryUsage usage = manager.Usage;
        Assert.Equal(usage.Mapped, usage.Total);
        reader.Release();
        TestTable.PassGrace();
        Assert.Equal(0, manager.MappedBytes);
        Assert.False(Handle.IsAlive(handle));
    }

    [Fact]
    public void Nothing_can_be_done_with_a_disposed_collection()
    {
        TestTable table = new();
        ulong handle = table.Add(1);
        table.Dispose();
        Assert.Throws<ObjectDisposedException>(() => table.Add(2));
        Assert.Throws<ObjectDisposedException>(() => table.Context.Removal.TryRemove(handle));
        Assert.Throws<ObjectDisposedException>(() => table.Context.Clearing.Clear());
        Assert.Throws<ObjectDisposedException>(() => table.Context.Clearing.TrimExcess());
        Assert.Throws<ObjectDisposedException>(() => table.Context.Allocator.Reserve(1));
        Assert.Equal(0, table.Context.Blocks.Count);
    }

    [Fact]
    public void A_row_reserved_before_Dispose_cannot_be_published_after()
    {
        TestTable table = new();
        using (CriticalSection.Enter())
        {
            RowSlot row = table.Context.Allocator.Allocate();
            table.Write(row, 1);
            table.Dispose();
            Assert.Throws<ObjectDisposedException>(() => table.Context.Publisher.Publish(row));
            Assert.Equal(0UL, row.Block.HandleAt(row.Slot));
        }
        Assert.Equal(0, table.Context.Count);
    }

    [Fact]
    public void The_next_collection_in_a_range_does_not_revive_handles()
    {
        using MemoryManager manager = new();
        HashSet<ulong> stale = [];
        HashSet<ulong> bases = [];
        int shared = 0;
        for (int round = 0; round < RangeRegistry.MostVacant + 20; round++)
        {
            using TestTable table = new(manager: manager, maxRows: 1 << 14);
            if (!bases.Add(table.Context.Entries.First.Number)) shared++;
            for (int i = 0; i < 8; i++) Assert.True(stale.Add(table.Add(i)));
            Assert.Equal(8, stale.Count(Handle.IsAlive));
            table.Dispose();
            TestTable.PassGrace();
            Assert.DoesNotContain(stale, static handle => Handle.IsAlive(handle));
        }
        Assert.True(shared > 0);
    }

    [Fact]
    public void The_next_collection_in_a_range_does_not_own_the_handles_of_the_one_before()
    {
        using MemoryManager manager = new();
        Dictionary<ulong, ulong> stale = [];
        for (int round = 0; round < RangeRegistry.MostVacant + 100; round++)
        {
            using TestTable table = new(manager: manager, maxRows: 1 << 13);
            ulong handle = table.Add(round);
            if (stale.TryGetValue(table.Context.Entries.First.Number, out ulong before))
            {
                Assert.Null(MemoryContext.Find(before));
                Assert.False(table.Context.Entries.Owns(before));
                return;
            }
            stale.Add(table.Context.Entries.First.Number, handle);
            table.Dispose();
            TestTable.PassGrace();
        }
        Assert.Fail("No range was used twice.");
    }

    [Fact]
    public void Who_makes_a_collection_frees_those_that_wait_for_nobody_any_more()
    {
        const int Behind = 80;
        // No other test makes ranges of this size.
        const long MaxRows = 1 << 21;
        HashSet<ulong> bases = [];
        using (CriticalSection reader = CriticalSection.Enter())
        {
            for (int i = 0; i < Behind; i++)
            {
                using TestTable table = new(maxRows: MaxRows);
                table.Add(i);
                Assert.True(bases.Add(table.Context.Entries.First.Number));
            }
        }
        // Readers of tests that run beside this one may hold the epoch for a moment.
        Assert.True(SpinWait.SpinUntil(MakesOneInAnOldRange, TimeSpan.FromSeconds(30)));

        bool MakesOneInAnOldRange()
        {
            using TestTable next = new(maxRows: MaxRows);
            return bases.Contains(next.Context.Entries.First.Number);
        }
    }

    [Fact]
    public void An_entry_finds_its_collection_until_that_is_disposed()
    {
        TestTable table = new();
        ulong handle = table.Add(1);
        Assert.Same(table.Context, MemoryContext.Find(handle));
        Assert.True(table.Context.Entries.Owns(handle));
        Assert.False(table.Context.Entries.Owns(0));
        table.Dispose();
        Assert.Null(MemoryContext.Find(handle));
        Assert.Null(MemoryContext.Find(0));
    }

    [Fact]
    public void Disposing_a_manager_disposes_its_collections()
    {
        MemoryManager manager = new();
        TestTable table = new(manager: manager);
        ulong handle = table.Add(1);
        manager.Dispose();
        Assert.True(table.Context.IsDisposed);
        Assert.False(Handle.IsAlive(handle));
        Assert.Throws<ObjectDisposedException>(() => new TestTable(manager: manager));
    }

    [Fact]
    public void The_default_manager_cannot_be_disposed() => Assert.Throws<InvalidOperationException>(MemoryManager.Default.Dispose);
}
