namespace TpcH.Model;

internal sealed class Part
{
    public required int PartKey { get; set; }

    public required string Name { get; set; }

    public required string Mfgr { get; set; }

    public required string Brand { get; set; }

    public required string Type { get; set; }

    public required int Size { get; set; }

    public required string Container { get; set; }

    public required decimal RetailPrice { get; set; }

    public required string Comment { get; set; }
}
