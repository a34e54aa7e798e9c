using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;
using static Smc.QueryCompiler.Tests.Optimizer.ShopPlans;

namespace Smc.QueryCompiler.Tests.Optimizer;

/// <summary>Pairs whose right side lies between bounds that the left side sets.</summary>
public sealed class WindowJoinToApplyTests
{
    private static readonly Scan s_customer = Customers(0), s_order = Orders(1);
    private static readonly ScalarExpression s_left = s_customer.Column("Size"), s_right = s_order.Column("Size");
    private static readonly ScalarExpression s_window = s_right.Above(s_left).And(s_customer.Column("Id").Above(s_right));

    [Fact]
    public void Between_two_bounds_the_right_side_is_looked_up() => Assert.Equal(
        """
        Project c0.Id
          Apply
            Scan customers as Customer #0
            Filter (((o1.Size > c0.Size) && (c0.Id > o1.Size)) && (o1.Weight > c0.Weight))
              Scan orders as Order #1
        """,
        After(s_customer.Cross(s_order).If(s_window.And(s_order.Column("Weight").Above(s_customer.Column("Weight"))))));

    [Fact]
    public void One_bound_leaves_a_join() => Stays(s_customer.Cross(s_order).If(s_right.Above(s_left)));

    [Fact]
    public void Bounds_that_the_left_side_does_not_set_leave_a_join() => Stays(s_customer.Cross(s_order).If(s_right.Above(3).And(Int(9).Above(s_right))));

    [Fact]
    public void Floating_point_numbers_are_no_key() =>
        Stays(s_customer.Cross(s_order).If(s_order.Column("Weight").Above(s_customer.Column("Weight")).And(s_customer.Column("Weight").Above(s_order.Column("Weight")))));

    [Fact]
    public void A_join_with_a_key_stays() => Stays(s_customer.With(s_order, s_customer.Column("Id"), s_order.Column("CustomerId")).If(s_window));

    [Fact]
    public void A_condition_with_effects_leaves_a_join() => Stays(s_customer.Cross(s_order).If(s_window.And(s_right.Mystery())));

    private static string After(LogicalOperator node) => node.Select(s_customer.Column("Id")).After(WindowJoinToApply.Apply);

    private static void Stays(LogicalOperator node) => Leaves(WindowJoinToApply.Apply, node.Select(s_customer.Column("Id")));
}
