using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Smc.QueryCompiler.Generator;
using Smc.QueryCompiler.Plan;
using Xunit;

namespace Smc.QueryCompiler.Tests.Generation;

public sealed class Stubs
{
    private const string Sum = "items.Where(l => l.Number > n).Sum(l => l.Weight)";

    [Fact]
    public void A_call_of_Run_with_nameable_types_gets_a_stub_without_type_parameters()
    {
        string stub = StubOf(QueryCompilation.Method("IEnumerable<LineItem> items, int n", "double", $"Query.Run(items, n, static (items, n) => {Sum})"));

        Assert.Contains("internal static double Run0(global::System.Collections.Generic.IEnumerable<global::Shop.LineItem> arg0, int arg1, global::System.Func<", stub);
        Assert.Contains("arg0 is global::Smc.Collections.Collection<global::Shop.LineItem> rows0", stub);
        Assert.Contains("return global::Smc.Generated.Queries_Ask_", stub);
        Assert.Contains(".Run(rows0, arg1)", stub);
        Assert.Contains("return query(arg0, arg1);", stub);
    }

    [Fact]
    public void An_anonymous_result_gets_a_generic_stub()
    {
        string stub = StubOf(QueryCompilation.Method(
            "IEnumerable<LineItem> items, int n", "object", "Query.Run(items, n, static (items, n) => items.Where(l => l.Number > n).Select(l => new { l.Number }).ToList())"));

        Assert.Contains("internal static TResult Run0<T1, T2, TResult>(T1 arg0, T2 arg1, global::System.Func<T1, T2, TResult> query)", stub);
        Assert.Contains("is { } result ? (TResult)result : default!", stub);
        Assert.Contains("Unsafe.As<T2, int>(ref arg1)", stub);
    }

    [Fact]
    public void A_call_of_Compile_gets_a_stub_that_returns_a_delegate()
    {
        string stub = StubOf(QueryCompilation.Method(
            "int unused", "Func<IEnumerable<LineItem>, int, double>", $"Query.Compile((IEnumerable<LineItem> items, int n) => {Sum})"));

        Assert.Contains("Compile0(global::System.Func<", stub);
        Assert.Contains("(arg0, arg1) =>", stub);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Of_a_kernel_that_may_raise_early_the_query_decides(bool isCompile)
    {
        PlanType rows = new(Plan.TypeKind.Class, "global::System.Collections.Generic.IEnumerable<global::Shop.Order>");
        InterceptionSite site = new("/src/A.cs", "[Intercepts]", "A.cs(1,1)", Door(isCompile, rows.CSharp, "string"));
        Stub stub = new(site, EquatableArray.Of(new StubKernel(EquatableArray.Of(new PlanParameter(0, "a", rows, "global::Shop.Order")), "Kernel", ReturnsObject: false, Raised.Null | Raised.Invalid)));
        string text = StubEmitter.Emit(new StubFile("/src/A.cs", EquatableArray.Of(stub), EquatableArray<MarkedCall>.Empty));

        Assert.Contains("when (global::Smc.Collections.Kernels.KernelFailure.IsLeftToQuery(exception__, global::Smc.Collections.Kernels.Raised.Null | global::Smc.Collections.Kernels.Raised.Invalid))", text);
        Assert.Contains("return query(arg0);", text);
        Assert.Empty(Microsoft.CodeAnalysis.CSharp.CSharpSyntaxTree.ParseText(text.Replace("[Intercepts]", "")).GetDiagnostics());
    }

    [Theory]
    [InlineData("/src/C#Reports.cs")]
    [InlineData("/src/Sales&Tax~1 @ö.cs")]
    public void A_file_of_any_name_has_a_file_of_stubs(string path) =>
        Assert.Matches(@"^[A-Za-z0-9_]+\.[a-z0-5]{26}\.QueryStubs\.g\.cs$", StubEmitter.HintName(new StubFile(path, EquatableArray<Stub>.Empty, EquatableArray<MarkedCall>.Empty)));

    [Fact]
    public void Equal_queries_in_members_whose_names_differ_in_case_have_files_that_differ_in_more()
    {
        GeneratorRun run = new(QueryCompilation.Create(QueryCompilation.Usings + """
            namespace Shop;
            public static class Report
            {
                public static int big(IEnumerable<LineItem> rows) => Query.Run(rows, static rows => rows.Count(r => r.Number > 3));
                public static int Big(IEnumerable<LineItem> rows) => Query.Run(rows, static rows => rows.Count(r => r.Number > 3));
            }
            """));

        Assert.Equal(2, run.Files(".Kernel.g.cs").Count);
        Assert.Empty(run.Problems());
    }

    [Fact]
    public void Every_collection_among_the_arguments_is_looked_at()
    {
        PlanType rows = new(Plan.TypeKind.Class, "global::System.Collections.Generic.IEnumerable<global::Shop.Order>");
        EquatableArray<PlanParameter> parameters = EquatableArray.Of(new PlanParameter(0, "a", rows, "global::Shop.Order"), new PlanParameter(1, "n", PlanType.Int32, null), new PlanParameter(2, "b", rows, "global::Shop.Customer"));
        InterceptionSite site = new("/src/A.cs", "[Intercepts]", "A.cs(1,1)", Door(isCompile: false, rows.CSharp, "int", rows.CSharp, "string"));
        string stub = StubEmitter.Emit(new StubFile("/src/A.cs", EquatableArray.Of(new Stub(site, EquatableArray.Of(new StubKernel(parameters, "Kernel", ReturnsObject: false, Raised.Nothing)))), EquatableArray<MarkedCall>.Empty));

        Assert.Contains("arg0 is global::Smc.Collections.Collection<global::Shop.Order> rows0 && arg2 is global::Smc.Collections.Collection<global::Shop.Customer> rows2", stub);
        Assert.Contains("Kernel.Run(rows0, arg1, rows2)", stub);
    }

    [Fact]
    public void Equal_queries_share_a_kernel()
    {
        string members = $"public static double Other(IEnumerable<LineItem> items, int n) => Query.Run(items, n, static (items, n) => {Sum});";
        string source = QueryCompilation.Method("IEnumerable<LineItem> items, int n", "double", $"Query.Run(items, n, static (items, n) => {Sum})", members.Replace("Other", "Ask"))
            .Replace("public static double Ask(IEnumerable<LineItem> items, int n) => Query", "public static double Ask(IEnumerable<LineItem> items, int n, long other) => Query");
        GeneratorRun run = new(QueryCompilation.Create(source));

        Assert.Single(run.Files(".Kernel.g.cs"));
        Assert.Contains("Run1(", Assert.Single(run.Files(".QueryStubs.g.cs")));
    }

    [Fact]
    public void A_query_that_is_not_compiled_gets_no_stub()
    {
        GeneratorRun run = new(QueryCompilation.Create(QueryCompilation.Method("IEnumerable<LineItem> items", "int", "Query.Run(items, static items => items.Count(l => l.Number > DateTime.Now.Year))")));
        Assert.Empty(run.Files(".g.cs"));
    }

    [Fact]
    public void A_query_inside_another_is_not_intercepted()
    {
        GeneratorRun run = new(QueryCompilation.Create(QueryCompilation.Method(
            "IEnumerable<LineItem> items", "int", "Query.Run(items, static items => items.Distinct().Count() + Query.Run(items, static items => items.Count()))")));
        Assert.Empty(run.Files(".g.cs"));
    }

    [Fact]
    public void The_property_SmcDisableQueryCompiler_turns_everything_off()
    {
        GeneratorRun run = new(
            QueryCompilation.Create(QueryCompilation.Method("IEnumerable<LineItem> items, int n", "double", $"Query.Run(items, n, static (items, n) => {Sum})")),
            ("SmcDisableQueryCompiler", "true"));
        Assert.Empty(run.Files(".g.cs"));
    }

    public static TheoryData<string, string> Surroundings => new()
    {
        { "checked arithmetic", "" },
        { "a namespace called System", "namespace Shop.System { public class Func { } public class Collections { } }" },
        { "types called like ours", "namespace Shop { public class Collection { } public class Collection<T> { } public class Unsafe { } }" },
        { "a namespace called Smc", "namespace Shop.Smc { public class Generated { } }" },
    };

    [Theory]
    [MemberData(nameof(Surroundings))]
    public void What_is_generated_compiles_without_a_warning_among(string what, string file)
    {
        CSharpCompilationOptions options = new(
            OutputKind.DynamicallyLinkedLibrary,
            checkOverflow: what.StartsWith("checked", StringComparison.Ordinal),
            generalDiagnosticOption: ReportDiagnostic.Error,
            nullableContextOptions: NullableContextOptions.Enable,
            warningLevel: 9999);
        string query = QueryCompilation.Method(
            "global::System.Collections.Generic.IEnumerable<LineItem> items, int n",
            "global::System.Collections.Generic.List<string?>",
            "global::Smc.Collections.Query.Run(items, n, static (items, n) => items.Where(l => l.Number > n).Select(l => l.Order.Comment).ToList())",
            "public static object Anonymous(global::System.Collections.Generic.IEnumerable<LineItem> items) => global::Smc.Collections.Query.Run(items, static items => items.Select(l => new { @class = l.Number, l.Order.Comment }).ToArray());");
        GeneratorRun run = new(QueryCompilation.Create(options, query, file));

        Assert.Equal(2, run.Files(".Kernel.g.cs").Count);
        Assert.Empty(run.Problems());
    }

    private static DoorSignature Door(bool isCompile, params string[] types) =>
        new(isCompile, EquatableArray<string>.Empty, "", types[..^1].ToEquatableArray(), types.ToEquatableArray());

    private static string StubOf(string source)
    {
        GeneratorRun run = new(QueryCompilation.Create(source));
        Assert.Empty(run.Problems());
        return Assert.Single(run.Files(".QueryStubs.g.cs"));
    }
}
