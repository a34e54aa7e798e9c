namespace Star.Model;

internal sealed class Product
{
    public required int Key { get; set; }

    public required string Name { get; set; }

    public required string Brand { get; set; }

    public required string Category { get; set; }

    public required string Department { get; set; }

    public required string Colour { get; set; }

    public required decimal ListPrice { get; set; }
}
