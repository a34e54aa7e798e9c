using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;
using static Smc.QueryCompiler.Tests.Optimizer.ShopPlans;

namespace Smc.QueryCompiler.Tests.Optimizer;

/// <summary>What alternatives say of single rows, and values that are written into the condition that reads them.</summary>
public sealed class ConditionRules
{
    private static readonly Scan s_customer = Customers(0);
    private static readonly Scan s_order = Orders(1);
    private static readonly ScalarExpression s_size = s_customer.Column("Size");
    private static readonly Join s_pairs = s_customer.With(s_order, s_customer.Column("Id"), s_order.Column("CustomerId"));
    private static readonly ScalarExpression s_ofOrdersCustomer = s_order.Column("Customer").Column("Size");

    [Fact]
    public void Of_alternatives_over_two_rows_something_follows_for_each() => Assert.Equal(
        """
        Project c0.Size
          Filter (((((c0.Size > 1) && (c0.Id > 7)) || (c0.Size > 2)) && ((o1.Size > 3) || (o1.Size > 4))) && ((((c0.Size > 1) && (o1.Size > 3)) && (c0.Id > 7)) || ((c0.Size > 2) && (o1.Size > 4))))
            Join Inner [c0.Id == o1.CustomerId]
              Scan customers as Customer #0
              Scan orders as Order #1
        """,
        s_pairs.If(s_size.Above(1).And(s_order.Column("Size").Above(3)).And(s_customer.Column("Id").Above(7)).Or(s_size.Above(2).And(s_order.Column("Size").Above(4))))
            .Select(s_size).After(ImpliedConditions.Apply));

    [Fact]
    public void Something_follows_for_a_referenced_row() => Assert.Contains(
        "Filter (((o1.Customer.Size > 1) || (o1.Customer.Size > 2)) && (((o1.Size > 3) && (o1.Customer.Size > 1)) || (o1.Customer.Size > 2)))",
        s_order.If(s_order.Column("Size").Above(3).And(s_ofOrdersCustomer.Above(1)).Or(s_ofOrdersCustomer.Above(2))).Select(s_order.Column("Id")).After(ImpliedConditions.Apply));

    [Fact]
    public void Nothing_follows_for_a_row_that_an_alternative_does_not_mention() => Leaves(
        ImpliedConditions.Apply, s_pairs.If(s_size.Above(1).Or(s_order.Column("Size").Above(4))).Select(s_size));

    [Fact]
    public void Nothing_follows_from_a_condition_with_effects() => Leaves(
        ImpliedConditions.Apply,
        s_pairs.If(s_size.Mystery().And(s_order.Column("Size").Mystery()).Or(s_size.Mystery().And(s_order.Column("Id").Mystery()))).Select(s_size));

    [Fact]
    public void Alternatives_over_one_row_stay_as_they_are() => Leaves(
        ImpliedConditions.Apply, s_customer.If(s_size.Above(1).And(s_customer.Column("Id").Above(2)).Or(s_size.Above(5))).Select(s_size));

    [Fact]
    public void A_value_that_one_condition_reads_once_is_written_into_it() => Assert.Equal(
        """
        Project o1.Id
          Filter ((1 / o1.Size) > 2)
            Scan orders as Order #1
        """,
        s_order.Let(5, s_order.Column("Size").Into(1)).If(Value(5).Above(2)).Select(s_order.Column("Id")).After(InlineConditionValues.Apply));

    [Fact]
    public void A_value_of_a_referenced_row_is_written_into_a_condition_that_reads_nothing_else() => Assert.Equal(
        """
        Project o1.Id
          Filter ((o1.Customer.Size > 2) || (o1.Customer.Size > o1.Customer.Id))
            Scan orders as Order #1
        """,
        s_order.Let(5, s_ofOrdersCustomer).If(Value(5).Above(2).Or(Value(5).Above(s_order.Column("Customer").Column("Id")))).Select(s_order.Column("Id")).After(InlineConditionValues.Apply));

    [Fact]
    public void A_value_that_is_read_again_stays() =>
        Leaves(InlineConditionValues.Apply, s_order.Let(5, s_ofOrdersCustomer).If(Value(5).Above(2)).Select(Value(5)));

    [Fact]
    public void A_value_that_can_raise_stays_before_a_condition_that_may_guard_it() =>
        Leaves(InlineConditionValues.Apply, s_order.Let(5, s_ofOrdersCustomer).If(s_order.Column("Size").Above(1).And(Value(5).Above(2))).Select(s_order.Column("Id")));

    [Fact]
    public void A_value_that_several_rows_share_stays_when_it_is_read_twice() => Leaves(
        InlineConditionValues.Apply, s_order.Let(5, s_order.Column("Size")).If(Value(5).Above(2).Or(Value(5).Above(s_order.Column("Id")))).Select(s_order.Column("Id")));
}
