using Smc.Memory.Diagnostics;

namespace Smc.Memory.Tests;

/// <summary>Others at work in each phase of a compaction, which is held open at the step in question.</summary>
public sealed class CompactionPhaseTests
{
    private static readonly CompactionOptions s_half = new() { Occupancy = 0.5 };

    public static TheoryData<int> Steps =>
    [
        (int)ProtocolStep.GroupsFormed, (int)ProtocolStep.RowsFrozen, (int)ProtocolStep.GracePassed, (int)ProtocolStep.RowsCopied,
        (int)ProtocolStep.GroupMoving, (int)ProtocolStep.RowUnlocked, (int)ProtocolStep.RowsMoved, (int)ProtocolStep.GroupDone,
    ];

    public static TheoryData<int> StepsAfterTheCopy =>
        [(int)ProtocolStep.GroupMoving, (int)ProtocolStep.RowUnlocked, (int)ProtocolStep.RowsMoved, (int)ProtocolStep.GroupDone];

    [Theory, MemberData(nameof(Steps))]
    public void A_handle_is_read_at_every_step(int step)
    {
        using TestTable table = CompactionTests.Sparse(BlockLayoutKind.Columnar, out Dictionary<ulong, long> rows);
        At(table, step, () =>
        {
            foreach ((ulong handle, long key) in rows)
            {
                Assert.True(table.TryRead(handle, out long found, out _));
                Assert.Equal(key, found);
            }
        });
        CompactionTests.AssertWhole(table, rows);
    }

    [Theory, MemberData(nameof(Steps))]
    public void A_write_at_every_step_is_kept(int step)
    {
        using TestTable table = CompactionTests.Sparse(BlockLayoutKind.Row, out Dictionary<ulong, long> rows);
        At(table, step, () =>
        {
            foreach (ulong handle in rows.Keys)
            {
                long key = rows[handle] += 1000;
                table.SetKey(handle, key);
                table.SetText(handle, CompactionTests.TextOf(key));
            }
        });
        CompactionTests.AssertWhole(table, rows);
    }

    [Theory, MemberData(nameof(Steps))]
    public void A_row_removed_at_every_step_stays_removed(int step)
    {
        using TestTable table = CompactionTests.Sparse(BlockLayoutKind.Columnar, out Dictionary<ulong, long> rows);
        At(table, step, () =>
        {
            foreach (ulong handle in rows.Keys.Where((_, i) => i % 3 == 0).ToArray())
            {
                Assert.True(table.Context.Removal.TryRemove(handle));
                rows.Remove(handle);
            }
        });
        CompactionTests.AssertWhole(table, rows);
    }

    [Theory, MemberData(nameof(Steps))]
    public void A_row_added_at_every_step_is_there(int step)
    {
        using TestTable table = CompactionTests.Sparse(BlockLayoutKind.Columnar, out Dictionary<ulong, long> rows);
        At(table, step, () =>
        {
            for (long key = 100; key < 110; key++) rows.Add(table.Add(key, CompactionTests.TextOf(key)), key);
        });
        CompactionTests.AssertWhole(table, rows);
    }

    [Theory, MemberData(nameof(Steps))]
    public void An_enumeration_that_began_before_a_step_meets_every_row_once(int step)
    {
        using TestTable table = CompactionTests.Sparse(BlockLayoutKind.Columnar, out Dictionary<ulong, long> rows);
        BlockRoute route = new(table.Context);
        List<ulong> met = ReadOn(ref route, blocks: 3);
        At(table, step, () =>
        {
            met.AddRange(ReadOn(ref route, blocks: 1));
        });
        table.Context.Compaction.Run(s_half);
        met.AddRange(ReadOn(ref route, blocks: int.MaxValue));
        Assert.Equal(rows.Keys.Order(), met.Order());
    }

    [Fact]
    public void An_enumeration_follows_its_rows_through_several_compactions()
    {
        using TestTable table = new(slotsPerBlock: 4);
        ulong[] all = [.. Enumerable.Range(0, 64).Select(i => table.Add(i))];
        BlockRoute route = new(table.Context);
        List<ulong> met = ReadOn(ref route, blocks: 2);
        HashSet<ulong> gone = [];
        for (int keep = 2; keep <= 8; keep *= 2)
        {
            foreach (ulong handle in all.Where((_, i) => i % keep != 0))
            {
                if (gone.Add(handle)) table.Context.Removal.TryRemove(handle);
            }
            table.Context.Compaction.Run(s_half);
            for (int i = 0; i < 20; i++) table.Add(1000 + i);
            met.AddRange(ReadOn(ref route, blocks: 1));
        }
        met.AddRange(ReadOn(ref route, blocks: int.MaxValue));
        met.RemoveAll(gone.Contains);
        ulong[] left = [.. met.Where(all.Contains).Order()];
        Assert.Equal(all.Where(handle => !gone.Contains(handle)).Order(), left);
    }

    [Fact]
    public void A_scan_that_began_before_reads_the_old_blocks_and_the_compaction_waits_for_it()
    {
        using TestTable table = CompactionTests.Sparse(BlockLayoutKind.Columnar, out Dictionary<ulong, long> rows);
        List<long> seen = [];
        using ParkedReader reader = new(after: () => seen = table.Scan());
        Task<CompactionResult> compaction = Task.Run(() => table.Context.Compaction.Run(s_half), TestContext.Current.CancellationToken);
        Assert.True(SpinWait.SpinUntil(() => table.Context.Store.List.Groups.Length > 0, TimeSpan.FromSeconds(30)));
        for (int i = 0; i < 4; i++) Epoch.TryAdvance();
        Assert.False(compaction.IsCompleted);
        reader.Release();
        Assert.True(compaction.GetAwaiter().GetResult().IsComplete);
        Assert.Equal(rows.Values.Order(), seen.Order());
        CompactionTests.AssertWhole(table, rows);
    }

    [Theory, MemberData(nameof(Steps))]
    public void A_scan_at_every_step_does_not_wait_for_the_compactor(int step)
    {
        using TestTable table = CompactionTests.Sparse(BlockLayoutKind.Columnar, out Dictionary<ulong, long> rows);
        At(table, step, () => Assert.Equal(rows.Values.Order(), table.Scan().Order()));
        CompactionTests.AssertWhole(table, rows);
    }

    [Theory, MemberData(nameof(StepsAfterTheCopy))]
    public void A_scan_shows_what_was_written_after_the_copy_and_nothing_that_was_removed(int step)
    {
        using TestTable table = CompactionTests.Sparse(BlockLayoutKind.Columnar, out Dictionary<ulong, long> rows);
        ulong[] handles = [.. rows.Keys];
        At(table,
            (ProtocolStep.RowsCopied, () =>
            {
                Assert.True(table.Context.Removal.TryRemove(handles[0]));
                rows.Remove(handles[0]);
                foreach (ulong handle in new[] { handles[1], handles[^1] })
                {
                    long key = rows[handle] += 1000;
                    table.SetKey(handle, key);
                    table.SetText(handle, CompactionTests.TextOf(key));
                }
            }),
            ((ProtocolStep)step, () => Assert.Equal(rows.Values.Order(), table.Scan().Order())));
        CompactionTests.AssertWhole(table, rows);
    }

    [Fact]
    public void It_gives_up_on_a_reader_that_stays_too_long()
    {
        using TestTable table = CompactionTests.Sparse(BlockLayoutKind.Columnar, out Dictionary<ulong, long> rows);
        long mapped = table.Manager.MappedBytes;
        using ParkedReader reader = new();
        CompactionResult result = table.Context.Compaction.Run(s_half with { TimeLimit = TimeSpan.FromMilliseconds(50) });
        Assert.Equal(new CompactionResult(0, 0, 0, 0, 0, IsComplete: false), result);
        Assert.Equal(mapped, table.Manager.MappedBytes);
        CompactionTests.AssertWhole(table, rows);
        reader.Release();
        Assert.Equal(8, table.Context.Compaction.Run(s_half).RowsMoved);
        CompactionTests.AssertWhole(table, rows);
    }

    [Theory, MemberData(nameof(Steps))]
    public void Cancelled_at_every_step_it_leaves_a_whole_collection(int step)
    {
        using TestTable table = CompactionTests.Sparse(BlockLayoutKind.Columnar, out Dictionary<ulong, long> rows);
        using CancellationTokenSource cancel = new();
        CompactionResult result = table.Context.Compaction.Run(s_half with { Observer = at => Once(at, step, cancel.Cancel) }, cancel.Token);
        Assert.False(result.IsComplete);
        CompactionTests.AssertWhole(table, rows);
        Assert.True(table.Context.Compaction.Run(s_half).IsComplete);
        CompactionTests.AssertWhole(table, rows);
    }

    [Theory, MemberData(nameof(Steps))]
    public void An_exception_at_every_step_leaves_a_whole_collection(int step)
    {
        using TestTable table = CompactionTests.Sparse(BlockLayoutKind.Columnar, out Dictionary<ulong, long> rows);
        CompactionOptions failing = s_half with { Observer = at => Once(at, step, static () => throw new TimeZoneNotFoundException()) };
        Assert.Throws<TimeZoneNotFoundException>(() => table.Context.Compaction.Run(failing));
        CompactionTests.AssertWhole(table, rows);
        Assert.True(table.Context.Compaction.Run(s_half).IsComplete);
        CompactionTests.AssertWhole(table, rows);
    }

    [Theory, MemberData(nameof(Steps))]
    public void Disposed_at_every_step_it_gives_all_memory_back(int step)
    {
        using MemoryManager manager = new();
        TestTable table = CompactionTests.Sparse(BlockLayoutKind.Columnar, out Dictionary<ulong, long> rows, manager);
        CompactionResult result = table.Context.Compaction.Run(s_half with { Observer = at => Once(at, step, table.Dispose) });
        Assert.False(result.IsComplete);
        Assert.All(rows.Keys, static handle => Assert.False(Handle.IsAlive(handle)));
        TestTable.PassGrace();
        Assert.Equal(0, manager.MappedBytes);
        Assert.Equal(default, manager.Usage);
    }

    [Theory, MemberData(nameof(Steps))]
    public void Cleared_and_trimmed_at_every_step_it_is_empty(int step)
    {
        using TestTable table = CompactionTests.Sparse(BlockLayoutKind.Columnar, out _);
        At(table, step, () =>
        {
            table.Context.Allocator.Reserve(10);
            table.Context.Clearing.Clear();
            table.Context.Clearing.TrimExcess();
        });
        CompactionTests.AssertWhole(table, []);
    }

    [Theory, MemberData(nameof(Steps))]
    public void A_draft_that_is_open_when_blocks_are_chosen_becomes_a_row(int step)
    {
        using TestTable table = CompactionTests.Sparse(BlockLayoutKind.Columnar, out Dictionary<ulong, long> rows);
        using ManualResetEventSlim go = new();
        RowSlot slot = default;
        ulong draft = 0;
        using ParkedReader adder = new(
            before: () =>
            {
                slot = table.Context.Allocator.Allocate();
                draft = table.Context.Publisher.PublishHidden(slot);
            },
            after: () =>
            {
                table.Write(slot, 77, CompactionTests.TextOf(77));
                table.Context.Publisher.Reveal(slot, ReferenceBarrier.Verdicts);
            });
        Task compaction = Task.Run(() => table.Context.Compaction.Run(s_half with { Observer = at => Once(at, step, static () => { }) }), TestContext.Current.CancellationToken);
        Assert.True(SpinWait.SpinUntil(() => table.Context.Store.List.Groups.Length > 0, TimeSpan.FromSeconds(30)));
        adder.Release();
        compaction.GetAwaiter().GetResult();
        rows.Add(draft, 77);
        CompactionTests.AssertWhole(table, rows);
    }

    /// <summary>Compacts and does something once at a step, on another thread.</summary>
    private static void At(TestTable table, int step, Action act) => At(table, ((ProtocolStep)step, act));

    private static void At(TestTable table, params (ProtocolStep Step, Action Act)[] acts)
    {
        Queue<(ProtocolStep Step, Action Act)> left = new(acts);
        CompactionResult result = table.Context.Compaction.Run(s_half with
        {
            Observer = at =>
            {
                if (left.TryPeek(out (ProtocolStep Step, Action Act) next) && at == next.Step) Task.Run(left.Dequeue().Act).GetAwaiter().GetResult();
            },
        });
        Assert.True(result.IsComplete);
        Assert.True(left.Count == 0, "a step was not reached");
    }

    [ThreadStatic]
    private static int t_done;

    private static void Once(ProtocolStep at, int step, Action act)
    {
        if (at == ProtocolStep.GroupsFormed) t_done = 0;
        if (at == (ProtocolStep)step && t_done++ == 0) act();
    }

    private static List<ulong> ReadOn(ref BlockRoute route, int blocks)
    {
        List<ulong> met = [];
        for (; blocks > 0; blocks--)
        {
            using CriticalSection section = CriticalSection.Enter();
            if (!route.TryFind(out BlockRef block, out int from, out int to)) break;
            for (int slot = from; slot < to; slot++)
            {
                if (TestTable.IsValid(block, slot) && block.HandleAt(slot) is > 0 and ulong handle) met.Add(handle);
            }
            route.Pass(to);
        }
        return met;
    }
}
