using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Compaction as users of a collection meet it.</summary>
public sealed class CompactionTests
{
    private const string LongText = "a text that is too long to lie in the row";

    [Fact]
    public void Handles_values_nulls_and_references_survive()
    {
        using Collection<Item> items = Sparse(out List<Item> left);
        CompactionResult result = items.Compact();
        Assert.True(result.IsComplete);
        Assert.Equal(left.Count, result.RowsMoved);
        Assert.All(left, AssertItem);
        Assert.Equal(left.ToHashSet(), items.ToHashSet());
    }

    [Fact]
    public void The_row_layout_survives()
    {
        using Collection<RowItem> items = new(new CollectionOptions { BlockCapacity = 64, CompactionOccupancy = 0 });
        RowItem[] all = [.. Enumerable.Range(0, 640).Select(i => items.Add(key: i, text: LongText + i, extra: i % 3 == 0 ? null : i))];
        for (int i = 0; i < all.Length; i++)
        {
            if (i % 10 != 0)
                items.Remove(all[i]);
        }

        Assert.Equal(64, items.Compact().RowsMoved);
        for (int i = 0; i < all.Length; i += 10)
            Assert.Equal((i, LongText + i, i % 3 == 0 ? null : (int?)i), (all[i].Key, all[i].Text, all[i].Extra));
    }

    [Fact]
    public void A_loop_sees_every_row_once_while_it_compacts_and_writes()
    {
        using Collection<Item> items = Sparse(out List<Item> left);
        HashSet<Item> seen = [];
        foreach (Item item in items)
        {
            Assert.True(seen.Add(item));
            if (seen.Count % 16 == 1)
                items.Compact();
            item.Extra = -item.Key;
            item.Text = "changed " + item.Key;
        }

        Assert.Equal(left.ToHashSet(), seen);
        Assert.All(left, item => Assert.Equal((-item.Key, "changed " + item.Key), (item.Extra, item.Text)));
    }

    [Fact]
    public void Rows_removed_in_a_loop_that_compacts_are_gone()
    {
        using Collection<Item> items = Sparse(out List<Item> left);
        long removed = items.RemoveWhere((Func<Item, bool>)(item =>
        {
            if (item.Key % 100 == 0)
                items.Compact();
            return item.Key % 20 == 0;
        }));
        Assert.Equal(left.Count / 2, removed);
        Assert.Equal(left.Count - removed, items.LongCount);
        Assert.All(items, item => Assert.NotEqual(0, item.Key % 20));
    }

    [Fact]
    public async Task CompactAsync_moves_rows_on_another_thread()
    {
        using Collection<Item> items = Sparse(out List<Item> left);
        CompactionResult result = await items.CompactAsync(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken);
        Assert.Equal((left.Count, true), ((int)result.RowsMoved, result.IsComplete));
    }

    [Fact]
    public async Task Cancelled_it_leaves_the_rows_and_throws()
    {
        using Collection<Item> items = Sparse(out List<Item> left);
        using CancellationTokenSource cancelled = new();
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => items.CompactAsync(cancellationToken: cancelled.Token));
        Assert.Throws<OperationCanceledException>(() => items.Compact(cancellationToken: cancelled.Token));
        Assert.Equal(left.Count, items.Count);
    }

    [Fact]
    public void Blocks_of_a_higher_occupancy_are_moved_if_the_caller_says_so()
    {
        using Collection<Item> items = new(new CollectionOptions { BlockCapacity = 64 });
        for (int i = 0; i < 640; i++)
            items.Add(key: i, text: "t");
        items.RemoveWhere(item => item.Key % 2 == 0);
        Assert.Equal(0, items.Compact().RowsMoved);
        Assert.True(items.Compact(new CompactionOptions { Occupancy = 0.6 }).RowsMoved > 0);
        Assert.Equal(320, items.Count);
    }

    [Fact]
    public void It_cannot_be_called_by_an_initialiser()
    {
        using Collection<Item> items = new();
        Assert.Throws<InvalidOperationException>(() => items.AddNew(item =>
        {
            item.Text = LongText;
            items.Compact();
        }));
        Assert.Empty(items);
    }

    [Fact]
    public void A_disposed_collection_is_not_compacted()
    {
        Collection<Item> items = new();
        items.Dispose();
        Assert.Throws<ObjectDisposedException>(() => items.Compact());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Random_operations_with_compactions_agree_with_a_dictionary(int seed)
    {
        Random random = new(seed);
        using Collection<Item> items = new(new CollectionOptions { BlockCapacity = 16, CompactionOccupancy = 0 });
        Dictionary<Item, (int Key, string Text, int? Extra)> model = [];
        for (int step = 0; step < 3000; step++)
        {
            Step(random, items, model);
            if (random.Next(100) == 0)
                Assert.True(Compact(items));
        }

        AssertAgree(items, model);
    }

    [Fact]
    public async Task Random_operations_of_four_threads_agree_while_another_compacts()
    {
        using Collection<Item> items = new(new CollectionOptions { BlockCapacity = 16, CompactionOccupancy = 0 });
        Dictionary<Item, (int Key, string Text, int? Extra)>[] models = [[], [], [], []];
        using CancellationTokenSource stop = new();
        Task compactor = Task.Run(() =>
        {
            while (!stop.IsCancellationRequested)
                Compact(items);
        }, TestContext.Current.CancellationToken);
        await Task.WhenAll(models.Select((model, thread) => Task.Run(() =>
        {
            Random random = new(thread);
            for (int step = 0; step < 4000; step++)
            {
                Step(random, items, model);
                if (step % 500 == 0)
                    Assert.Superset(model.Keys.ToHashSet(), items.ToHashSet());
            }
        })));
        await stop.CancelAsync();
        await compactor;
        AssertAgree(items, models.SelectMany(model => model).ToDictionary());
    }

    private static bool Compact(Collection<Item> items) =>
        CollectionAccess.Context(items).Compaction.Run(new CompactionOptions { Occupancy = 0.7, TimeLimit = TimeSpan.FromSeconds(10) }).IsComplete;

    private static void Step(Random random, Collection<Item> items, Dictionary<Item, (int Key, string Text, int? Extra)> model)
    {
        int action = random.Next(100);
        (int Key, string Text, int? Extra) values = (random.Next(), new string('x', random.Next(60)), random.Next(2) == 0 ? null : random.Next());
        if (model.Count == 0 || action < 40)
        {
            model.Add(items.Add(key: values.Key, text: values.Text, extra: values.Extra), values);
            return;
        }

        Item row = model.Keys.ElementAt(random.Next(model.Count));
        Assert.Equal(model[row], (row.Key, row.Text, row.Extra));
        if (action < 75)
        {
            Assert.True(items.Remove(row));
            model.Remove(row);
        }
        else
        {
            row.Set(key: values.Key, text: values.Text, extra: values.Extra);
            model[row] = values;
        }
    }

    private static void AssertAgree(Collection<Item> items, Dictionary<Item, (int Key, string Text, int? Extra)> model)
    {
        Assert.Equal(model.Count, items.Count);
        Assert.Equal(model.Keys.ToHashSet(), items.ToHashSet());
        Assert.All(model, row => Assert.Equal(row.Value, (row.Key.Key, row.Key.Text, row.Key.Extra)));
        MemoryUsage usage = items.MemoryUsage;
        Assert.Equal(usage.Mapped, usage.Total);
    }

    /// <summary>Ten blocks of 64 slots, of which one row in ten is left.</summary>
    private static Collection<Item> Sparse(out List<Item> left)
    {
        Collection<Item> items = new(new CollectionOptions { BlockCapacity = 64, CompactionOccupancy = 0 });
        left = [];
        for (int i = 0; i < 640; i++)
        {
            Item item = items.Add(key: i, text: LongText + i, extra: i % 3 == 0 ? null : i, other: left.LastOrDefault());
            if (i % 10 == 0)
                left.Add(item);
        }

        HashSet<Item> stay = [.. left];
        items.RemoveWhere(item => !stay.Contains(item));
        return items;
    }

    private static void AssertItem(Item item, int index)
    {
        Assert.Equal((index * 10, LongText + (index * 10)), (item.Key, item.Text));
        Assert.Equal(index * 10 % 3 == 0 ? null : (int?)(index * 10), item.Extra);
        if (index > 0)
            Assert.Equal((index - 1) * 10, item.Other.Key);
        else
            Assert.True(item.Other.IsNull);
    }
}
