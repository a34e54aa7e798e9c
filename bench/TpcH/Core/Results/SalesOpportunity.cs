namespace TpcH;

/// <summary>A row of query 22: customers of a country that have money and no orders.</summary>
public sealed record SalesOpportunity(string CountryCode, int CustomerCount, decimal TotalAcctBal)
{
    public static AnswerShape<SalesOpportunity> Shape { get; } = new AnswerShape<SalesOpportunity>()
        .Text("cntrycode", row => row.CountryCode)
        .Integer("numcust", row => row.CustomerCount)
        .Exact("totacctbal", row => row.TotalAcctBal);
}
