using Smc.Collections;

namespace TpcH.Model;

[Tabular(Layout = SchemaLayout.Value)]
internal readonly partial struct LineItem
{
    public partial long OrderKey { get; set; }

    public partial Order Order { get; set; }

    public partial int PartKey { get; set; }

    public partial Part Part { get; set; }

    public partial int SuppKey { get; set; }

    public partial Supplier Supplier { get; set; }

    public partial PartSupp PartSupp { get; set; }

    public partial int LineNumber { get; set; }

    [Precision(15, 2)]
    public partial decimal Quantity { get; set; }

    [Precision(15, 2)]
    public partial decimal ExtendedPrice { get; set; }

    [Precision(15, 2)]
    public partial decimal Discount { get; set; }

    [Precision(15, 2)]
    public partial decimal Tax { get; set; }

    public partial char ReturnFlag { get; set; }

    public partial char LineStatus { get; set; }

    public partial DateOnly ShipDate { get; set; }

    public partial DateOnly CommitDate { get; set; }

    public partial DateOnly ReceiptDate { get; set; }

    public partial string ShipInstruct { get; set; }

    public partial string ShipMode { get; set; }

    public partial string Comment { get; set; }
}
