namespace TpcH.Dbgen;

/// <summary>What an order needs to know of its lines for its status and total price; money in cents, rates in hundredths.</summary>
internal readonly record struct LineAmounts(int PartKey, int Quantity, int Discount, int Tax, int ShipDay)
{
    public long ExtendedPrice => Quantity * PartPrice.Cents(PartKey);

    /// <summary>Truncated after each step, as dbgen does.</summary>
    public long Charge => ExtendedPrice * (100 - Discount) / 100 * (100 + Tax) / 100;

    public bool IsShipped => ShipDay <= OrderCalendar.CurrentDay;
}
