using Microsoft.CodeAnalysis.CodeFixes;
using Smc.QueryCompiler.CodeFixes;
using Xunit;

namespace Smc.QueryCompiler.Tests.CodeFixes;

/// <summary>Each code fix: the text before and after it, and that the diagnostic is then gone.</summary>
public sealed class Fixes
{
    private const string Usings = "using System.Collections.Generic;\nusing System.Linq;\nusing Smc.Collections;\n";

    private const string Order = "[Tabular] public readonly partial struct Order { public partial decimal Total { get; set; } public partial string? Comment { get; set; } }\n"
        + "[Tabular] public readonly partial struct Line { public partial Order Order { get; set; } public partial int Number { get; set; } }\n";

    public static TheoryData<string, string, string> Declarations => new()
    {
        { "SMC0001", "[Tabular] public readonly partial record struct R { public partial int A { get; set; } }", "[Tabular] public readonly partial struct R { public partial int A { get; set; } }" },
        { "SMC0002", "[Tabular] public partial struct R { public partial int A { get; set; } }", "[Tabular] public readonly partial struct R { public partial int A { get; set; } }" },
        { "SMC0002", "[Tabular]\npartial struct R { public partial int A { get; set; } }", "[Tabular]\nreadonly partial struct R { public partial int A { get; set; } }" },
        { "SMC0003", "[Tabular] public readonly struct R { public partial int A { get; set; } }", "[Tabular] public readonly partial struct R { public partial int A { get; set; } }" },
        { "SMC0005", "// outer\nclass Outer { [Tabular] public readonly partial struct R { public partial int A { get; set; } } }", "// outer\npartial class Outer { [Tabular] public readonly partial struct R { public partial int A { get; set; } } }" },
        { "SMC0006", "[Tabular] public readonly ref partial struct R { public partial int A { get; set; } }", "[Tabular] public readonly partial struct R { public partial int A { get; set; } }" },
    };

    public static TheoryData<string, string, string> Properties => new()
    {
        { "SMC0011", "public int B { get; }", "public partial int B { get; set; }" },
        { "SMC0012", "public partial int B { get; }", "public partial int B { get; set; }" },
        { "SMC0013", "public partial int B { get; init; }", "public partial int B { get; private set; }" },
        { "SMC0014", "public static partial int B { get; set; }", "public partial int B { get; set; }" },
        { "SMC0020", "[Precision(5, 2)] public partial int B { get; set; }", "public partial int B { get; set; }" },
        { "SMC0020", "[Default(3), Precision(5, 2)] public partial int B { get; set; }", "[Default(3)] public partial int B { get; set; }" },
        { "SMC0023", "[Direct] public partial int B { get; set; }", "public partial int B { get; set; }" },
        { "SMC0027", "[OnRemove(RemoveBehavior.SetNull)] public partial int B { get; set; }", "public partial int B { get; set; }" },
        { "SMC0028", "[OnRemove(RemoveBehavior.SetNull)] public partial R B { get; set; }", "[OnRemove(RemoveBehavior.SetNull)] public partial R? B { get; set; }" },
    };

    public static TheoryData<string, string> Assignments => new()
    {
        { "line.Order.Total = 5;", "line.Order.Set(total: 5);" },
        { "line.Order.Total += 5;", "line.Order.Set(total: line.Order.Total + 5);" },
        { "line.Order.Total *= 1 + 2;", "line.Order.Set(total: line.Order.Total * (1 + 2));" },
        { "line.Order.Comment ??= \"none\";", "line.Order.Set(comment: line.Order.Comment ?? \"none\");" },
        { "new Dictionary<int, Order>()[7].Total = 5;", "new Dictionary<int, Order>()[7].Set(total: 5);" },
        { "lines.First().Order.Total = line.Number; // why", "lines.First().Order.Set(total: line.Number); // why" },
    };

    public static TheoryData<string, string> Captures => new()
    {
        { "Query.Run(lines, lines => lines.Count(l => l.Number > limit))", "Query.Run(lines, limit, static (lines, limit) => lines.Count(l => l.Number > limit))" },
        { "Query.Run(lines, (lines) => lines.Count(l => l.Number > limit))", "Query.Run(lines, limit, static (lines, limit) => lines.Count(l => l.Number > limit))" },
        { "Query.Run(lines, (IEnumerable<Line> lines) => lines.Count(l => l.Number > limit))", "Query.Run(lines, limit, static (IEnumerable<Line> lines, int limit) => lines.Count(l => l.Number > limit))" },
        { "Query.Run(lines, lines => lines.Count(l => l.Number > limit && l.Number < other))", "Query.Run(lines, limit, (lines, limit) => lines.Count(l => l.Number > limit && l.Number < other))" },
    };

    public static TheoryData<string, string> Comparisons => new()
    {
        { "l.Order.Comment!.StartsWith(\"a\")", "l.Order.Comment!.StartsWith(\"a\", System.StringComparison.Ordinal)" },
        { "l.Order.Comment!.IndexOf(\"a\", 2) > 0", "l.Order.Comment!.IndexOf(\"a\", 2, System.StringComparison.Ordinal) > 0" },
        { "string.Compare(l.Order.Comment, \"a\") < 0", "string.CompareOrdinal(l.Order.Comment, \"a\") < 0" },
        { "l.Order.Comment!.CompareTo(\"a\") < 0", "string.CompareOrdinal(l.Order.Comment!, \"a\") < 0" },
    };

    [Theory]
    [MemberData(nameof(Declarations))]
    public Task A_declaration_is_fixed(string id, string before, string after) => Check(new DeclarationFix(), id, before, after);

    [Theory]
    [MemberData(nameof(Properties))]
    public Task A_property_is_fixed(string id, string before, string after) =>
        Check(new PropertyFix(), id, Struct(before), Struct(after));

    [Theory]
    [MemberData(nameof(Assignments))]
    public Task An_assignment_through_a_reference_becomes_Set(string before, string after) =>
        Check(new SetThroughReferenceFix(), "CS1612", Method(before), Method(after));

    [Theory]
    [MemberData(nameof(Captures))]
    public async Task A_captured_variable_becomes_an_argument(string before, string after) =>
        Assert.Equal(Query(after), await FixedSource.Of(new PassCapturedVariableFix(), "SMC1002", Query(before)));

    [Theory]
    [MemberData(nameof(Comparisons))]
    public Task A_comparison_by_culture_becomes_ordinal(string before, string after) => Check(
        new OrdinalComparisonFix(), "SMC1007", Comparison(before), Comparison(after));

    [Fact]
    public async Task When_everything_is_passed_the_query_captures_nothing() =>
        Assert.DoesNotContain("SMC1002", await FixedSource.Ids(await FixedSource.Of(new PassCapturedVariableFix(), "SMC1002", Query(Captures.First().Data.Item1))));

    [Fact]
    public async Task Nothing_is_offered_for_a_struct_that_is_not_tabular() =>
        Assert.Empty(await FixedSource.Titles(
            new SetThroughReferenceFix(), "CS1612", Usings + "struct Point { public int X { get; set; } } class C { Point P { get; set; } void M() { P.X = 5; } }"));

    [Fact]
    public async Task Nothing_is_offered_for_a_captured_field() =>
        Assert.Empty(await FixedSource.Titles(
            new PassCapturedVariableFix(), "SMC1002", Usings + Order + "class C { int _limit = 5; int M(IEnumerable<Line> lines) => Query.Run(lines, lines => lines.Count(l => l.Number > _limit)); }"));

    private static async Task Check(CodeFixProvider provider, string id, string before, string after)
    {
        string fixedText = await FixedSource.Of(provider, id, Usings + before);
        Assert.Equal(Usings + after, fixedText);
        Assert.DoesNotContain(id, await FixedSource.Ids(fixedText));
    }

    private static string Struct(string property) => "[Tabular] public readonly partial struct R { public partial int A { get; set; } " + property + " }";

    private static string Comparison(string condition) => Order + "class C { int M(IEnumerable<Line> lines) => Query.Run(lines, static lines => lines.Count(l => " + condition + ")); }";

    private static string Method(string statement) =>
        Order + "class C\n{\n    void M(Line line, IEnumerable<Line> lines)\n    {\n        " + statement + "\n    }\n}\n";

    private static string Query(string query) => Usings + Order + "class C { int M(IEnumerable<Line> lines, int limit, int other) => " + query + "; }";
}
