using TpcH.Model;

namespace TpcH.Queries;

/// <summary>The queries over this project's object model.</summary>
internal static class QuerySet
{
    public static PreparedQuery Prepare(Database tables, QueryParameters parameters) => PrepareOverLineItems(tables.LineItems, parameters);

    /// <summary>Those queries that start at the line items and get to all others from there.</summary>
    public static PreparedQuery PrepareOverLineItems(IEnumerable<LineItem> lineItems, QueryParameters parameters) => parameters switch
    {
        Q01Parameters p => PreparedQuery.OfRows(PricingSummary.Shape, () => Q01.Run(lineItems, p.ShipDateMax)),
        Q03Parameters p => PreparedQuery.OfRows(ShippingPriority.Shape, () => Q03.Run(lineItems, p.Segment, p.Date)),
        Q06Parameters p => PreparedQuery.OfValue(
            ForecastRevenue.Shape,
            () => Q06.Run(lineItems, p.Date, p.DateEnd, p.DiscountLow, p.DiscountHigh, p.Quantity)),
        _ => throw new ArgumentException($"No query takes {parameters.GetType().Name}.", nameof(parameters)),
    };

    /// <summary>The query in SQL, with <c>:NAME</c> where a parameter goes.</summary>
    public static string Sql(QueryParameters parameters) => parameters switch
    {
        Q01Parameters => Q01.Sql,
        Q03Parameters => Q03.Sql,
        Q06Parameters => Q06.Sql,
        _ => throw new ArgumentException($"No query takes {parameters.GetType().Name}.", nameof(parameters)),
    };
}
