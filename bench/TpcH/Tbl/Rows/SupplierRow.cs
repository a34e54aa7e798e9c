namespace TpcH;

public readonly record struct SupplierRow(
    int SuppKey,
    string Name,
    string Address,
    int NationKey,
    string Phone,
    decimal AcctBal,
    string Comment);
