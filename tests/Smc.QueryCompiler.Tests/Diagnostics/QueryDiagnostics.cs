using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Smc.QueryCompiler.Generator;
using Xunit;

namespace Smc.QueryCompiler.Tests.Diagnostics;

public sealed class QueryDiagnostics
{
    [Fact]
    public async Task A_query_that_compiles_is_not_reported() =>
        Assert.Empty(await Analyze("Query.Run(items, static items => items.Count())"));

    [Fact]
    public async Task SMC1001_says_why_a_query_is_not_compiled()
    {
        Diagnostic diagnostic = Assert.Single(await Analyze("Query.Run(items, static items => items.Shuffle().Count())"));
        Assert.Equal("SMC1001", diagnostic.Id);
        Assert.Equal(DiagnosticSeverity.Warning, diagnostic.Severity);
        Assert.Equal("The query is not compiled and runs as LINQ to Objects: the operator Shuffle", diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture));
        Assert.Equal("items.Shuffle()", diagnostic.Location.SourceTree!.GetText(TestContext.Current.CancellationToken).ToString(diagnostic.Location.SourceSpan));
    }

    /// <summary>In a build the analyzers come after the generators. The interceptor here is a false one, of a query that is not compiled: it is taken at its word.</summary>
    [Fact]
    public async Task A_query_that_has_an_interceptor_is_not_read_a_second_time()
    {
        CSharpCompilation compilation = QueryCompilation.Create(QueryCompilation.Method("IEnumerable<LineItem> items", "int", "Query.Run(items, static items => items.Shuffle().Count())"));
        SyntaxTree tree = compilation.SyntaxTrees.Last();
        InvocationExpressionSyntax call = (await tree.GetRootAsync(TestContext.Current.CancellationToken)).DescendantNodes().OfType<InvocationExpressionSyntax>().First();
        InterceptableLocation location = compilation.GetSemanticModel(tree).GetInterceptableLocation(call, TestContext.Current.CancellationToken)!;
        string interceptor = $$"""
            namespace System.Runtime.CompilerServices
            {
                [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
                file sealed class InterceptsLocationAttribute(int version, string data) : Attribute { }
            }

            namespace Smc.Generated
            {
                static class Stubs
                {
                    {{location.GetInterceptsLocationAttributeSyntax()}}
                    public static R Run<T, R>(T items, System.Func<T, R> query) => query(items);
                }
            }
            """;
        Assert.Equal("SMC1001", Assert.Single(await GeneratorRun.Analyze(compilation)).Id);
        Assert.Empty(await GeneratorRun.Analyze(compilation.AddSyntaxTrees(CSharpSyntaxTree.ParseText(interceptor, QueryCompilation.ParseOptions, "Stubs.g.cs", System.Text.Encoding.UTF8, TestContext.Current.CancellationToken))));
    }

    [Fact]
    public async Task SMC1007_is_told_of_a_compiled_query_in_a_build_too()
    {
        GeneratorRun build = new(QueryCompilation.Create(QueryCompilation.Method("IEnumerable<LineItem> items", "int", "Query.Run(items, static items => items.Count(l => l.Order.Customer.Name.StartsWith(\"a\")))")));
        Assert.Equal("SMC1007", Assert.Single(await GeneratorRun.Analyze(build.Output)).Id);
    }

    [Theory]
    [InlineData("SmcStrict")]
    [InlineData("PublishAot")]
    public async Task SMC1001_is_an_error_under(string property)
    {
        Diagnostic diagnostic = Assert.Single(await Analyze("Query.Run(items, static items => items.Shuffle().Count())", properties: (property, "true")));
        Assert.Equal(DiagnosticSeverity.Error, diagnostic.Severity);
    }

    [Fact]
    public async Task SMC1001_can_be_suppressed_where_a_fallback_is_wanted() =>
        Assert.Empty(await Analyze("""
            Query.Run(items, static items =>
            #pragma warning disable SMC1001 // a small collection
                items.Shuffle().Count()
            #pragma warning restore SMC1001
                )
            """));

    [Fact]
    public async Task SMC1001_tells_of_a_call_that_the_generator_does_not_find()
    {
        string source = QueryCompilation.Usings + "using static Smc.Collections.Query; namespace Shop; class Report { int Ask(IEnumerable<LineItem> items) => Run(items, static items => items.Count()); }";
        Diagnostic diagnostic = Assert.Single(await GeneratorRun.Analyze(QueryCompilation.Create(source)));
        Assert.Contains("not written as Query.Run", diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture));
    }

    [Fact]
    public async Task SMC1002_names_the_captured_variable()
    {
        Diagnostic diagnostic = Assert.Single(await Analyze("Query.Run(items, items => items.Count(l => l.Number > limit))", parameters: ", int limit"));
        Assert.Equal("SMC1002", diagnostic.Id);
        Assert.Contains("'limit'", diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture));
    }

    [Fact]
    public async Task SMC1001_says_what_to_do_about_a_property_that_a_chain_captures()
    {
        string source = QueryCompilation.Usings + "namespace Shop; class Report { public int Least { get; set; } int Ask(Collection<LineItem> items) => items.Count(l => l.Number > Least); }";
        Diagnostic diagnostic = Assert.Single(await GeneratorRun.Analyze(QueryCompilation.Create(source)));
        Assert.Equal("SMC1001", diagnostic.Id);
        Assert.Contains("'Least', which is neither a variable nor a field", diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture));
    }

    [Fact]
    public async Task SMC1001_names_a_member_that_an_extension_block_gives_a_row()
    {
        string source = QueryCompilation.Usings + "namespace Shop; static class Report { extension(LineItem item) { public bool IsLarge => item.Number > 3; } "
            + "public static int Ask(IEnumerable<LineItem> items) => Query.Run(items, static items => items.Count(l => l.IsLarge)); }";
        Diagnostic diagnostic = Assert.Single(await GeneratorRun.Analyze(QueryCompilation.Create(source)));
        Assert.Equal("SMC1001", diagnostic.Id);
        Assert.EndsWith("a member of an extension block", diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Fact]
    public async Task SMC1003_names_what_is_not_accessible()
    {
        Diagnostic diagnostic = Assert.Single(await Analyze(
            "Query.Run(items, static items => items.Count(l => new Hidden(l.Number).IsGood))", members: "private sealed record Hidden(int Number) { public bool IsGood => Number > 3; }"));
        Assert.Equal("SMC1003", diagnostic.Id);
        Assert.Contains("Hidden", diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture));
    }

    [Theory]
    [InlineData("public static partial int Count(IEnumerable<LineItem> items);", "has no static method 'Definition'")]
    [InlineData("public partial int Count(IEnumerable<LineItem> items); private static int Definition(IEnumerable<LineItem> items) => 0;", "must be 'static partial'")]
    [InlineData("public static partial int Count(IEnumerable<LineItem> items); private static long Definition(IEnumerable<LineItem> items) => 0;", "has no static method 'Definition'")]
    public async Task SMC1004_says_what_a_compiled_query_lacks(string members, string reason)
    {
        string source = QueryCompilation.Usings + $"namespace Shop; public partial class Queries {{ [CompiledQuery(\"Definition\")] {members} }}";
        Diagnostic diagnostic = Assert.Single(await GeneratorRun.Analyze(QueryCompilation.Create(source)));
        Assert.Equal("SMC1004", diagnostic.Id);
        Assert.Equal(DiagnosticSeverity.Error, diagnostic.Severity);
        Assert.Contains(reason, diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture));
    }

    [Fact]
    public async Task SMC1005_tells_of_a_query_without_collections()
    {
        string source = QueryCompilation.Method("List<string> names", "int", "Query.Run(names, static names => names.Count())");
        Diagnostic diagnostic = Assert.Single(await GeneratorRun.Analyze(QueryCompilation.Create(source)));
        Assert.Equal("SMC1005", diagnostic.Id);
        Assert.Equal(DiagnosticSeverity.Info, diagnostic.Severity);
    }

    [Theory]
    [InlineData("l.Order.Customer.Name.StartsWith(\"a\")", "StartsWith")]
    [InlineData("l.Order.Customer.Name.IndexOf(\"a\") > 0", "IndexOf")]
    [InlineData("string.Compare(l.Order.Customer.Name, \"a\") > 0", "Compare")]
    public async Task SMC1007_names_a_comparison_by_culture(string condition, string name)
    {
        Diagnostic diagnostic = Assert.Single(await Analyze($"Query.Run(items, static items => items.Count(l => {condition}))"));
        Assert.Equal("SMC1007", diagnostic.Id);
        Assert.Equal(name, diagnostic.Location.SourceTree!.GetText(TestContext.Current.CancellationToken).ToString(diagnostic.Location.SourceSpan));
    }

    [Theory]
    [InlineData("l.Order.Customer.Name.StartsWith('a')")]
    [InlineData("l.Order.Customer.Name.Contains(\"a\")")]
    [InlineData("l.Order.Customer.Name.StartsWith(\"a\", StringComparison.CurrentCulture)")]
    public async Task A_comparison_that_is_ordinal_or_says_how_is_not_reported(string condition) =>
        Assert.Empty(await Analyze($"Query.Run(items, static items => items.Count(l => {condition}))"));

    [Fact]
    public async Task An_inline_chain_that_compiles_is_not_reported() =>
        Assert.Empty(await AnalyzeChains("int Ask(int least) => _items.Where(l => l.Number > least).Count();"));

    [Theory]
    [InlineData("List<int> Ask() => _items.Select(l => Twice(l.Number)).ToList(); private static int Twice(int number) { number *= 2; return number; }")]
    [InlineData("int Ask() => _items.Count(l => l.Number > s_least); private static readonly int s_least = 3;")]
    public async Task A_private_member_in_an_inline_chain_is_no_obstacle(string members) => Assert.Empty(await AnalyzeChains(members));

    [Fact]
    public async Task The_reason_is_reported_for_an_inline_chain_too()
    {
        Diagnostic diagnostic = Assert.Single(await AnalyzeChains("List<int> Ask() => _items.Select(l => new Hidden(l.Number).Twice()).ToList(); private sealed record Hidden(int Number) { public int Twice() => Number * 2; }"));
        Assert.Equal("SMC1003", diagnostic.Id);
        Assert.Contains("Hidden", diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture));
    }

    [Theory]
    [InlineData("int Ask(Query<LineItem> query) => query.Count();", "query.Count")]
    [InlineData("int Ask() { int sum = 0; foreach (LineItem l in _items.Where(l => l.Number > 3)) sum += l.Number; return sum; }", "_items.Where(l => l.Number > 3)")]
    public async Task SMC1006_tells_of_a_query_that_no_single_call_ends(string members, string where)
    {
        Diagnostic diagnostic = Assert.Single(await AnalyzeChains(members));
        Assert.Equal("SMC1006", diagnostic.Id);
        Assert.Equal(DiagnosticSeverity.Warning, diagnostic.Severity);
        Assert.Equal(where, diagnostic.Location.SourceTree!.GetText(TestContext.Current.CancellationToken).ToString(diagnostic.Location.SourceSpan));
    }

    [Fact]
    public async Task A_query_in_parts_is_an_error_under_PublishAot_where_nothing_is_compiled_later()
    {
        Diagnostic diagnostic = Assert.Single(await AnalyzeChains("int Ask(Query<LineItem> query) => query.Count();", ("PublishAot", "true")));
        Assert.Equal("SMC1001", diagnostic.Id);
        Assert.Equal(DiagnosticSeverity.Error, diagnostic.Severity);
    }

    [Theory]
    [InlineData("int Ask(Query<LineItem> found) => found.Count();", "'found' is a parameter, whose parts are not in this function")]
    [InlineData("int Ask() => Found(_items).Count(); static Query<T> Found<T>(Query<T> from) => from.Skip(1);", "'Found' returns a query, whose parts cannot be read here")]
    [InlineData("int Ask(System.Linq.Expressions.Expression<System.Func<LineItem, bool>> test) => _items.Where(test).Count();", "parts of it are not written in this function")]
    [InlineData("int Ask(System.Linq.Expressions.Expression<System.Func<LineItem, bool>> test) => _items.Count(test);", "parts of it are not written in this function")]
    [InlineData("long Ask(System.Linq.Expressions.Expression<System.Func<LineItem, bool>> test) => _items.RemoveWhere(test);", "parts of it are not written in this function")]
    [InlineData("int Ask() => found.Count(); readonly Query<LineItem> found = _items.Skip(1);", "'found' holds a query, whose parts cannot be read here")]
    [InlineData("Query<LineItem> Found(Query<LineItem> from) => Found(from).Count() > 3 ? from : from.Skip(1);", "'Found' calls itself")]
    [InlineData("Query<LineItem> Found(Query<LineItem> from) => More(from).Count() > 3 ? from : from.Skip(1); Query<LineItem> More(Query<LineItem> from) => Found(from.Take(3));", "'Found' calls itself")]
    [InlineData("int Ask() => Found(Found(_items)).Count(); Query<LineItem> Found(Query<LineItem> from) => from.Skip(1);", "'Found' is called more than once for it")]
    [InlineData("int Ask() => Found(_items, 3).Count(); Query<LineItem> Found(Query<LineItem> from, int n) => n == 0 ? from : Found(from.Skip(1), n - 1);", "'Found' is called more than once for it")]
    [InlineData("int Ask() => Found.Count(); Query<LineItem> Found { get; } = _items.Skip(1);", "'Found' holds a query, whose parts cannot be read here")]
    [InlineData("int Ask<T>(Collection<T> rows) where T : unmanaged => rows.Count();", "the rows are of type 'T', which each call of this function chooses")]
    [InlineData("int Ask<T>(Collection<T> given, System.Linq.Expressions.Expression<System.Func<T, bool>> test) where T : unmanaged { Collection<T> rows = given; return rows.Where(test).ToList().Count; }", "the rows are of type 'T', which each call of this function chooses")]
    [InlineData("int Ask<T>(Collection<T> given) where T : unmanaged { Query<T> rows = given; rows = rows.Skip(1); return rows.Count(); }", "the rows are of type 'T', which each call of this function chooses")]
    [InlineData("int Ask() { var found = _items.Skip(1); for (int i = 0; i < 3; i++) found = found.Skip(1); return found.Count(); }", "'found' is assigned in a loop")]
    [InlineData("int Ask() { var found = _items.Skip(1); void More() => found = found.Skip(1); More(); return found.Count(); }", "'found' is assigned in a function inside this one")]
    [InlineData("int Ask() { var found = _items.Skip(1); System.Func<int> count = () => found.Count(); return count(); }", "'found' is assigned outside of this function")]
    [InlineData("int Ask(bool a) { Query<LineItem> found = _items; if (a) { int n = 1; found = found.Where(l => l.Number > n); } else { } { int n = 2; found = found.Where(l => l.Number < n); } return found.Count(); }", "it captures two variables named 'n': rename one")]
    [InlineData("int Ask(bool a, bool b, bool c, bool d, bool e) { var found = _items.Skip(1); if (a) found = found.Skip(1); if (b) found = found.Skip(1); if (c) found = found.Skip(1); if (d) found = found.Skip(1); if (e) found = found.Skip(1); return found.Count(); }", "there are more than 16 ways to put it together")]
    public async Task SMC1006_names_what_keeps_the_parts_from_being_seen(string members, string reason)
    {
        Diagnostic diagnostic = Assert.Single(await AnalyzeChains(members));
        Assert.Equal("SMC1006", diagnostic.Id);
        Assert.EndsWith(": " + reason, diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_query_whose_parts_are_in_one_method_is_not_reported() =>
        Assert.Empty(await AnalyzeChains("int Ask(bool a) { var found = _items.Where(l => l.Number > 3); if (a) found = found.Skip(1); return found.Count(); }"));

    [Fact]
    public async Task A_query_whose_parts_are_in_functions_of_the_project_is_not_reported() =>
        Assert.Empty(await AnalyzeChains("int Ask() => More(Found(3)).Count() + Few.Count(); Query<LineItem> Few => _items.Take(3); Query<LineItem> Found(int n) => _items.Where(l => l.Number > n); static Query<LineItem> More(Query<LineItem> from) => from.Skip(1);"));

    [Fact]
    public async Task One_way_that_cannot_be_compiled_is_reported_of_the_whole_query()
    {
        Diagnostic diagnostic = Assert.Single(await AnalyzeChains("int Ask(bool a) { var found = _items.Select(l => l.Number); if (a) found = found.Where(n => n < System.DateTime.Now.Year); return found.Count(); }"));
        Assert.Equal("SMC1001", diagnostic.Id);
    }

    [Fact]
    public async Task An_explanation_of_a_query_in_parts_is_not_reported() =>
        Assert.Empty(await AnalyzeChains("string Ask(Query<LineItem> query) => query.Explain();"));

    [Fact]
    public async Task A_loop_over_the_collection_itself_is_not_reported() =>
        Assert.Empty(await AnalyzeChains("int Ask() { int sum = 0; foreach (LineItem l in _items) sum += l.Number; return sum; }"));

    [Fact]
    public async Task Nothing_is_reported_when_the_query_compiler_is_off() =>
        Assert.Empty(await Analyze("Query.Run(items, static items => items.Shuffle().Count())", properties: ("SmcDisableQueryCompiler", "true")));

    private static Task<IReadOnlyList<Diagnostic>> AnalyzeChains(string members, params (string, string)[] properties) =>
        GeneratorRun.Analyze(QueryCompilation.Create(QueryCompilation.Usings + $"namespace Shop; internal sealed class Report(Collection<LineItem> _items) {{ internal {members} }}"), properties);

    private static Task<IReadOnlyList<Diagnostic>> Analyze(string query, string parameters = "", string members = "", params (string, string)[] properties) =>
        GeneratorRun.Analyze(QueryCompilation.Create(QueryCompilation.Method("IEnumerable<LineItem> items" + parameters, "int", query, members)), properties);
}
