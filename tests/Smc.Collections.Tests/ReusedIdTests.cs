using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Queries that know rows by their dense ids, over references of which some lead to removed rows whose ids other rows have now.</summary>
public sealed class ReusedIdTests : IDisposable
{
    private const int Rows = 20_000;

    private readonly Collection<Item> _items = new();
    private readonly Collection<Item> _referrers = new();
    private readonly HashSet<Item> _referred = [];

    public ReusedIdTests()
    {
        Random random = new(11);
        List<Item> items = [.. Enumerable.Range(0, Rows).Select(i => _items.Add(key: i, text: "first", extra: i))];
        foreach (Item item in items.Where(_ => random.Next(3) != 0))
            Refer(item);
        HashSet<uint> freed = [.. items.Where(i => i.Key % 2 == 0).Select(DenseId.Of)];
        foreach (Item item in items.Where(i => i.Key % 2 == 0).ToList())
            _items.Remove(item);
        // Ids are free again two epochs later; readers of other tests may hold them up.
        List<Item> later = [];
        for (int reused = 0; reused < Rows / 10; reused += freed.Contains(DenseId.Of(later[^1])) ? 1 : 0)
        {
            Assert.True(later.Count < 100 * Rows, $"{reused} of {later.Count} new rows have the id of a removed one");
            later.Add(_items.Add(key: Rows + later.Count, text: "later", extra: null));
        }

        foreach (Item item in later.Where(_ => random.Next(3) == 0))
            Refer(item);

        void Refer(Item item)
        {
            _referrers.Add(key: item.Key, text: "referrer", extra: null, other: item);
            _referred.Add(item);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Rows_that_somebody_refers_to_are_those_that_exist(int threads)
    {
        using var options = Query.Use(new QueryOptions { DegreeOfParallelism = threads, MinRowsPerThread = 1 });
        Assert.Equal(
            _items.ToList().Where(_referred.Contains).Select(i => i.Key).Order(),
            Query.Run(_items, _referrers, static (IEnumerable<Item> items, IEnumerable<Item> referrers) => items.Where(i => referrers.Any(r => r.Other == i)).Select(i => i.Key).ToList()).Order());
    }

    [Fact]
    public void Rows_that_nobody_refers_to_may_have_the_id_of_one_that_somebody_does() => Assert.Equal(
        _items.ToList().Where(i => !_referred.Contains(i)).Select(i => i.Key).Order(),
        Query.Run(_items, _referrers, static (IEnumerable<Item> items, IEnumerable<Item> referrers) => items.Where(i => !referrers.Any(r => r.Other == i)).Select(i => i.Key).ToList()).Order());

    public void Dispose()
    {
        _referrers.Dispose();
        _items.Dispose();
    }
}
