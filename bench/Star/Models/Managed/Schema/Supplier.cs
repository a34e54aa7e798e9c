namespace Star.Model;

internal sealed class Supplier
{
    public required int Key { get; set; }

    public required string Name { get; set; }

    public required string City { get; set; }

    public required string Nation { get; set; }

    public required string Region { get; set; }
}
