using Smc.Memory.Indirection;
using Smc.Memory.Platform;

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
    public void The_next_collection_begins_behind_the_entries_of_the_one_before()
    {
        // No other test makes ranges of this size.
        const long MaxRows = 1 << 28;
        using MemoryManager manager = new();
        HashSet<ulong> stale = [];
        ulong last = 0;
        int following = 0;
        for (int round = 0; round < 300; round++)
        {
            using TestTable table = new(manager: manager, maxRows: MaxRows);
            ulong first = table.Context.Entries.First.Number;
            for (int i = 0; i < 8; i++) Assert.True(stale.Add(table.Add(i)));
            Assert.Equal(8, stale.Count(Handle.IsAlive));
            Assert.Equal(8, stale.Count(table.Context.Entries.Owns));
            Assert.Equal(8, stale.Count(handle => Handle.EntryNumber(handle) - first < (ulong)table.Context.EntryLimit));
            Assert.All(stale, static handle => Assert.Equal(1u, Handle.Incarnation(handle)));
            Assert.False(table.Context.HasReusedIds);
            if (first - last == VirtualMemory.Granularity / EntryWord.SizeInBytes) following++;
            last = first;
            table.Dispose();
            TestTable.PassGrace();
            Assert.DoesNotContain(stale, static handle => Handle.IsAlive(handle));
            Assert.DoesNotContain(stale, static handle => MemoryContext.Find(handle) is not null);
        }
        // Readers of tests that run beside this one may keep a range for a moment.
        Assert.InRange(following, 200, 300);
    }

    [Fact]
    public void A_collection_without_rows_uses_no_addresses()
    {
        const long MaxRows = 1 << 23;
        using TestTable first = new(maxRows: MaxRows);
        ulong number = first.Context.Entries.First.Number;
        first.Dispose();
        TestTable.PassGrace();
        using TestTable next = new(maxRows: MaxRows);
        Assert.Equal(number, next.Context.Entries.First.Number);
        Assert.False(next.Context.HasReusedIds);
    }

    [Fact]
    public void Memory_of_large_entries_begins_behind_that_of_the_one_before_and_grows_in_whole_pages()
    {
        const long MaxRows = 1 << 22;
        // Of 16 bytes: 2 MiB are 131,072, and each collection takes some more.
        const int Rows = 150_000;
        using MemoryManager manager = new();
        ulong end = 0;
        for (int round = 0; round < 4; round++)
        {
            using TestTable table = new(manager: manager, maxRows: MaxRows);
            EntryRange range = table.Context.Entries.Range;
            Assert.True(range.Base == end || round == 0);
            for (int i = 0; i < Rows; i++) table.Add(i);
            end = range.Base + (ulong)range.Committed;
            Assert.Equal(0UL, end % VirtualMemory.HugePageSize);
            Assert.InRange(range.Committed, Rows * EntryWord.SizeInBytes, 3 * VirtualMemory.HugePageSize);
            table.Check();
            table.Dispose();
            TestTable.PassGrace();
            Assert.Equal(0, manager.MappedBytes);
        }
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
        Assert.True(SpinWait.SpinUntil(MakesOneBehindAnOther, TimeSpan.FromSeconds(30)));

        bool MakesOneBehindAnOther()
        {
            using TestTable next = new(maxRows: MaxRows);
            return bases.Contains(next.Context.Entries.First.Number - (VirtualMemory.Granularity / EntryWord.SizeInBytes));
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
