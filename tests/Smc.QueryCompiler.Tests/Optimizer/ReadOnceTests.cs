using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;
using static Smc.QueryCompiler.Tests.Optimizer.ShopPlans;

namespace Smc.QueryCompiler.Tests.Optimizer;

/// <summary>Values that the query's text reads in one place, here place 1, and that the plan uses in several.</summary>
public sealed class ReadOnceTests
{
    private static readonly Scan s_customer = Customers(0);
    private static readonly Scan s_order = Orders(1);
    private static readonly ColumnRead s_size = s_customer.Column("Size") with { Place = 1 };

    [Fact]
    public void A_filtered_value_is_tested_again_as_it_was_loaded() => Assert.Equal(
        """
        Project %Size
          Filter (%Size > 5)
            Compute %Size#1 = c0.Size
              Filter ((c0.Size > 5) && (c0.Id > 3))
                Scan customers as Customer #0
        """,
        s_customer.If(s_size.Above(5).And(s_customer.Column("Id").Above(3))).Select(s_size).After(ReadOnce.Apply));

    [Fact]
    public void A_distinct_value_is_the_one_that_was_compared() => Assert.Equal(
        """
        Project %Size
          Distinct %Size
            Compute %Size#1 = c0.Size
              Scan customers as Customer #0
        """,
        new Distinct(s_customer, EquatableArray.Of<ScalarExpression>(s_size)).Select(s_size).After(ReadOnce.Apply));

    [Fact]
    public void An_ordered_value_is_the_one_that_was_compared() => Assert.Equal(
        """
        Project %Size
          Order %Size
            Compute %Size#1 = c0.Size
              Scan customers as Customer #0
        """,
        s_customer.By(s_size).Select(s_size).After(ReadOnce.Apply));

    [Fact]
    public void The_key_of_a_join_is_the_value_that_the_pair_shows() => Assert.Equal(
        """
        Project (%Size > o1.Size)
          Join Inner [%Size == o1.CustomerId]
            Compute %Size#2 = c0.Size
              Scan customers as Customer #0
            Scan orders as Order #1
        """,
        s_customer.With(s_order, s_size, s_order.Column("CustomerId")).Select(s_size.Above(s_order.Column("Size"))).After(ReadOnce.Apply));

    [Fact]
    public void A_condition_that_guards_the_read_stays_before_it() => Assert.Equal(
        """
        Project %Size
          Filter ((%Size > 5) && (o1.Size > 7))
            Compute %Size#2 = o1.Customer.Size
              Filter (o1.CustomerId > 3)
                Number #0
                  Scan orders as Order #1
        """,
        Guarded().After(ReadOnce.Apply));

    [Fact]
    public void A_condition_with_effects_is_tested_once() => Assert.Equal(
        """
        Project %Size
          Filter Rules.IsFine(%Size)
            Compute %Size#1 = c0.Size
              Scan customers as Customer #0
        """,
        s_customer.If(s_size.Mystery()).Select(s_size).After(ReadOnce.Apply));

    [Fact]
    public void A_read_that_only_one_arm_evaluates_is_shared_with_the_condition_around_it()
    {
        ColumnRead size = s_order.Column("Customer").Column("Size") with { Place = 1 };
        ScalarExpression guarded = new Conditional(PlanType.Int32, s_order.Column("CustomerId").Above(0), size, Int(0));

        string plan = s_order.By(guarded).Select(guarded).After(ReadOnce.Apply);

        Assert.Matches(@"^Project %value\n  Order %value\n    Compute %value#2 = .*o1\.CustomerId > 0.*o1\.Customer\.Size", plan);
    }

    [Fact]
    public void A_read_behind_a_reference_that_a_condition_evaluates_in_any_case_is_read_once_for_it()
    {
        ColumnRead size = s_order.Column("Customer").Column("Size") with { Place = 1 };

        Assert.Equal(
            """
            Project o1.Id
              Filter ((%Size > 5) || (%Size == 3))
                Compute %Size#2 = o1.Customer.Size
                  Number #0
                    Scan orders as Order #1
            """,
            new Number(s_order, 0).If(size.Above(5).Or(size.Is(Int(3)))).Select(s_order.Column("Id")).After(ReadOnce.Apply));
        Leaves(ReadOnce.Apply, new Number(s_order, 0).If(s_order.Column("Id").Above(1).Or(size.Above(5).Or(size.Is(Int(3))))).Select(s_order.Column("Id")));
    }

    [Fact]
    public void A_reference_and_what_is_behind_it_are_both_read_once()
    {
        ColumnRead customer = s_order.Column("Customer") with { Place = 1 }, size = customer.Column("Size") with { Place = 2 };

        string plan = s_order.By(size).By(size).Select(customer.Is(customer).And(size.Above(5))).After(ReadOnce.Apply);

        Assert.Contains("Compute %Size#2 = %Customer.Size\n", plan);
        Assert.Contains("Compute %Customer#3 = o1.Customer\n", plan);
        Assert.Contains("Order %Size", plan);
    }

    [Fact]
    public void Values_of_rows_that_are_variables_are_read_once()
    {
        PlanType type = new(TypeKind.Tabular, "global::Shop.Customer");
        ConcatColumn row = new(7, "row", Row(s_customer), Row(Customers(1)));
        ColumnRead size = new ValueVariable(type, 7, "row").Column("Size") with { Place = 1 };
        Concat both = new(s_customer, Customers(1), EquatableArray.Of(row));

        Assert.Contains("Distinct %Size\n", new Distinct(both, EquatableArray.Of<ScalarExpression>(size)).Select(size).After(ReadOnce.Apply));
    }

    [Fact]
    public void Conditions_on_a_scan_alone_share_a_load_anyway() => Leaves(ReadOnce.Apply, s_customer.If(s_size.Above(5).And(s_size.IsNot(Int(7)))).Select(s_customer.Column("Id")));

    [Fact]
    public void Groups_over_a_scan_share_a_load_anyway() =>
        Leaves(ReadOnce.Apply, s_customer.GroupBy(0, s_size, Sum(s_size), Max(s_size)).Select(new AggregateRead(PlanType.Int32, 0)));

    [Fact]
    public void The_key_of_a_group_over_pairs_is_the_value_that_is_added_up() => Assert.Equal(
        """
        Project $agg0
          Aggregate [$key0 = %Size] [$agg0 = Sum(%Size): int]
            Compute %Size#2 = c0.Size
              Join Inner [c0.Id == o1.CustomerId]
                Scan customers as Customer #0
                Scan orders as Order #1
        """,
        s_customer.With(s_order, s_customer.Column("Id"), s_order.Column("CustomerId")).GroupBy(0, s_size, Sum(s_size)).Select(new AggregateRead(PlanType.Int32, 0)).After(ReadOnce.Apply));

    [Fact]
    public void A_value_that_an_inner_query_uses_too_is_read_once_for_both()
    {
        Subquery count = new(
            PlanType.Int32,
            new Project(new Aggregate(s_order.If(s_size.Above(s_order.Column("Size"))), EquatableArray<ScalarExpression>.Empty, EquatableArray.Of(Count()), 3), new AggregateRead(PlanType.Int32, 0, 3)),
            Terminal.Scalar);

        string plan = s_customer.If(s_size.Above(5).And(count.Above(2))).Select(s_customer.Column("Id")).After(ReadOnce.Apply);

        Assert.Contains("Compute %Size#", plan);
        Assert.Contains("(%Size > o1.Size)", plan);
    }

    [Fact]
    public void Two_places_that_read_the_same_are_two_reads() =>
        Leaves(ReadOnce.Apply, s_customer.If(s_size.Above(5)).Select(s_customer.Column("Size") with { Place = 2 }));

    private static QueryPlan Guarded()
    {
        ColumnRead size = s_order.Column("Customer").Column("Size") with { Place = 1 };
        return new Number(s_order, 0).If(s_order.Column("CustomerId").Above(3).And(size.Above(5)).And(s_order.Column("Size").Above(7))).Select(size);
    }
}
