using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Groups by one integer of so many values that a map of them is worth while, on several threads: where rows of a group lie near each other and the threads divide the map, and where they do not.</summary>
public sealed class IntegerGroupsTests : IDisposable
{
    private const int RowsPerBlock = 512;
    private const int Rows = 96 * RowsPerBlock;
    private const int RowsOfOrder = 4;

    // Keys lie apart, so that there are more values than numbers of 16 bits, and not more than two for each row.
    private const int Apart = 6;
    private const int Orders = Rows / RowsOfOrder;

    private readonly Collection<OrderItem> _items = new(new CollectionOptions { BlockCapacity = RowsPerBlock });

    public void Dispose() => _items.Dispose();

    public static TheoryData<string, int> Data() => [.. from order in new[] { "near", "back", "mixed", "removed", "straddling", "from zero", "far apart" } from threads in new[] { 1, 2, 4 } select (order, threads)];

    [Theory]
    [MemberData(nameof(Data))]
    public void Groups_come_in_the_order_of_their_first_rows_with_all_of_theirs(string order, int threads)
    {
        Fill(order);
        using var options = OnThreads(threads);
        Assert.Equal(
            _items.AsEnumerable().GroupBy(i => i.Order).Select(g => (g.Key, g.Count(), g.Sum(i => i.Price), g.Max(i => i.Number))),
            _items.GroupBy(i => i.Order).Select(g => ValueTuple.Create(g.Key, g.Count(), g.Sum(i => i.Price), g.Max(i => i.Number))).ToList());
        Assert.Equal(
            _items.AsEnumerable().Where(i => i.Number % 3 != 0).GroupBy(i => i.Order).Select(g => (g.Key, g.Sum(i => (long)i.Number))),
            _items.Where(i => i.Number % 3 != 0).GroupBy(i => i.Order).Select(g => ValueTuple.Create(g.Key, g.Sum(i => (long)i.Number))).ToList());
    }

    [Theory]
    [MemberData(nameof(Data))]
    public void So_they_do_behind_a_computed_value_and_a_join(string order, int threads)
    {
        Fill(order);
        using var options = OnThreads(threads);
        Assert.Equal(
            (from i in _items.AsEnumerable() let rest = i.Number % 7 where rest * rest > 1 group i by i.Order into g select (g.Key, g.Count(), g.Sum(i => i.Price))).ToList(),
            Query.Run(_items, static (IEnumerable<OrderItem> items) =>
                (from i in items let rest = i.Number % 7 where rest * rest > 1 group i by i.Order into g select ValueTuple.Create(g.Key, g.Count(), g.Sum(i => i.Price))).ToList()));
        OrderItem[] known = [.. _items.AsEnumerable().Where(i => i.Number < 5)];
        Assert.Equal(
            (from i in _items.AsEnumerable() join k in known on i.Number % 6 equals k.Number group i by i.Order into g select (g.Key, g.Count())).ToList(),
            Query.Run(_items, static (IEnumerable<OrderItem> items) =>
                (from i in items join k in items.Where(k => k.Number < 5) on i.Number % 6 equals k.Number group i by i.Order into g select ValueTuple.Create(g.Key, g.Count())).ToList()));
    }

    [Theory]
    [MemberData(nameof(Data))]
    public void Rows_of_groups_and_distinct_values_are_those_of_linq(string order, int threads)
    {
        Fill(order);
        using var options = OnThreads(threads);
        Assert.Equal(
            _items.AsEnumerable().GroupBy(i => i.Order).Where(g => g.Count() > 2).SelectMany(g => g.Where(i => i.Number % 3 != 0)).Select(i => i.Number),
            _items.GroupBy(i => i.Order).Where(g => g.Count() > 2).SelectMany(g => g.Where(i => i.Number % 3 != 0)).Select(i => i.Number).ToList());
        Assert.Equal(
            _items.AsEnumerable().GroupBy(i => i.Order).Select(g => (g.Key, g.Select(i => i.Number % 3).Distinct().Count())),
            _items.GroupBy(i => i.Order).Select(g => ValueTuple.Create(g.Key, g.Select(i => i.Number % 3).Distinct().Count())).ToList());
        Assert.Equal(_items.AsEnumerable().Select(i => i.Order).Distinct(), _items.Select(i => i.Order).Distinct().ToList());
    }

    [Theory]
    [InlineData("near")]
    [InlineData("straddling")]
    [InlineData("mixed")]
    public void Two_threads_that_meet_find_the_groups_of_one(string order)
    {
        Fill(order);
        List<(long, int, int)> expected = [.. _items.AsEnumerable().GroupBy(i => i.Order).Select(g => (g.Key, g.Count(), g.Max(i => i.Number)))];
        using var options = OnThreads(2);
        Assert.Equal(expected, Query.Run(_items, new ParallelQueryTests.Meeting(2), static (IEnumerable<OrderItem> items, ParallelQueryTests.Meeting meeting) =>
            items.GroupBy(i => i.Order).Select(g => ValueTuple.Create(g.Key, g.Count(i => meeting.Attend(i.Number)), g.Max(i => i.Number))).ToList()));
    }

    [Theory]
    [InlineData("near", 1)]
    [InlineData("near", 2)]
    [InlineData("near", 4)]
    [InlineData("mixed", 1)]
    [InlineData("mixed", 2)]
    public void Every_row_is_in_one_group_while_rows_move_to_groups_of_other_blocks_and_to_new_ones(string order, int threads)
    {
        Fill(order);
        using var options = OnThreads(threads);
        for (int round = 0; round < 3; round++)
        {
            Mover mover = new([.. _items.AsEnumerable()], seed: round);
            List<(long Key, int Count)> groups = Query.Run(_items, mover, static (IEnumerable<OrderItem> items, Mover mover) =>
                items.GroupBy(i => i.Order).Select(g => ValueTuple.Create(g.Key, g.Count(i => mover.Move(i.Number)))).ToList());
            Assert.Equal(Rows, groups.Sum(g => g.Count));
            Assert.Equal(groups.Count, groups.Select(g => g.Key).Distinct().Count());
            groups = Query.Run(_items, mover, static (IEnumerable<OrderItem> items, Mover mover) =>
                (from i in items let isThere = mover.Move(i.Number) where isThere group i by i.Order into g select ValueTuple.Create(g.Key, g.Count())).ToList());
            Assert.Equal(Rows, groups.Sum(g => g.Count));
            Assert.Equal(groups.Count, groups.Select(g => g.Key).Distinct().Count());
        }
    }

    private static Kernels.KernelOptions.Scope OnThreads(int threads) => Query.Use(new QueryOptions { DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = true });

    private void Fill(string order)
    {
        Random random = new(order.Length);
        List<OrderItem> items = [];
        for (int i = 0; i < Rows; i++)
        {
            int near = Math.Clamp((i / RowsOfOrder) + random.Next(-2, 3), 0, Orders - 1);
            long key = order switch
            {
                "back" => Orders - 1 - near,
                // The first rows of each block belong to groups of the block before it.
                "straddling" => Math.Max(0, (i / RowsOfOrder) - (i % RowsPerBlock < 16 ? 16 : 0)),
                "mixed" => random.Next(Orders),
                _ => near,
            };
            items.Add(_items.Add(order: (key * (order == "far apart" ? 1_000_000_000 : Apart)) + (order == "from zero" ? 0 : 1), number: i, price: decimal.Round(random.Next(1, 100) / 7m, 2)));
        }

        for (int i = 0; order == "removed" && i < Rows; i += 6)
            _items.Remove(items[i]);
    }

    /// <summary>Moves rows of all blocks to other groups while a query reads them: to those of other blocks, and to keys that were never there, the word of all ones among them.</summary>
    internal sealed class Mover(OrderItem[] items, int seed)
    {
        private static readonly long[] s_new = [-1, 0, -7, long.MaxValue, long.MinValue];

        public bool Move(int number)
        {
            if (number % 101 == 0)
            {
                Random random = new(HashCode.Combine(seed, number));
                OrderItem item = items[random.Next(items.Length)];
                item.Order = random.Next(8) == 0 ? s_new[random.Next(s_new.Length)] : (random.Next(Orders) * (long)Apart) + 1;
            }

            return true;
        }
    }
}

/// <summary>An item of an order.</summary>
[Tabular]
public readonly partial struct OrderItem
{
    /// <summary>The order.</summary>
    public partial long Order { get; set; }

    /// <summary>Its number among all.</summary>
    public partial int Number { get; set; }

    /// <summary>What it costs.</summary>
    [Precision(15, 2)]
    public partial decimal Price { get; set; }
}
