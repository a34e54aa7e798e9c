using System.Diagnostics;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
using Smc.Memory.Garbage;

namespace Smc.Memory.Tests;

/// <summary>Marks are a few rows here: a row of the test table has 24 bytes.</summary>
public sealed class GarbageTests
{
    private const int Row = 24;

    [Fact]
    public void Removed_rows_are_garbage_for_two_epochs()
    {
        // A new slot owes nothing, so that the removals below do not move the epoch on themselves.
        Epoch.DetachThread();
        using TestTable table = new();
        ulong[] rows = [.. Enumerable.Range(0, 6).Select(i => table.Add(i))];
        table.Context.Removal.TryRemove(rows[0]);
        table.Context.Removal.TryRemove(rows[1]);
        Assert.Equal(2 * Row, table.Context.GarbageBytes);
        Assert.True(Epoch.TryAdvance());
        table.Context.Removal.TryRemove(rows[2]);
        Assert.Equal(3 * Row, table.Context.GarbageBytes);
        Assert.True(Epoch.TryAdvance());
        Assert.Equal(Row, table.Context.GarbageBytes);
        Assert.True(Epoch.TryAdvance());
        Assert.Equal(0, table.Context.GarbageBytes);
    }

    [Fact]
    public void Rows_that_are_removed_while_a_reader_is_inside_stay_garbage()
    {
        using TestTable table = new(slotsPerBlock: 64);
        using ParkedReader reader = new();
        for (int i = 1; i <= 300; i++)
        {
            table.Context.Removal.TryRemove(table.Add(i));
            Epoch.TryAdvance();
            Assert.Equal(i * Row, table.Context.GarbageBytes);
        }
        reader.Release();
        TestTable.PassGrace();
        Assert.Equal(0, table.Context.GarbageBytes);
    }

    [Fact]
    public void Replaced_strings_and_old_blocks_are_garbage()
    {
        using MemoryManager manager = new();
        using TestTable table = new(manager: manager);
        ulong row = table.Add(1, "a text that needs a chunk");
        using ParkedReader reader = new();
        table.SetText(row, "another that needs one");
        MemoryUsage usage = table.Context.Usage;
        Assert.True(usage.RetiredStrings > 0);
        Assert.Equal(usage.RetiredStrings, manager.GarbageBytes);
        table.Context.Removal.TryRemove(row);
        table.Context.Clearing.TrimExcess();
        Assert.Equal(BlockLayout.BlockAlignment, table.Context.Usage.RetiredBlocks);
        Assert.Equal(usage.RetiredStrings + Row + BlockLayout.BlockAlignment, manager.GarbageBytes);
        table.Check();
        reader.Release();
        TestTable.PassGrace();
        Assert.Equal(0, manager.GarbageBytes);
    }

    [Fact]
    public void More_threads_than_counters_have_lines_are_counted_exactly()
    {
        using TestTable table = new(slotsPerBlock: 64);
        using ParkedReader reader = new();
        List<ParkedReader> workers = [];
        for (int i = 0; i < 70; i++) workers.Add(new ParkedReader(before: () => table.Context.Removal.TryRemove(table.Add(1))));
        Assert.Equal(70 * Row, table.Context.GarbageBytes);
        foreach (ParkedReader worker in workers) worker.Release();
        Assert.Equal(0, table.Context.Count);
    }

    [Fact]
    public void Over_the_soft_mark_readers_are_asked_to_renew_until_garbage_is_gone()
    {
        using TestTable table = new(slotsPerBlock: 64, garbage: new GarbageBudget { SoftMark = 20 * Row });
        Assert.False(Epoch.IsUnderPressure);
        using ParkedReader reader = new();
        Churn(table, 40);
        Assert.True(Epoch.IsUnderPressure);
        reader.Release();
        TestTable.PassGrace();
        Assert.False(Epoch.IsUnderPressure);
    }

    [Fact]
    public void Over_the_report_mark_the_oldest_reader_is_told_once_for_its_section()
    {
        using TestTable table = new(slotsPerBlock: 64, garbage: new GarbageBudget { ReportMark = 20 * Row });
        using HeardEvents heard = new(MemoryEventSource.Keywords.Readers);
        long stalls = Epoch.StalledReaders;
        using ParkedReader reader = new();
        Churn(table, 100);
        object?[] told = Assert.Single(heard.Of("ReaderStalled"));
        Assert.Equal(reader.ManagedThreadId, told[0]);
        Assert.Equal("parked reader", told[1]);
        Assert.True((double)told[2]! > 0);
        Assert.True((long)told[3]! > 20 * Row);
        Assert.Equal(stalls + 1, Epoch.StalledReaders);
        Assert.Equal(reader.ManagedThreadId, MemoryManager.OldestReader?.ManagedThreadId);
    }

    [Fact]
    public void Marks_are_told_when_they_are_passed_and_when_garbage_is_gone()
    {
        using TestTable table = new(slotsPerBlock: 64, garbage: new GarbageBudget { SoftMark = 20 * Row, HardMark = 60 * Row });
        using HeardEvents heard = new(MemoryEventSource.Keywords.Garbage);
        using (ParkedReader reader = new())
        {
            List<ulong> rows = Fill(table, 100);
            Remove(table, rows);
        }
        TestTable.PassGrace();
        Assert.Equal(["soft", "hard"], heard.Of("MarkExceeded").Select(static told => told[1]));
        Assert.Equal(["hard", "soft"], heard.Of("MarkCleared").Select(static told => told[1]));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Over_the_hard_mark_an_addition_throws_and_names_the_reader(bool markOfManager)
    {
        GarbageBudget budget = new() { HardMark = 50 * Row };
        using MemoryManager manager = new(new MemoryManagerOptions { Garbage = markOfManager ? budget : GarbageBudget.Unlimited });
        using TestTable table = new(slotsPerBlock: 64, manager: manager, garbage: markOfManager ? null : budget);
        List<ulong> rows = Fill(table, 100);
        using ParkedReader reader = new();
        Remove(table, rows);
        OffHeapMemoryException refused = Assert.Throws<OffHeapMemoryException>(() => table.Add(1));
        Assert.Contains("2,400 bytes", refused.Message, StringComparison.Ordinal);
        Assert.Contains("hard mark is 1,200", refused.Message, StringComparison.Ordinal);
        Assert.Contains($"thread {reader.ManagedThreadId} (parked reader)", refused.Message, StringComparison.Ordinal);
        Assert.Contains(markOfManager ? "manager:" : "test:", refused.Message, StringComparison.Ordinal);
        table.Check();
        reader.Release();
        table.Add(1);
        Assert.Equal(1, table.Context.Count);
    }

    [Fact]
    public void Garbage_that_no_reader_holds_back_refuses_nothing()
    {
        using TestTable table = new(slotsPerBlock: 64, garbage: new GarbageBudget { HardMark = 10 * Row });
        for (int round = 0; round < 10; round++) Remove(table, Fill(table, 100));
        Assert.Equal(0, table.Context.Count);
    }

    [Fact]
    public void A_look_that_does_not_end_lets_nobody_run_past_the_hard_mark()
    {
        const int Many = 100_000;
        using ManualResetEventSlim isTold = new(), mayGoOn = new();
        using TestTable table = new(slotsPerBlock: 64, garbage: new GarbageBudget { SoftMark = 20 * Row, HardMark = 60 * Row });
        using HeardEvents heard = new(MemoryEventSource.Keywords.Garbage, _ =>
        {
            isTold.Set();
            mayGoOn.Wait();
        });
        using ParkedReader reader = new();
        Thread looks = new(() => Remove(table, Fill(table, 30)));
        looks.Start();
        isTold.Wait();
        long start = Stopwatch.GetTimestamp();
        int removed = 0;
        while (removed < Many && Stopwatch.GetElapsedTime(start) < TimeSpan.FromMilliseconds(200) && table.Context.Removal.TryRemove(table.Add(1))) removed++;
        mayGoOn.Set();
        looks.Join();
        Assert.InRange(removed, 1, Many / 10);
    }

    [Fact]
    public void Additions_wait_over_the_hard_mark_until_the_reader_has_left()
    {
        using TestTable table = new(slotsPerBlock: 64, garbage: WaitAt(50 * Row, TimeSpan.FromMinutes(10)));
        List<ulong> rows = Fill(table, 100);
        using ParkedReader reader = new();
        Remove(table, rows);
        using ManualResetEventSlim begins = new();
        Thread adder = new(() =>
        {
            begins.Set();
            table.Add(1);
        });
        adder.Start();
        begins.Wait();
        Assert.False(adder.Join(50));
        Assert.Equal(0, table.Context.Count);
        reader.Release();
        adder.Join();
        Assert.Equal(1, table.Context.Count);
    }

    [Fact]
    public void Additions_that_wait_throw_when_the_time_is_up()
    {
        using TestTable table = new(slotsPerBlock: 64, garbage: WaitAt(50 * Row, TimeSpan.FromMilliseconds(20)));
        List<ulong> rows = Fill(table, 100);
        using ParkedReader reader = new();
        Remove(table, rows);
        OffHeapMemoryException refused = Assert.Throws<OffHeapMemoryException>(() => table.Add(1));
        Assert.Contains("Additions have waited 0.02 s", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_addition_inside_a_section_does_not_wait_for_itself()
    {
        using TestTable table = new(slotsPerBlock: 64, garbage: WaitAt(50 * Row, TimeSpan.FromMinutes(10)));
        List<ulong> rows = Fill(table, 100);
        using CriticalSection section = CriticalSection.Enter();
        Remove(table, rows);
        Assert.True(table.Context.Garbage.IsClosed);
        table.Add(1);
        Assert.Equal(1, table.Context.Count);
    }

    [Fact]
    public void An_addition_inside_a_section_is_told_that_it_holds_itself_up()
    {
        using TestTable table = new(slotsPerBlock: 64, garbage: new GarbageBudget { HardMark = 50 * Row });
        List<ulong> rows = Fill(table, 100);
        using CriticalSection section = CriticalSection.Enter();
        Remove(table, rows);
        OffHeapMemoryException? refused = null;
        try
        {
            table.Add(1);
        }
        catch (OffHeapMemoryException thrown)
        {
            refused = thrown;
        }
        Assert.Contains("inside a critical section of its caller", refused?.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_disposed_collection_puts_nobody_under_pressure()
    {
        using ParkedReader reader = new();
        using (TestTable table = new(slotsPerBlock: 64, garbage: new GarbageBudget { SoftMark = 20 * Row }))
        {
            Churn(table, 40);
            Assert.True(Epoch.IsUnderPressure);
        }
        GarbageMonitor.Look();
        Assert.False(Epoch.IsUnderPressure);
    }

    [Fact]
    public void Small_marks_are_looked_at_often()
    {
        using (TestTable table = new(garbage: new GarbageBudget { SoftMark = 4096 })) Assert.Equal(1024, GarbageMonitor.DebtLimit);
        TestTable.PassGrace();
        Assert.Equal(Epoch.DebtPerAdvance, GarbageMonitor.DebtLimit);
    }

    [Fact]
    public void The_stack_of_a_reader_is_part_of_its_description()
    {
        using ParkedReader reader = new(before: static () => KeepStack());
        Epoch.TryAdvance();
        StalledReader oldest = Assert.NotNull(Epoch.OldestReader);
        Assert.Contains(nameof(The_stack_of_a_reader_is_part_of_its_description), oldest.Stack, StringComparison.Ordinal);
        Assert.Contains(oldest.Stack!, oldest.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0L, null, null)]
    [InlineData(null, -1L, null)]
    [InlineData(null, null, 0L)]
    [InlineData(2L, 1L, null)]
    [InlineData(2L, null, 1L)]
    [InlineData(null, 2L, 1L)]
    public void Marks_that_make_no_sense_are_refused(long? soft, long? report, long? hard)
    {
        GarbageBudget budget = new() { SoftMark = soft, ReportMark = report, HardMark = hard };
        Assert.ThrowsAny<ArgumentException>(() => new MemoryManager(new MemoryManagerOptions { Garbage = budget }));
        Assert.ThrowsAny<ArgumentException>(() => new TestTable(garbage: budget));
    }

    private static unsafe void KeepStack() => ReaderStacks.Keep(ThreadSlots.Current->Index);

    private static GarbageBudget WaitAt(long hardMark, TimeSpan timeout) =>
        new() { HardMark = hardMark, OverHardMark = HardMarkAction.Wait, HardMarkTimeout = timeout };

    private static void Churn(TestTable table, int rows)
    {
        for (int i = 0; i < rows; i++) table.Context.Removal.TryRemove(table.Add(i));
    }

    private static List<ulong> Fill(TestTable table, int rows) => [.. Enumerable.Range(0, rows).Select(i => table.Add(i))];

    private static void Remove(TestTable table, List<ulong> rows)
    {
        foreach (ulong row in rows) Assert.True(table.Context.Removal.TryRemove(row));
        GarbageMonitor.Look();
    }
}
