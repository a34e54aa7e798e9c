namespace TpcH.Model;

internal sealed class Nation
{
    public required int NationKey { get; set; }

    public required string Name { get; set; }

    public required int RegionKey { get; set; }

    public required Region Region { get; set; }

    public required string Comment { get; set; }
}
