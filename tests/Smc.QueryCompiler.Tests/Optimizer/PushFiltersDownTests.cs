using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;
using static Smc.QueryCompiler.Tests.Optimizer.ShopPlans;

namespace Smc.QueryCompiler.Tests.Optimizer;

public sealed class PushFiltersDownTests
{
    private static readonly Scan s_customer = Customers(0);
    private static readonly Scan s_order = Orders(1);
    private static readonly ScalarExpression s_ofCustomer = s_order.Column("CustomerId").Is(s_customer.Column("Id"));
    private static readonly Join s_pairs = s_customer.With(s_order, s_customer.Column("Id"), s_order.Column("CustomerId"));

    [Fact]
    public void A_condition_goes_to_the_side_of_a_join_that_it_reads() => Assert.Equal(
        """
        Project c0.Id
          Filter (c0.Size > o1.Size)
            Join Inner [c0.Id == o1.CustomerId]
              Filter (c0.Size > 1)
                Scan customers as Customer #0
              Filter (o1.Size > 2)
                Scan orders as Order #1
        """,
        After(s_pairs, s_customer.Column("Size").Above(1).And(s_customer.Column("Size").Above(s_order.Column("Size"))).And(s_order.Column("Size").Above(2))));

    [Fact]
    public void An_equality_between_the_sides_of_a_cross_join_becomes_its_key() => Assert.Equal(
        """
        Project c0.Id
          Join Inner [c0.Id == o1.CustomerId (nulls too)]
            Scan customers as Customer #0
            Scan orders as Order #1
        """,
        After(s_customer.Cross(s_order), s_ofCustomer));

    [Fact]
    public void Of_a_left_join_only_conditions_on_the_left_go_below() => Assert.Equal(
        """
        Project c0.Id
          Filter (o1.Size > 2)
            Join Left [c0.Id == o1.CustomerId] #2
              Filter (c0.Size > 1)
                Scan customers as Customer #0
              Scan orders as Order #1
        """,
        After(s_customer.With(s_order, s_customer.Column("Id"), s_order.Column("CustomerId"), JoinKind.Left, 2), s_customer.Column("Size").Above(1).And(s_order.Column("Size").Above(2))));

    [Fact]
    public void A_condition_passes_values_and_orders_that_it_does_not_read() => Assert.Equal(
        """
        Project c0.Id
          Filter (%v5 > 7)
            Compute %v5#5 = c0.Size
              Order c0.Id
                Filter (c0.Size > 1)
                  Scan customers as Customer #0
        """,
        After(s_customer.By(s_customer.Column("Id")).Let(5, s_customer.Column("Size")), Value(5).Above(7).And(s_customer.Column("Size").Above(1))));

    [Fact]
    public void A_condition_on_keys_goes_below_groups() => Assert.Equal(
        """
        Project $key0
          Filter ($agg0 > 2)
            Aggregate [$key0 = c0.Size] [$agg0 = Count(): int]
              Filter (c0.Size > 1)
                Scan customers as Customer #0
        """,
        s_customer.GroupBy(0, s_customer.Column("Size"), Count())
            .If(new KeyRead(PlanType.Int32, 0).Above(1).And(new AggregateRead(PlanType.Int32, 0).Above(2)))
            .Select(new KeyRead(PlanType.Int32, 0)).After(PushFiltersDown.Apply));

    [Fact]
    public void A_condition_on_what_is_distinct_goes_below() => Assert.Equal(
        """
        Project c0.Id
          Filter (c0.Id > 2)
            Distinct c0.Size
              Filter (c0.Size > 1)
                Scan customers as Customer #0
        """,
        After(new Distinct(s_customer, EquatableArray.Of<ScalarExpression>(s_customer.Column("Size"))), s_customer.Column("Size").Above(1).And(s_customer.Column("Id").Above(2))));

    [Fact]
    public void A_condition_goes_into_both_sides_of_a_concatenation() => Assert.Equal(
        """
        Project %v9
          Concat %v9#9 = c0.Id | o1.Id
            Filter (c0.Id > 3)
              Scan customers as Customer #0
            Filter (o1.Id > 3)
              Scan orders as Order #1
        """,
        new Concat(s_customer, s_order, EquatableArray.Of(new ConcatColumn(9, "v9", s_customer.Column("Id"), s_order.Column("Id"))))
            .If(Value(9).Above(3)).Select(Value(9)).After(PushFiltersDown.Apply));

    [Fact]
    public void Conditions_on_SelectMany_go_to_the_side_that_they_read() => Assert.Equal(
        """
        Project c0.Id
          Apply
            Filter (c0.Size > 1)
              Scan customers as Customer #0
            Filter ((o1.CustomerId == c0.Id) && (o1.Size > 2))
              Scan orders as Order #1
        """,
        After(new Apply(s_customer, s_order.If(s_ofCustomer)), s_order.Column("Size").Above(2).And(s_customer.Column("Size").Above(1))));

    [Fact]
    public void A_condition_that_reads_both_sides_of_SelectMany_is_asked_inside() => Assert.Equal(
        """
        Project c0.Id
          Apply
            Scan customers as Customer #0
            Filter ((o1.CustomerId == c0.Id) && (o1.Size != c0.Size))
              Scan orders as Order #1
        """,
        After(new Apply(s_customer, s_order.If(s_ofCustomer)), s_order.Column("Size").IsNot(s_customer.Column("Size"))));

    [Fact]
    public void A_condition_on_the_inner_element_of_SelectMany_stays_above_what_ends_there() => Assert.Equal(
        """
        Project c0.Id
          Apply
            Filter (c0.Size > 1)
              Scan customers as Customer #0
            Filter (o1.Size > 2)
              Limit @limit
                Filter (o1.CustomerId == c0.Id)
                  Scan orders as Order #1
        """,
        After(new Apply(s_customer, new Limit(s_order.If(s_ofCustomer), Parameter)), s_order.Column("Size").Above(2).And(s_customer.Column("Size").Above(1))));

    [Fact]
    public void A_condition_does_not_pass_a_limit() => Stays(new Limit(s_customer, Parameter), s_customer.Column("Size").Above(1));

    [Fact]
    public void A_condition_does_not_pass_a_value_that_can_raise() => Stays(s_customer.Let(5, s_customer.Column("Size").Into(1)), s_customer.Column("Size").Above(1));

    [Fact]
    public void A_condition_does_not_pass_one_that_can_raise_and_stays_above() => Stays(
        s_pairs, s_customer.Column("Size").Into(1).Above(s_order.Column("Size")).And(s_customer.Column("Size").Above(1)));

    [Fact]
    public void A_condition_that_can_raise_stays_behind_one_that_may_guard_it() => Stays(
        s_pairs, s_customer.Column("Size").IsNot(s_order.Column("Size")).And(s_customer.Column("Size").Into(1).Above(1)));

    [Fact]
    public void A_condition_with_effects_is_not_tested_for_more_elements() => Stays(s_pairs, s_customer.Column("Size").Mystery());

    [Fact]
    public void Equal_floating_point_numbers_are_no_key() => Stays(s_customer.Cross(s_order), s_order.Column("Weight").Is(s_customer.Column("Weight")));

    private static string After(LogicalOperator input, ScalarExpression condition) => input.If(condition).Select(s_customer.Column("Id")).After(PushFiltersDown.Apply);

    private static void Stays(LogicalOperator input, ScalarExpression condition) => Leaves(PushFiltersDown.Apply, input.If(condition).Select(s_customer.Column("Id")));
}
