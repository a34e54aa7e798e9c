namespace TpcH;

/// <summary>A row of query 10: a customer and the revenue that was lost with what came back.</summary>
public sealed record ReturnedItems(
    int CustKey,
    string Name,
    decimal Revenue,
    decimal AcctBal,
    string Nation,
    string Address,
    string Phone,
    string Comment)
{
    public static AnswerShape<ReturnedItems> Shape { get; } = new AnswerShape<ReturnedItems>()
        .Integer("c_custkey", row => row.CustKey)
        .Text("c_name", row => row.Name)
        .Exact("revenue", row => row.Revenue)
        .Exact("c_acctbal", row => row.AcctBal)
        .Text("n_name", row => row.Nation)
        .Text("c_address", row => row.Address)
        .Text("c_phone", row => row.Phone)
        .Text("c_comment", row => row.Comment);
}
