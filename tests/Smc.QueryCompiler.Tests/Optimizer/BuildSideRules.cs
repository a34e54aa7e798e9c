using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;
using static Smc.QueryCompiler.Tests.Optimizer.ShopPlans;

namespace Smc.QueryCompiler.Tests.Optimizer;

/// <summary>Joins whose other side may be scanned, when the query runs and knows which collection is larger.</summary>
public sealed class BuildSideRules
{
    private static readonly Scan s_customer = Customers(0);
    private static readonly Scan s_order = Orders(1);
    private static readonly Scan s_item = Items(2);
    private static readonly ScalarExpression s_size = s_customer.Column("Size");

    [Fact]
    public void A_far_larger_right_side_is_scanned_and_looks_the_left_up() => Assert.Equal(
        """
        Project $agg0
          Aggregate [] [$agg0 = Count(): int]
            Join Inner [c0.Id == o1.CustomerId]
              Scan customers as Customer #0
              Scan orders as Order #1
        when orders has more than 2 times the rows of customers:
        Project $agg0
          Aggregate [] [$agg0 = Count(): int]
            Join Inner [o1.CustomerId == c0.Id]
              Scan orders as Order #1
              Scan customers as Customer #0
        """,
        Counted(WithOrders(s_customer, s_order)).After(BuildSides.Apply));

    [Fact]
    public void Of_a_chain_the_last_collection_comes_first_and_has_to_be_larger_than_all_before_it()
    {
        QueryPlan plan = BuildSides.Apply(Counted(WithOrders(s_customer, s_order).With(s_item, s_order.Column("Id"), s_item.Column("OrderId"))));
        Assert.Equal(["2 > 0, 1", "1 > 0"], plan.OtherSides.Select(other => $"{other.Larger} > {string.Join(", ", other.Smaller)}"));
    }

    [Fact]
    public void A_filtered_left_side_goes_into_the_table() => Assert.Single(BuildSides.Apply(Counted(WithOrders(s_customer.If(s_size.Above(1)), s_order))).OtherSides);

    [Fact]
    public void A_filtered_right_side_stays_in_the_table() => Stays(WithOrders(s_customer, s_order.If(s_order.Column("Size").Above(1))));

    [Fact]
    public void A_collection_that_the_left_has_references_to_stays_in_the_table()
    {
        QueryPlan plan = Counted(s_item.With(s_order, s_item.Column("OrderId"), s_order.Column("Id")));
        Assert.Single(BuildSides.Apply(plan).OtherSides);
        Assert.Empty(BuildSides.Apply(WithReference(plan, from: s_item, "Order")).OtherSides);
        Assert.Single(BuildSides.Apply(WithReference(plan, from: s_order, "Order")).OtherSides);
    }

    [Fact]
    public void A_left_join_passes_what_has_no_partner() => Stays(s_customer.With(s_order, s_customer.Column("Id"), s_order.Column("CustomerId"), JoinKind.Left, match: 5));

    [Fact]
    public void A_collection_is_not_larger_than_itself()
    {
        Scan other = Customers(3);
        Stays(s_customer.With(other, s_customer.Column("Id"), other.Column("Size")));
    }

    [Fact]
    public void Groups_are_not_counted() => Stays(s_customer.With(s_order.GroupBy(1, s_order.Column("CustomerId"), Count()), s_customer.Column("Id"), new KeyRead(PlanType.Int32, 0, 1)));

    [Fact]
    public void A_key_that_can_raise_is_asked_for_in_its_order() => Stays(s_customer.With(s_order, s_customer.Column("Id").Into(1), s_order.Column("CustomerId")));

    [Fact]
    public void Calls_with_effects_are_made_in_their_order() => Stays(WithOrders(s_customer.If(s_size.Mystery()), s_order));

    [Fact]
    public void Pairs_that_are_the_result_come_in_order() => Leaves(BuildSides.Apply, WithOrders(s_customer, s_order).Select(s_size));

    [Fact]
    public void Ties_of_an_order_over_pairs_come_in_order() => Leaves(BuildSides.Apply, WithOrders(s_customer, s_order).By(s_size).Select(s_size));

    [Fact]
    public void Floating_point_numbers_are_added_in_order() => Leaves(BuildSides.Apply, All(WithOrders(s_customer, s_order), Sum(s_customer.Column("Weight"))));

    private static Join WithOrders(LogicalOperator customers, LogicalOperator orders) => customers.With(orders, s_customer.Column("Id"), s_order.Column("CustomerId"));

    /// <summary>The plan where a column of one type is stored as a reference.</summary>
    private static QueryPlan WithReference(QueryPlan plan, Scan from, string column) => plan with
    {
        Shapes = plan.Shapes.Select(shape => shape.FullName != from.Shape ? shape : shape with
        {
            Columns = shape.Columns.Select(c => c.Name == column ? c with { Storage = StorageKind.Reference } : c).ToEquatableArray(),
        }).ToEquatableArray(),
    };

    private static QueryPlan Counted(LogicalOperator pairs) => All(pairs, Count());

    private static void Stays(LogicalOperator pairs) => Leaves(BuildSides.Apply, Counted(pairs));
}
