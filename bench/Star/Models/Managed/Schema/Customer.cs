namespace Star.Model;

internal sealed class Customer
{
    public required int Key { get; set; }

    public required string Name { get; set; }

    public required string City { get; set; }

    public required string Nation { get; set; }

    public required string Region { get; set; }

    public required string Segment { get; set; }
}
