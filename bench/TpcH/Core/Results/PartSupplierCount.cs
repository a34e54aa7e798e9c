namespace TpcH;

/// <summary>A row of query 16: how many suppliers offer parts of a kind.</summary>
public sealed record PartSupplierCount(string Brand, string Type, int Size, int SupplierCount)
{
    public static AnswerShape<PartSupplierCount> Shape { get; } = new AnswerShape<PartSupplierCount>()
        .Text("p_brand", row => row.Brand)
        .Text("p_type", row => row.Type)
        .Integer("p_size", row => row.Size)
        .Integer("supplier_cnt", row => row.SupplierCount);
}
