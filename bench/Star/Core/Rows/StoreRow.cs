namespace Star;

public readonly record struct StoreRow(int Key, string Name, string City, string Format, int Area);
