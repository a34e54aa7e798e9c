namespace TpcH.Model;

internal sealed class LineItem
{
    public required long OrderKey { get; set; }

    public required Order Order { get; set; }

    public required int PartKey { get; set; }

    public required Part Part { get; set; }

    public required int SuppKey { get; set; }

    public required Supplier Supplier { get; set; }

    public required PartSupp PartSupp { get; set; }

    public required int LineNumber { get; set; }

    public required decimal Quantity { get; set; }

    public required decimal ExtendedPrice { get; set; }

    public required decimal Discount { get; set; }

    public required decimal Tax { get; set; }

    public required char ReturnFlag { get; set; }

    public required char LineStatus { get; set; }

    public required DateOnly ShipDate { get; set; }

    public required DateOnly CommitDate { get; set; }

    public required DateOnly ReceiptDate { get; set; }

    public required string ShipInstruct { get; set; }

    public required string ShipMode { get; set; }

    public required string Comment { get; set; }
}
