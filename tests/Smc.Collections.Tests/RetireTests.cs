using System.Globalization;
using Smc.Memory;
using Smc.Memory.Reachability;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>A row of graphs: two references and one by place.</summary>
[Tabular]
public readonly partial struct Node
{
    [Unique] public partial int Number { get; set; }
    public partial Node? Left { get; set; }
    public partial Node? Right { get; set; }
    [Direct] public partial Node? Near { get; set; }
    public partial string Text { get; set; }
}

/// <summary>Rows that go when nothing refers to them. Alone, because a scan makes writers of all collections look closer.</summary>
[Collection("Alone")]
public sealed class RetireTests
{
    private const string Long = "a text that is too long for the row, of node ";

    [Fact]
    public void A_retired_row_is_hidden_from_queries_and_read_by_its_handle()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        Node kept = Add(nodes, 1), row = Add(nodes, 2);
        kept.Left = row;

        Assert.True(nodes.Retire(row));

        Assert.Equal([1], nodes.Select(n => n.Number).ToList());
        Assert.Equal([1], nodes.AsEnumerable().Select(n => n.Number));
        Assert.Equal((1, 1), (nodes.Count, nodes.Count()));
        Assert.False(nodes.Where(n => n.Number == 2).Any());
        Assert.Equal((1L, true), (nodes.RetiredCount, nodes.RetiredBytes > 0));
        Assert.Equal((2, Long + 2, true), (row.Number, row.Text, row.IsAlive));
        Assert.Equal(2, kept.Left!.Value.Number);
        row.Text = "another";
        Assert.Equal("another", nodes.Select(n => n.Left!.Value.Text).Single());
    }

    [Fact]
    public void A_scan_that_waits_for_a_write_group_keeps_to_its_time_limit_and_reclaims_nothing()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        Node row = Add(nodes, 1), other = Add(nodes, 2);
        nodes.Retire(row);
        using ManualResetEventSlim isInside = new(), mayEnd = new();
        Task writing = Task.Run(() =>
        {
            using WriteGroup group = WriteGroup.Begin();
            other.Text = "written";
            isInside.Set();
            mayEnd.Wait();
        });
        isInside.Wait(TestContext.Current.CancellationToken);

        ScanResult early = manager.CollectRetired(TimeSpan.FromMilliseconds(20), cancellationToken: TestContext.Current.CancellationToken);

        mayEnd.Set();
        writing.Wait(TestContext.Current.CancellationToken);
        Assert.Equal((false, 0L, true), (early.IsComplete, early.Removed, row.IsAlive));
        Assert.Equal(1, manager.CollectRetired(cancellationToken: TestContext.Current.CancellationToken).Removed);
    }

    [Fact]
    public void A_row_is_retired_once()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        Node row = Add(nodes, 1), removed = Add(nodes, 2);
        nodes.Remove(removed);

        Assert.True(nodes.Retire(row));
        Assert.False(nodes.Retire(row));
        Assert.False(nodes.Retire(removed));
        Assert.False(nodes.Retire(default));
        Assert.True(nodes.Remove(row));
        Assert.False(nodes.Retire(row));
        Assert.Equal((0, 0L, false), (nodes.Count, nodes.RetiredCount, row.IsAlive));
        using Collection<Node> others = Nodes(manager);
        Assert.Throws<ArgumentException>(() => others.Retire(Add(nodes, 3)));
    }

    [Fact]
    public void A_row_that_is_being_initialised_cannot_be_retired()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        Assert.Throws<InvalidOperationException>(() => nodes.AddNew(n => nodes.Retire(n)));
        Node added = nodes.AddNew(static n => n.Text = "there");
        Assert.Equal((1, "there"), (nodes.Count, added.Text));
    }

    [Fact]
    public void The_key_of_a_retired_row_is_free_and_the_row_can_be_written()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        Node row = Add(nodes, 1);
        nodes.Retire(row);

        Node second = Add(nodes, 1);
        row.Number = 1;
        row.Number = 7;

        Assert.Equal(Long + 1, nodes.Where(n => n.Number == 1).Select(n => n.Text).Single());
        Assert.False(nodes.Where(n => n.Number == 7).Any());
        Assert.True(second.IsAlive);
    }

    [Fact]
    public void A_scan_reclaims_what_no_row_refers_to_cycles_too()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        Node root = Add(nodes, 0), child = Add(nodes, 1), grandchild = Add(nodes, 2), near = Add(nodes, 3), one = Add(nodes, 4), two = Add(nodes, 5), own = Add(nodes, 6);
        root.Left = child;
        child.Right = grandchild;
        grandchild.Near = near;
        one.Left = two;
        two.Near = one;
        own.Right = own;
        // A reference out of a cycle that goes keeps nothing, and one into what stays does no harm.
        two.Right = grandchild;
        Assert.Equal(6, nodes.RetireWhere(n => n.Number > 0));

        ScanResult result = manager.CollectRetired();

        Assert.Equal((6L, 3L, true), (result.Candidates, result.Removed, result.IsComplete));
        Assert.Equal([true, true, true, false, false, false], new[] { child, grandchild, near, one, two, own }.Select(n => n.IsAlive));
        Assert.Equal(3, nodes.RetiredCount);
        Assert.Equal(Long + 3, root.Left!.Value.Right!.Value.Near!.Value.Text);
        root.Left = null;
        Assert.Equal((3L, 3L), (manager.CollectRetired() is var last ? last.Candidates : 0, last.Removed));
        Assert.Equal((1, 0L), (nodes.Count, nodes.RetiredCount));
    }

    [Fact]
    public void Rows_of_another_collection_of_the_manager_keep_a_row()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager), others = Nodes(manager);
        Node row = Add(nodes, 1), other = Add(others, 1);
        other.Near = row;
        nodes.Retire(row);
        Assert.Equal(0, manager.CollectRetired().Removed);
        others.Remove(other);
        Assert.Equal(1, manager.CollectRetired().Removed);
    }

    [Fact]
    public void A_root_keeps_a_row_and_what_it_refers_to()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        Node row = Add(nodes, 1), next = Add(nodes, 2);
        row.Left = next;
        nodes.RetireWhere(static _ => true);

        using (RootHandle<Node> root = new(row))
        {
            Assert.Equal(0, manager.CollectRetired().Removed);
            Assert.Equal(Long + 2, root.Row.Left!.Value.Text);
        }

        Assert.Equal(2, manager.CollectRetired().Removed);
        Assert.Throws<RowRemovedException>(() => new RootHandle<Node>(row));
    }

    [Fact]
    public void Retired_rows_move_with_their_block_and_stay_hidden()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        Node[] rows = [.. Enumerable.Range(0, 2000).Select(i => Add(nodes, i))];
        for (int i = 0; i < rows.Length; i++)
        {
            if (i % 16 == 1)
                rows[i - 1].Near = rows[i];
        }

        for (int i = 0; i < rows.Length; i++)
        {
            if (i % 16 > 1)
                nodes.Remove(rows[i]);
            else if (i % 16 == 1)
                nodes.Retire(rows[i]);
        }

        CompactionResult result = nodes.Compact();

        Assert.True(result.RowsMoved > 0);
        Assert.Equal(125, nodes.Count);
        Assert.Equal(Enumerable.Range(0, 125).Select(i => 16 * i), nodes.Select(n => n.Number).ToList().Order());
        Assert.All(nodes, n => Assert.Equal(Long + (n.Number + 1), n.Near!.Value.Text));
        Assert.Equal((125L, 0L), (manager.CollectRetired() is var scan ? scan.Candidates : 0, scan.Removed));
        nodes.RetireWhere(static n => n.Number < 800);
        Assert.Equal(100, manager.CollectRetired().Removed);
    }

    [Fact]
    public void Clear_and_Dispose_take_retired_rows_with_them()
    {
        using MemoryManager manager = new();
        Collection<Node> nodes = Nodes(manager);
        Node[] rows = [.. Enumerable.Range(0, 100).Select(i => Add(nodes, i))];
        nodes.RetireWhere(static n => n.Number % 2 == 0);
        nodes.Clear();
        Assert.All(rows, n => Assert.False(n.IsAlive));
        Assert.Equal((0, 0L), (nodes.Count, nodes.RetiredCount));
        Node last = Add(nodes, 1);
        nodes.Retire(last);
        nodes.Dispose();
        Assert.False(last.IsAlive);
    }

    [Fact]
    public void A_snapshot_reads_rows_that_were_retired_before_it_and_reclaimed_or_removed_after_it()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        Node kept = Add(nodes, 1), left = Add(nodes, 2), right = Add(nodes, 3);
        (kept.Left, kept.Right, kept.Near) = (left, right, left);
        nodes.Retire(left);
        nodes.Retire(right);
        using Snapshot snapshot = Snapshot.Take(nodes);

        (kept.Left, kept.Right, kept.Near) = (null, null, null);
        nodes.Remove(right);
        Assert.Equal(1, manager.CollectRetired().Removed);
        // Their places serve others.
        for (int i = 0; i < 4; i++)
            Epoch.TryAdvance();
        for (int i = 10; i < 500; i++)
            Add(nodes, i);

        Assert.Equal((2, Long + 2), snapshot.Read(kept, n => (n.Left!.Value.Number, n.Left!.Value.Text)));
        Assert.Equal((3, 2), snapshot.Read(kept, n => (n.Right!.Value.Number, n.Near!.Value.Number)));
        Assert.Equal([Long + 2], snapshot.Of(nodes).Select(n => n.Left!.Value.Text).ToList());
        Assert.Equal([1], snapshot.Of(nodes).Select(n => n.Number).ToList());
    }

    [Fact]
    public void A_draft_that_is_shown_and_retired_after_a_snapshot_is_no_row_of_it()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        Snapshot? snapshot = null;
        Node kept = Add(nodes, 1);
        Node row = nodes.AddNew(draft =>
        {
            (draft.Number, draft.Text) = (2, "a draft");
            // On another thread: this one is inside the initialiser.
            Task.Run(() => snapshot = Snapshot.Take(nodes)).Wait();
        });
        kept.Left = row;
        nodes.Retire(row);

        using (snapshot)
            Assert.Throws<RowRemovedException>(() => snapshot!.Read(row, n => n.Number));
    }

    [Fact]
    public void A_snapshot_keeps_rows_that_are_retired_and_reclaimed_after_it()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        Node row = Add(nodes, 1), early = Add(nodes, 2);
        nodes.Retire(early);
        using Snapshot snapshot = Snapshot.Take(nodes);
        nodes.Retire(row);
        Assert.Equal(Long + 2, snapshot.Read(early, n => n.Text));
        manager.CollectRetired();
        Assert.False(row.IsAlive);
        Assert.Equal(Long + 1, snapshot.Read(row, n => n.Text));
        Assert.Equal([1], snapshot.Of(nodes).Select(n => n.Number).ToList());
    }

    [Fact]
    public void A_scan_tells_its_progress_and_gives_up_when_told()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        for (int i = 0; i < 5000; i++)
            Add(nodes, i);
        nodes.RetireWhere(static n => n.Number >= 4000);
        List<ScanProgress> seen = [];
        using CancellationTokenSource cancellation = new();

        ScanResult early = manager.CollectRetired(progress: new Reports(p =>
        {
            seen.Add(p);
            cancellation.Cancel();
        }), cancellationToken: cancellation.Token);

        Assert.Equal((false, 0L, 1000L), (early.IsComplete, early.Removed, nodes.RetiredCount));
        Assert.True(Assert.Single(seen) is { BytesScanned: > 0, Removed: 0 } first && first.BytesToScan >= first.BytesScanned);
        Assert.Equal(1000, manager.CollectRetired(progress: new Reports(seen.Add)).Removed);
        Assert.Equal(1000, seen[^1].Removed);
        Assert.Throws<ArgumentOutOfRangeException>(() => manager.CollectRetired(Timeout.InfiniteTimeSpan));
        Assert.Throws<InvalidOperationException>(() =>
        {
            using (WriteGroup.Begin())
                manager.CollectRetired();
        });
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Random_graphs_keep_what_mark_and_sweep_keeps(int seed)
    {
        Random random = new(seed);
        for (int graph = 0; graph < 600; graph++)
        {
            using MemoryManager manager = new();
            using Collection<Node> nodes = new(new CollectionOptions { Manager = manager, BlockCapacity = 64 });
            using Collection<Node> others = Nodes(manager);
            NodeModel model = new();
            List<Node> rows = [];
            int count = random.Next(1, 60);
            for (int i = 0; i < count; i++)
                rows.Add(model.Add(random.Next(5) == 0 ? others : nodes, i));
            for (int round = 0; round < 3; round++)
            {
                for (int i = 0; i < 2 * count; i++)
                    model.Change(random);
                if (random.Next(4) == 0)
                    nodes.Compact(new CompactionOptions { Occupancy = 0.9 });
                ReferenceReport report = ReachabilityScan.Verify(manager, progress: null, CancellationToken.None);
                ScanResult result = manager.CollectRetired();
                int cyclic = model.CountCyclic();
                HashSet<int> kept = model.Sweep();
                Assert.True(result.IsComplete);
                Assert.Equal((result.Removed, cyclic), (report.Orphaned, report.Cyclic));
                Assert.Equal(kept.Order(), Enumerable.Range(0, count).Where(i => rows[i].IsAlive));
                Assert.Equal(model.VisibleRows.Order(), nodes.AsEnumerable().Concat(others.AsEnumerable()).Select(n => n.Number).Order());
                model.Verify();
            }
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Rows_that_live_rows_lead_to_are_alive_while_scans_and_compactions_run(int seed)
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = new(new CollectionOptions { Manager = manager, BlockCapacity = 64 });
        Node[] roots = [.. Enumerable.Range(0, 64).Select(i => Add(nodes, i))];
        int number = 64;
        using CancellationTokenSource end = new(TimeSpan.FromSeconds(2));
        long scans = 0, removed = 0;
        Task scan = Task.Run(() =>
        {
            while (!end.IsCancellationRequested)
            {
                removed += manager.CollectRetired().Removed;
                scans++;
                if (scans % 8 == 0)
                    nodes.Compact(new CompactionOptions { Occupancy = 0.7, TimeLimit = TimeSpan.FromMilliseconds(20) });
            }
        });
        Task[] writers = [.. Enumerable.Range(0, 3).Select(w => Task.Run(() => Churn(nodes, roots, new Random(seed * 10 + w), () => Interlocked.Increment(ref number), end.Token)))];
        await Task.WhenAll([scan, .. writers]);
        Assert.True(scans > 5 && removed > 100, $"{scans} scans, {removed} removed");
        foreach (Node root in roots)
            Assert.True(root.IsAlive);

        // Nobody writes any more: one scan leaves what the roots lead to.
        manager.CollectRetired();
        HashSet<int> reached = [];
        Stack<Node> next = new(nodes);
        while (next.TryPop(out Node node))
        {
            foreach (Node? target in new[] { node.Left, node.Right, node.Near })
            {
                if (target is { IsAlive: true } there && reached.Add(there.Number))
                    next.Push(there);
            }
        }

        HashSet<int> visible = [.. nodes.AsEnumerable().Select(n => n.Number)];
        Assert.Equal(reached.Count(n => !visible.Contains(n)), nodes.RetiredCount);
    }

    [Fact]
    public async Task Verification_reports_references_to_rows_that_are_gone_and_what_a_scan_would_reclaim()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = new(new CollectionOptions { Name = "nodes", Manager = manager });
        Node root = Add(nodes, 0), kept = Add(nodes, 1), one = Add(nodes, 2), two = Add(nodes, 3), tail = Add(nodes, 4), own = Add(nodes, 5), gone = Add(nodes, 6);
        (root.Left, root.Right, kept.Right, root.Near) = (kept, gone, gone, gone);
        (one.Left, two.Right, two.Left, own.Left) = (two, one, tail, own);
        nodes.Remove(gone);
        foreach (Node retired in new[] { kept, one, two, tail, own })
            nodes.Retire(retired);

        ReferenceReport report = await manager.VerifyReferencesAsync();

        Assert.Equal([new DanglingColumn("nodes", "Near", 1), new DanglingColumn("nodes", "Right", 1)], report.Dangling.OrderBy(d => d.Property));
        Assert.Equal((4L, 3L), (report.Orphaned, report.Cyclic));
        Assert.Equal((5, true), ((int)nodes.RetiredCount, one.IsAlive));
        Assert.Equal(4, manager.CollectRetired().Removed);
        Assert.Equal((0L, 0L), (await manager.VerifyReferencesAsync() is var last ? last.Orphaned : -1, last.Cyclic));
    }

    [Fact]
    public async Task Retired_rows_are_reclaimed_in_the_background_above_the_soft_mark()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Retired = new RetireBudget { SoftMark = 4096 } });
        using Collection<Node> nodes = Nodes(manager);
        Node kept = Add(nodes, -1);
        kept.Left = Add(nodes, -2);
        nodes.Retire(kept.Left!.Value);
        for (int i = 0; i < 1000; i++)
            nodes.Retire(Add(nodes, i));

        for (int i = 0; i < 2000 && nodes.RetiredCount > 500; i++)
            await Task.Delay(5);

        Assert.InRange(nodes.RetiredCount, 1, 500);
        Assert.Equal(-2, kept.Left!.Value.Number);
    }

    [Fact]
    public async Task Rows_that_are_retired_while_a_scan_runs_are_reason_enough_for_the_next()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Retired = new RetireBudget { SoftMark = 4096 } });
        using Collection<Node> nodes = Nodes(manager);
        RetireInAGroup(nodes, pause: TimeSpan.FromMilliseconds(100));

        for (int i = 0; i < 6000 && manager.RetiredBytes > 4096; i++)
            await Task.Delay(5);

        Assert.InRange(manager.RetiredBytes, 0, 4096);
    }

    [Fact]
    public void Retire_waits_for_a_scan_at_the_hard_mark_and_throws_if_rows_are_referred_to()
    {
        const long Mark = 16384;
        using MemoryManager manager = new(new MemoryManagerOptions { Retired = new RetireBudget { HardMark = Mark, HardMarkTimeout = TimeSpan.FromSeconds(30) } });
        using Collection<Node> nodes = Nodes(manager);
        long most = 0;
        for (int i = 0; i < 2000; i++)
        {
            Assert.True(nodes.Retire(Add(nodes, i)));
            most = Math.Max(most, manager.RetiredBytes);
        }

        Assert.InRange(most, Mark / 2, Mark);
        Assert.Empty(nodes);
        Assert.Throws<OffHeapMemoryException>(() => RetireInAGroup(nodes));
    }

    [Fact]
    public void A_reader_asleep_holds_retiring_up_at_the_hard_mark_and_is_named()
    {
        const long Mark = 16384;
        using MemoryManager manager = new(new MemoryManagerOptions { Retired = new RetireBudget { HardMark = Mark, HardMarkTimeout = TimeSpan.FromMilliseconds(200) } });
        using Collection<Node> nodes = Nodes(manager);
        using ManualResetEventSlim isInside = new(), mayLeave = new();
        Thread reader = new(() =>
        {
            using CriticalSection section = CriticalSection.Enter();
            isInside.Set();
            mayLeave.Wait();
        }) { Name = "asleep" };
        reader.Start();
        isInside.Wait();

        OffHeapMemoryException refused = Assert.Throws<OffHeapMemoryException>(() =>
        {
            for (int i = 0; i < 2000; i++)
            {
                nodes.Retire(Add(nodes, i));
                Assert.InRange(manager.RetiredBytes, 0, Mark);
            }
        });

        Assert.Contains("asleep", refused.Message, StringComparison.Ordinal);
        // The row that was refused is as before.
        Assert.True(nodes.Remove(Assert.Single(nodes)));
        mayLeave.Set();
        reader.Join();
        Assert.True(nodes.Retire(Add(nodes, 2001)));
    }

    /// <summary>Retires rows in one group, for whose end a scan that has begun waits; half of them after a pause in which one can begin.</summary>
    [Fact]
    public void The_hard_mark_is_not_passed_while_a_reader_sleeps_and_threads_retire_and_who_watches_looks_every_millisecond()
    {
        const long Mark = 65536;
        using MemoryManager manager = new(new MemoryManagerOptions { Retired = new RetireBudget { SoftMark = Mark / 4, HardMark = Mark, HardMarkTimeout = TimeSpan.FromMilliseconds(50) } });
        using Collection<Node> nodes = Nodes(manager);
        using CancellationTokenSource end = new();
        using ManualResetEventSlim isInside = new();
        long most = 0, looks = 0, refused = 0, retired = 0;
        int number = 0;
        Thread reader = new(() =>
        {
            using CriticalSection section = CriticalSection.Enter();
            isInside.Set();
            end.Token.WaitHandle.WaitOne();
        });
        Thread watcher = new(() =>
        {
            for (; !end.IsCancellationRequested; looks++, Thread.Sleep(1))
                most = Math.Max(most, manager.RetiredBytes);
        });
        Thread[] owners = [.. Enumerable.Range(0, 3).Select(_ => new Thread(() =>
        {
            while (!end.IsCancellationRequested)
            {
                try
                {
                    nodes.Retire(Add(nodes, Interlocked.Increment(ref number)));
                    Interlocked.Increment(ref retired);
                }
                catch (OffHeapMemoryException)
                {
                    Interlocked.Increment(ref refused);
                }
            }
        }))];
        reader.Start();
        isInside.Wait(TestContext.Current.CancellationToken);
        foreach (Thread thread in owners.Append(watcher))
            thread.Start();
        // On a busy machine until each has had its turn.
        SpinWait.SpinUntil(() => Volatile.Read(ref looks) > 500 && Volatile.Read(ref refused) > 3, TimeSpan.FromMinutes(1));
        end.Cancel();
        foreach (Thread thread in owners.Append(watcher).Append(reader))
            thread.Join();

        Assert.InRange(most, Mark / 2, Mark);
        Assert.True(looks > 500 && refused > 3, $"looked {looks} times, refused {refused}");
        // With nobody asleep there is room for more.
        Assert.True(nodes.Retire(Add(nodes, number + 1)));
        Assert.True(retired > 0);
    }

    private static void RetireInAGroup(Collection<Node> nodes, TimeSpan pause = default)
    {
        using WriteGroup group = WriteGroup.Begin();
        for (int i = 0; i < 2000; i++)
        {
            if (i == 1000) Thread.Sleep(pause);
            nodes.Retire(Add(nodes, i));
        }
    }

    /// <summary>Hangs new rows below roots, retires them, moves references about by handles that nobody else knows; all that a live row leads to must be alive.</summary>
    private static void Churn(Collection<Node> nodes, Node[] roots, Random random, Func<int> nextNumber, CancellationToken end)
    {
        List<Node> hidden = [];
        while (!end.IsCancellationRequested)
        {
            Node root = roots[random.Next(roots.Length)];
            switch (random.Next(6))
            {
                case 0:
                    Node added = Add(nodes, nextNumber());
                    added.Left = root.Left;
                    // In this order: a retired row to which nothing refers may be gone before it is stored.
                    root.Left = added;
                    nodes.Retire(added);
                    break;
                case 1 when hidden.Count > 0:
                    // The handle may be of a row that is gone: then null, or a dead handle, is stored.
                    Node held = hidden[random.Next(hidden.Count)];
                    if (held.IsAlive)
                        root.Right = held;
                    break;
                case 2 when hidden.Count > 0:
                    Node near = hidden[random.Next(hidden.Count)];
                    root.Near = near.IsAlive ? near : null;
                    break;
                case 3:
                    root.Left = null;
                    break;
                case 4 when root.Left is { } left:
                    if (hidden.Count < 16)
                        hidden.Add(left);
                    else
                        hidden[random.Next(16)] = left;
                    break;
                default:
                    // Read once; others may clear the reference, after which a scan may take the row: so read it again before a death is a mistake.
                    Node? seen = root.Left;
                    if (seen is { IsAlive: false } dead && root.Left is { } again && RowsAreSame(dead, again))
                        throw new InvalidOperationException("A row that a live row refers to is gone.");
                    break;
            }
        }
    }

    private static bool RowsAreSame(Node a, Node b) => a.Equals(b);

    private static Collection<Node> Nodes(MemoryManager manager) => new(new CollectionOptions { Manager = manager, BlockCapacity = 128 });

    private static Node Add(Collection<Node> nodes, int number) => nodes.Add(number: number, text: Long + number.ToString(CultureInfo.InvariantCulture));

    private sealed class Reports(Action<ScanProgress> report) : IProgress<ScanProgress>
    {
        public void Report(ScanProgress value) => report(value);
    }

    /// <summary>Mark and sweep over the same graph in ordinary objects.</summary>
    private sealed class NodeModel
    {
        private readonly List<Twin> _twins = [];

        public IEnumerable<int> VisibleRows => _twins.Where(static t => t is { IsDead: false, IsRetired: false }).Select(static t => t.Number);

        public Node Add(Collection<Node> nodes, int number)
        {
            Node row = RetireTests.Add(nodes, number);
            _twins.Add(new Twin(nodes, row, number));
            return row;
        }

        public void Change(Random random)
        {
            Twin twin = _twins[random.Next(_twins.Count)], target = _twins[random.Next(_twins.Count)];
            if (twin.IsDead || target.IsDead)
                return;
            Twin? stored = random.Next(3) == 0 ? null : target;
            Node row = twin.Row;
            Node? handle = stored?.Row;
            switch (random.Next(6))
            {
                case 0:
                    (row.Left, twin.Targets[0]) = (handle, stored);
                    break;
                case 1:
                    (row.Right, twin.Targets[1]) = (handle, stored);
                    break;
                case 2:
                    (row.Near, twin.Targets[2]) = (handle, stored);
                    break;
                case 3 when random.Next(8) == 0:
                    Assert.True(twin.Nodes.Remove(twin.Row));
                    twin.IsDead = true;
                    break;
                default:
                    Assert.Equal(!twin.IsRetired, twin.Nodes.Retire(twin.Row));
                    twin.IsRetired = true;
                    break;
            }
        }

        public HashSet<int> Sweep()
        {
            HashSet<int> kept = [];
            Stack<Twin> next = new(_twins.Where(static t => t is { IsDead: false, IsRetired: false }));
            foreach (Twin twin in next)
                kept.Add(twin.Number);
            while (next.TryPop(out Twin? twin))
            {
                foreach (Twin? target in twin.Targets)
                {
                    if (target is { IsDead: false } && kept.Add(target.Number))
                        next.Push(target);
                }
            }

            foreach (Twin twin in _twins)
                twin.IsDead |= !kept.Contains(twin.Number);
            return kept;
        }

        /// <summary>Of the rows that the next sweep takes those that lead to themselves.</summary>
        public int CountCyclic()
        {
            HashSet<Twin> kept = Reached(_twins.Where(static t => t is { IsDead: false, IsRetired: false }));
            kept.UnionWith(_twins.Where(static t => t is { IsDead: false, IsRetired: false }));
            return _twins.Count(t => !t.IsDead && !kept.Contains(t) && Reached([t]).Contains(t));
        }

        /// <summary>What rows lead to, by one reference or more.</summary>
        private static HashSet<Twin> Reached(IEnumerable<Twin> rows)
        {
            HashSet<Twin> reached = [];
            Stack<Twin> next = new(rows);
            while (next.TryPop(out Twin? twin))
            {
                foreach (Twin? target in twin.Targets)
                {
                    if (target is { IsDead: false } && reached.Add(target))
                        next.Push(target);
                }
            }

            return reached;
        }

        /// <summary>What is alive reads as it was written.</summary>
        public void Verify()
        {
            foreach (Twin twin in _twins.Where(static t => !t.IsDead))
            {
                Assert.Equal(Long + twin.Number, twin.Row.Text);
                Node?[] found = [twin.Row.Left, twin.Row.Right, twin.Row.Near];
                for (int i = 0; i < found.Length; i++)
                {
                    if (twin.Targets[i] is { IsDead: false } target)
                        Assert.Equal(target.Number, found[i]!.Value.Number);
                }
            }
        }

        private sealed class Twin(Collection<Node> nodes, Node row, int number)
        {
            public Collection<Node> Nodes { get; } = nodes;

            public Node Row { get; } = row;

            public int Number { get; } = number;

            public Twin?[] Targets { get; } = new Twin?[3];

            public bool IsRetired { get; set; }

            public bool IsDead { get; set; }
        }
    }
}
