using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Smc.QueryCompiler.Generator;
using Smc.QueryCompiler.Plan;
using Xunit;

namespace Smc.QueryCompiler.Tests.FrontEnd;

/// <summary>Members that the tabular generator adds: this generator does not see them, the analyzer does, and both read the same.</summary>
public sealed class GeneratedMembers
{
    [Theory]
    [InlineData("l.Order == null", "(lineItem.Order == default(Shop.Order))")]
    [InlineData("null != l.Order", "(default(Shop.Order) != lineItem.Order)")]
    [InlineData("l.Order == other", "(lineItem.Order == @other)")]
    [InlineData("l.Order.Agent == other.Customer", "(lineItem.Order.Agent == (Shop.Customer?)@other.Customer)")]
    [InlineData("l.Order.IsNull", "(lineItem.Order == default(Shop.Order))")]
    [InlineData("l.Order.IsAlive", "lineItem.Order.IsAlive")]
    public void Are_understood_before_they_exist(string predicate, string expected)
    {
        string source = QueryCompilation.Method(
            "IEnumerable<LineItem> items, Order other", "object", $"Query.Run(items, other, static (items, other) => items.Where(l => l.Number > 1).Select(l => {predicate}).ToList())");
        CSharpCompilation compilation = QueryCompilation.Create(source);

        Assert.Contains($"Project {expected}\n", PrintedPlan(compilation, compilation.SyntaxTrees[^1]));
        Assert.Contains($"Project {expected}\n", PrintedPlan(new GeneratorRun(compilation).Output, compilation.SyntaxTrees[^1]));
    }

    [Fact]
    public void Are_understood_in_methods_of_ones_own()
    {
        string source = QueryCompilation.Method(
            "IEnumerable<LineItem> items", "int", "Query.Run(items, static items => items.Count(IsLoose))", "private static bool IsLoose(LineItem l) => l.Order.IsNull || l.Order.Customer != l.Order.Agent;");
        CSharpCompilation compilation = QueryCompilation.Create(source);

        string expected = PrintedPlan(new GeneratorRun(compilation).Output, compilation.SyntaxTrees[^1]);
        Assert.Contains("(lineItem.Order == default(Shop.Order))", expected);
        Assert.Equal(expected, PrintedPlan(compilation, compilation.SyntaxTrees[^1]));
    }

    [Fact]
    public void Of_other_generators_are_left_to_the_method_that_uses_them() => Assert.Contains(
        "Shop.Queries.Twice(lineItem.Number)", QueryCompilation.Plan("items.Count(l => Twice(l.Number) > 3)", members: "public static int Twice(int n) => Mapper.Double(n);"));

    private static string PrintedPlan(Compilation compilation, SyntaxTree tree)
    {
        InvocationExpressionSyntax call = tree.GetRoot(TestContext.Current.CancellationToken).DescendantNodes().OfType<InvocationExpressionSyntax>().First(QueryDoor.LooksLikeCall);
        QueryReading reading = QueryReader.ReadCall(compilation.GetSemanticModel(tree), call, TestContext.Current.CancellationToken)!;
        Assert.True(reading.Plan is not null, reading.Rejection?.Reason);
        return PlanPrinter.Print(reading.Plan);
    }
}
