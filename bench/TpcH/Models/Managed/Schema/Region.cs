namespace TpcH.Model;

internal sealed class Region
{
    public required int RegionKey { get; set; }

    public required string Name { get; set; }

    public required string Comment { get; set; }
}
