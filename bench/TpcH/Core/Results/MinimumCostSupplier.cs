namespace TpcH;

/// <summary>A row of query 2: a supplier that offers a part at the lowest price in the region.</summary>
public sealed record MinimumCostSupplier(
    decimal AcctBal,
    string Supplier,
    string Nation,
    int PartKey,
    string Manufacturer,
    string Address,
    string Phone,
    string Comment)
{
    public static AnswerShape<MinimumCostSupplier> Shape { get; } = new AnswerShape<MinimumCostSupplier>()
        .Exact("s_acctbal", row => row.AcctBal)
        .Text("s_name", row => row.Supplier)
        .Text("n_name", row => row.Nation)
        .Integer("p_partkey", row => row.PartKey)
        .Text("p_mfgr", row => row.Manufacturer)
        .Text("s_address", row => row.Address)
        .Text("s_phone", row => row.Phone)
        .Text("s_comment", row => row.Comment);
}
