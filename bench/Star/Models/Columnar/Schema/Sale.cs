using Smc.Collections;

namespace Star.Model;

[Tabular(Layout = TabularLayout.Columnar)]
internal readonly partial struct Sale
{
    public partial long Number { get; set; }

    public partial int DayKey { get; set; }

    public partial Day Day { get; set; }

    public partial int CustomerKey { get; set; }

    public partial Customer Customer { get; set; }

    public partial int SupplierKey { get; set; }

    public partial Supplier Supplier { get; set; }

    public partial int ProductKey { get; set; }

    public partial Product Product { get; set; }

    public partial int StoreKey { get; set; }

    public partial Store Store { get; set; }

    public partial int Quantity { get; set; }

    [Precision(9, 2)]
    public partial decimal Price { get; set; }

    [Precision(5, 2)]
    public partial decimal Discount { get; set; }

    [Precision(9, 2)]
    public partial decimal Revenue { get; set; }

    [Precision(9, 2)]
    public partial decimal Cost { get; set; }

    [Precision(7, 2)]
    public partial decimal UnitCost { get; set; }
}
