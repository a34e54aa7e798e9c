using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Maps that keep the rows of their keys while these are retired. Alone, because a scan makes writers of all collections look closer.</summary>
[Collection("Alone")]
public sealed class RootMapTests
{
    [Fact]
    public void A_map_keeps_the_rows_of_its_keys_and_what_they_refer_to()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        using RootMap<string, Node> map = Map<string>(manager);
        Node row = Add(nodes, 1), next = Add(nodes, 2);
        row.Left = next;
        map["a"] = row;
        nodes.RetireWhere(static _ => true);

        Assert.Equal(0, manager.CollectRetired().Removed);
        Assert.Equal("2", map["a"].Left!.Value.Text);

        Assert.True(map.Remove("a", out Node last));
        Assert.Equal(row, last);
        Assert.Equal(2, manager.CollectRetired().Removed);
    }

    [Fact]
    public void A_row_goes_when_its_key_has_another_or_the_map_is_disposed()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        RootMap<int, Node> map = Map<int>(manager);
        Node one = Add(nodes, 1), two = Add(nodes, 2), three = Add(nodes, 3);
        nodes.RetireWhere(static _ => true);
        Assert.True(map.TryAdd(1, one));
        Assert.False(map.TryAdd(1, two));
        map.Set(2, two);
        map.Set(3, three);
        map.Set(2, three);
        Assert.False(map.TryUpdate(1, three, comparison: two));
        Assert.True(map.TryUpdate(1, three, comparison: one));

        Assert.Equal(2, manager.CollectRetired().Removed);
        Assert.Equal((false, false, true), (one.IsAlive, two.IsAlive, three.IsAlive));

        map.Dispose();
        Assert.Equal(1, manager.CollectRetired().Removed);
        Assert.Throws<ObjectDisposedException>(() => map.ContainsKey(1));
        Assert.Throws<ObjectDisposedException>(() => map.Set(1, Add(nodes, 4)));
    }

    [Fact]
    public void Rows_that_are_gone_null_or_of_another_manager_are_refused_and_nothing_changes()
    {
        using MemoryManager manager = new(), other = new();
        using Collection<Node> nodes = Nodes(manager), strangers = Nodes(other);
        using RootMap<int, Node> map = Map<int>(manager);
        Node kept = Add(nodes, 1), removed = Add(nodes, 2), reclaimed = Add(nodes, 3);
        map.Set(1, kept);
        nodes.Remove(removed);
        nodes.Retire(reclaimed);
        manager.CollectRetired();

        Assert.Throws<RowRemovedException>(() => map.Set(1, removed));
        Assert.Throws<RowRemovedException>(() => map.TryAdd(2, reclaimed));
        Assert.Throws<RowRemovedException>(() => map.TryUpdate(1, reclaimed, kept));
        Assert.Throws<NullReferenceException>(() => map.Set(1, default));
        Assert.Throws<ArgumentException>(() => map.Set(1, Add(strangers, 1)));
        Assert.Throws<KeyNotFoundException>(() => map[2]);
        Assert.False(map.TryUpdate(1, kept, default));
        Assert.Throws<InvalidOperationException>(() => new RootMap<int, long>());

        Assert.Equal([new KeyValuePair<int, Node>(1, kept)], map);
    }

    [Fact]
    public void Remove_of_a_row_leaves_a_handle_that_reads_as_removed()
    {
        using MemoryManager manager = new();
        Collection<Node> nodes = Nodes(manager);
        using RootMap<int, Node> map = Map<int>(manager);
        map.Set(1, Add(nodes, 1));
        map.Set(2, Add(nodes, 2));

        nodes.Remove(map[1]);

        Assert.Equal((2L, false, true), (map.LongCount, map[1].IsAlive, map[2].IsAlive));
        Node next = Add(nodes, 1);
        nodes.Retire(next);
        Assert.Equal(1, manager.CollectRetired().Removed);
        nodes.Dispose();
        Assert.False(map[2].IsAlive);
        Assert.Equal(0, manager.CollectRetired().Candidates);
    }

    [Fact]
    public void A_row_that_is_put_into_a_map_while_a_scan_is_at_work_stays()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        using RootMap<int, Node> map = Map<int>(manager);
        Node row = Add(nodes, 1), next = Add(nodes, 2), lost = Add(nodes, 3);
        row.Right = next;
        for (int i = 10; i < 500; i++)
            Add(nodes, i);
        nodes.RetireWhere(static n => n.Number < 10);
        bool isPut = false;

        // Told after the first piece, when the map has been read.
        ScanResult result = manager.CollectRetired(progress: new Told(() =>
        {
            if (!isPut)
                map.Set(1, row);
            isPut = true;
        }));

        Assert.Equal((3L, 1L), (result.Candidates, result.Removed));
        Assert.Equal((true, true, false), (row.IsAlive, next.IsAlive, lost.IsAlive));
    }

    [Fact]
    public void A_scan_ends_when_a_map_is_disposed_meanwhile_and_gives_up_in_a_map_when_told()
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        using RootMap<int, Node> map = Map<int>(manager);
        for (int i = 0; i < 300; i++)
            map.Set(i, Add(nodes, i));
        nodes.RetireWhere(static _ => true);

        ScanResult ended = manager.CollectRetired(timeLimit: TimeSpan.Zero);
        Assert.False(ended.IsComplete);
        Assert.Equal(0, manager.CollectRetired().Removed);
        Task<ScanResult> scan = manager.CollectRetiredAsync(cancellationToken: TestContext.Current.CancellationToken);
        map.Dispose();

        Assert.True(scan.Result.Removed is 0 or 300);
        Assert.True(scan.Result.IsComplete);
        manager.CollectRetired();
        Assert.Equal(0, nodes.RetiredCount);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void A_map_does_what_a_sorted_dictionary_does(int seed)
    {
        Random random = new(seed);
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        using RootMap<int, Node> map = Map<int>(manager);
        SortedDictionary<int, Node> model = [];
        Node[] rows = [.. Enumerable.Range(0, 30).Select(i => Add(nodes, i))];
        nodes.RetireWhere(static _ => true);
        for (int i = 0; i < 3000; i++)
        {
            int key = random.Next(-60, 60);
            Node row = rows[random.Next(rows.Length)], other = rows[random.Next(rows.Length)];
            bool has = model.TryGetValue(key, out Node present);
            switch (random.Next(4))
            {
                case 0:
                    map[key] = row;
                    model[key] = row;
                    break;
                case 1:
                    Assert.Equal(!has, map.TryAdd(key, row));
                    model.TryAdd(key, row);
                    break;
                case 2:
                    Assert.Equal(has && present.Equals(other), map.TryUpdate(key, row, other));
                    if (has && present.Equals(other))
                        model[key] = row;
                    break;
                default:
                    Assert.Equal(has, map.Remove(key));
                    model.Remove(key);
                    break;
            }

            Assert.Equal(model.TryGetValue(key, out present), map.TryGetValue(key, out Node found));
            Assert.Equal(present, found);
        }

        Assert.Equal(model, map);
        Assert.Equal((model.Count, (long)model.Count), (map.Count, map.LongCount));
        Assert.Equal(model.Keys, map.Keys);
        Assert.Equal(model.Values, map.Values);
        Assert.Equal(model.Where(static p => p.Key is >= -10 and < 20), map.From(-10).Before(20).UpTo(40).After(-30));
        Assert.Equal(model.Where(static p => p.Key is > -10 and <= 20).Reverse(), map.After(-10).UpTo(20).Descending());
        Assert.Equal(model.Reverse().Select(static p => p.Key), map.Descending().Select(static p => p.Key));
        Assert.True(map.MemoryBytes > 0);
    }

    [Fact]
    public async Task What_a_key_has_is_whole_while_threads_put_and_take_and_scans_are_at_work()
    {
        const int Writers = 3, Keys = 40;
        using MemoryManager manager = new();
        using Collection<Node> nodes = Nodes(manager);
        using RootMap<int, Node> map = Map<int>(manager);
        long scans = 0, removed = 0;
        bool isOver = false;
        Task scanner = Task.Run(
            () =>
            {
                while (!Volatile.Read(ref isOver))
                {
                    removed += manager.CollectRetired().Removed;
                    scans++;
                }
            },
            TestContext.Current.CancellationToken);

        await Task.WhenAll(Enumerable.Range(0, Writers).Select(writer => Task.Run(() => Write(writer))));
        Volatile.Write(ref isOver, true);
        await scanner;

        Assert.True(scans > 0);
        manager.CollectRetired();
        Assert.Equal(map.Count, nodes.RetiredCount);
        Assert.All(map, static pair => Assert.Equal(pair.Value.Number.ToString(System.Globalization.CultureInfo.InvariantCulture), pair.Value.Text));
        GC.KeepAlive(removed);

        void Write(int writer)
        {
            Random random = new(writer);
            for (int i = 0; i < 6000; i++)
            {
                // The keys of one writer, so that what it put is there until it takes it.
                int key = (random.Next(Keys) * Writers) + writer;
                if (map.TryGetValue(key, out Node row))
                {
                    Assert.Equal(row.Number.ToString(System.Globalization.CultureInfo.InvariantCulture), row.Text);
                    map.Remove(key);
                    // Back again from a variable: there, or gone by now.
                    if (random.Next(2) == 0 && Record.Exception(() => map.Set(key, row)) is { } refused)
                        Assert.IsType<RowRemovedException>(refused);
                }
                else
                {
                    Node added = Add(nodes, (i * Writers) + writer);
                    map.Set(key, added);
                    Assert.True(nodes.Retire(added));
                }
            }
        }
    }

    private static Collection<Node> Nodes(MemoryManager manager) => new(new CollectionOptions { Manager = manager, BlockCapacity = 64 });

    private static RootMap<TKey, Node> Map<TKey>(MemoryManager manager) => new(new OrderedMapOptions { Manager = manager, Name = "roots", ChunkCapacity = 8 });

    private static Node Add(Collection<Node> nodes, int number) => nodes.Add(number: number, text: number.ToString(System.Globalization.CultureInfo.InvariantCulture));

    private sealed class Told(Action tell) : IProgress<ScanProgress>
    {
        public void Report(ScanProgress value) => tell();
    }
}
