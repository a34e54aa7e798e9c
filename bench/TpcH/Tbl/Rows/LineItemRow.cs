namespace TpcH;

public readonly record struct LineItemRow(
    long OrderKey,
    int PartKey,
    int SuppKey,
    int LineNumber,
    decimal Quantity,
    decimal ExtendedPrice,
    decimal Discount,
    decimal Tax,
    char ReturnFlag,
    char LineStatus,
    DateOnly ShipDate,
    DateOnly CommitDate,
    DateOnly ReceiptDate,
    string ShipInstruct,
    string ShipMode,
    string Comment);
