using System.Text.Json;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

public sealed class AddingTests
{
    private readonly Collection<Order> _orders = new("orders");

    [Fact]
    public void Named_arguments_fill_the_row_and_defaults_the_rest()
    {
        Order order = _orders.Add(key: 7, date: new DateOnly(2024, 1, 2), total: 99.50m, comment: "first");

        Assert.Equal(
            new OrderData { Key = 7, Date = new DateOnly(2024, 1, 2), Total = 99.50m, Comment = "first", Level = 3, Rate = 0.05m, State = "new", Colour = Colour.Blue },
            order.ToData());
        Assert.Equal(1, _orders.LongCount);
    }

    [Fact]
    public void An_initialiser_finds_defaults_and_fills_the_row()
    {
        Order order = _orders.AddNew(o =>
        {
            Assert.Equal(3, o.Level);
            Assert.Equal(0.05m, o.Rate);
            Assert.Equal("new", o.State);
            Assert.Equal("", o.Comment);
            Assert.Null(o.Priority);
            o.Key = 5;
            o.Total += 2.5m;
            o.Comment = "by hand";
        });

        Assert.Equal((5L, 2.50m, "by hand"), (order.Key, order.Total, order.Comment));
    }

    [Fact]
    public void Rows_that_come_and_go_are_nothing_to_the_garbage_collector()
    {
        const int Rows = 20_000;
        // An object for each row would be 24 bytes at least. While readers of other tests are slow, places are not used again, and each new block has some objects.
        const int Most = 10 * Rows;
        // Blocks and queues grow here.
        ComeAndGo();

        // What other tests retired may be freed on this thread meanwhile, and that is not nothing: not in every round.
        long least = long.MaxValue;
        for (int round = 0; round < 8 && least > Most; round++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            ComeAndGo();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.InRange(least, 0, Most);

        void ComeAndGo()
        {
            for (int i = 0; i < Rows; i++)
            {
                Order order = _orders.Add(key: i, date: default, total: 1, comment: "too long to lie in the row itself");
                order.Total += 1;
                order.Comment = "another text that is too long for that";
                Assert.True(_orders.Remove(order));
            }
        }
    }

    [Fact]
    public void Nobody_sees_a_row_before_its_initialiser_is_done()
    {
        Order seen = default;
        Order order = _orders.AddNew(o =>
        {
            seen = o;
            Assert.True(o.IsAlive);
            Assert.Empty(_orders);
        });

        Assert.Equal(seen, order);
        Assert.Equal(order, Assert.Single(_orders));
    }

    [Fact]
    public void An_initialiser_may_link_its_row_to_others()
    {
        using Collection<Customer> customers = new();
        Order order = _orders.AddNew(o => o.Customer = customers.Add(name: "Ann", lastOrder: o));

        Assert.Equal(order, order.Customer.LastOrder);
    }

    [Fact]
    public void An_initialiser_that_throws_leaves_nothing_behind()
    {
        Order kept = _orders.AddNew(o => o.Comment = "a long comment that takes a chunk");
        long strings = _orders.MemoryUsage.Strings;
        Order draft = default;
        for (int i = 0; i < 1000; i++)
        {
            Assert.Throws<FormatException>(() => _orders.AddNew(o =>
            {
                draft = o;
                o.Comment = "another long comment that takes a chunk";
                throw new FormatException();
            }));
            Assert.False(draft.IsAlive);
        }

        Assert.Equal(kept, Assert.Single(_orders));
        Assert.Equal(1, _orders.LongCount);
        _orders.TrimExcess();
        Assert.InRange(_orders.MemoryUsage.Strings, strings, strings + (1000 * 64));
    }

    [Fact]
    public void A_row_that_its_initialiser_removed_is_not_added()
    {
        Assert.Throws<RowRemovedException>(() => _orders.AddNew(o => Assert.True(_orders.Remove(o))));

        Assert.Empty(_orders);
        Assert.Equal(0, _orders.LongCount);
    }

    [Fact]
    public void A_refused_value_adds_nothing()
    {
        Assert.Throws<ArgumentException>(() => _orders.Add(key: 1, date: default, total: 1.234m, comment: ""));
        Assert.Throws<OverflowException>(() => _orders.Add(key: 1, date: default, total: 1e20m, comment: ""));

        Assert.Equal(0, _orders.LongCount);
        Assert.Empty(_orders);
    }

    [Fact]
    public void Set_writes_all_or_nothing()
    {
        Order order = _orders.Add(key: 1, date: default, total: 1, comment: "old");

        Assert.Throws<ArgumentException>(() => order.Set(key: 2, comment: "new", total: 0.001m));
        Assert.Equal((1L, "old", 1.00m), (order.Key, order.Comment, order.Total));
        order.Set(key: 2, comment: "new", priority: 4);
        Assert.Equal((2L, "new", 1.00m, 4), (order.Key, order.Comment, order.Total, order.Priority));
        order.Set(priority: null);
        Assert.Null(order.Priority);
        Assert.Equal(2, order.Key);
    }

    [Fact]
    public void Rows_survive_a_round_trip_through_data_records()
    {
        Order first = _orders.Add(key: 1, date: new DateOnly(2024, 1, 1), total: 1.5m, comment: "one", priority: 9);
        _orders.Add(key: 2, date: new DateOnly(2024, 1, 2), total: 2.5m, comment: "two", previous: first);
        OrderData[] data = [.. _orders.Select(o => o.ToData())];

        using Collection<Order> copies = new();
        Order[] added = new Order[2];
        copies.AddRange(data, added);
        copies.AddRange(data.AsSpan());
        copies.AddRange(data.Where(d => d.Key == 1));
        copies.AddRange(data.ToList());

        Assert.Equal(7, copies.Count);
        Assert.Equal([1L, 2L], added.Select(a => a.Key));
        Assert.Equal(data, added.Select(a => a.ToData()));
    }

    [Fact]
    public void Data_records_go_through_json()
    {
        OrderData data = _orders.Add(key: 1, date: new DateOnly(2024, 1, 1), total: 1.5m, comment: "ein \"Text\"").ToData();

        string json = JsonSerializer.Serialize(data);

        Assert.Contains("\"Previous\":null", json, StringComparison.Ordinal);
        Assert.Equal(data, JsonSerializer.Deserialize<OrderData>(json));
        Assert.ThrowsAny<JsonException>(() => JsonSerializer.Deserialize<OrderData>("{\"Key\":1}"));
    }

    [Fact]
    public void A_range_with_a_refused_element_adds_nothing()
    {
        OrderData good = new() { Key = 1, Date = default, Total = 1, Comment = "" };
        OrderData[] data = [good, good with { Key = 2 }, good with { Total = 1.001m }];

        Assert.Throws<ArgumentException>(() => _orders.AddRange(data));
        Assert.Throws<ArgumentException>(() => _orders.AddRange(data.Select(d => d)));
        Assert.Throws<ArgumentNullException>(() => _orders.AddRange([good, null!]));
        Assert.Throws<ArgumentNullException>(() => _orders.AddRange((IEnumerable<OrderData>)null!));
        Assert.Throws<ArgumentException>(() => _orders.AddRange(data, new Order[1]));

        Assert.Empty(_orders);
        Assert.Equal(0, _orders.LongCount);
    }

    [Fact]
    public void A_range_that_is_read_from_the_collection_itself_is_what_was_there_when_it_began()
    {
        for (int key = 1; key <= 5; key++)
            _orders.Add(key: key, date: default, total: 1, comment: "");

        _orders.AddRange(_orders.Select(o => o.ToData()).AsEnumerable().Take(1000));
        Assert.Equal(10, _orders.Count);
        _orders.AddRange(_orders.AsEnumerable().Select(o => o.ToData()).Take(1000));
        Assert.Equal(20, _orders.Count);
        _orders.AddRange(WithDoubledKeys().Take(1000));
        Assert.Equal(40, _orders.Count);

        IEnumerable<OrderData> WithDoubledKeys()
        {
            foreach (Order order in _orders)
                yield return order.ToData() with { Key = 2 * order.Key };
        }
    }

    [Fact]
    public void A_query_that_runs_for_each_element_of_a_range_does_not_see_the_rows_of_the_range()
    {
        _orders.Add(key: 1, date: default, total: 1, comment: "");
        List<long> seen = [];

        _orders.AddRange(Elements());
        Assert.Equal([1L, 1L, 1L, 1L, 1L, 1L], seen);
        Assert.Equal(3, _orders.LongCount(o => o.Key == 1));

        IEnumerable<OrderData> Elements()
        {
            OrderData data = _orders.First().ToData();
            for (int i = 0; i < 2; i++)
            {
                seen.Add(_orders.LongCount(o => o.Key == 1));
                seen.Add(Query.Run(_orders, static orders => orders.LongCount(o => o.Key > 0)));
                seen.Add(_orders.AsParallel().LongCount());
                yield return data;
            }
        }
    }

    [Fact]
    public void Others_see_the_rows_of_a_range_while_its_elements_are_read()
    {
        long seenByOther = 0;
        OrderData data = new() { Key = 1, Date = default, Total = 1, Comment = "" };
        using (ExecutionContext.SuppressFlow())
            _orders.AddRange(Elements());

        Assert.Equal(1, seenByOther);

        IEnumerable<OrderData> Elements()
        {
            yield return data;
            Thread other = new(() => seenByOther = _orders.LongCount(o => o.Key == 1));
            other.Start();
            other.Join();
        }
    }

    [Fact]
    public void A_range_into_another_collection_sees_the_rows_of_both()
    {
        using Collection<Order> copies = new();
        _orders.Add(key: 1, date: default, total: 1, comment: "");

        copies.AddRange(Elements());
        Assert.Equal(4, _orders.Count);
        Assert.Equal(4, copies.Count);

        IEnumerable<OrderData> Elements()
        {
            for (int i = 0; i < 2; i++)
            {
                OrderData[] all = [.. _orders.Select(o => o.ToData())];
                _orders.AddRange(all.Where(_ => true));
            }

            Assert.Equal(4, _orders.AsEnumerable().Count());
            foreach (Order order in _orders)
                yield return order.ToData();
        }
    }

    [Fact]
    public void Room_for_more_rows_than_a_collection_may_have_is_refused_at_once()
    {
        long before = _orders.MemoryUsage.Total;
        Assert.Contains("MaxRows", Assert.Throws<OffHeapMemoryException>(() => _orders.Reserve(int.MaxValue)).Message);
        Assert.Equal(before, _orders.MemoryUsage.Total);
    }

    [Fact]
    public void A_collection_that_is_disposed_by_the_source_of_its_rows_says_its_name()
    {
        Assert.Contains("'orders'", Assert.Throws<ObjectDisposedException>(() => _orders.AddRange(Rows())).Message);

        IEnumerable<OrderData> Rows()
        {
            OrderData row = _orders.Add(key: 1, date: default, total: 1, comment: "one").ToData();
            yield return row;
            _orders.Dispose();
            yield return row;
        }
    }

    [Fact]
    public void Members_refuse_null_arguments()
    {
        Assert.Throws<ArgumentNullException>(() => _orders.AddNew(null!));
        Assert.Throws<ArgumentNullException>(() => _orders.RemoveWhere((Func<Order, bool>)null!));
        Assert.Throws<ArgumentNullException>(() => new Collection<Order>((CollectionOptions)null!));
        Assert.Throws<ArgumentNullException>(() => ((Collection<Order>)null!).Add(key: 1, date: default, total: 0, comment: ""));
        Assert.Throws<ArgumentOutOfRangeException>(() => _orders.Reserve(-1));
    }

    [Fact]
    public void A_type_without_the_attribute_is_refused_at_run_time_too()
    {
        Assert.Contains("Tabular", Assert.Throws<InvalidOperationException>(() => Make<Guid>()).Message);

        static Collection<T> Make<T>()
            where T : unmanaged => new();
    }
}
