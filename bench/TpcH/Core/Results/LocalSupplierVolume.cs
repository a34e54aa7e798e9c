namespace TpcH;

/// <summary>A row of query 5: revenue between suppliers and customers of one nation.</summary>
public sealed record LocalSupplierVolume(string Nation, decimal Revenue)
{
    public static AnswerShape<LocalSupplierVolume> Shape { get; } = new AnswerShape<LocalSupplierVolume>()
        .Text("n_name", row => row.Nation)
        .Exact("revenue", row => row.Revenue);
}
