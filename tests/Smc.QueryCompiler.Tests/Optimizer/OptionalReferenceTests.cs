using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;

namespace Smc.QueryCompiler.Tests.Optimizer;

/// <summary>A stored <c>Customer?</c> is read as the handle that it is.</summary>
public sealed class OptionalReferenceTests
{
    [Theory]
    [InlineData("l.Order.Agent == null", "(lineItem.Order.Agent == default(Shop.Customer))")]
    [InlineData("l.Order.Agent.HasValue", "(lineItem.Order.Agent != default(Shop.Customer))")]
    [InlineData("l.Order.Agent!.Value.Name == \"A\"", "(lineItem.Order.Agent.Name == \"A\")")]
    [InlineData("l.Order.Agent is { Rating: null }", "((lineItem.Order.Agent != default(Shop.Customer)) && !lineItem.Order.Agent.Rating.HasValue)")]
    [InlineData("l.Order.Agent.GetValueOrDefault() == l.Order.Customer", "(lineItem.Order.Agent == lineItem.Order.Customer)")]
    [InlineData("l.Order.Agent == items.First().Order.Agent", "(lineItem.Order.Agent == ")]
    public void Is_followed_and_compared_as_a_handle(string condition, string expected) => Assert.Contains(expected, Optimized(condition));

    [Theory]
    [InlineData("l.Order.Agent == (Customer?)l.Order.Customer", "(lineItem.Order.Agent == (Shop.Customer?)lineItem.Order.Customer)")]
    [InlineData("l.Order.Agent!.Value == l.Order.Customer", "(lineItem.Order.Agent.Value == lineItem.Order.Customer)")]
    [InlineData("(l.Number > 3 ? (Customer?)l.Order.Customer : null) == null", "((lineItem.Number > 3) ? (Shop.Customer?)lineItem.Order.Customer : null)")]
    public void Is_left_alone_where_null_and_the_null_handle_may_meet(string condition, string expected) => Assert.Contains(expected, Optimized(condition));

    private static string Optimized(string condition)
    {
        QueryPlan plan = QueryCompilation.ReadQuery($"items.Count(l => {condition})").Plan!;
        return PlanPrinter.Print(PlanOptimizer.Optimize(plan));
    }
}
