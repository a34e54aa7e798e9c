using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;
using static Smc.QueryCompiler.Tests.Optimizer.ShopPlans;

namespace Smc.QueryCompiler.Tests.Optimizer;

/// <summary>Sums that take zero for some elements.</summary>
public sealed class ConditionalSumTests
{
    private static readonly Scan s_customer = Customers(0);
    private static readonly ScalarExpression s_size = s_customer.Column("Size"), s_price = s_customer.Column("Price"), s_isLarge = s_size.Above(3);

    [Fact]
    public void A_sum_of_a_value_or_zero_takes_the_value_where_the_condition_holds() =>
        Assert.Contains("Sum(c0.Price where (c0.Size > 3))", After(Sum(Choose(s_price, Decimal("0m")))));

    [Fact]
    public void A_sum_of_zero_or_a_value_takes_the_value_where_the_condition_does_not_hold() =>
        Assert.Contains("Sum(c0.Price where !(c0.Size > 3))", After(Sum(Choose(Decimal("0m"), s_price))));

    [Fact]
    public void A_sum_of_ones_is_a_count() => Assert.Contains("Count(where (c0.Size > 3)): int", After(Sum(Choose(Int(1), Int(0)))));

    [Fact]
    public void A_condition_in_an_arm_comes_behind_the_one_around_it() =>
        Assert.Contains("Sum(c0.Size where ((c0.Size > 3) && (c0.Size > 7)))", After(Sum(Choose(new Conditional(PlanType.Int32, s_size.Above(7), s_size, Int(0)), Int(0)))));

    [Fact]
    public void An_average_of_a_value_or_null_takes_the_value_where_the_condition_holds()
    {
        PlanType type = PlanType.Int32.AsNullable();
        AggregateCall average = new(AggregateKind.Average, Choose(new Plan.Convert(type, s_size), new Constant(type, "null")), null, PlanType.Double.AsNullable());

        Assert.Contains("where (c0.Size > 3)", After(average));
    }

    [Fact]
    public void A_zero_with_digits_after_the_point_shows_in_the_sum() => Leaves(ConditionalSums.Apply, All(s_customer, Sum(Choose(s_price, Decimal("0.00m")))));

    [Fact]
    public void An_average_counts_zeros() =>
        Leaves(ConditionalSums.Apply, All(s_customer, new AggregateCall(AggregateKind.Average, Choose(s_size, Int(0)), null, PlanType.Double)));

    [Fact]
    public void A_sum_of_distinct_values_stays() => Leaves(ConditionalSums.Apply, All(s_customer, Sum(Choose(s_size, Int(0))) with { IsDistinct = true }));

    [Fact]
    public void A_value_from_a_call_of_the_condition_stays_with_it()
    {
        Call call = new(PlanType.Int32, "global::Shop.Rules.Weigh", null, EquatableArray.Of(s_size));
        Leaves(ConditionalSums.Apply, All(s_customer, Sum(new Conditional(PlanType.Int32, call.Above(3), call, Int(0)))));
    }

    private static string After(AggregateCall call) => All(s_customer, call).After(ConditionalSums.Apply);

    private static Conditional Choose(ScalarExpression ifTrue, ScalarExpression ifFalse) => new(ifTrue.Type, s_isLarge, ifTrue, ifFalse);

    private static Constant Decimal(string literal) => new(PlanType.Decimal, literal);
}
