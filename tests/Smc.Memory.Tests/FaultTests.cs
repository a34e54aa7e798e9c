using System.Diagnostics;
using Smc.Memory.Indirection;
using Smc.Memory.Platform;

namespace Smc.Memory.Tests;

/// <summary>
/// What goes wrong around the library: the system refuses memory, threads end inside a section, readers sleep. Each time nothing is lost,
/// nothing stays behind, the counts are exact and the next operation works.
/// </summary>
public sealed class FaultTests
{
    private const string LongText = "a text that needs a chunk";

    public static TheoryData<BlockLayoutKind, bool> Refusals => new()
    {
        { BlockLayoutKind.Columnar, false }, { BlockLayoutKind.Columnar, true }, { BlockLayoutKind.Row, false }, { BlockLayoutKind.Row, true },
    };

    /// <summary>Every operation there is, with the first request for memory refused, then with the second, and so on until none is.</summary>
    [Theory, MemberData(nameof(Refusals))]
    public void Whatever_request_the_system_refuses_the_operation_changes_nothing_and_works_afterwards(BlockLayoutKind layout, bool lasting)
    {
        int refused = 0;
        while (true)
        {
            using RefusingProbe probe = new(refused, lasting);
            using (FaultScript script = new(layout == BlockLayoutKind.Row ? TestTable.Rows : TestTable.Columnar, probe)) script.Run();
            TestTable.PassGrace();
            Assert.Equal(0, probe.Mappings);
            if (!probe.HasRefused) break;
            refused++;
        }
        Assert.True(refused > 20, $"{refused} requests");
    }

    [Fact]
    public void A_collection_for_which_there_are_no_addresses_is_not_there()
    {
        // A size that no other test uses: a range behind one that was used before would be taken.
        const long Rows = 1L << 27;
        using MemoryManager manager = new();
        using (RefusingProbe probe = new(0, lasting: true))
        {
            Assert.Throws<OffHeapMemoryException>(() => new TestTable(manager: manager, maxRows: Rows));
            Assert.True(probe.HasRefused);
        }
        Assert.Equal(default, manager.Usage);
        using TestTable table = new(manager: manager, maxRows: Rows);
        table.Add(1);
        table.Check();
    }

    [Fact]
    public void Pages_that_the_system_does_not_take_back_read_as_zero()
    {
        const int Length = VirtualMemory.Granularity;
        ulong address = VirtualMemory.Map(Length, hugePages: false);
        BytesAt(address).Fill(0xAB);
        using (KeepingProbe probe = new())
        {
            VirtualMemory.Discard(address, Length);
            Assert.Equal(1, probe.Discards);
        }
        Assert.False(BytesAt(address).ContainsAnyExcept((byte)0));
        VirtualMemory.Unmap(address, Length);

        static unsafe Span<byte> BytesAt(ulong address) => new((void*)address, Length); // SAFETY: the test's own mapping.
    }

    [Fact]
    public void A_block_whose_pages_the_system_does_not_take_back_shows_no_old_rows()
    {
        // So many that the last blocks of both collections share a mapping, which stays when one of them is disposed.
        const int Blocks = 40;
        using MemoryManager manager = new();
        using KeepingProbe probe = new();
        using TestTable table = new(manager: manager, slotsPerBlock: 1);
        using (TestTable other = new(manager: manager, slotsPerBlock: 1))
        {
            for (int key = 0; key < Blocks; key++)
            {
                table.Add(key);
                other.Add(-1);
            }
        }
        TestTable.PassGrace();
        Assert.True(probe.Discards > 0);
        using CriticalSection section = CriticalSection.Enter();
        RowSlot reserved = table.Context.Allocator.Allocate();
        Assert.Equal(Blocks, table.Scan().Count);
        table.Context.Publisher.Abandon(reserved);
    }

    [Fact]
    public void Entries_whose_pages_the_system_does_not_take_back_serve_the_next_collection_as_new_ones()
    {
        // A size that no other test uses, so that it is known which range is next.
        const long MaxRows = 1L << 26;
        using MemoryManager manager = new();
        using KeepingProbe probe = new();
        ulong first, again, range;
        using (TestTable table = new(manager: manager, maxRows: MaxRows, slotsPerBlock: 1))
        {
            range = table.Context.Entries.First.Number;
            first = table.Add(1);
            table.Add(2);
            for (int i = 0; i < 5; i++)
            {
                Assert.True(table.Context.Removal.TryRemove(first));
                TestTable.PassGrace();
                first = table.Add(1);
            }
        }
        TestTable.PassGrace();
        Assert.True(probe.Discards > 0);
        using TestTable next = new(manager: manager, maxRows: MaxRows, slotsPerBlock: 1);
        Assert.Equal(range, next.Context.Entries.First.Number);
        again = next.Add(3);
        ulong other = next.Add(4);
        Assert.False(Handle.IsAlive(first));
        Assert.False(next.Context.Entries.Owns(first));
        Assert.True(next.Context.HasReusedIds);
        Assert.True(next.Context.Removal.TryRemove(again));
        Assert.True(next.Context.Removal.TryRemove(other));
        probe.Dispose();
        next.Dispose();
        TestTable.PassGrace();
        // The system takes these pages, and what lies behind them had no rows.
        using TestTable last = new(manager: manager, maxRows: MaxRows, slotsPerBlock: 1);
        Assert.NotEqual(range, last.Context.Entries.First.Number);
        Assert.Equal(1u, Handle.Incarnation(last.Add(5)));
        Assert.False(last.Context.HasReusedIds);
    }

    [Fact]
    public void Entries_that_are_used_up_serve_again_as_new_ones_when_the_system_has_no_more_addresses()
    {
        // A size that no other test uses.
        const long MaxRows = 1L << 24;
        using MemoryManager manager = new();
        using AddressProbe probe = new(EntryRange.BytesFor(MaxRows));
        ulong first, old;
        using (TestTable table = new(manager: manager, maxRows: MaxRows, slotsPerBlock: 1))
        {
            first = table.Context.Entries.First.Number;
            old = table.Add(1);
            Assert.Equal(1u, Handle.Incarnation(old));
            Assert.Throws<OffHeapMemoryException>(() => new TestTable(manager: manager, maxRows: MaxRows, slotsPerBlock: 1));
        }
        TestTable.PassGrace();
        using TestTable next = new(manager: manager, maxRows: MaxRows, slotsPerBlock: 1);
        Assert.Equal(first, next.Context.Entries.First.Number);
        Assert.Equal(2u, Handle.Incarnation(next.Add(2)));
        Assert.True(next.Context.HasReusedIds);
        Assert.False(Handle.IsAlive(old));
        Assert.Null(MemoryContext.Find(old));
    }

    [Theory]
    [InlineData(Handle.MaxIncarnation)]
    [InlineData(Handle.MaxIncarnation - 10)]
    public void Entries_that_have_no_incarnations_left_do_not_serve_again(uint highest)
    {
        EntryRange range = EntryRange.TryReserve(1 << 21)!;
        Assert.True(range.CanServe);
        Assert.True(range.Vacate(highest).CanServe);
        Assert.False(range.Vacate(highest).Anew().CanServe);
    }

    [Fact]
    public void A_thread_that_ends_inside_a_section_leaves_its_rows_and_no_garbage()
    {
        using MemoryManager manager = new();
        using (TestTable table = new(manager: manager))
        {
            ulong kept = 0;
            Thread thread = new(() =>
            {
                _ = CriticalSection.Enter();
                kept = table.Add(1, LongText);
                table.Context.Removal.TryRemove(table.Add(2, LongText));
                table.SetText(kept, LongText + " twice");
            });
            thread.Start();
            thread.Join();
            TestTable.PassGrace();
            Assert.True(table.TryRead(kept, out long key, out string? text));
            Assert.Equal((1, LongText + " twice"), (key, text));
            Assert.Equal(0, table.Context.Usage.RetiredStrings);
            table.Check();
        }
        TestTable.PassGrace();
        Assert.Equal(0, manager.MappedBytes);
    }

    [Fact]
    public void What_a_thread_reserved_and_never_published_goes_with_the_collection()
    {
        using MemoryManager manager = new();
        using (TestTable table = new(manager: manager))
        {
            ulong other = table.Add(1);
            Thread thread = new(() =>
            {
                _ = CriticalSection.Enter();
                table.Write(table.Context.Allocator.Allocate(), 2, LongText);
            });
            thread.Start();
            thread.Join();
            TestTable.PassGrace();
            Assert.Equal([1L], table.Scan());
            for (int key = 3; key < 20; key++) table.Add(key);
            Assert.True(table.Context.Removal.TryRemove(other));
        }
        TestTable.PassGrace();
        Assert.Equal(0, manager.MappedBytes);
    }

    [Fact]
    public void Ten_thousand_threads_one_in_ten_of_which_ends_inside_leave_nothing_behind()
    {
        using MemoryManager manager = new();
        using TestTable table = new(manager: manager, slotsPerBlock: 16);
        long leaked = Epoch.LeakedSections;
        for (int i = 0; i < 10_000; i++)
        {
            int number = i;
            Thread thread = new(() =>
            {
                ulong row = table.Add(number, LongText);
                if (number % 10 == 0) _ = CriticalSection.Enter();
                Assert.True(table.Context.Removal.TryRemove(row));
            }, 256 * 1024);
            thread.Start();
            thread.Join();
        }
        TestTable.PassGrace();
        // Sections are found when their slot is wanted or in the way; the last ones may not have been.
        Assert.InRange(Epoch.LeakedSections - leaked, 900, 1000);
        Assert.True(Epochs.ThreadSlots.Used <= 1024, $"{Epochs.ThreadSlots.Used} slots");
        Assert.Equal((0L, 10_000L), (table.Context.Count, table.Context.Removals));
        table.Check();
        // Rows that wait keep their strings until they are re-used or their block goes.
        table.Context.Clearing.TrimExcess();
        TestTable.PassGrace();
        Assert.Equal((0L, 0L, 0L), (table.Context.Usage.Live, table.Context.Usage.Limbo, table.Context.Usage.Strings));
    }

    [Fact]
    public void After_a_reader_that_slept_through_a_lot_of_work_the_memory_comes_back()
    {
        using MemoryManager manager = new();
        using TestTable table = new(manager: manager, slotsPerBlock: 64);
        ulong first = table.Add(-1, LongText);
        RowLocation location = default;
        using ParkedReader reader = new(
            before: () => Assert.True(Handle.TryLocate(first, out location)),
            after: () => Assert.Equal((-1L, LongText), table.ReadAt(location)));
        Assert.True(table.Context.Removal.TryRemove(first));
        for (int i = 0; i < 20_000; i++) Assert.True(table.Context.Removal.TryRemove(table.Add(i, LongText)));
        // Nothing could be re-used.
        Assert.True(table.Context.Usage.Limbo >= 20_000 * 24);
        reader.Release();
        TestTable.PassGrace();
        long blocks = table.Context.Blocks.Count;
        for (int i = 0; i < 20_000; i++) Assert.True(table.Context.Removal.TryRemove(table.Add(i, LongText)));
        Assert.Equal(blocks, table.Context.Blocks.Count);
        table.Context.Clearing.TrimExcess();
        TestTable.PassGrace();
        Assert.Equal(0, table.Context.Blocks.Count);
        Assert.Equal(0, table.Context.Usage.Limbo);
        table.Check();
    }

    [Fact]
    public void Initialisers_that_throw_leave_no_slots_and_no_strings_behind()
    {
        using TestTable table = new();
        table.Add(1, LongText);
        MemoryUsage before = table.Context.Usage;
        for (int i = 0; i < 100; i++) Assert.Throws<UnreachableException>(() => FailWhileWriting(table, LongText));
        Assert.Equal(before, table.Context.Usage);
        Assert.Equal([1L], table.Scan());
        Assert.False(Epoch.IsInsideSection);
        table.Check();
    }

    private static void FailWhileWriting(TestTable table, string text)
    {
        using CriticalSection section = CriticalSection.Enter();
        RowSlot row = table.Context.Allocator.Allocate();
        try
        {
            table.Write(row, 2, text);
            throw new UnreachableException();
        }
        catch
        {
            table.Context.Publisher.Abandon(row);
            throw;
        }
    }
}
