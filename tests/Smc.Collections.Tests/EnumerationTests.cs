using Xunit;

namespace Smc.Collections.Tests;

public sealed class EnumerationTests
{
    private readonly Collection<Item> _items = new(new CollectionOptions { BlockCapacity = 128 });

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(128)]
    [InlineData(1000)]
    public void Every_row_comes_once(int count)
    {
        Fill(count);

        Assert.Equal(Enumerable.Range(0, count), _items.Select(i => i.Key).Order());
        Assert.Equal(count, _items.Count);
        int loops = 0;
        foreach (Item item in _items)
            loops += item.IsAlive ? 1 : 0;
        Assert.Equal(count, loops);
    }

    [Fact]
    public void A_loop_allocates_nothing()
    {
        Fill(1000);
        Assert.Equal(499_500, SumOfKeys());

        long before = GC.GetAllocatedBytesForCurrentThread();
        SumOfKeys();

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        int SumOfKeys()
        {
            int sum = 0;
            foreach (Item item in _items)
                sum += item.Key;
            return sum;
        }
    }

    [Fact]
    public void A_loop_may_remove_the_row_it_is_at()
    {
        Fill(1000);
        foreach (Item item in _items)
        {
            if (item.Key % 3 != 0)
                _items.Remove(item);
        }

        Assert.Equal(Enumerable.Range(0, 1000).Where(k => k % 3 == 0), _items.Select(i => i.Key).Order());
    }

    [Fact]
    public void A_row_removed_before_its_turn_is_skipped()
    {
        Item[] rows = Fill(300);
        List<int> seen = [];
        foreach (Item item in _items)
        {
            seen.Add(item.Key);
            if (seen.Count == 1)
            {
                foreach (Item other in rows.Where(r => r != item).Take(150).ToList())
                    _items.Remove(other);
            }
        }

        Assert.Equal(150, seen.Count);
        Assert.Equal(seen, seen.Distinct());
    }

    [Fact]
    public void A_loop_that_adds_a_row_for_each_row_ends()
    {
        Fill(300);
        int loops = 0;
        foreach (Item item in _items)
        {
            _items.Add(key: item.Key + 1000, text: "");
            loops++;
        }

        Assert.InRange(loops, 300, 300 + 128);
        Assert.Equal(300 + loops, _items.Count);
    }

    [Fact]
    public void A_loop_may_clear_and_trim()
    {
        Fill(1000);
        int loops = 0;
        foreach (Item _ in _items)
        {
            loops++;
            _items.Clear();
            _items.TrimExcess();
        }

        Assert.Equal(1, loops);
    }

    [Fact]
    public void Disposal_ends_an_enumeration_with_an_exception()
    {
        Fill(300);
        using IEnumerator<Item> rows = ((IEnumerable<Item>)_items).GetEnumerator();
        Assert.True(rows.MoveNext());
        _items.Dispose();

        Assert.Throws<ObjectDisposedException>(() =>
        {
            while (rows.MoveNext())
            {
            }
        });
    }

    [Fact]
    public void Everything_but_disposal_throws_after_disposal()
    {
        Item item = Fill(1)[0];
        _items.Dispose();
        _items.Dispose();

        Assert.True(_items.IsDisposed);
        Assert.Equal("Item", _items.Name);
        Assert.Throws<ObjectDisposedException>(() => _items.Count);
        Assert.Throws<ObjectDisposedException>(() => _items.GetEnumerator());
        Assert.Throws<ObjectDisposedException>(() => _items.Add(key: 1, text: ""));
        Assert.Throws<ObjectDisposedException>(() => _items.AddNew(_ => { }));
        Assert.Throws<ObjectDisposedException>(() => _items.Remove(item));
        Assert.Throws<ObjectDisposedException>(() => _items.Contains(item));
        Assert.Throws<ObjectDisposedException>(() => _items.RemoveWhere(_ => true));
        Assert.Throws<ObjectDisposedException>(() => _items.Clear());
        Assert.Throws<ObjectDisposedException>(() => _items.Reserve(1));
        Assert.Throws<ObjectDisposedException>(() => _items.TrimExcess());
        Assert.Throws<ObjectDisposedException>(() => _items.MemoryUsage);
        Assert.Throws<ObjectDisposedException>(() => _items.VerifyReferences());
        Assert.False(item.IsAlive);
    }

    [Fact]
    public void Rows_can_be_removed_by_condition()
    {
        Fill(500);

        Assert.Equal(250, _items.RemoveWhere(i => i.Key % 2 == 0));
        Assert.Equal(0, _items.RemoveWhere(i => i.Key % 2 == 0));
        Assert.Equal(250, _items.Count);
        Assert.All(_items, i => Assert.Equal(1, i.Key % 2));
    }

    [Fact]
    public void A_condition_that_throws_ends_the_removal_where_it_is()
    {
        Fill(10);
        int asked = 0;

        Assert.Throws<FormatException>(() => _items.RemoveWhere((Func<Item, bool>)(_ => ++asked <= 5 ? true : throw new FormatException())));

        Assert.Equal(5, _items.Count);
        Assert.Equal(5, _items.Count());
    }

    [Fact]
    public void Linq_runs_over_a_collection()
    {
        Fill(100);

        Assert.Equal(49 * 50, _items.Where(i => i.Key < 50).Sum(i => i.Key * 2));
        Assert.Equal(10, _items.GroupBy(i => i.Key / 10).Count());
        Assert.Equal(99, _items.OrderByDescending(i => i.Key).First().Key);
        Assert.Equal(100, Enumerable.ToArray((IEnumerable<Item>)_items).Length);
    }

    private Item[] Fill(int count) => [.. Enumerable.Range(0, count).Select(i => _items.Add(key: i, text: "text of " + i))];
}
