namespace TpcH;

/// <summary>A row of query 18: an order of a large quantity, and who placed it.</summary>
public sealed record LargeVolumeOrder(string Customer, int CustKey, long OrderKey, DateOnly OrderDate, decimal TotalPrice, decimal Quantity)
{
    public static AnswerShape<LargeVolumeOrder> Shape { get; } = new AnswerShape<LargeVolumeOrder>()
        .Text("c_name", row => row.Customer)
        .Integer("c_custkey", row => row.CustKey)
        .Integer("o_orderkey", row => row.OrderKey)
        .Date("o_orderdate", row => row.OrderDate)
        .Exact("o_totalprice", row => row.TotalPrice)
        .Exact("sum", row => row.Quantity);
}
