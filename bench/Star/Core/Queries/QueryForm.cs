namespace Star;

/// <summary>How a query's text gets from sales to dimensions.</summary>
public enum QueryForm
{
    /// <summary>By references: <c>s.Customer.City</c>.</summary>
    Navigation,

    /// <summary>By joins on key columns: <c>join c in customers on s.CustomerKey equals c.Key</c>.</summary>
    Joins,
}
