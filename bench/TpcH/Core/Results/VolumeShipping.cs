namespace TpcH;

/// <summary>A row of query 7: revenue from goods that went from one nation to the other in a year.</summary>
public sealed record VolumeShipping(string SupplierNation, string CustomerNation, int Year, decimal Revenue)
{
    public static AnswerShape<VolumeShipping> Shape { get; } = new AnswerShape<VolumeShipping>()
        .Text("supp_nation", row => row.SupplierNation)
        .Text("cust_nation", row => row.CustomerNation)
        .Integer("l_year", row => row.Year)
        .Exact("revenue", row => row.Revenue);
}
