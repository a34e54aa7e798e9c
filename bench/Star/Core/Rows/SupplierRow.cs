namespace Star;

public readonly record struct SupplierRow(int Key, string Name, string City, string Nation, string Region);
