namespace Star;

public readonly record struct ProductRow(int Key, string Name, string Brand, string Category, string Department, string Colour, decimal ListPrice);
