namespace TpcH;

/// <summary>The 22 queries of TPC-H by name, and those of them that are written.</summary>
public static class QueryCatalog
{
    private const int QueriesOfTpcH = 22;

    public static IReadOnlyList<string> Names { get; } = [.. Enumerable.Range(1, QueriesOfTpcH).Select(number => $"q{number:00}")];

    public static IReadOnlyList<QueryDefinition> Written { get; } =
    [
        Query("q01", "Pricing summary report", PricingSummary.Shape, Q01Parameters.Read),
        Query("q03", "Shipping priority", ShippingPriority.Shape, Q03Parameters.Read),
        Query("q06", "Forecasting revenue change", ForecastRevenue.Shape, Q06Parameters.Read),
    ];

    /// <summary>Null when the query is not written yet, or does not exist.</summary>
    public static QueryDefinition? Find(string name) => Written.FirstOrDefault(query => query.Name == name);

    /// <summary>The query that takes these parameters.</summary>
    public static QueryDefinition Of(QueryParameters parameters) => Written.Single(query => query.ParametersType == parameters.GetType());

    private static QueryDefinition Query<TParameters>(string name, string title, AnswerShape shape, Func<ParameterValues, TParameters> read)
        where TParameters : QueryParameters => new(name, title, shape, typeof(TParameters), read);
}
