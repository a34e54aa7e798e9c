namespace TpcH;

public readonly record struct RegionRow(
    int RegionKey,
    string Name,
    string Comment);
