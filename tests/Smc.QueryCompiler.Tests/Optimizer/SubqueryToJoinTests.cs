using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;
using static Smc.QueryCompiler.Tests.Optimizer.ShopPlans;

namespace Smc.QueryCompiler.Tests.Optimizer;

public sealed class SubqueryToJoinTests
{
    private static readonly Scan s_customer = Customers(0);
    private static readonly Scan s_order = Orders(1);
    private static readonly LogicalOperator s_orders = Placed(s_order);

    [Fact]
    public void A_sum_is_computed_by_key_and_zero_where_there_is_nothing() => Assert.Equal(
        """
        Project (%match ? g2$agg0 : 0m)
          Join Left [c0.Id == g2$key0 (nulls too)] #2
            Scan customers as Customer #0
            Aggregate [g2$key0 = o1.CustomerId] [g2$agg0 = Sum(o1.Price): decimal]
              Scan orders as Order #1
        """,
        s_customer.Select(s_orders.Total(1, Sum(s_order.Column("Price")))).After(SubqueryToJoin.Apply));

    [Fact]
    public void Values_over_the_same_elements_share_one_aggregation()
    {
        Scan again = Orders(2);
        ScalarExpression both = new Binary(
            PlanType.Int32, BinaryOperator.Add, s_orders.Total(1, Count()), Placed(again).Total(2, Sum(again.Column("Size"))));
        Assert.Equal(
            """
            Project ((%match ? g3$agg0 : 0) + (%match ? g3$agg1 : 0))
              Join Left [c0.Id == g3$key0 (nulls too)] #3
                Scan customers as Customer #0
                Aggregate [g3$key0 = o1.CustomerId] [g3$agg0 = Count(): int, g3$agg1 = Sum(o1.Size): int]
                  Scan orders as Order #1
            """,
            s_customer.Select(both).After(SubqueryToJoin.Apply));
    }

    [Fact]
    public void Values_over_other_elements_do_not_share()
    {
        Scan again = Orders(2);
        ScalarExpression both = new Binary(
            PlanType.Int32, BinaryOperator.Add, s_orders.Total(1, Count()), Placed(again).If(again.Column("Size").Above(1)).Total(2, Count()));
        Assert.Equal(2, s_customer.Select(both).After(SubqueryToJoin.Apply).Split("Aggregate").Length - 1);
    }

    [Fact]
    public void A_minimum_over_nothing_raises_for_the_element_that_asks() => Assert.Contains(
        "Filter (c0.Size > (%match ? g2$agg0 : {First: Project default <- Filter false <- Unit}))",
        s_customer.If(s_customer.Column("Size").Above(s_orders.Total(1, Min(s_order.Column("Size"))))).Select(Int(1)).After(SubqueryToJoin.Apply));

    [Fact]
    public void A_minimum_that_can_be_null_is_null_over_nothing() => Assert.Contains(
        "Project (%match ? g2$agg0 : null)",
        s_customer.Select(s_orders.Total(1, Min(s_order.Column("Rating")))).After(SubqueryToJoin.Apply));

    [Fact]
    public void The_first_is_an_aggregate_over_ordered_elements() => Assert.Equal(
        """
        Project (%match ? $agg0 : default)
          Join Left [c0.Id == $key0 (nulls too)] #2
            Scan customers as Customer #0
            Aggregate [$key0 = o1.CustomerId] [$agg0 = First(o1.Id): int]
              Order o1.Size
                Scan orders as Order #1
        """,
        s_customer.Select(s_orders.By(s_order.Column("Size")).First(s_order.Column("Id"), Terminal.FirstOrDefault)).After(SubqueryToJoin.Apply));

    [Fact]
    public void Whether_there_is_one_is_whether_the_join_finds_a_group() => Assert.Equal(
        """
        Project (%match || (c0.Size > 1))
          Join Left [c0.Id == $key0 (nulls too)] #2
            Scan customers as Customer #0
            Aggregate [$key0 = o1.CustomerId] []
              Scan orders as Order #1
        """,
        s_customer.Select(Exists(s_orders).Or(s_customer.Column("Size").Above(1))).After(SubqueryToJoin.Apply));

    [Fact]
    public void A_subquery_in_a_subquery_is_joined_in_it()
    {
        Scan item = Items(2);
        Subquery sizes = item.If(item.Column("OrderId").Is(s_order.Column("Id"))).Total(1, Sum(item.Column("Size")));
        Assert.Equal(
            """
            Project (%match ? g4$agg0 : 0)
              Join Left [c0.Id == g4$key0 (nulls too)] #4
                Scan customers as Customer #0
                Aggregate [g4$key0 = o1.CustomerId] [g4$agg0 = Sum((%match ? g3$agg0 : 0)): int]
                  Join Left [o1.Id == g3$key0 (nulls too)] #3
                    Scan orders as Order #1
                    Aggregate [g3$key0 = i2.OrderId] [g3$agg0 = Sum(i2.Size): int]
                      Scan items as Item #2
            """,
            s_customer.Select(s_orders.Total(2, Sum(sizes))).After(SubqueryToJoin.Apply));
    }

    [Fact]
    public void Conditions_before_it_are_tested_before_the_join() => Assert.Equal(
        """
        Project c0.Id
          Filter ((%match ? g2$agg0 : 0) > 2)
            Join Left [c0.Id == g2$key0 (nulls too)] #2
              Filter (c0.Size > 1)
                Scan customers as Customer #0
              Aggregate [g2$key0 = o1.CustomerId] [g2$agg0 = Count(): int]
                Scan orders as Order #1
        """,
        s_customer.If(s_customer.Column("Size").Above(1).And(s_orders.Total(1, Count()).Above(2))).Select(s_customer.Column("Id")).After(SubqueryToJoin.Apply));

    [Fact]
    public void An_aggregate_that_uses_the_element_around_stays() =>
        Leaves(SubqueryToJoin.Apply, s_customer.Select(s_orders.Total(1, Sum(new Binary(PlanType.Int32, BinaryOperator.Multiply, s_order.Column("Size"), s_customer.Column("Size"))))));

    [Fact]
    public void An_uncorrelated_one_stays_and_is_evaluated_once() => Leaves(SubqueryToJoin.Apply, s_customer.Select(s_order.Total(1, Sum(s_order.Column("Size")))));

    [Fact]
    public void A_comparison_other_than_for_equality_stays() =>
        Leaves(SubqueryToJoin.Apply, s_customer.Select(s_order.If(s_order.Column("Size").Above(s_customer.Column("Size"))).Total(1, Count())));

    private static LogicalOperator Placed(Scan order) => order.If(order.Column("CustomerId").Is(s_customer.Column("Id")));
}
