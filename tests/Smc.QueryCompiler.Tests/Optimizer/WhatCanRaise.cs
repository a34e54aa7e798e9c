using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;
using static Smc.QueryCompiler.Tests.Optimizer.ShopPlans;

namespace Smc.QueryCompiler.Tests.Optimizer;

/// <summary>An optimised plan says whether it can raise: then LINQ to Objects decides what is raised, because a kernel evaluates other elements, or in another order.</summary>
public sealed class WhatCanRaise
{
    private static readonly Scan s_customer = Customers(0);
    private static readonly Scan s_order = Orders(1);
    private static readonly LogicalOperator s_orders = s_order.If(s_order.Column("CustomerId").Is(s_customer.Column("Id")));
    private static readonly ScalarExpression s_size = s_customer.Column("Size");
    private static readonly ScalarExpression s_share = s_size.Into(1);
    private static readonly Join s_pairs = s_customer.With(s_order, s_customer.Column("Id"), s_order.Column("CustomerId"));

    private static readonly Dictionary<string, QueryPlan> s_raising = new()
    {
        ["a sort key, for which LINQ asks no single element"] = s_customer.By(s_share).Select(s_customer.Column("Id")),
        ["a key of a join, for which LINQ does not ask when the other side is empty"] = s_customer.With(s_order, s_share, s_order.Column("CustomerId")).Select(s_customer.Column("Id")),
        ["a condition on an element that All does not come to in another order"] = All(new Reverse(s_customer).If(s_share.Above(0)), Count()),
        ["the value of an element before the last"] = s_customer.Select(s_share) with { Terminal = Terminal.Last },
        ["the value of a skipped element"] = new Skip(s_customer, Int(3)).Select(s_share),
        ["a condition tested for elements without partners"] = s_pairs.If(s_share.Above(1)).Select(s_customer.Column("Id")),
        ["a condition of a semi join"] = s_customer.If(Exists(s_orders.If(s_order.Column("Size").Into(1).Above(0)))).Select(s_customer.Column("Id")),
        ["the sum of a key that nobody asks for"] = s_customer.Select(s_orders.Total(1, Sum(s_order.Column("Size")))),
        ["what aggregates have in common"] = s_pairs.GroupBy(0, s_order.Column("Size"), Sum(s_share), Max(s_share)).Select(new AggregateRead(PlanType.Int32, 0)),
    };

    private static readonly Dictionary<string, QueryPlan> s_safe = new()
    {
        ["columns of a scan"] = s_customer.If(s_size.Above(1)).Select(s_customer.Column("Id")),
        ["a count of partners"] = s_customer.Select(s_orders.Total(1, Count())),
        ["a join on columns"] = s_pairs.If(s_size.Above(1)).Select(s_order.Column("Size")),
    };

    public static TheoryData<string> Raising => [.. s_raising.Keys];

    public static TheoryData<string> Safe => [.. s_safe.Keys];

    [Theory]
    [MemberData(nameof(Raising))]
    public void This_can_raise(string what) => Assert.True(PlanOptimizer.Optimize(s_raising[what]).CanRaise);

    [Theory]
    [MemberData(nameof(Safe))]
    public void This_cannot(string what) => Assert.False(PlanOptimizer.Optimize(s_safe[what]).CanRaise);
}
