namespace TpcH;

/// <summary>A row of query 15: a supplier with the highest revenue.</summary>
public sealed record TopSupplier(int SuppKey, string Name, string Address, string Phone, decimal TotalRevenue)
{
    public static AnswerShape<TopSupplier> Shape { get; } = new AnswerShape<TopSupplier>()
        .Integer("s_suppkey", row => row.SuppKey)
        .Text("s_name", row => row.Name)
        .Text("s_address", row => row.Address)
        .Text("s_phone", row => row.Phone)
        .Exact("total_revenue", row => row.TotalRevenue);
}
