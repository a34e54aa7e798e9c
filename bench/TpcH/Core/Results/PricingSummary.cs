namespace TpcH;

/// <summary>A row of query 1: totals and averages of the lines with one return flag and line status.</summary>
public sealed record PricingSummary(
    char ReturnFlag,
    char LineStatus,
    decimal SumQuantity,
    decimal SumBasePrice,
    decimal SumDiscountedPrice,
    decimal SumCharge,
    decimal AverageQuantity,
    decimal AveragePrice,
    decimal AverageDiscount,
    int CountOrder)
{
    public static AnswerShape<PricingSummary> Shape { get; } = new AnswerShape<PricingSummary>()
        .Text("l_returnflag", row => row.ReturnFlag.ToString())
        .Text("l_linestatus", row => row.LineStatus.ToString())
        .Exact("sum_qty", row => row.SumQuantity)
        .Exact("sum_base_price", row => row.SumBasePrice)
        .Exact("sum_disc_price", row => row.SumDiscountedPrice)
        .Exact("sum_charge", row => row.SumCharge)
        .Approximate("avg_qty", row => row.AverageQuantity)
        .Approximate("avg_price", row => row.AveragePrice)
        .Approximate("avg_disc", row => row.AverageDiscount)
        .Integer("count_order", row => row.CountOrder);
}
