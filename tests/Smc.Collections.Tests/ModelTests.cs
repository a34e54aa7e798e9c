using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Random operations on a collection and on a dictionary that says what must be there; small blocks make slots and entries come round.</summary>
public sealed class ModelTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Random_operations_agree_with_a_dictionary(int seed)
    {
        Random random = new(seed);
        using Collection<Item> items = new(new CollectionOptions { BlockCapacity = 64 });
        Dictionary<Item, Expected> model = [];
        List<Item> dead = [];
        for (int step = 0; step < 4000; step++)
        {
            RandomStep(random, items, model, dead);
            CheckCounts(items, model.Count);
            if (step % 200 == 0)
                CheckAll(items, model, dead);
        }

        CheckAll(items, model, dead);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Random_operations_in_row_layout_agree_with_a_dictionary(int seed)
    {
        Random random = new(seed);
        using Collection<RowItem> items = new(new CollectionOptions { BlockCapacity = 64 });
        Dictionary<RowItem, (int Key, string Text, int? Extra)> model = [];
        for (int step = 0; step < 4000; step++)
        {
            if (model.Count == 0 || random.Next(5) < 3)
            {
                (int Key, string Text, int? Extra) values = (step, Text(random), random.Next(2) == 0 ? null : step);
                model.Add(items.Add(key: values.Key, text: values.Text, extra: values.Extra), values);
            }
            else
            {
                RowItem row = model.Keys.ElementAt(random.Next(model.Count));
                if (random.Next(2) == 0)
                {
                    string text = Text(random);
                    row.Text = text;
                    row.Extra = text.Length % 2 == 0 ? null : text.Length;
                    model[row] = (model[row].Key, text, text.Length % 2 == 0 ? null : text.Length);
                }
                else
                {
                    Assert.True(items.Remove(row));
                    model.Remove(row);
                }
            }

            Assert.Equal(model.Count, items.Count);
        }

        Assert.Equal(model.Count, items.Count());
        Assert.All(items, row => Assert.Equal(model[row], (row.Key, row.Text, row.Extra)));
    }

    [Fact]
    public async Task Random_operations_of_four_threads_agree_with_a_dictionary_each()
    {
        using Collection<Item> items = new(new CollectionOptions { BlockCapacity = 64 });
        Dictionary<Item, Expected>[] models = [[], [], [], []];
        using CancellationTokenSource stop = new();
        Task reader = Task.Run(() => ReadUntilStopped(items, stop.Token), TestContext.Current.CancellationToken);
        await Task.WhenAll(models.Select((model, thread) => Task.Run(() =>
        {
            Random random = new(thread);
            List<Item> dead = [];
            for (int step = 0; step < 5000; step++)
                RandomStep(random, items, model, dead, keys: thread * 1_000_000);
            Assert.All(dead, d => Assert.False(d.IsAlive));
        })));
        await stop.CancelAsync();
        await reader;

        Dictionary<Item, Expected> all = models.SelectMany(m => m).ToDictionary(m => m.Key, m => m.Value);
        CheckAll(items, all, []);
        CheckCounts(items, all.Count);
    }

    [Fact]
    public async Task Of_several_threads_that_remove_a_row_one_does()
    {
        using Collection<Item> items = new();
        Item[] rows = [.. Enumerable.Range(0, 20_000).Select(i => items.Add(key: i, text: "a text too long to be inline"))];
        int[] removed = new int[4];
        await Task.WhenAll(Enumerable.Range(0, 4).Select(t => Task.Run(() =>
        {
            foreach (Item row in rows)
                removed[t] += items.Remove(row) ? 1 : 0;
        }, TestContext.Current.CancellationToken)));

        Assert.Equal(rows.Length, removed.Sum());
        Assert.Empty(items);
        Assert.Equal(0, items.LongCount);
    }

    [Fact]
    public async Task A_string_that_several_threads_write_is_always_one_of_theirs()
    {
        using Collection<Item> items = new();
        Item item = items.Add(key: 0, text: Letter(0));
        using CancellationTokenSource stop = new();
        Task[] writers = [.. Enumerable.Range(0, 3).Select(t => Task.Run(() =>
        {
            for (int i = 0; !stop.IsCancellationRequested; i++)
                item.Text = Letter(t + (i % 2 * 3));
        }, TestContext.Current.CancellationToken))];
        for (int i = 0; i < 50_000; i++)
        {
            string text = item.Text;
            Assert.True(text.Length is 5 or 50 && text.All(c => c == text[0]), text);
        }

        await stop.CancelAsync();
        await Task.WhenAll(writers);

        static string Letter(int i) => new((char)('a' + i), i % 2 == 0 ? 5 : 50);
    }

    private static void ReadUntilStopped(Collection<Item> items, CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            foreach (Item item in items)
            {
                if (item.TryRead(out ItemData? data))
                    Assert.Equal(Checksum(data.Key), int.Parse(data.Text.AsSpan(0, data.Text.IndexOf(':', StringComparison.Ordinal)), System.Globalization.CultureInfo.InvariantCulture));
            }
        }
    }

    private static void RandomStep(Random random, Collection<Item> items, Dictionary<Item, Expected> model, List<Item> dead, int keys = 0)
    {
        int action = random.Next(100);
        if (model.Count == 0 || action < 45)
            Add(random, items, model, keys);
        else if (action < 75)
            Remove(random, items, model, dead);
        else if (action < 98)
            Update(random, model);
        else
            dead.RemoveAll(d => { Assert.False(d.IsAlive); return true; });
    }

    private static void Add(Random random, Collection<Item> items, Dictionary<Item, Expected> model, int keys)
    {
        int key = keys + random.Next(1_000_000);
        Expected values = new(key, Checksum(key) + ":" + Text(random), random.Next(2) == 0 ? null : random.Next(), model.Keys.FirstOrDefault());
        Item item = random.Next(4) == 0
            ? items.AddNew(i => i.Set(key: values.Key, text: values.Text, extra: values.Extra, other: values.Other))
            : items.Add(key: values.Key, text: values.Text, extra: values.Extra, other: values.Other);
        Assert.True(model.TryAdd(item, values));
    }

    private static void Remove(Random random, Collection<Item> items, Dictionary<Item, Expected> model, List<Item> dead)
    {
        Item item = model.Keys.ElementAt(random.Next(model.Count));
        Assert.True(items.Remove(item));
        Assert.False(items.Remove(item));
        model.Remove(item);
        dead.Add(item);
    }

    private static void Update(Random random, Dictionary<Item, Expected> model)
    {
        Item item = model.Keys.ElementAt(random.Next(model.Count));
        Expected old = model[item];
        Expected now = old with { Text = Checksum(old.Key) + ":" + Text(random), Extra = random.Next(3) == 0 ? null : random.Next() };
        item.Text = now.Text;
        item.Extra = now.Extra;
        model[item] = now;
    }

    private static string Text(Random random) => new('x', random.Next(4) == 0 ? random.Next(300) : random.Next(12));

    private static int Checksum(int key) => unchecked(key * 31) & 0xFFFF;

    private static void CheckCounts(Collection<Item> items, int expected)
    {
        Assert.Equal(expected, items.Count);
        MemoryUsage usage = items.MemoryUsage;
        Assert.Equal(usage.Mapped, usage.Live + usage.Limbo + usage.Free + usage.Strings + usage.RetiredStrings + usage.RetiredBlocks + usage.Indirection + usage.Headers + usage.Regions);
        Assert.Equal((long)expected * CollectionAccess.Context(items).Layout.BytesPerRow, usage.Live);
    }

    private static void CheckAll(Collection<Item> items, Dictionary<Item, Expected> model, List<Item> dead)
    {
        HashSet<Item> seen = [];
        foreach (Item item in items)
        {
            Assert.True(seen.Add(item));
            Assert.True(items.Contains(item));
            Expected expected = model[item];
            Assert.Equal((expected.Key, expected.Text, expected.Extra, expected.Other), (item.Key, item.Text, item.Extra, item.Other));
        }

        Assert.Equal(model.Count, seen.Count);
        Assert.All(dead, d => Assert.False(d.IsAlive));
        ScanAgrees(items, model.Count);
    }

    private static void ScanAgrees(Collection<Item> items, int expected)
    {
        int rows = 0;
        using BlockScanner scan = BlockScanner.Begin(items, CollectionAccess.Context(items).Layout.Hash);
        while (scan.MoveNext())
        {
            int inBlock = RowBitmap.Count(scan.Validity, scan.SlotCount);
            Assert.Equal(scan.IsDense, inBlock == scan.SlotCount);
            rows += inBlock;
        }

        Assert.Equal(expected, rows);
    }

    private sealed record Expected(int Key, string Text, int? Extra, Item Other);
}
