using Smc.QueryCompiler.Optimizer;
using Smc.QueryCompiler.Plan;
using Xunit;
using static Smc.QueryCompiler.Tests.Optimizer.ShopPlans;

namespace Smc.QueryCompiler.Tests.Optimizer;

/// <summary>Aggregates of values that are converted to what can be null.</summary>
public sealed class LiftedValueTests
{
    private static readonly Scan s_customer = Customers(0);
    private static readonly ScalarExpression s_size = s_customer.Column("Size"), s_price = s_customer.Column("Price");

    [Theory]
    [InlineData(AggregateKind.Sum)]
    [InlineData(AggregateKind.Average)]
    [InlineData(AggregateKind.Min)]
    [InlineData(AggregateKind.Max)]
    public void The_values_themselves_are_taken(AggregateKind kind) =>
        Assert.Contains($"{kind}(c0.Price): decimal?", After(new AggregateCall(kind, Nullable(s_price, PlanType.Decimal), null, PlanType.Decimal.AsNullable())));

    [Fact]
    public void A_conversion_to_another_type_stays_without_its_null() =>
        Assert.Contains("Average((decimal)c0.Size): decimal?", After(new AggregateCall(AggregateKind.Average, Nullable(s_size, PlanType.Decimal), null, PlanType.Decimal.AsNullable())));

    [Fact]
    public void Extremes_of_floating_point_numbers_stay() => Leaves(
        LiftedValues.Apply, All(s_customer, new AggregateCall(AggregateKind.Min, Nullable(s_size, PlanType.Double), null, PlanType.Double.AsNullable())));

    [Fact]
    public void Distinct_values_stay() => Leaves(
        LiftedValues.Apply, All(s_customer, new AggregateCall(AggregateKind.Sum, Nullable(s_price, PlanType.Decimal), null, PlanType.Decimal.AsNullable()) { IsDistinct = true }));

    private static string After(AggregateCall call) => All(s_customer, call).After(LiftedValues.Apply);

    private static Plan.Convert Nullable(ScalarExpression value, PlanType type) => new(type.AsNullable(), value);
}
