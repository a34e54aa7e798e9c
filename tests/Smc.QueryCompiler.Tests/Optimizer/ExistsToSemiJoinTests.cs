using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;
using static Smc.QueryCompiler.Tests.Optimizer.ShopPlans;

namespace Smc.QueryCompiler.Tests.Optimizer;

public sealed class ExistsToSemiJoinTests
{
    private static readonly Scan s_customer = Customers(0);
    private static readonly Scan s_order = Orders(1);
    private static readonly ScalarExpression s_ofCustomer = s_order.Column("CustomerId").Is(s_customer.Column("Id"));

    [Fact]
    public void Any_with_an_equality_is_a_semi_join() => Assert.Equal(
        """
        Project c0.Id
          Join Semi [c0.Id == o1.CustomerId (nulls too)]
            Scan customers as Customer #0
            Filter (o1.Size > 3)
              Scan orders as Order #1
        """,
        Query(Exists(s_order.If(s_order.Column("Size").Above(3).And(s_ofCustomer)))).After(ExistsToSemiJoin.Apply));

    [Fact]
    public void No_Any_is_an_anti_join_and_the_rest_of_the_condition_its_residual() => Assert.Equal(
        """
        Project c0.Id
          Join Anti [c0.Id == o1.CustomerId (nulls too)] where (o1.Size > c0.Size)
            Scan customers as Customer #0
            Scan orders as Order #1
        """,
        Query(Exists(s_order.If(s_ofCustomer.And(s_order.Column("Size").Above(s_customer.Column("Size"))))).Not()).After(ExistsToSemiJoin.Apply));

    [Fact]
    public void Conditions_keep_their_order_around_the_join() => Assert.Equal(
        """
        Project c0.Id
          Filter (c0.Size > 2)
            Join Semi [c0.Id == o1.CustomerId (nulls too)]
              Filter (c0.Size > 1)
                Scan customers as Customer #0
              Scan orders as Order #1
        """,
        Query(s_customer.Column("Size").Above(1).And(Exists(s_order.If(s_ofCustomer))).And(s_customer.Column("Size").Above(2))).After(ExistsToSemiJoin.Apply));

    [Fact]
    public void Membership_of_a_list_is_a_semi_join()
    {
        Enumerate numbers = new(List, PlanType.Int32, 1);
        Assert.Equal(
            """
            Project c0.Id
              Join Semi [c0.Id == %v1 (nulls too)]
                Scan customers as Customer #0
                Enumerate @numbers as int #1
            """,
            Query(Exists(numbers.If(Value(1).Is(s_customer.Column("Id"))))).After(ExistsToSemiJoin.Apply));
    }

    [Fact]
    public void A_null_test_of_the_key_says_that_nulls_have_no_partner()
    {
        ScalarExpression rating = s_customer.Column("Rating");
        ScalarExpression equal = s_order.Column("Rating").Is(rating), isSet = rating.IsNot(new Constant(rating.Type, "null"));
        Assert.Contains("Join Semi [c0.Rating == o1.Rating]\n", Query(Exists(s_order.If(isSet.And(equal)))).After(ExistsToSemiJoin.Apply));
    }

    [Fact]
    public void A_correlated_condition_below_a_join_is_found()
    {
        Scan item = Items(2);
        LogicalOperator elements = s_order.If(s_ofCustomer).With(item, s_order.Column("Id"), item.Column("OrderId"));
        Assert.Equal(
            """
            Project c0.Id
              Join Semi [c0.Id == o1.CustomerId (nulls too)]
                Scan customers as Customer #0
                Join Inner [o1.Id == i2.OrderId]
                  Scan orders as Order #1
                  Scan items as Item #2
            """,
            Query(Exists(elements)).After(ExistsToSemiJoin.Apply));
    }

    [Fact]
    public void A_condition_that_can_raise_behind_the_equality_is_tested_for_all_of_the_other_sequence() =>
        Assert.Contains("Join Semi", Text(ExistsToSemiJoin.Apply(Query(Exists(s_order.If(s_ofCustomer.And(s_order.Column("Size").Into(1).Above(0))))))));

    [Fact]
    public void Without_an_equality_it_stays() =>
        Leaves(ExistsToSemiJoin.Apply, Query(Exists(s_order.If(s_order.Column("Size").Above(s_customer.Column("Size"))))));

    [Fact]
    public void An_uncorrelated_one_stays_and_is_evaluated_once() =>
        Leaves(ExistsToSemiJoin.Apply, Query(Exists(s_order.If(s_order.Column("Size").Above(3)))));

    [Fact]
    public void An_equality_of_floating_point_numbers_is_no_key() =>
        Leaves(ExistsToSemiJoin.Apply, Query(Exists(s_order.If(s_order.Column("Weight").Is(s_customer.Column("Weight"))))));

    [Fact]
    public void A_condition_with_effects_stays_where_it_is() =>
        Leaves(ExistsToSemiJoin.Apply, Query(Exists(s_order.If(s_order.Column("Size").Mystery().And(s_ofCustomer)))));

    [Fact]
    public void An_equality_behind_a_condition_of_the_pair_that_can_raise_is_no_key() =>
        Leaves(ExistsToSemiJoin.Apply, Query(Exists(s_order.If(s_customer.Column("Size").Into(1).Above(s_order.Column("Size")).And(s_ofCustomer)))));

    [Fact]
    public void The_first_few_of_each_stay_a_subquery() =>
        Leaves(ExistsToSemiJoin.Apply, Query(Exists(new Limit(s_order.If(s_ofCustomer), Parameter).If(s_order.Column("Size").Above(3)))));

    private static QueryPlan Query(ScalarExpression condition) => s_customer.If(condition).Select(s_customer.Column("Id"));
}
