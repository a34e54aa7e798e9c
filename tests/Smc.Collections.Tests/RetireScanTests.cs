using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>A row of graphs whose references do not lie side by side.</summary>
[Tabular(Layout = TabularLayout.Row)]
public readonly partial struct WideNode
{
    public partial int Number { get; set; }
    public partial Node? Other { get; set; }
    public partial WideNode? Next { get; set; }
}

/// <summary>A row of lists and combs.</summary>
[Tabular]
public readonly partial struct TwinNode
{
    public partial TwinNode? One { get; set; }
    public partial TwinNode? Other { get; set; }
}

/// <summary>How a scan for retired rows reads references: on several threads, by the bits of its candidates. Alone, because a scan makes writers of all collections look closer.</summary>
[Collection("Alone")]
public sealed class RetireScanTests
{
    private const int Rows = 6000;

    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 1)]
    [InlineData(3, 4)]
    [InlineData(4, 4)]
    [InlineData(5, 16)]
    public void A_scan_on_so_many_threads_keeps_what_mark_and_sweep_keeps(int seed, int degree)
    {
        Random random = new(seed);
        using MemoryManager manager = new(new MemoryManagerOptions { Retired = RetireBudget.OnDemand with { DegreeOfParallelism = degree } });
        using Collection<Node> nodes = new(new CollectionOptions { Manager = manager, BlockCapacity = 128 });
        using Collection<WideNode> wides = new(new CollectionOptions { Manager = manager, BlockCapacity = 64 });
        Node[] rows = [.. Enumerable.Range(0, Rows).Select(i => nodes.Add(number: i, text: ""))];
        WideNode[] others = [.. Enumerable.Range(0, Rows / 4).Select(i => wides.Add(number: i))];
        List<int>[] targets = [.. Enumerable.Range(0, rows.Length + others.Length).Select(static _ => new List<int>())];
        for (int i = 0; i < rows.Length; i++)
        {
            if (random.Next(3) == 0)
                rows[i].Left = rows[To(i, random.Next(rows.Length))];
            if (random.Next(3) == 0)
                rows[i].Near = rows[To(i, random.Next(rows.Length))];
        }

        for (int i = 0; i < others.Length; i++)
        {
            if (random.Next(3) == 0)
                others[i].Other = rows[To(Rows + i, random.Next(rows.Length))];
            if (random.Next(3) == 0)
                others[i].Next = others[To(Rows + i, Rows + random.Next(others.Length)) - Rows];
        }

        HashSet<int> kept = [];
        Stack<int> next = new();
        for (int i = 0; i < targets.Length; i++)
        {
            if (random.Next(2) != 0)
                next.Push(i);
            else if (i < Rows)
                nodes.Retire(rows[i]);
            else
                wides.Retire(others[i - Rows]);
        }

        while (next.TryPop(out int row))
        {
            if (!kept.Add(row))
                continue;
            foreach (int target in targets[row])
                next.Push(target);
        }

        ScanResult result = manager.CollectRetired();

        Assert.Equal((true, (long)targets.Length - kept.Count), (result.IsComplete, result.Removed));
        Assert.Equal(kept.Order(), Enumerable.Range(0, targets.Length).Where(i => i < Rows ? rows[i].IsAlive : others[i - Rows].IsAlive));

        int To(int from, int to)
        {
            targets[from].Add(to);
            return to;
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(777)]
    [InlineData(1999)]
    public void The_only_retired_row_is_kept_by_the_only_reference_to_it_and_goes_with_it(int retired)
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = new(new CollectionOptions { Manager = manager, BlockCapacity = 128 });
        Node[] rows = [.. Enumerable.Range(0, 2000).Select(i => nodes.Add(number: i, text: ""))];
        foreach (Node row in rows)
            (row.Left, row.Right) = (rows[(row.Number + 1) % 2000], null);
        nodes.Retire(rows[retired]);

        Assert.Equal(0, manager.CollectRetired().Removed);
        Node holder = rows[(retired + 1999) % 2000];
        holder.Left = null;
        Assert.Equal(1, manager.CollectRetired().Removed);
        Assert.False(rows[retired].IsAlive);
    }

    [Fact]
    public void A_scan_that_several_threads_share_gives_up_when_told_and_reports_on_the_calling_thread()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Retired = RetireBudget.OnDemand with { DegreeOfParallelism = 4 } });
        using Collection<Node> nodes = new(new CollectionOptions { Manager = manager, BlockCapacity = 128 });
        for (int i = 0; i < Rows; i++)
            nodes.Add(number: i, text: "");
        nodes.RetireWhere(static n => n.Number % 2 == 0);
        using CancellationTokenSource cancellation = new();
        int thread = Environment.CurrentManagedThreadId;

        ScanResult early = manager.CollectRetired(progress: new Reports(() =>
        {
            Assert.Equal(thread, Environment.CurrentManagedThreadId);
            cancellation.Cancel();
        }), cancellationToken: cancellation.Token);

        // The others may have read all before this thread came to a piece.
        Assert.Equal(early.IsComplete ? Rows / 2 : 0, early.Removed);
        Assert.Equal((Rows / 2) - early.Removed, manager.CollectRetired().Removed);
    }

    /// <summary>A comb is a list each of whose rows has a tooth. Followed in one of the two directions, all teeth wait: more than there is room for. A list of as many rows needs room for one.</summary>
    [Theory]
    [InlineData(false, false, false)]
    [InlineData(true, false, false)]
    [InlineData(true, true, false)]
    [InlineData(true, false, true)]
    [InlineData(true, true, true)]
    public void Long_lists_and_wide_graphs_are_followed_in_memory_that_is_bounded(bool hasTeeth, bool isTurned, bool isShuffled)
    {
        const int Spine = 150_000;
        using MemoryManager manager = new(new MemoryManagerOptions { Retired = RetireBudget.OnDemand });
        using Collection<TwinNode> twins = new(new CollectionOptions { Manager = manager });
        TwinNode[] rows = [.. Enumerable.Range(0, hasTeeth ? 2 * Spine : Spine).Select(_ => twins.Add())];
        if (isShuffled)
            new Random(1).Shuffle(rows);
        for (int i = 0; i < Spine; i++)
        {
            TwinNode? next = null, tooth = null;
            if (i + 1 < Spine)
                next = rows[i + 1];
            if (hasTeeth)
                tooth = rows[Spine + i];
            (rows[i].One, rows[i].Other) = isTurned ? (next, tooth) : (tooth, next);
        }

        TwinNode root = twins.Add();
        root.One = rows[0];
        foreach (TwinNode row in rows)
            twins.Retire(row);
        manager.CollectRetired();
        long mapped = manager.MappedBytes, before = GC.GetAllocatedBytesForCurrentThread();

        ScanResult kept = manager.CollectRetired();

        long managed = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal((rows.Length, 0), (kept.Candidates, kept.Removed));
        Assert.All(rows, static row => Assert.True(row.IsAlive));
        // Some bits and an incarnation for each row. A stack of all teeth took 24 bytes for each, and as many when it grew.
        Assert.InRange(managed, 0, 6L * rows.Length);
        Assert.InRange(manager.MappedBytes - mapped, 0, 0);

        root.One = null;
        Assert.Equal(rows.Length, manager.CollectRetired().Removed);
    }

    [Fact]
    public void The_memory_for_following_references_is_charged_to_the_limit_and_a_scan_that_does_not_get_it_reclaims_nothing()
    {
        const long Limit = 64L << 20;
        using MemoryManager manager = new(new MemoryManagerOptions { Retired = RetireBudget.OnDemand, Limit = Limit });
        using Collection<TwinNode> twins = new(new CollectionOptions { Manager = manager });
        TwinNode root = twins.Add(), kept = twins.Add(), lost = twins.Add();
        root.One = kept;
        twins.Retire(kept);
        twins.Retire(lost);
        using (SliceHeap heap = new(manager))
        {
            // Room for bits, not for the stack.
            heap.Allocate(new byte[Limit - manager.MappedBytes - (400 << 10)]);
            Assert.Throws<OffHeapMemoryException>(() => manager.CollectRetired());
            Assert.Equal(2, twins.RetiredCount);
        }

        Epoch.TryAdvance();
        Epoch.TryAdvance();
        Assert.Equal(1, manager.CollectRetired().Removed);
        Assert.True(kept.IsAlive);
        Assert.InRange(manager.MappedBytes, 1, Limit);
    }

    [Fact]
    public void What_a_scan_has_charged_for_a_collection_that_is_disposed_meanwhile_is_given_back()
    {
        using MemoryManager manager = new();
        Collection<Node> nodes = new(new CollectionOptions { Manager = manager });
        nodes.Retire(nodes.Add(number: 1, text: ""));
        int charges = 0;
        manager.Budget.Fault = _ =>
        {
            // The first bits of the scan.
            if (charges++ > 0)
                return false;
            nodes.Dispose();
            for (int i = 0; i < 3; i++)
                Assert.True(Epoch.TryAdvance());
            return false;
        };

        ScanResult result = manager.CollectRetired();

        manager.Budget.Fault = null;
        Assert.True(charges > 1);
        Assert.Equal((0L, 0L, 0L), (result.Removed, manager.Usage.Total, manager.MappedBytes));
    }

    [Fact]
    public void A_degree_of_parallelism_below_one_is_refused()
    {
        MemoryManagerOptions options = new() { Retired = new RetireBudget { DegreeOfParallelism = 0 } };
        Assert.Throws<ArgumentOutOfRangeException>(() => new MemoryManager(options));
    }

    [Fact]
    public void Retire_that_waits_at_the_hard_mark_for_the_scan_of_another_manager_names_that()
    {
        using MemoryManager other = new(new MemoryManagerOptions { Name = "the other" });
        using MemoryManager manager = new(new MemoryManagerOptions { Retired = new RetireBudget { HardMark = 16384, HardMarkTimeout = TimeSpan.FromMilliseconds(200) } });
        using Collection<Node> busy = new(new CollectionOptions { Manager = other }), nodes = new(new CollectionOptions { Manager = manager });
        busy.Retire(busy.Add(number: 1, text: ""));
        using ManualResetEventSlim isInside = new(), mayEnd = new();
        Task writing = Task.Run(() =>
        {
            using WriteGroup group = WriteGroup.Begin();
            busy.Add(number: 2, text: "");
            isInside.Set();
            mayEnd.Wait();
        });
        isInside.Wait(TestContext.Current.CancellationToken);
        // It waits for the group.
        Task<ScanResult> scan = other.CollectRetiredAsync(cancellationToken: TestContext.Current.CancellationToken);
        while (!ReferenceBarrier.IsNeeded)
            Thread.Sleep(1);

        OffHeapMemoryException refused = Assert.Throws<OffHeapMemoryException>(() =>
        {
            for (int i = 0; i < 2000; i++)
                nodes.Retire(nodes.Add(number: i, text: ""));
        });

        mayEnd.Set();
        Task.WaitAll([writing, scan], TestContext.Current.CancellationToken);
        Assert.Contains("the other", refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("Stored references", refused.Message, StringComparison.Ordinal);
    }

    private sealed class Reports(Action report) : IProgress<ScanProgress>
    {
        public void Report(ScanProgress value) => report();
    }
}
