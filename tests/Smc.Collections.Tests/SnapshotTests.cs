using Smc.Collections.Kernels;
using Smc.Memory;
using Smc.Memory.Platform;
using Smc.Memory.Snapshots;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>What a snapshot sees of collections that change after it was taken. Alone, because a snapshot of the process makes writers of all collections look closer.</summary>
[Collection("Alone")]
public sealed class SnapshotTests
{
    private const int Rows = 300;

    [Fact]
    public void A_snapshot_sees_the_values_of_its_moment()
    {
        using Collection<Item> items = Fill(Rows);
        Item[] rows = [.. items];
        using Snapshot snapshot = Snapshot.Take(items);

        foreach (Item row in rows)
            row.Key += 1000;

        Assert.Equal(Enumerable.Range(0, Rows), Keys(snapshot, items));
        Assert.Equal(Enumerable.Range(1000, Rows), items.Select(i => i.Key).ToList().Order());
        Assert.All(rows, (row, i) => Assert.Equal(i, snapshot.Read(row, r => r.Key)));
    }

    [Fact]
    public void A_snapshot_sees_rows_that_were_removed_and_none_that_were_added()
    {
        using Collection<Item> items = Fill(Rows);
        Item[] rows = [.. items];
        using Snapshot snapshot = Snapshot.Take(items);

        foreach (Item row in rows.Where((_, i) => i % 2 == 0))
            items.Remove(row);
        Item added = Add(items, -1);
        // Places of removed rows serve new ones.
        for (int i = 0; i < 4; i++)
            Epoch.TryAdvance();
        for (int i = 0; i < 10 * Rows; i++)
            Add(items, -1);

        Assert.Equal(Enumerable.Range(0, Rows), Keys(snapshot, items));
        Assert.Equal(Rows, snapshot.Of(items).Count());
        Assert.Equal(Rows, Query.Run<IEnumerable<Item>, int>(snapshot.Of(items), static items => items.Count()));
        Assert.All(rows, (row, i) => Assert.Equal(i, snapshot.Read(row, r => r.Key)));
        RowRemovedException e = Assert.Throws<RowRemovedException>(() => snapshot.Read(added, r => r.Key));
        Assert.Contains("was not in collection 'Item' at the moment of the snapshot", e.Message, StringComparison.Ordinal);
        Assert.Equal(("Item", "Item"), (e.RowType, e.Collection));
    }

    [Fact]
    public void Removed_rows_are_read_through_a_snapshot_while_later_ones_come_and_go()
    {
        using Collection<Item> items = new(new CollectionOptions { BlockCapacity = 2 * Rows });
        Item[] rows = [.. Enumerable.Range(0, Rows).Select(i => Add(items, i))];
        using Snapshot snapshot = Snapshot.Take(items);
        Item stays = rows[0];
        foreach (Item row in rows.Skip(1))
            items.Remove(row);

        // Each write gives the block a successor for the later snapshot, and entries of removed rows go over to it, too. Before, this was seen within 0.3 seconds.
        bool isOver = false;
        Thread writer = new(() =>
        {
            for (int i = 0; !Volatile.Read(ref isOver); i++)
            {
                using Snapshot later = Snapshot.Take(items);
                stays.Key = i;
            }
        });
        writer.Start();
        try
        {
            for (long end = Environment.TickCount64 + 1500; Environment.TickCount64 < end;)
            {
                for (int i = 1; i < Rows; i++)
                    Assert.Equal(i, snapshot.Read(rows[i], static r => r.Key));
            }
        }
        finally
        {
            Volatile.Write(ref isOver, true);
            writer.Join();
        }
    }

    [Fact]
    public void A_collection_that_ends_right_after_a_snapshot_gets_no_blocks_for_copies_although_the_snapshot_stays_open()
    {
        using ReturnProbe probe = new();
        for (int round = 0; round < 5; round++)
        {
            Collection<Item> items = Fill(Rows);
            using Snapshot snapshot = Snapshot.Take(items);
            items.Dispose();
            Epoch.TryAdvance();
            Epoch.TryAdvance();
            Thread.Sleep(100);
            int returns = probe.Returns;
            Thread.Sleep(100);
            // A thread of the pool that makes blocks ready would map one after the other and give each back.
            Assert.InRange(probe.Returns - returns, 0, 2);
        }
    }

    [Fact]
    public void Disposed_collections_of_direct_references_give_their_memory_back_while_a_snapshot_of_another_is_open()
    {
        using MemoryManager manager = new();
        using Collection<Item> another = Fill(1);
        using Snapshot snapshot = Snapshot.Take(another);
        Collection<Node> targets = new(new CollectionOptions { Manager = manager }), referrers = new(new CollectionOptions { Manager = manager });
        Node target = targets.Add(number: 1, text: "");
        referrers.Add(number: 2, text: "", near: target);

        targets.Dispose();
        for (int i = 0; i < 4; i++)
            Epoch.TryAdvance();
        referrers.Dispose();

        Assert.True(SpinWait.SpinUntil(() => Epoch.TryAdvance() && manager.MappedBytes == 0, TimeSpan.FromSeconds(5)), $"{manager.MappedBytes} bytes are mapped");
    }

    [Fact]
    public void A_token_that_is_cancelled_already_takes_no_snapshot()
    {
        using Collection<Item> items = Fill(Rows);
        Assert.ThrowsAny<OperationCanceledException>(() => Snapshot.Take(new SnapshotOptions { Cancellation = new CancellationToken(canceled: true) }, items));
    }

    [Fact]
    public void A_query_through_a_snapshot_that_is_enumerated_has_the_values_of_the_moment()
    {
        using Collection<Item> items = Fill(Rows);
        using Snapshot snapshot = Snapshot.Take(items);
        foreach (Item row in items)
            row.Key += 1000;

        List<int> keys = [];
        foreach (int key in snapshot.Of(items).Where(i => i.Key < 10).Select(i => i.Key).AsEnumerable())
        {
            keys.Add(key);
            Assert.Equal(1000, items.Select(i => i.Key).ToList().Min()); // Between two elements the thread reads as usual.
        }

        Assert.Equal(Enumerable.Range(0, 10), keys.Order());
    }

    [Fact]
    public void A_snapshot_sees_texts_that_were_rewritten()
    {
        using Collection<Item> items = Fill(Rows);
        using Snapshot snapshot = Snapshot.Take(items);

        for (int round = 0; round < 3; round++)
        {
            foreach (Item row in items)
                row.Text = $"another text, which is long enough for a chunk of its own: {round}";
            for (int i = 0; i < 4; i++)
                Epoch.TryAdvance();
        }

        Assert.Equal(Enumerable.Range(0, Rows).Select(TextOf).Order(), snapshot.Of(items).Select(i => i.Text).ToList().Order());
        Assert.Equal(Rows, snapshot.Of(items).Count(i => i.Text.StartsWith("the text")));
    }

    [Fact]
    public void A_snapshot_survives_Clear_and_what_comes_after()
    {
        using Collection<Item> items = Fill(Rows);
        Item[] rows = [.. items];
        using (Snapshot snapshot = Snapshot.Take(items))
        {
            items.Clear();
            for (int i = 0; i < 4; i++)
                Epoch.TryAdvance();
            for (int i = 0; i < Rows; i++)
                Add(items, -1);

            Assert.Equal(Enumerable.Range(0, Rows), Keys(snapshot, items));
            Assert.All(rows, (row, i) => Assert.Equal((i, TextOf(i)), snapshot.Read(row, r => (r.Key, r.Text))));
        }

        Assert.Equal(Rows, items.Count(i => i.Key == -1));
    }

    [Fact]
    public void References_lead_to_rows_as_they_were()
    {
        using Collection<Item> items = Fill(Rows);
        Item[] rows = [.. items];
        for (int i = 1; i < Rows; i++)
            rows[i].Other = rows[i - 1];
        using Snapshot snapshot = Snapshot.Take(items);

        foreach (Item row in rows)
            row.Key += 1000;
        for (int i = 0; i < Rows; i += 3)
            items.Remove(rows[i]);

        List<int> others = snapshot.Of(items).Where(i => i.Other != default(Item)).Select(i => i.Other.Key).ToList();
        Assert.Equal(Enumerable.Range(0, Rows - 1), others.Order());
        Assert.Equal(10, snapshot.Of(items).Where(i => i.Other != default(Item) && i.Other.Key < 10).Count());
        Assert.Equal(4, snapshot.Read(rows[5], r => r.Other.Key));
        Assert.Equal(
            Enumerable.Range(0, Rows - 1),
            Query.Run<IEnumerable<Item>, List<int>>(snapshot.Of(items), static items => items.Where(i => i.Other != default(Item)).Select(i => i.Other.Key).ToList()).Order());
    }

    [Fact]
    public void Snapshots_of_different_moments_see_different_values_whichever_ends_first()
    {
        using Collection<Item> items = Fill(Rows);
        Item[] rows = [.. items];
        List<Snapshot> open = [];
        HashSet<int> ended = [];
        for (int moment = 0; moment < 5; moment++)
        {
            open.Add(Snapshot.Take(items));
            foreach (Item row in rows.Skip(moment))
                row.Key += 1000;
        }

        foreach (int ending in new[] { 2, 0, 4, 1, 3 })
        {
            for (int moment = 0; moment < open.Count; moment++)
            {
                if (ended.Contains(moment))
                    continue;
                int last = rows.Length - 1;
                Assert.Equal(last + (1000 * moment), open[moment].Read(rows[last], r => r.Key));
                Assert.Equal(last + (1000 * moment), open[moment].Of(items).Max(i => i.Key));
            }

            open[ending].Dispose();
            ended.Add(ending);
            for (int i = 0; i < 4; i++)
                Epoch.TryAdvance();
        }
    }

    [Fact]
    public void What_snapshots_kept_goes_back_when_they_end()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Name = nameof(What_snapshots_kept_goes_back_when_they_end) });
        using Collection<Item> items = Fill(Rows, manager);
        MemoryUsage before = items.MemoryUsage;
        using (Snapshot snapshot = Snapshot.Take(items))
        {
            foreach (Item row in items)
                row.Text = "some other text that needs a chunk";
            Assert.True(items.MemoryUsage.Snapshots > 0);
            Assert.True(snapshot.Bytes > 0);
            Assert.Equal(items.MemoryUsage.Mapped, items.MemoryUsage.Total);
        }

        SpinWait.SpinUntil(() => !Reclaimed(items) || items.MemoryUsage is { Snapshots: 0, RetiredBlocks: 0 }, TimeSpan.FromSeconds(10));
        Assert.Equal(0, items.MemoryUsage.Snapshots);
        Assert.Equal(before.Live, items.MemoryUsage.Live);
        Assert.Equal(items.MemoryUsage.Mapped, items.MemoryUsage.Total);
    }

    [Fact]
    public void A_group_is_seen_whole_or_not_at_all()
    {
        using Collection<Item> items = Fill(2);
        Item[] rows = [.. items];
        using ManualResetEventSlim isInside = new(), mayEnd = new();
        Task writing = Task.Run(() =>
        {
            using WriteGroup group = WriteGroup.Begin();
            rows[0].Key = 100;
            isInside.Set();
            mayEnd.Wait();
            rows[1].Key = 200;
        });
        isInside.Wait();
        TimeoutException refused = Assert.Throws<TimeoutException>(() => Snapshot.Take(new SnapshotOptions { TimeLimit = TimeSpan.FromMilliseconds(20) }, items));
        Assert.Contains("write group", refused.Message, StringComparison.Ordinal);
        Task<Snapshot> taking = Task.Run(() => Snapshot.Take(items));
        mayEnd.Set();
        writing.Wait();
        using Snapshot snapshot = taking.Result;

        Assert.Equal(300, snapshot.Of(items).Sum(i => i.Key));
    }

    [Fact]
    public void A_group_that_is_disposed_twice_ends_once()
    {
        using Collection<Item> items = Fill(2);
        Item[] rows = [.. items];
        using (WriteGroup group = WriteGroup.Begin())
        {
            rows[0].Key = 100;
            group.Dispose();
            using Snapshot between = Snapshot.Take(items);
            using (WriteGroup next = WriteGroup.Begin())
            {
                // Not the end of the next group.
                group.Dispose();
                Assert.True(WriteWindow.IsInside);
                rows[1].Key = 200;
            }

            Assert.Equal(101, between.Of(items).Sum(i => i.Key));
        }

        Assert.False(WriteWindow.IsInside);
        using Snapshot snapshot = Snapshot.Take(new SnapshotOptions { TimeLimit = TimeSpan.FromSeconds(10) }, items);
        Assert.Equal(300, snapshot.Of(items).Sum(i => i.Key));
    }

    [Fact]
    public void A_snapshot_inside_a_group_is_refused()
    {
        using Collection<Item> items = Fill(1);
        using WriteGroup group = WriteGroup.Begin();
        bool isRefused = false;
        try
        {
            Snapshot.Take(items).Dispose();
        }
        catch (InvalidOperationException)
        {
            isRefused = true;
        }

        Assert.True(isRefused);
    }

    [Fact]
    public void A_snapshot_that_keeps_too_much_is_lost_and_the_writer_goes_on()
    {
        using Collection<Item> items = Fill(Rows);
        using Snapshot snapshot = Snapshot.Take(new SnapshotOptions { MaxBytes = 1 }, items);
        Query<Item> seen = snapshot.Of(items);

        foreach (Item row in items)
            row.Key = 7;

        Assert.True(snapshot.IsLost);
        Assert.Contains("no room to keep one", Assert.Throws<SnapshotLostException>(() => seen.Sum(i => i.Key)).Message);
        Assert.Throws<SnapshotLostException>(() => seen.AsEnumerable().First());
        Assert.Throws<SnapshotLostException>(() => snapshot.Read(items.First(), r => r.Key));
        Assert.Equal(7 * Rows, items.Sum(i => i.Key));
    }

    [Fact]
    public void A_kernel_whose_snapshot_is_lost_before_its_section_begins_does_not_go_to_its_blocks()
    {
        using Collection<Item> items = Fill(Rows);
        using Snapshot snapshot = Snapshot.Take(new SnapshotOptions { MaxBytes = 1 }, items);
        Collection<Item> seen = (Collection<Item>)snapshot.Of(items);
        bool hasBegun = false;

        Assert.Throws<SnapshotLostException>(() =>
        {
            using SnapshotScope scope = SnapshotScope.Enter(seen);
            foreach (Item row in items.ToList())
                row.Key = 7;
            using CriticalSection section = CriticalSection.Enter();
            using BlockScanner scan = BlockScanner.Begin(seen, items.OpenContext().Layout.Hash, section);
            hasBegun = true;
        });

        Assert.False(hasBegun);
    }

    [Fact]
    public void A_snapshot_that_ends_after_a_collection_has_given_its_memory_back_leaves_its_strings_alone()
    {
        using MemoryManager manager = new();
        using Collection<Item> kept = Fill(1);
        Collection<Item> items = Fill(Rows, manager);
        foreach (Item row in items)
            row.Text = Long(row);
        Snapshot snapshot = Snapshot.Take(kept, items);
        foreach (Item row in items)
            row.Text = Long(row);
        items.Dispose();
        Leftovers.AreNone(manager);

        snapshot.Dispose();

        Assert.Equal(0, kept.Single().Key);

        // Too long to be shared by rows, so that the snapshot holds each.
        static string Long(Item row) => new('x', 300 + row.Key);
    }

    [Fact]
    public void A_row_of_a_collection_that_has_come_into_the_place_of_a_listed_one_is_read_as_it_is()
    {
        using MemoryManager manager = new();
        // No other test has collections of this size.
        CollectionOptions options = new() { Manager = manager, MaxRows = 3 << 20 };
        using Collection<Item> kept = Fill(1);
        Collection<Item> items = new(options);
        Add(items, 1);
        using Snapshot snapshot = Snapshot.Take(kept, items);
        items.Dispose();
        Leftovers.AreNone(manager);
        using Collection<Item> later = new(options);
        Add(later, 7);
        Item row = later.Single();

        Assert.Equal(7, snapshot.Read(row, static r => r.Key));
    }

    [Fact]
    public void A_disposed_snapshot_is_not_read()
    {
        using Collection<Item> items = Fill(1);
        Snapshot snapshot = Snapshot.Take(items);
        Query<Item> seen = snapshot.Of(items);
        snapshot.Dispose();

        Assert.Throws<ObjectDisposedException>(() => snapshot.Of(items));
        Assert.Throws<ObjectDisposedException>(() => seen.Count(i => i.Key > 0));
    }

    [Fact]
    public void A_collection_that_is_not_listed_is_refused_and_a_disposed_one_ends()
    {
        using Collection<Item> items = Fill(1), others = Fill(1);
        using Collection<Item> ending = Fill(Rows);
        using Snapshot snapshot = Snapshot.Take(items, ending);
        Query<Item> seen = snapshot.Of(ending);
        foreach (Item row in ending)
            row.Key = 1;
        ending.Dispose();

        Assert.Throws<ArgumentException>(() => snapshot.Of(others));
        Assert.Contains($"'{ending.Name}'", Assert.Throws<ObjectDisposedException>(() => seen.Sum(i => i.Key)).Message, StringComparison.Ordinal);
        Assert.Contains($"'{ending.Name}'", Assert.Throws<ObjectDisposedException>(() => Snapshot.Take(items, ending)).Message, StringComparison.Ordinal);
        Assert.Equal(0, snapshot.Of(items).Sum(i => i.Key));
    }

    [Fact]
    public void Compaction_waits_for_the_end_of_the_snapshot()
    {
        using Collection<Item> items = new(new CollectionOptions { BlockCapacity = 64, CompactionOccupancy = 0 });
        for (int i = 0; i < 640; i++)
            Add(items, i);
        items.RemoveWhere(i => i.Key % 8 != 0);
        using (Snapshot snapshot = Snapshot.Take(items))
        {
            Assert.False(items.Compact().IsComplete);
            Assert.Equal(80, snapshot.Of(items).Count(i => i.Key % 8 == 0));
        }

        Assert.True(SpinWait.SpinUntil(() => items.Compact().IsComplete, TimeSpan.FromSeconds(10)));
        Assert.Equal(80, items.Count);
    }

    [Fact]
    public void A_draft_that_a_snapshot_overtakes_becomes_a_row_of_after()
    {
        using Collection<Item> items = Fill(Rows);
        Item[] rows = [.. items];
        Snapshot? snapshot = null;
        Item added = items.AddNew(item =>
        {
            item.Key = 5000;
            Task.Run(() =>
            {
                snapshot = Snapshot.Take(items);
                foreach (Item row in rows)
                    row.Key += 1000;
            }).Wait();
            item.Text = "a text that does not fit into the word itself";
            item.Extra = 3;
        });
        using (snapshot)
        {
            Assert.Equal(Enumerable.Range(0, Rows), Keys(snapshot!, items));
            Assert.Equal((5000, "a text that does not fit into the word itself", (int?)3), (added.Key, added.Text, added.Extra));
            Assert.Equal(Rows + 1, items.Count(i => i.Key >= 1000));
        }
    }

    [Fact]
    public void A_draft_that_a_row_refers_to_is_no_row_of_the_snapshot_before_it_is_shown_or_after()
    {
        using Collection<Item> items = Fill(Rows);
        Item row = items.First(), other = items.Last();
        Snapshot? snapshot = null;
        Item added = items.AddNew(item =>
        {
            item.Key = 5000;
            row.Other = item;
            other.Other = row;
            snapshot = Task.Run(() => Snapshot.Take(items)).Result;
            // Nothing was written since: the draft is where it was.
            Assert.Equal(5000, row.Other.Key);
            SeesNoDraft();
            item.Key = 6000;
            SeesNoDraft();
        });
        using (snapshot)
        {
            SeesNoDraft();
            Assert.Equal((6000, added), (row.Other.Key, row.Other));
        }

        void SeesNoDraft()
        {
            Assert.Throws<RowRemovedException>(() => snapshot!.Read(row, r => r.Other.Key));
            Assert.Throws<RowRemovedException>(() => snapshot!.Of(items).Where(i => i.Other != default(Item)).Sum(i => i.Other.Key));
            Assert.Equal(snapshot!.Read(row, r => r.Key), snapshot.Read(other, r => r.Other.Key));
        }
    }

    [Fact]
    public void Enumerations_that_began_before_meet_every_row_once()
    {
        using Collection<Item> items = new(new CollectionOptions { BlockCapacity = 64 });
        for (int i = 0; i < 640; i++)
            Add(items, i);
        HashSet<int> met = [];
        Snapshot? snapshot = null;
        foreach (Item row in items)
        {
            Assert.True(met.Add(row.Key % 1000));
            if (met.Count % 100 != 50)
                continue;
            snapshot?.Dispose();
            snapshot = Snapshot.Take(items);
            items.Update(i => i.Key < 1000, i => i.Key += 1000);
        }

        snapshot?.Dispose();
        Assert.Equal(640, met.Count);
    }

    [Fact]
    public void Explain_says_that_indexes_are_not_consulted()
    {
        using Collection<Item> items = Fill(1);
        using Snapshot snapshot = Snapshot.Take(items);

        Assert.Contains("no index is consulted", snapshot.Of(items).Where(i => i.Key == 1).Explain(), StringComparison.Ordinal);
    }

    [Fact]
    public void Chains_on_a_snapshot_are_compiled_with_the_project()
    {
        using Collection<Item> items = Fill(Rows);
        using Snapshot snapshot = Snapshot.Take(items);
        items.Update(i => true, i => i.Key = -1);
        CountingProvider provider = new();
        QueryProvider? before = QueryProvider.Register(provider);
        try
        {
            Assert.Equal(Rows - 10, snapshot.Of(items).Where(i => i.Key >= 10).Count());
            Assert.Equal(0, provider.Runs);
        }
        finally
        {
            QueryProvider.Register(before);
        }
    }

    [Fact]
    public void Direct_references_lead_to_rows_as_they_were()
    {
        using Collection<Station> stations = new(new CollectionOptions { BlockCapacity = 64 });
        using Collection<Leg> legs = new(new CollectionOptions { BlockCapacity = 64 });
        Station[] rows = [.. Enumerable.Range(0, Rows).Select(i => stations.Add(number: i, name: TextOf(i)))];
        foreach (Station row in rows)
            legs.Add(from: row, via: null, to: row, length: row.Number);
        using Snapshot snapshot = Snapshot.Take(stations, legs);
        foreach (Station row in rows)
            row.Number += 1000;
        for (int i = 0; i < Rows; i += 2)
            stations.Remove(rows[i]);

        Assert.Equal(Rows, snapshot.Of(legs).Count(l => l.From.Number == l.Length && l.To.Number == l.Length));
        Assert.All([.. snapshot.Of(legs)], leg => Assert.True(snapshot.Read(leg, l => l.From.Number == l.Length && l.From == l.To)));
    }

    [Fact]
    public void One_query_does_not_mix_a_snapshot_and_now()
    {
        using Collection<Item> items = Fill(3);
        using Snapshot snapshot = Snapshot.Take(items);

        Assert.Throws<InvalidOperationException>(() => Query.Run<IEnumerable<Item>, IEnumerable<Item>, int>(
            snapshot.Of(items), items, static (then, now) => (from t in then join n in now on t.Key equals n.Key select t.Key).Count()));
    }

    private static bool Reclaimed(Collection<Item> items)
    {
        Epoch.TryAdvance();
        return !items.IsDisposed;
    }

    private static IEnumerable<int> Keys(Snapshot snapshot, Collection<Item> items)
    {
        List<int> byKernel = [.. snapshot.Of(items).Select(i => i.Key).ToList().Order()];
        List<int> byRun = [.. Query.Run<IEnumerable<Item>, List<int>>(snapshot.Of(items), static items => items.Select(i => i.Key).ToList()).Order()];
        List<int> byEnumeration = [];
        foreach (Item row in snapshot.Of(items))
            byEnumeration.Add(snapshot.Read(row, r => r.Key));
        byEnumeration.Sort();
        Assert.Equal(byKernel, byRun);
        Assert.Equal(byKernel, byEnumeration);
        return byKernel;
    }

    [Fact]
    public void The_end_of_the_last_snapshot_gives_spare_blocks_back_without_the_lock_that_writers_take()
    {
        // A block so large that it has a mapping of its own: where freed memory is poisoned, only whole mappings go back.
        using MemoryManager manager = new();
        using Collection<WideColumns> rows = new(new CollectionOptions { Manager = manager });
        rows.AddNew(r => r.Number = 1);
        Assert.InRange(rows.OpenContext().Layout.BlockBytes, (VirtualMemory.HugePageSize / 2) + 1, VirtualMemory.HugePageSize * 8);
        BlockVersions versions = rows.OpenContext().Versions;
        using ReturnProbe probe = new();
        using (Snapshot.Take(rows))
            Assert.True(SpinWait.SpinUntil(() => versions.Bytes > 0, TimeSpan.FromSeconds(20)), "no block was made ready");

        Assert.True(SpinWait.SpinUntil(() => versions.Bytes == 0, TimeSpan.FromSeconds(20)), "a block that was ready is still there");
        Assert.True(probe.Returns > 0);
        Assert.Equal(0, probe.ReturnsUnderLock);
    }

    private static Collection<Item> Fill(int rows, MemoryManager? manager = null)
    {
        Collection<Item> items = new(new CollectionOptions { BlockCapacity = 64, Manager = manager });
        for (int i = 0; i < rows; i++)
            Add(items, i);
        return items;
    }

    private static Item Add(Collection<Item> items, int key) => items.Add(key, TextOf(key), null, default);

    private static string TextOf(int key) => $"the text of row number {key}";

    /// <summary>Sees which memory goes back to the system while the lock of the list of snapshots is held.</summary>
    private sealed class ReturnProbe : MappingProbe, IDisposable
    {
        private int _returns;
        private int _returnsUnderLock;

        public ReturnProbe() => VirtualMemory.Probe = this;

        public int Returns => Volatile.Read(ref _returns);

        public int ReturnsUnderLock => Volatile.Read(ref _returnsUnderLock);

        public override bool Refuses(long bytes) => false;

        public override bool RefusesToDiscard(ulong address, long bytes)
        {
            Count();
            return false;
        }

        public override void Mapped(ulong address, long bytes)
        {
        }

        public override bool Keeps(ulong address, long bytes)
        {
            Count();
            return false;
        }

        public void Dispose() => VirtualMemory.Probe = null;

        private void Count()
        {
            Interlocked.Increment(ref _returns);
            if (OpenSnapshots.Lock.IsHeldByCurrentThread)
                Interlocked.Increment(ref _returnsUnderLock);
        }
    }

    private sealed class CountingProvider : QueryProvider
    {
        public int Runs { get; private set; }

        public override bool TryRun<TResult>(RecordedCall call, [System.Diagnostics.CodeAnalysis.MaybeNullWhen(false)] out TResult result)
        {
            Runs++;
            result = default;
            return false;
        }

        public override string Explain(RecordedCall call) => "";

        public override string ExplainAnalyze(RecordedCall call) => "";
    }
}
