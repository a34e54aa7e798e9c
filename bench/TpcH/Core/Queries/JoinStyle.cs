namespace TpcH;

/// <summary>How a query's text gets from row to row.</summary>
public enum JoinStyle
{
    /// <summary>By navigation: <c>l.Order.Customer</c>.</summary>
    References,

    /// <summary>By joins on key columns, for data without references.</summary>
    Keys,
}
