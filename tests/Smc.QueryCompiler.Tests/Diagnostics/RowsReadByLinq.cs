using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Smc.QueryCompiler.Generator;
using Xunit;

namespace Smc.QueryCompiler.Tests.Diagnostics;

/// <summary>SMC1006 and SMC1009 where LINQ to Objects or the platform enumerates a collection, SMC1008 where C# refuses an expression tree.</summary>
public sealed class RowsReadByLinq
{
    [Theory]
    [InlineData("orders.Where(func).Count()", "Where")]
    [InlineData("orders.AsEnumerable().Where(o => o.ShipPriority > 1).Count()", "Where")]
    [InlineData("orders.Where(o => o.ShipPriority > 1).AsEnumerable().Count(func)", "Count")]
    [InlineData("orders.Shuffle().Count()", "Shuffle")]
    [InlineData("orders.LeftJoin(keys, o => o.OrderKey, k => k, (o, k) => k, EqualityComparer<long>.Default).Count()", "LeftJoin")]
    [InlineData("orders.Zip(keys).Count()", "Zip", "orders.Zip(keys, keys).Count()")]
    [InlineData("Enumerable.Count(orders, func)", "Count")]
    [InlineData("((IEnumerable<Order>)orders).Where(func).Count()", "Where")]
    [InlineData("orders.AsParallel().Count(func)", "AsParallel")]
    [InlineData("orders.AsQueryable().Count()", "AsQueryable")]
    [InlineData("orders.Where(o => o.OrderKey > 1).ToAsyncEnumerable()", "ToAsyncEnumerable")]
    public async Task SMC1009_names_an_operator_of_LINQ_to_Objects(string expression, string name, string? instead = null)
    {
        Diagnostic diagnostic = Assert.Single(await Analyze("return " + (instead ?? expression) + ";"), d => d.Id == "SMC1009");

        Assert.Equal(DiagnosticSeverity.Warning, diagnostic.Severity);
        Assert.Contains($"'{name}'", diagnostic.GetMessage(CultureInfo.InvariantCulture));
    }

    [Theory]
    [InlineData("IEnumerable<Order> e = orders; return e.Count(func);")]
    [InlineData("IEnumerable<Order> e = orders; return (from o in e where func(o) select o).First();")]
    [InlineData("var e = orders.AsEnumerable(); var f = e; return f.Count(func);")]
    public async Task SMC1009_follows_a_local_that_holds_a_collection_as_a_sequence(string statements) =>
        Assert.Contains(await Analyze(statements), d => d.Id == "SMC1009");

    [Theory]
    [InlineData("foreach (var o in moment.Of(orders)) { } return 0;")]
    [InlineData("return string.Join(\",\", moment.Of(orders));")]
    public async Task All_rows_of_a_snapshot_are_read_like_those_of_a_collection(string statements) =>
        Assert.Empty(await Analyze("using Snapshot moment = Snapshot.Take(orders); " + statements));

    [Theory]
    [InlineData("return string.Join(\",\", orders.Select(o => o.OrderKey));")]
    [InlineData("return System.Collections.Frozen.FrozenSet.ToFrozenSet(orders.Select(o => o.OrderKey));")]
    [InlineData("long[] all = [.. orders.Select(o => o.OrderKey)]; return all;")]
    [InlineData("return new List<long>(orders.Select(o => o.OrderKey));")]
    [InlineData("return keys.Concat(orders.Select(o => o.OrderKey)).Count();")]
    [InlineData("foreach (var o in orders.Where(o => o.OrderKey > 1)) { } return 0;")]
    [InlineData("foreach (var o in orders.Where(o => o.OrderKey > 1).AsEnumerable()) { } return 0;")]
    [InlineData("IEnumerable<long> all = orders.Select(o => o.OrderKey); foreach (long one in all) { } return 0;")]
    [InlineData("IEnumerable<long> all = orders.Select(o => o.OrderKey); return string.Join(\",\", all);")]
    [InlineData("IEnumerable<long> some = orders.Select(o => o.OrderKey); long[] all = [.. some]; return all;")]
    public async Task SMC1006_is_a_warning_while_no_compiler_is_there_at_run_time(string statements)
    {
        Diagnostic diagnostic = Assert.Single(await Analyze(statements));
        Assert.Equal("SMC1006", diagnostic.Id);
        Assert.Equal(DiagnosticSeverity.Warning, diagnostic.Severity);

        Diagnostic withCompiler = Assert.Single(await Analyze(statements, "namespace Smc.QueryCompiler { public static class RuntimeQueries; }"));
        Assert.Equal(DiagnosticSeverity.Info, withCompiler.Severity);
    }

    [Theory]
    [InlineData("return orders.Where(o => o.OrderKey > 1).ToList().Where(func).Count();")]
    [InlineData("return new List<Order>(orders);")]
    [InlineData("return string.Join(\",\", orders.Select(o => o.OrderKey).ToList());")]
    [InlineData("foreach (var o in orders) { } return 0;")]
    [InlineData("IEnumerable<Order> e = orders; foreach (var o in e) { } return 0;")]
    [InlineData("IEnumerable<long> all = orders.Select(o => o.OrderKey); all = keys; return string.Join(\",\", all);")]
    [InlineData("return Query.Run(orders, static orders => orders.Where(o => o.OrderKey > 1).AsEnumerable().Count(o => o.ShipPriority is 1 or 2));")]
    public async Task Nothing_is_reported_of(string statements) => Assert.Empty(await Analyze(statements));

    [Theory]
    [InlineData("return orders.Select(o => (o.OrderKey, o.ShipPriority)).ToList();", "tuples", "Query.Run(rows")]
    [InlineData("return orders.Count(o => o.ShipPriority is 1 or 3);", "patterns", "Query.Run(rows")]
    [InlineData("return orders.Select(o => o.Comment?.Length).ToList();", "'?.'", "Query.Run(rows")]
    [InlineData("return orders.Select(o => o.ShipPriority switch { 1 => 2, _ => 3 }).ToList();", "'switch'", "Query.Run(rows")]
    [InlineData("return orders.Count(o => o.Customer.Name[^1] == 'a');", "'^'", "Query.Run(rows")]
    [InlineData("return orders.Count(o => { return true; });", "statements", "Query.Run(rows")]
    [InlineData("return Query.Run(1, 2, 3, 4, orders, static (a, b, c, d, orders) => orders.Count(o => o.ShipPriority is 1 or 3));", "patterns", "collections before the values")]
    [InlineData("Func<Collection<Order>, int> q = Query.Compile((Collection<Order> orders) => orders.Count(o => o.ShipPriority is 1 or 3)); return q;", "patterns", "declare the parameter as IEnumerable<T>")]
    [InlineData("using var moment = Snapshot.Take(orders); return Query.Run(moment.Of(orders), static orders => orders.Select(o => (o.OrderKey, 1)).ToList());", "tuples", "IEnumerable<T> where it is passed")]
    public async Task SMC1008_says_what_to_write_where_a_tree_cannot_hold_the_lambda(string statements, string construct, string remedy)
    {
        Diagnostic diagnostic = Assert.Single(await Analyze(statements), d => d.Id == "SMC1008");
        Assert.Contains(construct, diagnostic.GetMessage(CultureInfo.InvariantCulture));
        Assert.Contains(remedy, diagnostic.GetMessage(CultureInfo.InvariantCulture));
    }

    private static async Task<IReadOnlyList<Diagnostic>> Analyze(string statements, string more = "")
    {
        string source = QueryCompilation.Usings + $$"""
            namespace Shop
            {
                public static class Program
                {
                    public static object Ask(Collection<Order> orders, List<long> keys, Func<Order, bool> func)
                    {
                        {{statements}}
                    }
                }
            }
            {{more}}
            """;
        Compilation output = new GeneratorRun(QueryCompilation.Create(source)).Output;
        return [.. (await output.WithAnalyzers([new QueryAnalyzer(), new LinqToObjectsAnalyzer(), new ExpressionTreeAnalyzer()])
            .GetAnalyzerDiagnosticsAsync(TestContext.Current.CancellationToken)).Where(d => d.Severity > DiagnosticSeverity.Hidden && d.Id is not "SMC1007")];
    }
}
