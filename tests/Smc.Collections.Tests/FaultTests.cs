using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>
/// The user's code throws in the middle of things, threads end where they stand, memory is refused. Nothing is lost, nothing stays behind,
/// counts are exact and the next operation works.
/// </summary>
/// <remarks>Alone, because the epoch can be moved on for certain only while nobody else is in a critical section.</remarks>
[Collection("Alone")]
public sealed class FaultTests : IDisposable
{
    private const string LongText = "a text that takes a chunk of its own";
    private static Collection<Item>? s_ending;
    private readonly MemoryManager _manager = new();
    private readonly Collection<Item> _items;

    public FaultTests()
    {
        _items = new Collection<Item>(new CollectionOptions { Manager = _manager, BlockCapacity = 16 });
        for (int key = 0; key < 100; key++) _items.Add(key: key, text: $"{LongText} {key}");
    }

    /// <summary>Whatever the test did, all memory comes back: no section is left open, nothing was forgotten.</summary>
    public void Dispose()
    {
        Assert.False(Epoch.IsInsideSection);
        _items.Dispose();
        _manager.TrimExcess();
        for (int i = 0; i < 3; i++) Assert.True(Epoch.TryAdvance());
        Assert.Equal(0, _manager.MappedBytes);
        _manager.Dispose();
    }

    [Fact]
    public void A_loop_that_throws_leaves_the_collection_as_it_was()
    {
        MemoryUsage before = _items.MemoryUsage;
        for (int stop = 0; stop < 100; stop += 7)
        {
            int seen = 0;
            Assert.Throws<FormatException>(() =>
            {
                foreach (Item item in _items)
                {
                    if (seen++ == stop) throw new FormatException(item.Text);
                }
            });
        }

        Assert.Equal(before, _items.MemoryUsage);
        AssertUsable();
    }

    [Fact]
    public void RemoveWhere_whose_condition_throws_has_removed_what_it_said()
    {
        int asked = 0;
        Assert.Throws<FormatException>(() => _items.RemoveWhere((Func<Item, bool>)(item => asked++ == 50 ? throw new FormatException() : item.Key % 2 == 0)));

        Assert.Equal(75, _items.Count);
        Assert.Equal(75, _items.Count());
        AssertUsable(75);
    }

    [Fact]
    public void An_initialiser_that_throws_adds_nothing_and_keeps_nothing()
    {
        MemoryUsage before = _items.MemoryUsage;
        Item draft = default;
        for (int i = 0; i < 50; i++)
        {
            Assert.Throws<FormatException>(() => _items.AddNew(item =>
            {
                draft = item;
                item.Text = LongText;
                item.Text = LongText + " again";
                throw new FormatException();
            }));
            Assert.False(draft.IsAlive);
        }

        MemoryUsage after = _items.MemoryUsage;
        Assert.Equal((before.Live, before.Indirection), (after.Live, after.Indirection));
        AssertUsable();
        // Drafts go through limbo; with their blocks their strings go, too.
        _items.Clear();
        for (int i = 0; i < 3; i++) Epoch.TryAdvance();
        Assert.Equal((0L, 0L, 0L), (_items.MemoryUsage.Live, _items.MemoryUsage.Limbo, _items.MemoryUsage.Strings));
    }

    [Fact]
    public void An_initialiser_may_throw_inside_an_initialiser()
    {
        Item outer = _items.AddNew(item =>
        {
            item.Key = 1000;
            Assert.Throws<FormatException>(() => _items.AddNew(inner =>
            {
                inner.Other = item;
                throw new FormatException();
            }));
        });

        Assert.Equal(1000, outer.Key);
        AssertUsable(101);
    }

    [Fact]
    public void A_Set_with_a_value_that_is_refused_changes_no_column()
    {
        Collection<Order> orders = new(new CollectionOptions { Manager = _manager });
        using (orders)
        {
            Order order = orders.Add(key: 1, date: new DateOnly(2024, 1, 1), total: 5m, comment: LongText);
            OrderData before = order.ToData();
            MemoryUsage usage = orders.MemoryUsage;

            Assert.ThrowsAny<Exception>(() => order.Set(key: 2, comment: LongText + " not stored", total: 1.234m));
            Assert.ThrowsAny<Exception>(() => order.Set(key: 3, comment: LongText + " not stored", state: null!));
            Assert.ThrowsAny<Exception>(() => order.Total = decimal.MaxValue);

            Assert.Equal(before, order.ToData());
            Assert.Equal(usage, orders.MemoryUsage);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(37)]
    [InlineData(99)]
    public void A_query_that_throws_leaves_no_section_and_no_memory(int key)
    {
        Assert.Throws<DivideByZeroException>(() =>
            Query.Run(_items, key, static (IEnumerable<Item> items, int key) => items.Where(i => i.Key >= 0).Sum(i => 100 / (i.Key - key))));
        Assert.False(Epoch.IsInsideSection);
        Assert.Throws<DivideByZeroException>(() =>
            Query.Run(_items, key, static (IEnumerable<Item> items, int key) =>
                items.GroupBy(i => 1000 / (i.Key - key)).Select(g => g.Sum(i => i.Key)).ToList()));
        Assert.False(Epoch.IsInsideSection);
        Assert.Throws<FormatException>(() => Query.Run(_items, key, static (IEnumerable<Item> items, int key) =>
            items.Where(i => ThrowAt(i.Key, key)).OrderBy(i => i.Text).Select(i => i.Text).ToList()));
        AssertUsable();
    }

    [Fact]
    public void A_sequence_that_throws_while_it_is_added_adds_nothing()
    {
        Assert.Throws<FormatException>(() => _items.AddRange(Broken(30)));
        Assert.Throws<ArgumentNullException>(() => _items.AddRange((ItemData[])[new ItemData { Key = 1, Text = LongText }, null!]));
        AssertUsable();

        static IEnumerable<ItemData> Broken(int after)
        {
            for (int i = 0; i < after; i++) yield return new ItemData { Key = i, Text = LongText };
            throw new FormatException();
        }
    }

    [Fact]
    public void A_thread_that_ends_in_the_middle_of_an_enumeration_holds_nothing_back()
    {
        Thread thread = new(() =>
        {
            _ = CriticalSection.Enter();
            IEnumerator<Item> items = ((IEnumerable<Item>)_items).GetEnumerator();
            for (int i = 0; i < 20; i++) Assert.True(items.MoveNext());
        });
        thread.Start();
        thread.Join();
        for (int i = 0; i < 3; i++) Assert.True(Epoch.TryAdvance());
        AssertUsable();
    }

    [Fact]
    public void Disposal_in_the_middle_of_things_ends_them_and_nothing_else()
    {
        for (int step = 0; step < 6; step++)
        {
            Collection<Item> items = new(new CollectionOptions { Manager = _manager, BlockCapacity = 16 });
            s_ending = items;
            Item kept = default;
            for (int key = 0; key < 40; key++) kept = items.Add(key: key, text: LongText);
            Action use = step switch
            {
                0 => () => items.AddNew(_ => items.Dispose()),
                1 => () => items.RemoveWhere((Func<Item, bool>)(_ => { items.Dispose(); return true; })),
                2 => () => { foreach (Item item in items) items.Dispose(); },
                3 => () => Query.Run(items, 0, static (IEnumerable<Item> rows, int least) => rows.Count(i => EndItsCollection(i.Key) >= least)),
                4 => () => items.AddRange(Ending(items)),
                _ => () => { items.Dispose(); _ = items.Count; },
            };
            Assert.Throws<ObjectDisposedException>(use);
            Assert.False(kept.IsAlive);
            Assert.Throws<RowRemovedException>(() => kept.Text);
            Assert.False(Epoch.IsInsideSection);
        }

        AssertUsable();

        static IEnumerable<ItemData> Ending(Collection<Item> items)
        {
            yield return new ItemData { Key = 1, Text = LongText };
            items.Dispose();
            yield return new ItemData { Key = 2, Text = LongText };
        }
    }

    internal static bool ThrowAt(int key, int at) => key == at ? throw new FormatException() : true;

    internal static int EndItsCollection(int key)
    {
        s_ending!.Dispose();
        return key;
    }

    /// <summary>Everything works as if nothing had happened.</summary>
    private void AssertUsable(int rows = 100)
    {
        Assert.False(Epoch.IsInsideSection);
        Assert.Equal(rows, _items.Count);
        Assert.Equal(_items.MemoryUsage.Mapped, _items.MemoryUsage.Total);
        Item added = _items.Add(key: -1, text: LongText);
        Assert.Equal(LongText, added.Text);
        added.Set(text: LongText + " twice");
        Assert.Equal(rows + 1, _items.Count());
        Assert.Equal(1, Query.Run(_items, -1, static (IEnumerable<Item> items, int key) => items.Count(i => i.Key == key)));
        Assert.True(_items.Remove(added));
        Assert.Equal(rows, _items.Count);
        Assert.Equal((_manager.MappedBytes, _manager.MappedBytes), (_manager.Usage.Mapped, _manager.Usage.Total));
    }
}
