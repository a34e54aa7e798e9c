using System.Globalization;
using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Smc.QueryCompiler.Generator;
using Xunit;

namespace Smc.QueryCompiler.Tests.Generation;

/// <summary>Queries as users write them, compiled, loaded and run over collections, with LINQ to Objects over the same rows as the oracle.</summary>
public sealed class QueriesRun
{
    private static readonly string[] Queries =
    [
        "items.Count()",
        "items.Where(l => l.Number > n).Sum(l => l.Weight)",
        "items.Where(l => l.ShipDate >= new DateOnly(1995, 1, 1) && l.Quantity is > 0 and < 24).Sum(l => l.ExtendedPrice * l.Discount)",
        "items.Where(l => l.ReturnFlag == 'A' || l.Status == Status.Shipped).Average(l => l.Quantity)",
        "items.Sum(l => l.Revenue)",
        "items.Max(l => l.ShipDate)",
        "items.Min(l => l.Order.OrderDate)",
        "items.Any(l => l.Number > n)",
        "items.All(l => l.Number > n)",
        "items.Count(l => l.Order.IsUrgent)",
        "items.Count(l => l.Order.Customer.Rating > 3)",
        "items.Count(l => l.Order.Customer.Rating == null)",
        "items.Count(l => l.Order.Customer.Name.StartsWith(\"Customer#1\", StringComparison.Ordinal))",
        "items.Count(l => l.Order.Customer.MktSegment == segment)",
        "items.Count(l => new[] { \"BUILDING\", \"MACHINERY\" }.Contains(l.Order.Customer.MktSegment))",
        "items.Count(l => l.Order.Customer != null && l.Order.IsAlive)",
        "items.Count(l => (l.Status switch { Status.Open => 1, Status.Shipped when l.Number > 2 => 5, _ => 0 }) > 0)",
        "items.Sum(l => l.Status == Status.Open ? l.Discount : 0)",
        "(from l in items group l by new { l.ReturnFlag, l.LineStatus } into g orderby g.Key.ReturnFlag, g.Key.LineStatus select new PriceRow(g.Key.ReturnFlag, g.Key.LineStatus, g.Sum(l => l.ExtendedPrice * (1 - l.Discount)), g.Average(l => l.Quantity), g.Count())).ToList()",
        "(from l in items where l.Order.Customer.MktSegment == segment group l by l.Order into g let revenue = g.Sum(l => l.ExtendedPrice * (1 - l.Discount)) orderby revenue descending, g.Key.OrderDate, g.Key.OrderKey select new ShippingRow(g.Key.OrderKey, revenue, g.Key.OrderDate, g.Key.ShipPriority)).Take(10).ToList()",
        "items.Select(l => new { @event = l.Number, @class = l.Weight }).Where(x => x.@event > 1).OrderBy(x => x.@event).ThenBy(x => x.@class).ToList()",
        "items.GroupBy(l => new { @event = l.Number }).Select(g => new { g.Key.@event, @long = g.Sum(l => l.Weight) }).OrderBy(x => x.@long).ThenBy(x => x.@event).ToList()",
        "(from l in items group l by l.Number into g where g.Count() > 2 orderby g.Key select new { g.Key, Big = g.Count(x => x.Weight > 1), Sum = g.Where(x => x.Weight > 1).Sum(x => x.Discount) }).ToList()",
        "items.OrderBy(l => l.Weight).ThenByDescending(l => l.Number).Select(l => new { l.Number, l.Weight }).Take(n).ToList()",
        "items.OrderBy(l => l.Weight).Select(l => l.Number).ToArray()",
        "items.OrderBy(l => l.Weight).Select(l => l.Weight).First()",
        "items.Where(l => l.Number > 1000).Select(l => l.Weight).FirstOrDefault()",
        "items.Select(l => (l.Number, l.Order.Comment)).OrderBy(t => t.Number).Take(5).ToList()",
        "items.Where(l => l.Number > 1000).Select(l => (new { l.Number }, l.Weight)).FirstOrDefault()",
        // Divided by zero for rows that LINQ does not come to, and kernels do: LINQ decides what is raised.
        "items.OrderBy(l => l.Number).Select(l => 100 / (l.Number > 0 ? 0 : 1)).Chunk(3).First()",
        "items.OrderBy(l => l.Number).Select(l => 100 / (l.Number > 0 ? 0 : 1)).ElementAt(2)",
        "items.OrderByDescending(l => l.Number).Select(l => 100 / (l.Number > 0 ? 0 : 1)).Last()",
        "items.OrderByDescending(l => l.Number).Select(l => 100 / (l.Number > 0 ? 0 : 1)).LastOrDefault()",
        "items.Join(items.Where(r => r.Number > 1000), l => 100 / (l.Number > 0 ? 0 : 1), r => r.Number, (l, r) => r.Discount).ToList()",
    ];

    private static readonly Lazy<Assembly> Program = new(() => QueryProgram.Load(Source));

    public static TheoryData<int, string> Numbered
    {
        get
        {
            TheoryData<int, string> data = [];
            for (int i = 0; i < Queries.Length; i++)
                data.Add(i, Queries[i]);
            return data;
        }
    }

    private static string Source => $$"""
        {{SomeRows.Source}}

        public static class Program
        {
        {{string.Join("\n", Queries.Select((query, i) => $"    public static object? Q{i}(IEnumerable<LineItem> items, int n, string segment) => Query.Run(items, n, segment, static (items, n, segment) => {query});"))}}
        }
        """;

    [Theory]
    [MemberData(nameof(Numbered))]
    public void A_compiled_query_gives_what_LINQ_to_Objects_gives(int number, string query)
    {
        Type program = Program.Value.GetType("Shop.Program")!;
        (object items, object hidden) = SomeRows.Of(Program.Value);
        MethodInfo method = program.GetMethod("Q" + number.ToString(CultureInfo.InvariantCulture))!;

        Assert.Equal(SomeRows.Text(method.Invoke(null, [hidden, 3, "BUILDING"])), SomeRows.Text(method.Invoke(null, [items, 3, "BUILDING"])));
        Assert.NotEmpty(query);
    }

    [Fact]
    public async Task Every_one_of_them_is_intercepted()
    {
        GeneratorRun run = new(QueryCompilation.Create(Source));
        Assert.Empty(await GeneratorRun.Analyze(run.Output));
        SyntaxTree tree = run.Output.SyntaxTrees.Single(t => t.FilePath == "/src/File1.cs");
        SemanticModel model = run.Output.GetSemanticModel(tree);
        foreach (InvocationExpressionSyntax call in (await tree.GetRootAsync(TestContext.Current.CancellationToken)).DescendantNodes().OfType<InvocationExpressionSyntax>().Where(QueryDoor.LooksLikeCall))
            Assert.NotNull(model.GetInterceptorMethod(call, TestContext.Current.CancellationToken));
    }
}
