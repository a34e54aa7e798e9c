using Xunit;

namespace Smc.QueryCompiler.Tests.Generation;

/// <summary>Where the text of a kernel has <c>[UnsafeAccessor]</c>.</summary>
public sealed class AccessorsOfKernels
{
    private const string Attribute = "UnsafeAccessor(";

    [Fact]
    public void A_member_has_one_however_often_the_kernel_uses_it()
    {
        // The order of a sum of doubles and the division make a plain variant, too.
        string kernel = Kernel("private int Score(int n) { while (n > 3) n--; return n; }",
            "rows.Where(l => it.Score(l.Number) > 1).OrderBy(l => l.Number).Select(l => it.Score(l.Number) / l.Number).ToList()");

        Assert.Equal(2, kernel.Split(Attribute).Length);
        Assert.True(kernel.Split("Access1_Score.Call__(").Length > 2);
    }

    [Fact]
    public void Overloads_have_one_each() => Assert.Equal(3, Kernel(
        "private int Score(int n) { while (n > 3) n--; return n; } private int Score(string s) { while (s.Length > 3) s = s[1..]; return 3; }",
        "rows.Select(l => it.Score(l.Number) + it.Score(l.Order.Customer.Name)).ToList()").Split(Attribute).Length);

    [Fact]
    public void A_generic_method_has_one_for_all_types() => Assert.Equal(2, Kernel(
        "private static int Score<T>(T value) { int n = value!.GetHashCode(); n++; return n; }", "rows.Select(l => Score(l.Number) + Score(l.Order.Customer.Name)).ToList()").Split(Attribute).Length);

    [Theory]
    [InlineData("internal int Score(int n) { while (n > 3) n--; return n; }", "it.Score(l.Number)")]
    [InlineData("private static int Score(int n) => n / 3;", "Score(l.Number)")]
    [InlineData("private const int Most = 3;", "l.Number + Most")]
    public void What_a_kernel_can_say_has_none(string member, string value) =>
        Assert.DoesNotContain(Attribute, Kernel(member, $"rows.Select(l => {value}).ToList()"));

    [Fact]
    public void A_compiled_query_sees_what_its_type_sees()
    {
        GeneratorRun run = new(QueryCompilation.Create(QueryCompilation.Usings + """
            namespace Shop;
            public static partial class Report
            {
                [CompiledQuery(nameof(Definition))] public static partial int Ask(IEnumerable<LineItem> rows);
                private static int Definition(IEnumerable<LineItem> rows) => rows.Count(l => IsEven(l.Number));
                private static bool IsEven(int n) { while (n > 1) n -= 2; return n == 0; }
            }
            """));

        string file = Assert.Single(run.Files(".CompiledQuery.g.cs"));
        Assert.Contains("global::Shop.Report.IsEven(", file);
        Assert.DoesNotContain(Attribute, file);
        Assert.Empty(run.Problems());
    }

    private static string Kernel(string members, string query)
    {
        GeneratorRun run = new(QueryCompilation.Create($$"""
            {{QueryCompilation.Usings}}
            namespace Shop;
            public class Report
            {
                {{members}}
                public static object Ask(IEnumerable<LineItem> rows, Report it) => Query.Run(rows, it, static (rows, it) => {{query}});
            }
            """));
        Assert.Empty(run.Problems());
        return Assert.Single(run.Files(".g.cs"), file => file.Contains("internal static class Report_Ask_", StringComparison.Ordinal));
    }
}
