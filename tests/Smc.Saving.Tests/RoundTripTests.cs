using Smc.Collections;
using Smc.Collections.Tests;
using Smc.Memory;
using Xunit;

namespace Smc.Saving.Tests;

/// <summary>What is saved is there after a load: every type of column, in both layouts, with the references between collections.</summary>
public sealed class RoundTripTests : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly SavedFile _file = new();

    public void Dispose()
    {
        _file.Dispose();
        _manager.Dispose();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public void Every_column_of_a_columnar_type_comes_back(int degree)
    {
        using Collection<ColumnValues> rows = Create<ColumnValues>();
        Random random = new(7);
        for (int i = 0; i < 3000; i++)
            rows.AddNew(row => Values.Fill(row, random));
        Assert.Equal(3000, Database.Save(_file.Path, new SaveOptions { DegreeOfParallelism = degree }, rows).Rows);
        using Database loaded = Load(degree, RowType.Of<ColumnValues>());
        Assert.Equal(rows.ToList().Select(row => row.ToData()), loaded.Get<ColumnValues>().ToList().Select(row => row.ToData()));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public void Every_column_of_a_row_type_comes_back(int degree)
    {
        using Collection<RowValues> rows = Create<RowValues>();
        Random random = new(8);
        for (int i = 0; i < 3000; i++)
            rows.AddNew(row => Values.Fill(row, random));
        Database.Save(_file.Path, rows);
        using Database loaded = Load(degree, RowType.Of<RowValues>());
        Assert.Equal(rows.ToList().Select(row => row.ToData()), loaded.Get<RowValues>().ToList().Select(row => row.ToData()));
    }

    [Fact]
    public void References_lead_to_the_same_rows_also_in_circles()
    {
        (Collection<Order> orders, Collection<Customer> customers) = Shop(500, gaps: true);
        Database.Save(_file.Path, orders, customers);
        using Database loaded = Load(2, RowType.Of<Customer>());
        Assert.Equal(Text(orders), Text(loaded.Get<Order>()));
        Assert.Equal(customers.ToList().Select(Text), loaded.Get<Customer>().ToList().Select(Text));
        Assert.Empty(loaded.Get<Order>().VerifyReferences());
    }

    [Fact]
    public void Direct_references_come_back_as_direct_references()
    {
        using Collection<Station> stations = Create<Station>();
        using Collection<Leg> legs = Create<Leg>();
        Station[] all = [.. Enumerable.Range(0, 300).Select(i => stations.Add(number: i, name: $"station number {i}"))];
        for (int i = 0; i < 900; i++)
            legs.Add(from: all[i % 300], via: i % 3 == 0 ? null : all[(i * 7) % 300], to: all[(i * 11) % 300], length: i);
        Database.Save(_file.Path, stations, legs);
        using Database loaded = Load(2, RowType.Of<Leg>());
        Assert.Equal(
            legs.ToList().Select(leg => (leg.From.Number, leg.Via?.Number, leg.To.Number, leg.Length)),
            loaded.Get<Leg>().ToList().Select(leg => (leg.From.Number, leg.Via?.Number, leg.To.Number, leg.Length)));
        // Places that rows leave are noticed by direct references, so they must be known to the collection.
        loaded.Get<Station>().RemoveWhere(station => station.Number % 2 == 0);
        loaded.Get<Station>().Compact(new CompactionOptions { Occupancy = 1 });
        Assert.All(loaded.Get<Leg>().Where(leg => leg.From.IsAlive), leg => Assert.Equal(1, leg.From.Number % 2));
    }

    [Fact]
    public void Texts_come_back_shared_or_not_short_or_long_and_null()
    {
        using Collection<Item> items = Create<Item>();
        string[] few = ["", "short", "a text of more than seven bytes", "grüße aus 東京 😀", "\uD800 alone", new string('x', 300), new string('ü', 70_000)];
        for (int i = 0; i < 20_000; i++)
            items.Add(key: i, text: i % 5 == 0 ? few[i / 5 % few.Length][..Math.Min(few[i / 5 % few.Length].Length, i % 3500 == 0 ? 70_000 : 300)] : i % 2 == 0 ? $"text number {i}" : "the same for many rows", extra: i % 3 == 0 ? null : i);
        Database.Save(_file.Path, items);
        using Database loaded = Load(3, RowType.Of<Item>());
        Assert.Equal(items.ToList().Select(item => (item.Key, item.Text, item.Extra)), loaded.Get<Item>().ToList().Select(item => (item.Key, item.Text, item.Extra)));
    }

    [Fact]
    public void Queries_over_loaded_rows_skip_by_what_their_blocks_know()
    {
        using Collection<Item> items = Create<Item>();
        for (int i = 0; i < 40_000; i++)
            items.Add(key: i, text: $"group {i % 10}", extra: i % 4 == 0 ? null : i);
        Database.Save(_file.Path, items);
        using Database loaded = Load(2, RowType.Of<Item>());
        Collection<Item> rows = loaded.Get<Item>();
        Assert.Equal(items.Count(item => item.Key >= 12_345 && item.Key < 20_000), rows.Count(item => item.Key >= 12_345 && item.Key < 20_000));
        Assert.Equal(items.Count(item => item.Text == "group 3"), rows.Count(item => item.Text == "group 3"));
        Assert.Equal(items.Where(item => item.Extra > 30_000).Sum(item => item.Key), rows.Where(item => item.Extra > 30_000).Sum(item => item.Key));
        // And they go on living as other rows do.
        rows.RemoveWhere(item => item.Key % 3 == 0);
        for (int i = 0; i < 1000; i++)
            rows.Add(key: 100_000 + i, text: "new");
        Assert.Equal(1000, rows.Count(item => item.Key >= 100_000));
    }

    [Fact]
    public void Indexes_are_there_again_those_of_the_type_and_those_that_were_created()
    {
        using Collection<Shop> shops = Create<Shop>("Shops");
        for (int i = 0; i < 1000; i++)
            shops.Add(id: i, email: i % 2 == 0 ? $"shop{i}@example.org" : null, town: $"Town {i % 20}", number: i);
        shops.CreateIndex(shop => shop.Number, "by number");
        shops.CreateUniqueIndex(shop => ValueTuple.Create(shop.Number, shop.Town));
        Database.Save(_file.Path, shops);
        using Database loaded = Load(2, RowType.Of<Shop>());
        Collection<Shop> rows = loaded.Get<Shop>("Shops");
        Assert.Equal(500, rows.GetUniqueIndex(shop => shop.Id).Find(500).Number);
        Assert.Equal(10, rows.GetIndex(shop => shop.Number).Range(10, 19).Count());
        Assert.Equal(3, rows.GetUniqueIndex(shop => ValueTuple.Create(shop.Number, shop.Town)).Find((3, "Town 3")).Id);
        Assert.Equal("Shops.Id", Assert.Throws<DuplicateKeyException>(() => rows.Add(id: 3, town: "A", number: 5000)).IndexName);
        Assert.Throws<DuplicateKeyException>(() => rows.Add(id: 5000, town: "Town 3", number: 3));
    }

    [Fact]
    public void A_collection_without_rows_comes_back_without_rows()
    {
        using Collection<Item> items = Create<Item>("none");
        Database.Save(_file.Path, items);
        using Database loaded = Load(2, RowType.Of<Item>());
        Assert.Equal(0, loaded.Get<Item>("none").LongCount);
        loaded.Get<Item>().Add(key: 1, text: "first");
        Assert.Equal(1, loaded.Get<Item>().LongCount);
    }

    [Fact]
    public void Several_collections_of_one_type_refer_to_each_other()
    {
        using Collection<Item> left = Create<Item>("left");
        using Collection<Item> right = Create<Item>("right");
        for (int i = 0; i < 100; i++)
        {
            Item a = left.Add(key: i, text: "left");
            Item b = right.Add(key: 1000 + i, text: "right", other: a);
            a.Other = b;
        }

        Database.Save(_file.Path, left, right);
        using Database loaded = Load(2, RowType.Of<Item>());
        Assert.All(loaded.Get<Item>("left"), item => Assert.Equal((item.Key + 1000, "right"), (item.Other.Key, item.Other.Text)));
        Assert.All(loaded.Get<Item>("right"), item => Assert.Equal(item.Key - 1000, item.Other.Key));
        Assert.Contains("Name one of them", Assert.Throws<InvalidOperationException>(() => loaded.Get<Item>()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Streams_carry_the_same_bytes_also_without_seeking_and_one_after_the_other()
    {
        (Collection<Order> orders, Collection<Customer> customers) = Shop(200, gaps: false);
        using MemoryStream stream = new();
        await Database.SaveAsync(stream, orders, customers);
        Database.Save(stream, orders, customers);
        stream.Position = 0;
        using Stream forward = new ForwardStream(stream);
        using Database first = Database.Load(forward, new LoadOptions { Manager = _manager }, RowType.Of<Order>());
        using Database second = await Database.LoadAsync(forward, new LoadOptions { Manager = _manager }, RowType.Of<Order>());
        Assert.Equal(Text(orders), Text(first.Get<Order>()));
        Assert.Equal(Text(orders), Text(second.Get<Order>()));
        Assert.Equal(stream.Length, stream.Position);
    }

    [Fact]
    public async Task Progress_ends_at_one_and_at_the_last_byte()
    {
        using Collection<Item> items = Create<Item>();
        for (int i = 0; i < 100; i++)
            items.Add(key: i, text: "x");
        Progress progress = new();
        await Database.SaveAsync(_file.Path, new SaveOptions { Progress = progress }, items);
        Assert.Equal(new DatabaseProgress(1, new FileInfo(_file.Path).Length), progress.Last);
        using Database loaded = await Database.LoadAsync(_file.Path, new LoadOptions { Progress = progress, Manager = _manager }, RowType.Of<Item>());
        Assert.Equal(new DatabaseProgress(1, new FileInfo(_file.Path).Length), progress.Last);
    }

    private Collection<T> Create<T>(string? name = null)
        where T : unmanaged => new(new CollectionOptions { Manager = _manager, Name = name });

    private Database Load(int degree, RowType type) => Database.Load(_file.Path, new LoadOptions { DegreeOfParallelism = degree, Manager = _manager }, type);

    private (Collection<Order> Orders, Collection<Customer> Customers) Shop(int count, bool gaps)
    {
        Collection<Order> orders = Create<Order>();
        Collection<Customer> customers = Create<Customer>();
        Order previous = default;
        for (int i = 0; i < count; i++)
        {
            Customer customer = customers.Add(name: $"customer number {i}");
            Order order = orders.Add(key: i, customer: customer, date: new DateOnly(2020, 1, 1).AddDays(i), total: i * 1.25m, comment: $"comment {i % 7}", priority: i % 2 == 0 ? null : i, previous: previous, next: i % 3 == 0 ? previous : null);
            customer.LastOrder = order;
            previous = order;
        }

        if (gaps)
        {
            foreach (Order order in orders.Where(order => order.Key % 5 == 0).ToList())
            {
                foreach (Order other in orders)
                {
                    if (other.Previous == order)
                        other.Previous = default;
                    if (other.Next == order)
                        other.Next = null;
                }

                Customer customer = order.Customer;
                customer.LastOrder = default;
                orders.Remove(order);
            }
        }

        return (orders, customers);
    }

    private static List<string> Text(IEnumerable<Order> orders) =>
    [
        .. orders.Select(order => $"{order.Key} {order.Customer.Name} {order.Date} {order.Total} {order.Comment} {order.Priority} {KeyOf(order.Previous)} {(order.Next is { } next ? next.Key : null)} {order.Level} {order.Rate} {order.State} {order.Colour}"),
    ];

    private static long? KeyOf(Order order) => order.IsNull ? null : order.Key;

    private static string Text(Customer customer) => $"{customer.Name} {KeyOf(customer.LastOrder)}";

    private sealed class Progress : IProgress<DatabaseProgress>
    {
        public DatabaseProgress Last { get; private set; }

        public void Report(DatabaseProgress value) => Last = value;
    }
}
