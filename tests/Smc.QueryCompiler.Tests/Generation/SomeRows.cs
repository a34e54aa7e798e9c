using System.Collections;
using System.Globalization;
using System.Reflection;

namespace Smc.QueryCompiler.Tests.Generation;

/// <summary>Rows of the schema, as source of the programs under test, and their answers as text.</summary>
internal static class SomeRows
{
    public const string Source = QueryCompilation.Usings + """
        namespace Shop;

        public static class SomeRows
        {
            public static Collection<LineItem> Items = Fill();

            private static Collection<LineItem> Fill()
            {
                var random = new Random(7);
                var segments = new[] { "BUILDING", "MACHINERY", "AUTOMOBILE" };
                var customers = new Collection<Customer>();
                var orders = new Collection<Order>();
                var items = new Collection<LineItem>();
                for (int i = 0; i < 300; i++)
                {
                    Customer customer = customers.Add(name: "Customer#" + i, mktSegment: segments[i % 3], rating: i % 7 == 0 ? null : i % 5);
                    Order order = orders.Add(orderKey: i, customer: customer, agent: i % 2 == 0 ? customer : null, orderDate: new DateOnly(1994, 1, 1).AddDays(i * 3), shipPriority: i % 9, comment: i % 4 == 0 ? null : "order " + i);
                    for (int k = 0; k < i % 6; k++)
                    {
                        items.Add(order: order, quantity: random.Next(1, 50), extendedPrice: random.Next(100, 99999) / 100m, discount: random.Next(0, 11) / 100m,
                            returnFlag: "ANR"[random.Next(3)], lineStatus: "OF"[random.Next(2)], shipDate: new DateOnly(1994, 6, 1).AddDays(random.Next(900)),
                            status: (Status)random.Next(3), weight: random.Next(0, 40) / 8.0, number: k);
                    }
                }

                return items;
            }

            /// <summary>The same rows, not as one of our collections: the query runs as LINQ to Objects.</summary>
            public static IEnumerable<LineItem> Hidden() { foreach (LineItem item in Items) yield return item; }
        }
        """;

    /// <summary>The rows as a collection, over which kernels run, and as a sequence, over which LINQ to Objects does.</summary>
    public static (object Items, object Hidden) Of(Assembly program)
    {
        Type rows = program.GetType("Shop.SomeRows")!;
        return (rows.GetField("Items")!.GetValue(null)!, rows.GetMethod("Hidden")!.Invoke(null, [])!);
    }

    public static string Text(object? value) => value switch
    {
        null => "null",
        string text => text,
        IEnumerable elements => string.Join("\n", elements.Cast<object?>().Select(Text)),
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        _ => value.ToString() ?? "",
    };
}
