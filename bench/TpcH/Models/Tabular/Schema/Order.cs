using Smc.Collections;

namespace TpcH.Model;

[Tabular(Layout = SchemaLayout.Value)]
internal readonly partial struct Order
{
    public partial long OrderKey { get; set; }

    public partial int CustKey { get; set; }

    public partial Customer Customer { get; set; }

    public partial char OrderStatus { get; set; }

    [Precision(15, 2)]
    public partial decimal TotalPrice { get; set; }

    public partial DateOnly OrderDate { get; set; }

    public partial string OrderPriority { get; set; }

    public partial string Clerk { get; set; }

    public partial int ShipPriority { get; set; }

    public partial string Comment { get; set; }
}
