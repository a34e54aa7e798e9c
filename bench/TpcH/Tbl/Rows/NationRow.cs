namespace TpcH;

public readonly record struct NationRow(
    int NationKey,
    string Name,
    int RegionKey,
    string Comment);
