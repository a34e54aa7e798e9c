using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;
using static Smc.QueryCompiler.Tests.Optimizer.ShopPlans;

namespace Smc.QueryCompiler.Tests.Optimizer;

/// <summary>Questions in one form, values that nobody reads, cheap conditions first, differences by minimum and maximum, filtered joins first.</summary>
public sealed class OtherRules
{
    private static readonly Scan s_customer = Customers(0);
    private static readonly Scan s_order = Orders(1);
    private static readonly Scan s_item = Items(2);
    private static readonly Scan s_product = Products(3);
    private static readonly ScalarExpression s_size = s_customer.Column("Size");
    private static readonly LogicalOperator s_orders = s_order.If(s_order.Column("CustomerId").Is(s_customer.Column("Id")));

    [Theory]
    [InlineData(BinaryOperator.GreaterThan, 0, "Project {Any")]
    [InlineData(BinaryOperator.NotEqual, 0, "Project {Any")]
    [InlineData(BinaryOperator.GreaterThanOrEqual, 1, "Project {Any")]
    [InlineData(BinaryOperator.Equal, 0, "Project !{Any")]
    [InlineData(BinaryOperator.LessThan, 1, "Project !{Any")]
    [InlineData(BinaryOperator.GreaterThan, 1, "Project ({Scalar")]
    public void A_count_that_is_compared_with_zero_asks_whether_there_is_one(BinaryOperator comparison, int limit, string start) =>
        Assert.StartsWith(start, s_customer.Select(new Binary(PlanType.Boolean, comparison, s_orders.Total(1, Count()), Int(limit))).After(SimplifySubqueries.Apply));

    [Fact]
    public void A_count_whose_conditions_can_raise_looks_at_all() =>
        Leaves(SimplifySubqueries.Apply, s_customer.Select(s_orders.If(s_order.Column("Size").Into(1).Above(0)).Total(1, Count()).Above(0)));

    [Fact]
    public void All_is_not_any_that_fails() => Assert.StartsWith(
        "Project !{Any: Filter !(o1.Size > 2) <- ",
        s_customer.Select(s_orders.Total(1, new AggregateCall(AggregateKind.All, null, s_order.Column("Size").Above(2), PlanType.Boolean))).After(SimplifySubqueries.Apply));

    [Fact]
    public void Whether_there_is_one_does_not_depend_on_order_or_repetition() => Assert.Equal(
        """
        Project {Any: Scan $1 as Order #1}
          Scan customers as Customer #0
        """,
        s_customer.Select(Exists(new Distinct(s_order.By(s_order.Column("Id")), EquatableArray.Of<ScalarExpression>(s_order.Column("Size"))))).After(SimplifySubqueries.Apply));

    [Fact]
    public void A_condition_of_an_aggregate_without_keys_is_a_filter() => Assert.Equal(
        """
        Project $agg0
          Aggregate [] [$agg0 = Count(): int]
            Filter (c0.Size > 1)
              Scan customers as Customer #0
        """,
        Ask(s_customer.Total(0, Count(s_size.Above(1))).Root, Terminal.Scalar).After(SimplifySubqueries.Apply));

    [Fact]
    public void A_condition_of_one_of_two_aggregates_stays_with_it()
    {
        Aggregate two = new(s_customer, EquatableArray<ScalarExpression>.Empty, EquatableArray.Of(Count(s_size.Above(1)), Count()));
        Leaves(SimplifySubqueries.Apply, Ask(new Project(two, new AggregateRead(PlanType.Int32, 0)), Terminal.Scalar));
    }

    [Fact]
    public void A_value_that_nobody_reads_is_not_computed() => Assert.DoesNotContain("Compute", s_customer.Let(5, s_size).Select(s_size).After(DropUnreadValues.Apply));

    [Fact]
    public void A_value_that_only_an_unread_value_reads_is_not_computed() =>
        Assert.DoesNotContain("Compute", s_customer.Let(5, s_size).Let(6, Value(5)).Select(s_size).After(DropUnreadValues.Apply));

    [Fact]
    public void A_value_that_can_raise_is_computed() => Leaves(DropUnreadValues.Apply, s_customer.Let(5, s_size.Into(1)).Select(s_size));

    [Fact]
    public void A_value_with_effects_is_computed() => Leaves(DropUnreadValues.Apply, s_customer.Let(5, s_size.Mystery()).Select(s_size));

    [Fact]
    public void A_comparison_of_numbers_comes_before_one_of_strings() => Assert.Contains(
        "Filter ((c0.Size > 1) && (c0.Name == \"x\"))",
        s_customer.If(s_customer.Column("Name").Is(new Constant(PlanType.String, "\"x\"")).And(s_size.Above(1))).Select(s_size).After(OrderConditions.Apply));

    [Fact]
    public void A_condition_does_not_come_before_one_that_can_raise() => Leaves(OrderConditions.Apply, s_customer.If(s_size.Into(1).Above(0).And(s_size.Above(1))).Select(s_size));

    [Fact]
    public void Another_value_for_the_same_key_is_a_minimum_or_maximum_that_differs() => Assert.Equal(
        """
        Project c0.Size
          Filter (%match && ((g0$agg0 != c0.Size) || (g0$agg1 != c0.Size)))
            Join Left [c0.Id == g0$key0] #2
              Scan customers as Customer #0
              Aggregate [g0$key0 = o1.CustomerId] [g0$agg0 = Min(o1.Size): int, g0$agg1 = Max(o1.Size): int]
                Scan orders as Order #1
        """.Replace("g0$", "$"),
        Differs(JoinKind.Semi, "Size").After(DifferenceToMinMax.Apply));

    [Fact]
    public void No_other_value_for_the_same_key_is_no_group_or_one_value() => Assert.Contains(
        "Filter (!%match || !(($agg0 != c0.Size) || ($agg1 != c0.Size)))", Differs(JoinKind.Anti, "Size").After(DifferenceToMinMax.Apply));

    [Fact]
    public void Another_value_that_can_be_null_stays_a_join() => Leaves(DifferenceToMinMax.Apply, Differs(JoinKind.Semi, "Rating"));

    [Fact]
    public void Another_text_stays_a_join_because_minima_compare_by_culture() => Leaves(DifferenceToMinMax.Apply, Differs(JoinKind.Semi, "Name"));

    [Fact]
    public void A_filtered_side_that_is_joined_only_with_another_right_side_is_joined_there() => Assert.Equal(
        """
        Project c0.Size
          Join Inner [c0.Id == o1.CustomerId]
            Scan customers as Customer #0
            Join Inner [o1.Id == i2.OrderId]
              Scan orders as Order #1
              Filter (i2.Size > 1)
                Scan items as Item #2
        """,
        WithItems(s_item.If(s_item.Column("Size").Above(1))).Select(s_size).After(FilteredJoinsFirst.Apply));

    [Fact]
    public void A_side_without_a_filter_is_joined_where_the_query_says() => Leaves(FilteredJoinsFirst.Apply, WithItems(s_item).Select(s_size));

    [Fact]
    public void Where_the_order_is_not_observed_filtered_sides_come_first()
    {
        Join joins = s_customer.With(s_order, s_customer.Column("Id"), s_order.Column("CustomerId"))
            .With(s_product.If(s_product.Column("Size").Above(1)), s_customer.Column("ProductId"), s_product.Column("Id"));
        Assert.Equal(
            """
            Project $agg0
              Aggregate [$key0 = c0.Size] [$agg0 = Count(): int]
                Join Inner [c0.Id == o1.CustomerId]
                  Join Inner [c0.ProductId == p3.Id]
                    Scan customers as Customer #0
                    Filter (p3.Size > 1)
                      Scan products as Product #3
                  Scan orders as Order #1
            """,
            joins.GroupBy(0, s_size, Count()).Select(new AggregateRead(PlanType.Int32, 0)).After(FilteredJoinsFirst.Apply));
        Leaves(FilteredJoinsFirst.Apply, joins.Select(s_size));
    }

    private static QueryPlan Differs(JoinKind kind, string column) => (s_customer.With(s_order, s_customer.Column("Id"), s_order.Column("CustomerId"), kind) with
    {
        Residual = s_order.Column(column).IsNot(s_customer.Column(column)),
    }).Select(s_size);

    private static Join WithItems(LogicalOperator items) =>
        s_customer.With(s_order, s_customer.Column("Id"), s_order.Column("CustomerId")).With(items, s_order.Column("Id"), s_item.Column("OrderId"));
}
