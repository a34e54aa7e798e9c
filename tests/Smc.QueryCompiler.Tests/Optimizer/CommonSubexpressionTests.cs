using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;
using static Smc.QueryCompiler.Tests.Optimizer.ShopPlans;

namespace Smc.QueryCompiler.Tests.Optimizer;

public sealed class CommonSubexpressionTests
{
    private static readonly Scan s_customer = Customers(0);
    private static readonly Scan s_order = Orders(1);
    private static readonly ScalarExpression s_size = s_customer.Column("Size");
    private static readonly ScalarExpression s_share = s_size.Into(100);
    private static readonly Join s_pairs = s_customer.With(s_order, s_customer.Column("Id"), s_order.Column("CustomerId"));
    private static readonly AggregateRead s_first = new(PlanType.Int32, 0);

    [Fact]
    public void What_aggregates_over_pairs_have_in_common_is_computed_once() => Assert.Equal(
        """
        Project $agg0
          Aggregate [$key0 = o1.Size] [$agg0 = Sum(%common): int, $agg1 = Max((100 / %common)): int]
            Compute %common#2 = (100 / c0.Size)
              Join Inner [c0.Id == o1.CustomerId]
                Scan customers as Customer #0
                Scan orders as Order #1
        """,
        s_pairs.GroupBy(0, s_order.Column("Size"), Sum(s_share), Max(s_share.Into(100))).Select(s_first).After(CommonSubexpressions.Apply));

    [Fact]
    public void What_is_larger_is_shared_with_what_it_shares_with_others() => Assert.Equal(
        """
        Project ((%common > %common) || (%common > c0.Id))
          Compute %common#2 = (100 / c0.Size), %common#1 = (100 / %common)
            Scan customers as Customer #0
        """,
        s_customer.Select(s_share.Into(100).Above(s_share.Into(100)).Or(s_share.Above(s_customer.Column("Id")))).After(CommonSubexpressions.Apply));

    [Fact]
    public void The_result_over_all_elements_stands_above_its_aggregate()
    {
        ScalarExpression half = new Binary(PlanType.Int32, BinaryOperator.Divide, s_first, Int(2));
        Project once = (Project)s_customer.Total(0, Count()).Root;
        Leaves(CommonSubexpressions.Apply, Ask(once with { Result = half.Above(half) }, Terminal.Scalar));
    }

    [Fact]
    public void Aggregates_over_a_scan_share_integers() =>
        Leaves(CommonSubexpressions.Apply, s_customer.If(s_size.Above(1)).GroupBy(0, s_customer.Column("Id"), Sum(s_share), Max(s_share)).Select(s_first));

    [Fact]
    public void What_is_read_once_stays() => Leaves(CommonSubexpressions.Apply, s_pairs.Select(s_share.Above(s_size)));

    [Fact]
    public void What_has_effects_stays() => Leaves(CommonSubexpressions.Apply, s_pairs.Select(s_size.Mystery().Or(s_size.Mystery())));

    [Fact]
    public void What_can_raise_stays_behind_its_guard()
    {
        ScalarExpression guarded = new Conditional(PlanType.Boolean, s_size.Above(0), s_share.Above(s_share), True);
        Leaves(CommonSubexpressions.Apply, s_pairs.Select(guarded));
        Leaves(CommonSubexpressions.Apply, s_pairs.GroupBy(0, s_order.Column("Size"), Sum(s_share) with { Predicate = s_size.Above(0) }, Max(s_share) with { Predicate = s_customer.Column("Id").Above(0) }).Select(s_first));
    }
}
