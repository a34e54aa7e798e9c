namespace TpcH;

public readonly record struct PartRow(
    int PartKey,
    string Name,
    string Mfgr,
    string Brand,
    string Type,
    int Size,
    string Container,
    decimal RetailPrice,
    string Comment);
