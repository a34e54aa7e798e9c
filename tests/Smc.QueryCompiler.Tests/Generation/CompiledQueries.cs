using Xunit;

namespace Smc.QueryCompiler.Tests.Generation;

public sealed class CompiledQueries
{
    [Fact]
    public void The_kernel_stands_inside_the_type_and_may_use_what_is_private()
    {
        GeneratorRun run = Generate("""
            internal static partial class Outer
            {
                public partial record Report
                {
                    [Tabular] private readonly partial struct Hidden { public partial int X { get; set; } }
                    private static bool IsGood(int x) => x > 3;
                    [CompiledQuery(nameof(Definition))] private static partial int Ask(IEnumerable<Hidden> rows, int @class);
                    private static int Definition(IEnumerable<Hidden> rows, int limit) => rows.Where(r => IsGood(r.X)).Sum(r => r.X + limit);
                }
            }
            """);

        string file = Assert.Single(run.Files(".CompiledQuery.g.cs"));
        Assert.Contains("private static partial int Ask(global::System.Collections.Generic.IEnumerable<global::Shop.Outer.Report.Hidden> rows, int @class)", file);
        Assert.Contains("rows is global::Smc.Collections.Collection<global::Shop.Outer.Report.Hidden> rows0__", file);
        Assert.Contains("return Definition(rows, @class);", file);
        Assert.Contains("private static class Report_Definition_", file);
        Assert.Empty(run.Problems());
    }

    [Fact]
    public void A_query_that_is_not_compiled_calls_its_definition()
    {
        GeneratorRun run = Generate("""
            public static partial class Report
            {
                [CompiledQuery(nameof(Definition))] public static partial int Ask(IEnumerable<LineItem> rows);
                private static int Definition(IEnumerable<LineItem> rows) => rows.Shuffle().Count();
            }
            """);

        Assert.Contains("public static partial int Ask(global::System.Collections.Generic.IEnumerable<global::Shop.LineItem> rows) => Definition(rows);", Assert.Single(run.Files(".CompiledQuery.g.cs")));
        Assert.Empty(run.Problems());
    }

    [Fact]
    public void Several_methods_may_have_one_definition_and_parameters_of_every_kind()
    {
        GeneratorRun run = Generate("""
            public static partial class Report
            {
                [CompiledQuery(nameof(Definition))] public static partial int Big(this IEnumerable<LineItem> rows, int exception);
                [CompiledQuery(nameof(Definition))] public static partial int Count(IEnumerable<LineItem> rows, int least);
                private static int Definition(IEnumerable<LineItem> rows, int least) => rows.Count(r => r.Order.ShipPriority / r.Number > least);
                [CompiledQuery(nameof(Listed))] public static partial int In(IEnumerable<LineItem> rows, params int[] numbers);
                private static int Listed(IEnumerable<LineItem> rows, int[] numbers) => rows.Count(r => numbers.Contains(r.Number));
            }
            """);

        Assert.Equal(3, run.Files(".CompiledQuery.g.cs").Count);
        Assert.All(run.Files(".CompiledQuery.g.cs"), file => Assert.Contains("private static class Report_", file));
        Assert.Empty(run.Problems());
    }

    [Fact]
    public async Task Its_reason_is_told_once()
    {
        GeneratorRun run = Generate("""
            public static partial class Report
            {
                [CompiledQuery(nameof(Definition))] public static partial int Ask(IEnumerable<LineItem> rows);
                private static int Definition(IEnumerable<LineItem> rows) => rows.Shuffle().Count();
            }
            """);

        Assert.Equal("SMC1001", Assert.Single(await GeneratorRun.Analyze(run.Output)).Id);
    }

    [Fact]
    public void With_the_query_compiler_off_the_method_calls_its_definition()
    {
        GeneratorRun run = Generate(
            """
            public static partial class Report
            {
                [CompiledQuery(nameof(Definition))] public static partial int Ask(IEnumerable<LineItem> rows);
                private static int Definition(IEnumerable<LineItem> rows) => rows.Count();
            }
            """,
            ("SmcDisableQueryCompiler", "true"));

        Assert.Contains("=> Definition(rows);", Assert.Single(run.Files(".CompiledQuery.g.cs")));
        Assert.Empty(run.Problems());
    }

    private static GeneratorRun Generate(string members, params (string, string)[] properties) =>
        new(QueryCompilation.Create(QueryCompilation.Usings + "namespace Shop;\n" + members), properties);
}
