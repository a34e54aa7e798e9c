namespace TpcH;

/// <summary>The 22 queries of TPC-H.</summary>
public static class QueryCatalog
{
    public static IReadOnlyList<QueryDefinition> All { get; } =
    [
        Query("q01", "Pricing summary report", PricingSummary.Shape, Q01Parameters.Read),
        Query("q02", "Minimum cost supplier", MinimumCostSupplier.Shape, Q02Parameters.Read),
        Query("q03", "Shipping priority", ShippingPriority.Shape, Q03Parameters.Read),
        Query("q04", "Order priority checking", OrderPriorityCount.Shape, Q04Parameters.Read),
        Query("q05", "Local supplier volume", LocalSupplierVolume.Shape, Q05Parameters.Read),
        Query("q06", "Forecasting revenue change", ForecastRevenue.Shape, Q06Parameters.Read),
        Query("q07", "Volume shipping", VolumeShipping.Shape, Q07Parameters.Read),
        Query("q08", "National market share", MarketShare.Shape, Q08Parameters.Read),
        Query("q09", "Product type profit measure", ProductTypeProfit.Shape, Q09Parameters.Read),
        Query("q10", "Returned item reporting", ReturnedItems.Shape, Q10Parameters.Read),
        Query("q11", "Important stock identification", ImportantStock.Shape, Q11Parameters.Read),
        Query("q12", "Shipping modes and order priority", ShipModePriority.Shape, Q12Parameters.Read),
        Query("q13", "Customer distribution", CustomerDistribution.Shape, Q13Parameters.Read),
        Query("q14", "Promotion effect", PromotionEffect.Shape, Q14Parameters.Read),
        Query("q15", "Top supplier", TopSupplier.Shape, Q15Parameters.Read),
        Query("q16", "Parts/supplier relationship", PartSupplierCount.Shape, Q16Parameters.Read),
        Query("q17", "Small-quantity-order revenue", SmallQuantityRevenue.Shape, Q17Parameters.Read),
        Query("q18", "Large volume customer", LargeVolumeOrder.Shape, Q18Parameters.Read),
        Query("q19", "Discounted revenue", DiscountedRevenue.Shape, Q19Parameters.Read),
        Query("q20", "Potential part promotion", SurplusSupplier.Shape, Q20Parameters.Read),
        Query("q21", "Suppliers who kept orders waiting", WaitingSupplier.Shape, Q21Parameters.Read),
        Query("q22", "Global sales opportunity", SalesOpportunity.Shape, Q22Parameters.Read),
    ];

    public static IReadOnlyList<string> Names { get; } = [.. All.Select(query => query.Name)];

    public static QueryDefinition Named(string name) => All.Single(query => query.Name == name);

    /// <summary>The query that takes these parameters.</summary>
    public static QueryDefinition Of(QueryParameters parameters) => All.Single(query => query.ParametersType == parameters.GetType());

    private static QueryDefinition Query<TParameters>(string name, string title, AnswerShape shape, Func<ParameterValues, TParameters> read)
        where TParameters : QueryParameters => new(name, title, shape, typeof(TParameters), read);
}
