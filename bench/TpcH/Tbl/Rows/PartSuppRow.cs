namespace TpcH;

public readonly record struct PartSuppRow(
    int PartKey,
    int SuppKey,
    int AvailQty,
    decimal SupplyCost,
    string Comment);
