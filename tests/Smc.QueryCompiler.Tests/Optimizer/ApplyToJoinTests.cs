using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;
using static Smc.QueryCompiler.Tests.Optimizer.ShopPlans;

namespace Smc.QueryCompiler.Tests.Optimizer;

public sealed class ApplyToJoinTests
{
    private static readonly Scan s_customer = Customers(0);
    private static readonly Scan s_order = Orders(1);
    private static readonly Scan s_item = Items(2);
    private static readonly LogicalOperator s_orders = s_order.If(s_order.Column("CustomerId").Is(s_customer.Column("Id")));

    [Fact]
    public void The_inner_elements_that_equal_the_outer_one_are_joined() => Assert.Equal(
        """
        Project c0.Id
          Filter (o1.CustomerId == c0.Id)
            Join Inner []
              Scan customers as Customer #0
              Scan orders as Order #1
        """,
        After(new Apply(s_customer, s_orders)));

    [Fact]
    public void With_DefaultIfEmpty_it_is_a_left_join() => Assert.Equal(
        """
        Project c0.Id
          Join Left [c0.Id == o1.CustomerId (nulls too)] where (o1.Size > c0.Size) #5
            Scan customers as Customer #0
            Filter (o1.Size > 2)
              Scan orders as Order #1
        """,
        After(new Apply(s_customer, new DefaultIfEmpty(s_orders.If(s_order.Column("Size").Above(2).And(s_order.Column("Size").Above(s_customer.Column("Size")))), 5))));

    [Fact]
    public void All_pairs_are_a_cross_join() => Assert.Equal(
        """
        Project c0.Id
          Join Inner []
            Scan customers as Customer #0
            Scan orders as Order #1
        """,
        After(new Apply(s_customer, s_order)));

    [Fact]
    public void Nested_ones_become_joins_one_after_the_other() => Assert.Equal(
        """
        Project c0.Id
          Filter (i2.OrderId == o1.Id)
            Join Inner []
              Filter (o1.CustomerId == c0.Id)
                Join Inner []
                  Scan customers as Customer #0
                  Scan orders as Order #1
              Scan items as Item #2
        """,
        After(new Apply(s_customer, new Apply(s_orders, s_item.If(s_item.Column("OrderId").Is(s_order.Column("Id")))))));

    [Fact]
    public void Values_that_read_the_outer_element_are_computed_above() => Assert.Equal(
        """
        Project c0.Id
          Compute %v7#7 = c0.Size
            Filter (o1.CustomerId == c0.Id)
              Join Inner []
                Scan customers as Customer #0
                Scan orders as Order #1
        """,
        After(new Apply(s_customer, s_orders.Let(7, s_customer.Column("Size")))));

    [Fact]
    public void Groups_of_what_equals_the_outer_element_have_it_as_a_key() => Assert.Equal(
        """
        Project c0.Id
          Filter (c0.Id == $key1)
            Join Inner []
              Scan customers as Customer #0
              Aggregate [$key0 = o1.Size, $key1 = o1.CustomerId] [$agg0 = Count(): int]
                Scan orders as Order #1
        """,
        After(new Apply(s_customer, s_orders.GroupBy(0, s_order.Column("Size"), Count()))));

    [Fact]
    public void One_element_that_holds_nothing_needs_no_join() => Assert.Equal(
        """
        Project c0.Id
          Scan customers as Customer #0
        """,
        After(new Apply(new Unit(), new Apply(s_customer, new Unit()))));

    [Fact]
    public void The_first_few_of_each_stay() => Stays(new Limit(s_orders, Parameter));

    [Fact]
    public void A_list_of_the_outer_element_stays() => Stays(new Enumerate(
        new Call(new PlanType(TypeKind.Class, "global::System.Collections.Generic.List<int>"), "global::Shop.Rules.Sizes", null, EquatableArray.Of<ScalarExpression>(s_customer.Column("Size"))), PlanType.Int32, 4));

    [Fact]
    public void Conditions_with_effects_stay() => Stays(s_orders.If(s_order.Column("Size").Mystery()).By(s_order.Column("Id")));

    private static string After(LogicalOperator input) => input.Select(s_customer.Column("Id")).After(ApplyToJoin.Apply);

    private static void Stays(LogicalOperator inner) => Leaves(ApplyToJoin.Apply, new Apply(s_customer, inner).Select(s_customer.Column("Id")));
}
