using System.Globalization;
using FsCheck;
using FsCheck.Fluent;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>What an ordered map does for one thread, and the few promises about several that need no schedule.</summary>
public sealed class OrderedMapTests
{
    private static OrderedMapOptions TinyChunks => new() { ChunkCapacity = 8 };

    [Fact]
    public void A_key_is_found_until_it_is_removed()
    {
        using OrderedMap<int, string> map = new();
        Assert.False(map.TryGetValue(1, out _));
        Assert.True(map.TryAdd(1, "one"));
        Assert.False(map.TryAdd(1, "uno"));
        Assert.Equal("one", map[1]);
        Assert.True(map.ContainsKey(1));
        Assert.Single(map);
        Assert.True(map.Remove(1));
        Assert.False(map.Remove(1));
        Assert.False(map.ContainsKey(1));
        Assert.Empty(map);
        Assert.Contains("'map' has no key 1", Assert.Throws<KeyNotFoundException>(() => map[1]).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_value_is_replaced_by_one_of_any_length()
    {
        using OrderedMap<string, string> map = new();
        foreach (string value in new[] { "abc", "xyz", "", new string('q', 100_000), "é" })
        {
            map["key"] = value;
            Assert.Equal(value, map["key"]);
        }
        Assert.Equal(1, map.LongCount);
    }

    [Fact]
    public void A_removal_returns_the_last_value()
    {
        using OrderedMap<long, long> map = new() { [5] = 7 };
        Assert.True(map.TryUpdate(5, 3, static (ref long value, int amount) => value += amount));
        Assert.True(map.Remove(5, out long last));
        Assert.Equal(10, last);
        Assert.False(map.Remove(5, out _));
    }

    [Fact]
    public void Keys_come_in_their_order_whatever_the_order_in_which_they_were_added()
    {
        int[] keys = [.. Enumerable.Range(-5000, 10_000)];
        foreach (int[] order in new int[][] { keys, [.. keys.Reverse()], Shuffled(keys) })
        {
            using OrderedMap<int, int> map = new(new OrderedMapOptions { ChunkCapacity = 64 });
            foreach (int key in order) map.Set(key, -key);
            Assert.Equal(keys, map.Keys);
            Assert.Equal(keys.Select(static key => -key), map.Values);
            Assert.Equal(keys.Reverse(), map.Descending().Select(static pair => pair.Key));
            Assert.Equal(keys.Length, map.Count);
        }
    }

    [Fact]
    public void Ranges_include_their_ends_or_not()
    {
        using OrderedMap<int, int> map = new(TinyChunks);
        for (int key = 0; key < 200; key += 2) map.Set(key, key);
        for (int low = -1; low < 201; low += 7)
        {
            for (int high = -2; high < 203; high += 5)
            {
                Check(map.From(low).UpTo(high), key => key >= low && key <= high);
                Check(map.After(low).Before(high), key => key > low && key < high);
                Check(map.From(low).Before(high), key => key >= low && key < high);
                Check(map.After(low).UpTo(high), key => key > low && key <= high);
            }
            Check(map.From(low), key => key >= low);
            Check(map.After(low), key => key > low);
            Check(map.UpTo(low), key => key <= low);
            Check(map.Before(low), key => key < low);
        }

        static void Check(MapRange<int, int> range, Func<int, bool> isInside)
        {
            int[] expected = [.. Enumerable.Range(0, 100).Select(static i => i * 2).Where(isInside)];
            Assert.Equal(expected, range.Select(static pair => pair.Key));
            Assert.Equal(expected.Reverse(), range.Descending().Select(static pair => pair.Key));
        }
    }

    [Fact]
    public void The_narrower_of_two_bounds_counts()
    {
        using OrderedMap<int, int> map = new() { [1] = 1, [2] = 2, [3] = 3 };
        Assert.Equal([2, 3], map.From(2).From(1).Select(static pair => pair.Key));
        Assert.Equal([3], map.From(2).After(2).Select(static pair => pair.Key));
        Assert.Equal([1, 2], map.UpTo(2).UpTo(3).Select(static pair => pair.Key));
        Assert.Equal([1], map.Before(2).UpTo(2).Select(static pair => pair.Key));
    }

    [Fact]
    public void Texts_with_long_common_prefixes_are_kept_apart()
    {
        string prefix = new('p', 40);
        string[] keys = [.. Enumerable.Range(0, 3000).Select(i => prefix + i.ToString("D6", CultureInfo.InvariantCulture) + (i % 3 == 0 ? "" : new string('\0', i % 3))).Order(StringComparer.Ordinal)];
        using OrderedMap<string, int> map = new(new OrderedMapOptions { ChunkCapacity = 32 });
        foreach (string key in Shuffled(keys)) Assert.True(map.TryAdd(key, key.Length));
        Assert.Equal(keys, map.Keys);
        foreach (string key in keys) Assert.Equal(key.Length, map[key]);
        Assert.False(map.ContainsKey(prefix));
        Assert.False(map.ContainsKey(""));
        Assert.Equal(keys[500..1501], map.From(keys[500]).UpTo(keys[1500]).Select(static pair => pair.Key));
        Assert.Equal(keys[500..1501].Reverse(), map.From(keys[500]).UpTo(keys[1500]).Descending().Select(static pair => pair.Key));
        // Bounds that share nothing with the keys, and the empty one.
        Assert.Equal(keys, map.From("").UpTo("q").Select(static pair => pair.Key));
        Assert.Empty(map.From("q"));
        Assert.Empty(map.UpTo("a").Descending());
        Assert.Empty(map.Before("").Descending());
    }

    [Fact]
    public void An_update_that_throws_leaves_the_value()
    {
        using OrderedMap<int, string> map = new() { [1] = "abc", [2] = new string('x', 5000) };
        foreach (int key in new[] { 1, 2 })
        {
            string before = map[key];
            Assert.Throws<FormatException>(() => map.TryUpdate(key, 0, static (bytes, _) =>
            {
                bytes.Clear();
                throw new FormatException();
            }));
            Assert.Throws<FormatException>(() => map.TryUpdate(key, 0, static (ref string value, int _) =>
            {
                value = "other";
                throw new FormatException();
            }));
            Assert.Throws<InvalidOperationException>(() => map.AddOrUpdate(key, 0, static (_, _) => "added", static (ref string value, int _) => value += "longer"));
            Assert.Equal(before, map[key]);
        }
    }

    [Fact]
    public void An_addition_that_throws_adds_nothing()
    {
        using OrderedMap<int, int> map = new();
        Assert.Throws<FormatException>(() => map.AddOrUpdate<int>(1, 0, static (_, _) => throw new FormatException(), static (ref int _, int _) => Assert.Fail()));
        Assert.Empty(map);
        Assert.Equal(1, map.Table.Heap.Count);
    }

    [Fact]
    public void Counting_from_several_threads_loses_nothing()
    {
        const int Threads = 4, Rounds = 2000, Keys = 7;
        using OrderedMap<int, long> map = new(TinyChunks);
        int additions = 0, functions = 0;
        Parallel.For(0, Threads, _ =>
        {
            for (int i = 0; i < Rounds * Keys; i++)
            {
                if (map.AddOrUpdate(i % Keys, 1L, static (_, n) => n, (ref long count, long n) =>
                {
                    Interlocked.Increment(ref functions);
                    count += n;
                })) Interlocked.Increment(ref additions);
            }
        });
        Assert.Equal(Keys, additions);
        Assert.Equal(Threads * Rounds * Keys - Keys, functions);
        Assert.All(map, static pair => Assert.Equal(Threads * Rounds, pair.Value));
    }

    [Fact]
    public void A_scope_shows_the_bytes_and_keeps_them()
    {
        using OrderedMap<string, byte[]> map = new() { ["a"] = [1, 2, 3] };
        using ValueScope scope = map.Read("a");
        Assert.True(scope.IsPresent);
        Assert.True(map.Remove("a"));
        Assert.Equal([1, 2, 3], scope.Bytes.ToArray());
        using ValueScope none = map.Read("a");
        Assert.False(none.IsPresent);
        Assert.True(none.Bytes.IsEmpty);
    }

    [Fact]
    public void A_scan_shows_keys_and_values_where_they_are()
    {
        using OrderedMap<string, byte[]> map = new() { ["a"] = [1], ["b"] = [2], ["c"] = [3] };
        using MapScan<string, byte[]> scan = map.After("a").Scan();
        Assert.True(scan.MoveNext());
        Assert.Equal("b", scan.Key);
        Assert.True(scan.KeyBytes.SequenceEqual("b"u8));
        using (ValueScope value = scan.Read()) Assert.Equal([2], value.Bytes.ToArray());
        Assert.True(scan.MoveNext());
        // The batch has the key, and the map has it no more.
        map.Remove("c");
        Assert.False(scan.TryGetValue(out _));
        map["c"] = [4];
        Assert.True(scan.TryGetValue(out byte[]? again));
        Assert.Equal([4], again);
        Assert.False(scan.MoveNext());
    }

    [Fact]
    public async Task An_enumeration_goes_on_behind_an_await_while_the_map_changes()
    {
        using OrderedMap<int, int> map = new(TinyChunks);
        for (int key = 0; key < 1000; key += 2) map.Set(key, key);
        List<int> seen = [];
        foreach ((int key, _) in map)
        {
            await Task.Yield();
            seen.Add(key);
            // Splits behind and before the enumeration, and removes what it has seen.
            map.Set(key + 1, 0);
            map.Set(1000 - key - 1, 0);
            map.Remove(key - 4);
        }
        Assert.Equal(seen.Order().Distinct(), seen);
        Assert.Superset(Enumerable.Range(0, 500).Select(static i => i * 2).ToHashSet(), seen.ToHashSet());
    }

    [Fact]
    public void Memory_comes_back_when_keys_are_removed_and_when_the_map_is_disposed()
    {
        using MemoryManager manager = new();
        OrderedMap<string, byte[]> map = new(new OrderedMapOptions { Manager = manager, Name = "texts" });
        for (int i = 0; i < 20_000; i++) map.Set($"key {i}", new byte[500]);
        // Chunks that were replaced wait for readers of other tests.
        Eventually(() => map.MemoryBytes == manager.MappedBytes && map.MemoryBytes <= 20_000L * 700);
        long full = map.MemoryBytes;
        Assert.InRange(full, 20_000L * 500, 20_000L * 700);
        for (int i = 0; i < 20_000; i++) map.Remove($"key {i}");
        Assert.Equal(0, map.LongCount);
        // The chunk that is left keeps a block, of an eighth of all chunks at most: while a reader of another test kept those that were replaced, 0.9 MB.
        Eventually(() =>
        {
            map.TrimExcess();
            return map.MemoryBytes <= full / 10;
        });
        Assert.NotEqual(0, map.MemoryBytes);
        map.Dispose();
        Leftovers.AreNone(manager);
        Assert.Throws<ObjectDisposedException>(() => map.ContainsKey("key 1"));
        Assert.Throws<ObjectDisposedException>(() => map.Set("key 1", []));
        Assert.Throws<ObjectDisposedException>(() => map.Count());
    }

    [Fact]
    public void A_manager_that_is_disposed_takes_its_maps_along()
    {
        MemoryManager manager = new();
        using OrderedMap<string, int> map = new(new OrderedMapOptions { Manager = manager }) { ["a"] = 1 };
        manager.Dispose();
        Assert.Throws<ObjectDisposedException>(() => map.TryGetValue("a", out _));
        Leftovers.AreNone(manager);
    }

    [Fact]
    public void Beyond_its_limit_a_map_refuses_and_stays_as_it_is()
    {
        using OrderedMap<int, byte[]> map = new(new OrderedMapOptions { Limit = 2 << 20, Name = "small" });
        int added = 0;
        OffHeapMemoryException refusal = Assert.Throws<OffHeapMemoryException>(() =>
        {
            for (; added < 100_000; added++) map.TryAdd(added, new byte[2000]);
        });
        Assert.Contains("'small'", refusal.Message, StringComparison.Ordinal);
        Assert.InRange(map.MemoryBytes, 1 << 20, 2 << 20);
        Assert.Equal(added, map.Count);
        Assert.False(map.ContainsKey(added));
        Assert.Equal(2000, map[added - 1].Length);
        for (int key = 0; key < added / 2; key++) Assert.True(map.Remove(key));
        Assert.True(map.TryAdd(added, new byte[2000]));
    }

    [Fact]
    public void A_map_reads_as_a_dictionary()
    {
        using OrderedMap<string, int> map = new() { ["b"] = 2, ["a"] = 1 };
        IReadOnlyDictionary<string, int> dictionary = map;
        Assert.Equal(["a", "b"], dictionary.Keys);
        Assert.Equal([1, 2], dictionary.Values);
        Assert.Equal(new Dictionary<string, int> { ["a"] = 1, ["b"] = 2 }, dictionary.ToDictionary());
        Assert.Throws<ArgumentNullException>(() => dictionary.ContainsKey(null!));
    }

    [Fact]
    public void Keys_of_every_kind_are_found()
    {
        Check(Enumerable.Range(0, 500).Select(static i => (i % 10, new DateOnly(2020, 1, 1).AddDays(i))));
        Check(Enumerable.Range(0, 500).Select(static i => i * 0.37m - 90));
        Check(Enumerable.Range(0, 500).Select(static i => (i % 7 == 0 ? null : $"text {i % 50}", (long)i)));
        Check(Enumerable.Range(0, 256).Select(static i => (byte)i));
        Check(Enumerable.Range(0, 500).Select(static i => Math.Sin(i)));
        Check(Enumerable.Range(-250, 500).Select(static i => i == 0 ? (int?)null : i));

        static void Check<TKey>(IEnumerable<TKey> keys)
        {
            TKey[] all = [.. keys];
            using OrderedMap<TKey, int> map = new(TinyChunks);
            for (int i = 0; i < all.Length; i++) Assert.True(map.TryAdd(all[i], i));
            for (int i = 0; i < all.Length; i++) Assert.Equal(i, map[all[i]]);
            Assert.Equal(all.Length, map.Count());
        }
    }

    [Fact]
    public void A_map_does_what_a_sorted_dictionary_does()
    {
        Gen<(int, int, int)[]> operations = Gen.Zip(Gen.Choose(0, 9), Gen.Choose(0, 60)).SelectMany(static o => Gen.Choose(0, 1000).Select(choice => (o.Item1, o.Item2, choice))).ArrayOf().Resize(300);
        Prop.ForAll(operations.ToArbitrary(), Run).Check(Config.QuickThrowOnFailure.WithMaxTest(60).WithReplay(1, 1));
    }

    private static void Run((int Kind, int Key, int Choice)[] operations)
    {
        using OrderedMap<string, string> map = new(TinyChunks);
        SortedDictionary<string, string> model = new(StringComparer.Ordinal);
        foreach ((int kind, int number, int choice) in operations)
        {
            // Prefixes of one another among the keys.
            string key = new('k', number % 20 + 1);
            if (number >= 20) key += number;
            string value = new('v', choice % 40);
            switch (kind)
            {
                case 0 or 1 or 2:
                    map[key] = value;
                    model[key] = value;
                    break;
                case 3:
                    Assert.Equal(model.TryAdd(key, value), map.TryAdd(key, value));
                    break;
                case 4 or 5:
                    bool isThere = model.Remove(key, out string? expected);
                    Assert.Equal(isThere, map.Remove(key, out string? last));
                    Assert.Equal(expected, last);
                    break;
                case 6:
                    bool isUpdated = map.TryUpdate(key, 0, static (ref string text, int _) => text = new string('u', text.Length));
                    Assert.Equal(model.ContainsKey(key), isUpdated);
                    if (isUpdated) model[key] = new string('u', model[key].Length);
                    break;
                case 7:
                    string other = new('k', choice % 25);
                    Assert.Equal(model.Where(pair => string.CompareOrdinal(pair.Key, key) >= 0 && string.CompareOrdinal(pair.Key, other) < 0), map.From(key).Before(other));
                    Assert.Equal(model.Reverse().Where(pair => string.CompareOrdinal(pair.Key, key) <= 0 && string.CompareOrdinal(pair.Key, other) > 0), map.After(other).UpTo(key).Descending());
                    break;
                case 8:
                    Epoch.TryAdvance();
                    break;
                default:
                    Assert.Equal(model.TryGetValue(key, out string? present), map.TryGetValue(key, out string? found));
                    Assert.Equal(present, found);
                    break;
            }
        }
        Assert.Equal(model, map);
        Assert.Equal(model.Count, map.Count);
    }

    // Readers of other tests hold the epoch up, and leave soon.
    private static void Eventually(Func<bool> condition) => Assert.True(SpinWait.SpinUntil(
        () =>
        {
            Epoch.TryAdvance();
            return condition();
        },
        TimeSpan.FromSeconds(60)));

    private static T[] Shuffled<T>(T[] items)
    {
        T[] shuffled = [.. items];
        new Random(1).Shuffle(shuffled);
        return shuffled;
    }
}
