namespace Star;

/// <param name="Price">Before the discount, of all pieces.</param>
/// <param name="Discount">A share: 0.00 to 0.10.</param>
/// <param name="Revenue">Price less discount.</param>
/// <param name="Cost">Of all pieces.</param>
public readonly record struct SaleRow(
    long Number, int DayKey, int CustomerKey, int SupplierKey, int ProductKey, int StoreKey,
    int Quantity, decimal Price, decimal Discount, decimal Revenue, decimal Cost, decimal UnitCost);
