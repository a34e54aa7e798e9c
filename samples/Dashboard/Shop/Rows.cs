using Smc.Collections;

namespace Dashboard.Shop;

/// <summary>A country.</summary>
[Tabular]
public readonly partial struct Nation
{
    [Key] public partial string Name { get; set; }
}

/// <summary>A customer. Customers stay; only orders come and go.</summary>
[Tabular]
public readonly partial struct Customer
{
    [Key] public partial int Number { get; set; }
    public partial string Name { get; set; }
    public partial Nation Nation { get; set; }
}

/// <summary>An order.</summary>
[Tabular]
public readonly partial struct Order
{
    [Key] public partial long Key { get; set; }
    public partial Customer Customer { get; set; }
    public partial DateOnly Date { get; set; }
    [Precision(15, 2)] public partial decimal Total { get; set; }
    public partial byte Lines { get; set; }
}

/// <summary>A line of an order. It has the order's key and no reference: lines and orders are removed while queries run.</summary>
[Tabular]
public readonly partial struct Line
{
    public partial long OrderKey { get; set; }
    public partial string Part { get; set; }
    public partial int Quantity { get; set; }
    [Precision(15, 2)] public partial decimal Price { get; set; }

    /// <summary>What the line costs.</summary>
    public decimal Amount => Quantity * Price;
}
