namespace TpcH.Model;

internal sealed class PartSupp
{
    public required int PartKey { get; set; }

    public required Part Part { get; set; }

    public required int SuppKey { get; set; }

    public required Supplier Supplier { get; set; }

    public required int AvailQty { get; set; }

    public required decimal SupplyCost { get; set; }

    public required string Comment { get; set; }
}
