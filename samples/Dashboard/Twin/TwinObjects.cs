namespace Dashboard.Twin;

/// <summary>A customer as an object.</summary>
public sealed record TwinCustomer(int Number, string Name, string Nation);

/// <summary>An order as an object, with its lines.</summary>
public sealed record TwinOrder(long Key, TwinCustomer Customer, DateOnly Date, decimal Total, TwinLine[] Lines);

/// <summary>A line of an order as an object.</summary>
public sealed record TwinLine(string Part, int Quantity, decimal Price)
{
    /// <summary>What the line costs.</summary>
    public decimal Amount => Quantity * Price;
}
