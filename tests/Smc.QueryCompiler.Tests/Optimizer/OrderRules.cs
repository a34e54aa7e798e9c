using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;
using static Smc.QueryCompiler.Tests.Optimizer.ShopPlans;

namespace Smc.QueryCompiler.Tests.Optimizer;

/// <summary>Rules that ask who can observe an order: sorting, distinct elements, joins of any order, the first few.</summary>
public sealed class OrderRules
{
    private static readonly Scan s_customer = Customers(0);
    private static readonly Scan s_order = Orders(1);
    private static readonly ScalarExpression s_size = s_customer.Column("Size");
    private static readonly Join s_pairs = s_customer.With(s_order, s_customer.Column("Id"), s_order.Column("CustomerId"));

    [Fact]
    public void What_is_only_counted_is_not_sorted() => Assert.DoesNotContain("Order c0", All(s_customer.By(s_size), Count()).After(DropUnobservedOrder.Apply));

    [Fact]
    public void A_sum_of_floating_point_numbers_is_rounded_in_the_order_of_the_rows() => Leaves(DropUnobservedOrder.Apply, All(s_customer.By(s_size), Sum(s_customer.Column("Weight"))));

    [Fact]
    public void A_sum_of_decimals_is_in_order_where_it_rounds()
    {
        QueryPlan sum = All(s_customer.By(s_size), Sum(s_customer.Column("Price")));

        QueryPlan optimized = PlanOptimizer.Optimize(sum);

        Assert.DoesNotContain("Order c0", PlanPrinter.Print(optimized));
        Assert.Contains("Order c0", PlanPrinter.Print(optimized.Plain!));
        Assert.Null(PlanOptimizer.Optimize(All(s_customer.By(s_size), Sum(s_size))).Plain);
        Assert.Null(PlanOptimizer.Optimize(All(s_customer, Sum(s_customer.Column("Price")))).Plain);
    }

    [Fact]
    public void Groups_of_ordered_elements_come_in_the_order_of_their_first() =>
        Leaves(DropUnobservedOrder.Apply, s_customer.By(s_size).GroupBy(0, s_size, Count()).Select(new AggregateRead(PlanType.Int32, 0)));

    [Fact]
    public void What_is_reversed_stays_so_where_the_first_of_equal_minima_is_taken() => Leaves(DropUnobservedOrder.Apply, All(new Reverse(s_customer), Max(s_customer.Column("Weight"))));

    [Fact]
    public void The_first_few_are_those_of_the_order() => Leaves(DropUnobservedOrder.Apply, All(new Limit(s_customer.By(s_size), Parameter), Count()));

    [Fact]
    public void A_sort_key_that_can_raise_is_computed() => Leaves(DropUnobservedOrder.Apply, All(s_customer.By(s_size.Into(1)), Count()));

    [Fact]
    public void Of_two_orders_the_first_decides_between_what_the_second_leaves_equal() => Assert.Equal(
        """
        Project c0.Id
          Order c0.Id, c0.Size
            Scan customers as Customer #0
        """,
        s_customer.By(s_size).By(s_customer.Column("Id")).Select(s_customer.Column("Id")).After(DropUnobservedOrder.Apply));

    [Fact]
    public void A_filtered_side_goes_into_the_table_and_groups_look_it_up() => Assert.Equal(
        """
        Project $agg0
          Aggregate [$key0 = c0.Size] [$agg0 = Count(): int]
            Join Inner [g1$key0 == c0.Id]
              Aggregate [g1$key0 = o1.CustomerId] [g1$agg0 = Count(): int]
                Scan orders as Order #1
              Filter (c0.Size > 1)
                Scan customers as Customer #0
        """,
        Counted(WithGroups(s_customer.If(s_size.Above(1)))).After(FilteredSideIntoTable.Apply));

    [Fact]
    public void A_side_without_a_filter_looks_groups_up() => Leaves(FilteredSideIntoTable.Apply, Counted(WithGroups(s_customer)));

    [Fact]
    public void Joined_pairs_that_are_the_result_come_in_order() => Leaves(FilteredSideIntoTable.Apply, WithGroups(s_customer.If(s_size.Above(1))).Select(s_size));

    [Fact]
    public void Ties_of_an_order_over_pairs_come_in_order() => Leaves(FilteredSideIntoTable.Apply, WithGroups(s_customer.If(s_size.Above(1))).By(s_size).Select(s_size));

    [Fact]
    public void Groups_whose_rows_are_read_again_stay_on_the_right()
    {
        Subquery rows = new GroupRows(0, EquatableArray.Of(new GroupVariable(0, 7))).First(new ColumnRead(PlanType.Int32, Row(s_customer) with { Variable = 7 }, "Id"));
        Leaves(FilteredSideIntoTable.Apply, WithGroups(s_customer.If(s_size.Above(1))).GroupBy(0, s_size).Select(rows));
    }

    private static Join WithGroups(LogicalOperator customers) =>
        customers.With(s_order.GroupBy(1, s_order.Column("CustomerId"), Count()), s_customer.Column("Id"), new KeyRead(PlanType.Int32, 0, 1));

    private static QueryPlan Counted(Join pairs) => pairs.GroupBy(0, s_size, Count()).Select(new AggregateRead(PlanType.Int32, 0));

    [Fact]
    public void Rows_of_a_collection_are_distinct_as_they_are() => Assert.DoesNotContain(
        "Distinct", new Distinct(s_customer.If(s_size.Above(1)), EquatableArray.Of<ScalarExpression>(Row(s_customer))).Select(s_size).After(DropRedundantDistinct.Apply));

    [Fact]
    public void Rows_that_are_joined_can_come_more_than_once() =>
        Leaves(DropRedundantDistinct.Apply, new Distinct(s_pairs, EquatableArray.Of<ScalarExpression>(Row(s_customer))).Select(s_size));

    [Fact]
    public void The_first_of_an_order_is_a_top_one() => Assert.Equal(
        """
        Project c0.Id
          TopN 1 by c0.Size
            Scan customers as Customer #0
        """,
        Ask(new Project(s_customer.By(s_size), s_customer.Column("Id")), Terminal.First).After(OrderThenLimitToTopN.Apply));

    [Fact]
    public void Values_of_what_is_taken_are_computed_after_it() => Assert.Equal(
        """
        Project c0.Id
          Compute %v5#5 = c0.Size
            TopN @limit by c0.Size
              Scan customers as Customer #0
        """,
        new Limit(s_customer.By(s_size).Let(5, s_size), Parameter).Select(s_customer.Column("Id")).After(OrderThenLimitToTopN.Apply));

    [Fact]
    public void The_last_of_an_order_is_the_first_from_its_end() => Assert.Equal(
        """
        Project c0.Id
          TopN 1 by c0.Size from the end
            Scan customers as Customer #0
        """,
        Ask(new Project(s_customer.By(s_size), s_customer.Column("Id")), Terminal.Last).After(OrderThenLimitToTopN.Apply));

    [Fact]
    public void A_page_of_an_order_sorts_nothing_before_and_behind_it() => Assert.Equal(
        """
        Project c0.Id
          Compute %v5#5 = c0.Size
            TopN 20 after @limit by c0.Size
              Scan customers as Customer #0
        """,
        new Limit(new Skip(s_customer.By(s_size).Let(5, s_size), Parameter), Int(20)).Select(s_customer.Column("Id")).After(OrderThenLimitToTopN.Apply));

    [Fact]
    public void The_last_elements_of_an_order_are_the_first_from_its_end_in_reverse() => Assert.Equal(
        """
        Project c0.Id
          Reverse
            TopN 20 by c0.Size from the end
              Scan customers as Customer #0
        """,
        new Reverse(new Limit(new Reverse(s_customer.By(s_size)), Int(20))).Select(s_customer.Column("Id")).After(OrderThenLimitToTopN.Apply));

    [Fact]
    public void An_element_at_a_position_of_an_order_is_selected() => Assert.Equal(
        """
        Project c0.Id
          TopN 1 after @limit by c0.Size
            Scan customers as Customer #0
        """,
        Ask(new Project(new Skip(s_customer.By(s_size), Parameter), s_customer.Column("Id")), Terminal.ElementAt).After(OrderThenLimitToTopN.Apply));

    [Fact]
    public void A_range_of_a_range_stays() =>
        Assert.Contains("Skip 3\n", new Limit(new Skip(new Skip(s_customer.By(s_size), Parameter), Int(3)), Int(20)).Select(s_customer.Column("Id")).After(OrderThenLimitToTopN.Apply));
}
