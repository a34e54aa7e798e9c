using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;

namespace Smc.QueryCompiler.Tests.Optimizer;

/// <summary>Each rule with a plan before and after, and with a plan that it must leave alone.</summary>
public sealed class OptimizerRules
{
    private static readonly Scan s_rows = new(0, "global::Shop.Line", 0);
    private static readonly ScalarExpression s_true = new Constant(PlanType.Boolean, "true");
    private static readonly ScalarExpression s_number = new ColumnRead(PlanType.Int32, new RowVariable(new PlanType(TypeKind.Tabular, "global::Shop.Line"), 0, "l"), "Number");
    private static readonly ScalarExpression s_five = new Constant(PlanType.Int32, "5");

    [Fact]
    public void An_order_then_limit_becomes_a_top_N()
    {
        EquatableArray<OrderKey> keys = EquatableArray.Of(new OrderKey(s_number, Descending: true));
        QueryPlan plan = Plan(new Limit(new Order(s_rows, keys), s_five));
        Assert.Equal(new TopN(s_rows, keys, s_five), OrderThenLimitToTopN.Apply(plan).Root);
    }

    [Fact]
    public void A_limit_over_a_filter_over_an_order_stays()
    {
        EquatableArray<OrderKey> keys = EquatableArray.Of(new OrderKey(s_number, Descending: false));
        QueryPlan plan = Plan(new Limit(new Filter(new Order(s_rows, keys), Greater(s_number, s_five)), s_five));
        Assert.Equal(plan.Root, OrderThenLimitToTopN.Apply(plan).Root);
    }

    [Fact]
    public void Filters_in_a_row_become_one_in_the_same_order()
    {
        QueryPlan merged = MergeFilters.Apply(Plan(new Filter(new Filter(s_rows, Greater(s_number, s_five)), s_true)));
        Assert.Equal(new Filter(s_rows, new Binary(PlanType.Boolean, BinaryOperator.AndAlso, Greater(s_number, s_five), s_true)), merged.Root);
    }

    [Fact]
    public void Filters_with_a_limit_between_stay_apart()
    {
        QueryPlan plan = Plan(new Filter(new Limit(new Filter(s_rows, Greater(s_number, s_five)), s_five), s_true));
        Assert.Equal(plan.Root, MergeFilters.Apply(plan).Root);
    }

    [Theory]
    [InlineData("1", "1m")]
    [InlineData("-12", "-12m")]
    public void An_integer_converted_to_decimal_is_a_decimal_literal(string integer, string result)
    {
        ScalarExpression conversion = new Plan.Convert(PlanType.Decimal, new Constant(PlanType.Int32, integer));
        Assert.Equal(new Constant(PlanType.Decimal, result), Folded(conversion));
    }

    [Fact]
    public void A_negated_literal_keeps_its_digits() =>
        Assert.Equal(new Constant(PlanType.Decimal, "-0.50m"), Folded(new Unary(PlanType.Decimal, UnaryOperator.Negate, new Constant(PlanType.Decimal, "0.50m"))));

    [Fact]
    public void A_negated_zero_is_not_folded_because_doubles_know_two_zeros()
    {
        ScalarExpression zero = new Unary(PlanType.Double, UnaryOperator.Negate, new Constant(PlanType.Double, "0d"));
        Assert.Equal(zero, Folded(zero));
    }

    [Fact]
    public void A_condition_behind_a_false_one_disappears() =>
        Assert.Equal(new Constant(PlanType.Boolean, "false"), Folded(new Binary(PlanType.Boolean, BinaryOperator.AndAlso, new Constant(PlanType.Boolean, "false"), Greater(s_number, s_five))));

    [Fact]
    public void A_condition_before_a_false_one_stays_because_it_may_raise()
    {
        ScalarExpression both = new Binary(PlanType.Boolean, BinaryOperator.AndAlso, Greater(s_number, s_five), new Constant(PlanType.Boolean, "false"));
        Assert.Equal(both, Folded(both));
    }

    private static ScalarExpression Folded(ScalarExpression expression) => ((Project)ConstantFolding.Apply(Plan(new Project(s_rows, expression))).Root).Result;

    private static Binary Greater(ScalarExpression left, ScalarExpression right) => new(PlanType.Boolean, BinaryOperator.GreaterThan, left, right);

    private static QueryPlan Plan(LogicalOperator root) => new(
        "Test", EquatableArray<PlanParameter>.Empty, EquatableArray<TabularShape>.Empty, root, Terminal.List, PlanType.Int32, "test");
}
