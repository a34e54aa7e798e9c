using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>Data for which the fast variant of a kernel is not made: it has to notice, and the answer has to be LINQ's.</summary>
public sealed class HardData
{
    private const string Data = ShopSource.Usings + """
        namespace Shop;

        public sealed class Data : IDisposable
        {
            public readonly Collection<Customer> Customers = new();
            public readonly Collection<Order> Orders = new();
            public readonly Collection<Line> Lines = new(new CollectionOptions { BlockCapacity = 16 });
            private readonly Collection<Order> _others = new();

            public Data(string state)
            {
                Customer customer = Customers.Add(name: "c", segment: "BUILDING", rating: 1);
                Order order = Orders.Add(key: 1, customer: customer, date: new DateOnly(1995, 1, 1), priority: 1, comment: null);
                Order lonely = Orders.Add(key: 2, date: new DateOnly(1995, 1, 1), priority: 1, comment: null);
                Order dead = Orders.Add(key: 3, customer: customer, date: new DateOnly(1995, 1, 1), priority: 1, comment: null);
                Order foreign = _others.Add(key: 4, customer: customer, date: new DateOnly(1995, 1, 1), priority: 1, comment: null);
                for (int i = 0; i < 200; i++)
                    Add(order, price: i, number: i % 5);
                switch (state)
                {
                    case "huge prices": Add(order, price: 9_999_999_999_999_999.99m, number: 1); Add(order, price: -9_999_999_999_999_999.99m, number: 1); break;
                    case "huge numbers": Add(order, price: 1, number: int.MaxValue); break;
                    case "huge numbers that cancel": Add(order, price: 1, number: int.MaxValue); Add(order, price: 1, number: -2_000_000); Add(order, price: 1, number: 2_000_000); break;
                    case "a null reference": Add(default, price: 1, number: 1); break;
                    case "a null reference behind": Add(lonely, price: 1, number: 1); break;
                    case "a row of another collection": Add(foreign, price: 1, number: 1); break;
                    case "a removed reference": Add(dead, price: 1, number: 1); Orders.Remove(dead); break;
                    case "an entry used again":
                        Add(dead, price: 1, number: 1);
                        Orders.Remove(dead);
                        for (int i = 0; i < 300; i++) Orders.Remove(Orders.Add(key: 5, customer: customer, date: new DateOnly(1995, 1, 1), priority: 1, comment: null));
                        for (int i = 0; i < 300; i++) Add(Orders.Add(key: 6, customer: customer, date: new DateOnly(1995, 1, 1), priority: 1, comment: null), price: 1, number: 1);
                        break;
                    case "huge discounts": Add(order, price: 5, number: 1, discount: 9_999_999.99m); Add(order, price: 9_999_999_999_999.99m, number: 1, discount: -9_999_999.99m); break;
                    case "zeros without digits": Add(order, price: 99_999_999.99m, number: 7, discount: 0); Add(order, price: 99_999_999.99m, number: 8, discount: 0); Add(order, price: 1, number: 8, discount: 0); break;
                }
            }

            private void Add(Order order, decimal price, int number, decimal discount = 0.05m) => Lines.Add(
                order: order, quantity: 1, price: price, discount: discount, tax: 0, exact: price, flag: 'A', isGift: false, status: Status.Open, small: 1, shipDate: new DateOnly(1995, 1, 1),
                commitDate: new DateOnly(1995, 1, 1), delay: default, stamp: default, id: default, weight: 0, ratio: 0, number: number, big: number * 4_000_000_000L, maybe: null, rebate: null, mode: "AIR", note: null);

            public void Dispose()
            {
                Lines.Dispose();
                Orders.Dispose();
                Customers.Dispose();
                _others.Dispose();
            }
        }
        """;

    private static readonly string[] s_states =
    [
        "huge prices", "huge numbers", "huge numbers that cancel", "a null reference", "a null reference behind", "a row of another collection",
        "a removed reference", "an entry used again", "huge discounts", "zeros without digits",
    ];

    private static readonly string[] s_queries =
    [
        "items.Sum(l => l.Price)",
        "items.Sum(l => l.Price * l.Discount)",
        "items.Sum(l => l.Price * (1 - l.Discount) * (1 + l.Discount) * l.Price)",
        "items.Average(l => l.Price * l.Price)",
        "items.Sum(l => l.Number)",
        "items.Sum(l => l.Number * 3)",
        "items.Average(l => l.Number * 3)",
        "items.Sum(l => l.Big)",
        "items.Sum(l => l.Number > 0 ? l.Price : 0)",
        "items.Sum(l => l.Order.Priority * l.Price)",
        "items.Sum(l => l.Number > 0 ? int.MaxValue / 150 : 0)",
        "items.GroupBy(l => l.Number % 3).Select(g => (g.Key, g.Sum(l => l.Number > 0 ? l.Price * l.Price : 0), g.Average(l => l.Order.Priority * l.Price))).ToList()",
        "items.Sum(l => l.Big * 1000)",
        "items.GroupBy(l => l.Flag).Select(g => (g.Key, g.Sum(l => l.Number), g.Sum(l => l.Price * (1 - l.Discount)))).ToList()",
        "items.GroupBy(l => l.Order).Select(g => g.Sum(l => l.Price * (1 - l.Discount))).ToList()",
        "items.GroupBy(l => l.Order).Count()",
        "items.Where(l => l.Order.Date >= new DateOnly(1995, 1, 1)).Sum(l => l.Price)",
        "items.Where(l => l.Order != null && l.Order.Date >= new DateOnly(1995, 1, 1)).Sum(l => l.Price)",
        "items.Where(l => l.Order.Customer.Segment == \"BUILDING\").Select(l => l.Order.Key).ToList()",
        "items.Where(l => l.Order.Customer.Segment == \"BUILDING\" && l.Order.Priority == 1).Count()",
        "items.Where(l => l.Price > 1000 && l.Order.Customer.Segment == \"BUILDING\").Count()",
        "items.GroupBy(l => l.Order.Key).Select(g => (g.Key, g.Count())).ToList()",
        "(from l in items let square = l.Price * l.Price where square > 100m select square).Sum()",
        "items.Where(l => l.Price * l.Price * l.Price > l.Discount).Count()",
        "items.Select(l => items.Where(m => m.Order == l.Order && m.Number >= l.Number - 1 && m.Number < l.Number).Sum(m => m.Price)).ToList()",
        "items.GroupBy(l => l.Flag).SelectMany(g => g.Where(l => l.Number > 1 && l.Order.Customer.Segment == \"BUILDING\"), (g, l) => (g.Key, l.Price)).ToList()",
        "items.GroupBy(l => l.Flag).SelectMany(g => g.Where(l => l.Order.Priority == 1 && l.Order.Customer.Segment == \"BUILDING\"), (g, l) => (g.Key, l.Number)).ToList()",
        "items.GroupBy(l => l.Number % 3).Where(g => g.Count() > 70).SelectMany(g => g.Where(l => l.Order.Priority == 1 && l.Small == 1), (g, l) => (g.Key, l.Price)).ToList()",
        "items.GroupBy(l => l.Number % 5).Where(g => g.Key != 1).SelectMany(g => g.Where(l => 6 / (l.Number % 5 - 1) < 3 && l.Order.Key == 1), (g, l) => l.Number).ToList()",
        "items.GroupBy(l => l.Number).Select(g => (g.Key, g.Sum(l => l.Price * l.Discount), g.Average(l => l.Price * l.Discount * 2 + l.Tax), g.Sum(l => l.Price * (1 - l.Discount)))).ToList()",
        "items.Where(l => l.Number == 7).Sum(l => l.Discount * l.Price)",
        "items.Where(l => l.Number == 7).Average(l => l.Discount * l.Price * l.Number - l.Quantity)",
        "items.GroupBy(l => l.Number).SelectMany(g => g.Where(l => l.Price < 40), (g, l) => (g.Key, l.Price)).ToList()",
        "items.GroupBy(l => l.Order.Key % 2).Select(g => (g.Key, g.Where(l => l.Order.Priority < 2).Select(l => l.Number).ToList())).ToList()",
    ];

    private static readonly Dictionary<string, Lazy<CompiledShop>> s_shops = new[] { "Columnar", "Row" }
        .ToDictionary(layout => layout, layout => new Lazy<CompiledShop>(() => new CompiledShop(layout, s_queries, Data)));

    public static TheoryData<string, string, string> Cases() =>
        [.. s_shops.Keys.SelectMany(layout => s_states.SelectMany(state => s_queries.Select(query => (layout, state, query))))];

    [Theory]
    [MemberData(nameof(Cases), DisableDiscoveryEnumeration = true)]
    public void The_answer_is_LINQs_all_the_same(string layout, string state, string query)
    {
        CompiledShop shop = s_shops[layout].Value;
        IDisposable data = shop.Filled(state);
        string expected = Answer.Of(() => shop.Linq(query, data), isOrdered: false);
        string actual = Answer.Of(() => shop.Run(query, data), isOrdered: false);
        Assert.True(expected == actual, $"LINQ:\n{expected}\n\nkernel:\n{actual}\n\n{shop.Kernel(query).SourceText}");
    }

    [Theory]
    [MemberData(nameof(Cases), DisableDiscoveryEnumeration = true)]
    public void The_answer_is_LINQs_on_two_threads_too(string layout, string state, string query)
    {
        CompiledShop shop = s_shops[layout].Value;
        IDisposable data = shop.Filled(state);
        string expected = Answer.Of(() => shop.Linq(query, data), isOrdered: false);
        string actual = Answer.Of(() => ParallelKernels.OnThreads(2, () => shop.Run(query, data)), isOrdered: false);
        Assert.True(expected == actual, $"LINQ:\n{expected}\n\nkernel:\n{actual}\n\n{shop.Kernel(query).SourceText}");
    }
}
