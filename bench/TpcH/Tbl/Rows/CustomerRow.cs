namespace TpcH;

public readonly record struct CustomerRow(
    int CustKey,
    string Name,
    string Address,
    int NationKey,
    string Phone,
    decimal AcctBal,
    string MktSegment,
    string Comment);
