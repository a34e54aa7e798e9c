namespace Star.Model;

internal sealed class Sale
{
    public required long Number { get; set; }

    public required int DayKey { get; set; }

    public required Day Day { get; set; }

    public required int CustomerKey { get; set; }

    public required Customer Customer { get; set; }

    public required int SupplierKey { get; set; }

    public required Supplier Supplier { get; set; }

    public required int ProductKey { get; set; }

    public required Product Product { get; set; }

    public required int StoreKey { get; set; }

    public required Store Store { get; set; }

    public required int Quantity { get; set; }

    public required decimal Price { get; set; }

    public required decimal Discount { get; set; }

    public required decimal Revenue { get; set; }

    public required decimal Cost { get; set; }

    public required decimal UnitCost { get; set; }
}
