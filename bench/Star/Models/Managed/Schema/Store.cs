namespace Star.Model;

internal sealed class Store
{
    public required int Key { get; set; }

    public required string Name { get; set; }

    public required string City { get; set; }

    public required string Format { get; set; }

    public required int Area { get; set; }
}
