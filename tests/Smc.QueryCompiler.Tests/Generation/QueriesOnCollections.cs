using System.Collections;
using Microsoft.CodeAnalysis;
using Xunit;

namespace Smc.QueryCompiler.Tests.Generation;

/// <summary>
/// <c>Query.Run</c> with arguments that are declared as <c>Collection&lt;T&gt;</c>: the lambda gets <c>IEnumerable&lt;T&gt;</c>, so constructs that C# refuses in expression trees
/// are compiled. Every query runs strictly: a warning of the compiler's, or one that falls back, fails.
/// </summary>
public sealed class QueriesOnCollections
{
    private static readonly string[] Queries =
    [
        "orders => (orders.Min(o => o.ShipPriority), orders.Max(o => o.OrderDate), orders.Count())",
        "orders => orders.Count(o => o.ShipPriority is 1 or 3 or > 6)",
        "orders => orders.OrderBy(o => o.OrderKey).Select(o => (o.OrderKey, Length: o.Comment?.Length)).ToList()",
        "orders => orders.GroupBy(o => o.ShipPriority switch { 0 => \"none\", < 4 => \"some\", _ => \"many\" }).Select(g => (g.Key, g.Count())).OrderBy(g => g.Key).ToList()",
        "orders => orders.Count(o => o.Customer.Name[^1] == '7')",
        "orders => { int least = 3; var some = orders.Where(o => o.ShipPriority >= least); return some.Sum(o => o.OrderKey); }",
        "orders => orders.Where(o => { bool isLate = o.OrderDate.Month > 6; return isLate && o.ShipPriority > 2; }).Select(o => o.OrderKey).Order().ToArray()",
        "orders => orders.Count(o => o is { ShipPriority: > 2, OrderDate.Year: 2026, Customer.Name: not \"C7\" })",
        "orders => (from o in orders group o by (o.OrderDate.Month, o.Customer.Rating) into g where g.Key is (Month: < 7, Rating: not null) orderby g.Key.Month, g.Key.Rating select (g.Key, Sum: g.Sum(o => o.OrderKey))).ToList()",
    ];

    private static readonly Lazy<Type> Program = new(() => QueryProgram.Load(Source()).GetType("Shop.Program")!);

    public static TheoryData<int> Numbers => new(Enumerable.Range(0, Queries.Length));

    [Theory]
    [MemberData(nameof(Numbers))]
    public void A_query_that_no_expression_tree_can_hold_is_compiled_and_right(int number)
    {
        object? expected = Call("Linq" + number);
        (object? actual, long fallbacks) = Fallbacks.Count(() => Call("Run" + number));

        Assert.Equal(0, fallbacks);
        Assert.Equal(Text(expected), Text(actual));
        Assert.NotEqual("", Text(actual));
    }

    [Theory]
    [InlineData("Mixed", 4L)]
    [InlineData("Eight", 50L)]
    [InlineData("Anonymous", "{ Key = 3, Count = 10 }")]
    [InlineData("Options", 50)]
    [InlineData("AnyOrder", 10)]
    [InlineData("AnyOrderOfThree", 10)]
    [InlineData("AnyOrderOfFour", 1)]
    [InlineData("OptionsAfterAValue", 50)]
    [InlineData("OfQuery", 10)]
    [InlineData("CompiledFor", 10)]
    public void Another_form_is_compiled(string method, object expected)
    {
        (object? actual, long fallbacks) = Fallbacks.Count(() => Call(method));

        Assert.Equal(0, fallbacks);
        Assert.Equal(expected, actual);
    }

    [Fact]
    public async Task Strictly_nothing_is_reported() =>
        Assert.Empty(await GeneratorRun.Analyze(new GeneratorRun(QueryCompilation.Create(Source())).Output, ("SmcStrict", "true")));

    [Fact]
    public async Task Of_a_query_that_has_no_kernel_the_reason_is_reported()
    {
        string query = QueryCompilation.Method("Collection<Order> orders", "object", "Query.Run(orders, static orders => orders.Shuffle().Select(o => (o.OrderKey, 1)).ToList())");
        Diagnostic diagnostic = Assert.Single(await GeneratorRun.Analyze(QueryCompilation.Create(query)));

        Assert.Equal("SMC1001", diagnostic.Id);
        Assert.Contains("Shuffle", diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture));
    }

    private static object? Call(string method) => Program.Value.GetMethod(method)!.Invoke(null, []);

    private static string Text(object? value) => value is IEnumerable many and not string ? string.Join(";", many.Cast<object>()) : $"{value}";

    private static string Source() => QueryCompilation.Usings + $$"""
        namespace Shop;

        public static class Program
        {
            private static readonly Collection<Customer> Customers = new();
            private static readonly Collection<Order> Orders = new();
            private static readonly Collection<LineItem> Lines = new();
            private static readonly Func<Collection<Order>, int, int> Compiled =
                Query.Compile((IEnumerable<Order> orders, int priority) => orders.Count(o => (o.ShipPriority, true) == (priority, true)));

            static Program()
            {
                for (int i = 0; i < 10; i++)
                    Customers.Add(name: "C" + i, mktSegment: "", rating: i % 3 == 0 ? null : i % 3);
                Customer[] customers = Customers.ToArray();
                for (int i = 0; i < 50; i++)
                    Orders.Add(orderKey: i, customer: customers[i % 10], orderDate: new DateOnly(2026, 1 + i % 12, 1), shipPriority: i % 10 == 9 ? 3 : i % 8, comment: i % 4 == 0 ? null : "c" + i);
            }

        {{string.Join("\n", Queries.Select((query, i) => $"""
                public static object Run{i}() => Query.Run(Orders, static {query});
                public static object Linq{i}() => Ask(Orders.ToList(), static {query});
            """))}}

            public static object Mixed() => Query.Run(Orders, Customers, "C3", static (orders, customers, name) =>
                (from o in orders join c in customers on o.Customer equals c where c.Name is { Length: 2 } n && n == name && o.OrderKey is > 3 and < 50 select o).LongCount());

            public static object Eight() => Query.Run(Orders, Customers, Lines, 1, 2, 3, 4, 5, static (orders, customers, lines, a, b, c, d, e) =>
                orders.LongCount(o => (a, b, c, d, e) == (1, 2, 3, 4, 5)));

            public static object Anonymous() => Query.Run(Orders, 3, static (orders, priority) =>
                orders.Where(o => o.ShipPriority is 3 || (o.ShipPriority, 0) == (priority, 0)).GroupBy(o => o.ShipPriority).Select(g => new { g.Key, Count = g.Count() }).First()).ToString()!;

            public static object Options() => Query.Run(Orders, static orders => orders.WithDegreeOfParallelism(2).Count());

            public static object AnyOrder() => Query.Run(3, Orders, static (priority, orders) => orders.Count(o => (o.ShipPriority, 0) == (priority, 0)));

            public static object AnyOrderOfThree() => Query.Run(Orders, 3, Customers, static (orders, priority, customers) =>
                orders.Count(o => o.ShipPriority is var p && p == priority && customers.Any(c => c is { Name: var name } && name == o.Customer.Name)));

            public static object AnyOrderOfFour() => Query.Run(3, Orders, "C3", Customers, static (key, orders, name, customers) =>
                orders.Count(o => o.OrderKey is var k && k == key && customers.Any(c => c is { Name: { } n } && n == name)));

            public static object OptionsAfterAValue() => Query.Run(2, Orders, static (degree, orders) => orders.WithDegreeOfParallelism(degree).Count());

            public static object OfQuery() => Query.Run(1, 2, 3, 4, Orders, static (a, b, priority, d, orders) => orders.Count(o => o.ShipPriority == priority));

            public static object CompiledFor() => Compiled(Orders, 3);

            private static TResult Ask<TResult>(IEnumerable<Order> orders, Func<IEnumerable<Order>, TResult> query) => query(orders);
        }
        """;
}
