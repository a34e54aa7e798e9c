using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Queries over a collection that shrank so much that compaction packed what its handles point to.</summary>
public sealed class PackedEntryTests : IDisposable
{
    private const int Rows = 30_000;

    private readonly Collection<Item> _items = new(new CollectionOptions { CompactionOccupancy = 0 });
    private readonly Collection<Item> _referrers = new(new CollectionOptions { CompactionOccupancy = 0 });
    private readonly List<Item> _left = [];
    private readonly List<Item> _gone = [];

    public PackedEntryTests()
    {
        Random random = new(5);
        for (int i = 0; i < Rows; i++)
        {
            Item item = _items.Add(key: i, text: "item " + i, extra: i % 7 == 0 ? null : i);
            (random.Next(20) == 0 ? _left : _gone).Add(item);
        }

        foreach (Item item in _gone)
            _items.Remove(item);
        for (int i = 0; i < 2 * _left.Count; i++)
            _referrers.Add(key: i, text: "referrer", extra: i, other: _left[i / 3]);
        long before = _items.MemoryUsage.Indirection;
        _items.Compact();
        Assert.True(!OperatingSystem.IsLinux() || _items.MemoryUsage.Indirection < before * 3 / 4, $"{before} bytes of entries, then {_items.MemoryUsage.Indirection}");
    }

    [Fact]
    public void References_lead_to_their_rows() => Agree(
        Query.Run(_referrers, 2, static (IEnumerable<Item> rows, int n) => rows.Where(r => r.Other.Key % n == 0).Select(r => new { r.Key, r.Other.Text, r.Other.Extra }).ToList()),
        _referrers.ToList().Where(r => r.Other.Key % 2 == 0).Select(r => new { r.Key, r.Other.Text, r.Other.Extra }));

    [Fact]
    public void Rows_are_grouped_by_reference() => Agree(
        Query.Run(_referrers, 0, static (IEnumerable<Item> rows, int _) => rows.GroupBy(r => r.Other).Select(g => new { g.Key, Name = g.Key.Text, N = g.Count() }).ToList()),
        _referrers.ToList().GroupBy(r => r.Other).Select(g => new { g.Key, Name = g.Key.Text, N = g.Count() }));

    [Fact]
    public void Queries_give_the_handles_that_there_were() => Agree(
        Query.Run(_items, 3, static (IEnumerable<Item> rows, int n) => rows.Where(i => i.Key % n == 0).ToList()),
        _left.Where(i => i.Key % 3 == 0));

    [Fact]
    public void Rows_that_somebody_refers_to_are_found()
    {
        List<Item> referred = Query.Run(_items, _referrers, static (IEnumerable<Item> rows, IEnumerable<Item> referrers) => rows.Where(i => referrers.Any(r => r.Other == i)).ToList());
        List<Item> others = Query.Run(_items, _referrers, static (IEnumerable<Item> rows, IEnumerable<Item> referrers) => rows.Where(i => !referrers.Any(r => r.Other == i)).ToList());
        HashSet<Item> known = [.. _referrers.ToList().Select(r => r.Other)];
        Agree(referred, _left.Where(known.Contains));
        Agree(others, _left.Where(i => !known.Contains(i)));
    }

    [Fact]
    public void Referenced_rows_are_told_apart() => Agree(
        Query.Run(_referrers, 0, static (IEnumerable<Item> rows, int least) => rows.Where(r => r.Key >= least).Select(r => r.Other).Distinct().Select(i => i.Key).ToList()),
        _referrers.ToList().Select(r => r.Other).Distinct().Select(i => i.Key));

    [Fact]
    public void A_handle_of_a_removed_row_stays_dead_and_one_of_a_later_row_is_new()
    {
        HashSet<Item> known = [.. _left, .. _gone];
        for (int i = 0; i < Rows; i++)
            Assert.True(known.Add(_items.AddNew(row => row.Key = -i)));
        Assert.All(_gone, static item => Assert.False(item.IsAlive));
        Assert.Throws<RowRemovedException>(() => _gone[0].Key);
        Assert.Equal(_left.Select(i => i.Text), _left.Select(i => "item " + i.Key));
    }

    public void Dispose()
    {
        _referrers.Dispose();
        _items.Dispose();
    }

    private static void Agree<T>(IEnumerable<T> kernel, IEnumerable<T> linq) => Assert.Equal(linq.ToList(), kernel.ToList());
}
