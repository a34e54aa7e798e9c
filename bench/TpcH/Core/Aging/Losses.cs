namespace TpcH;

/// <summary>
/// Chooses rows that go, at random but by their keys, so that every engine loses the same ones. A row goes of its own, and with each row that
/// it refers to; shares are such that <see cref="LineItems"/> of the line items go in all. Who loses more loses the same rows and others.
/// </summary>
public sealed class Losses(double lineItems)
{
    // A line item goes with its customer, order, part, supplier, part of a supplier, or alone.
    private const int Chances = 6;

    private readonly double _share = 1 - Math.Pow(1 - lineItems, 1.0 / Chances);

    /// <summary>The share of the line items that goes.</summary>
    public double LineItems => lineItems;

    public bool TakesCustomer(int key) => Takes(1, key, 0);

    public bool TakesOrder(long key) => Takes(2, key, 0);

    public bool TakesPart(int key) => Takes(3, key, 0);

    public bool TakesSupplier(int key) => Takes(4, key, 0);

    public bool TakesPartSupp(int part, int supplier) => Takes(5, part, supplier);

    public bool TakesLineItem(long order, int number) => Takes(6, order, number);

    private bool Takes(int table, long key, long part) => RowDice.Throw(table, key, part) < _share;
}
