namespace TpcH;

/// <summary>The tables of TPC-H, in the order in which the foreign keys allow loading them.</summary>
public enum Table
{
    Region,
    Nation,
    Part,
    Supplier,
    PartSupp,
    Customer,
    Orders,
    LineItem,
}
