namespace TpcH.Engines;

/// <summary>The same query text over self-managed collections, compiled to loops when the program was built.</summary>
internal sealed class SmcEngine(ITabularDatabase collections, string layout, JoinStyle joins, int threads = 1, bool hasIndexes = false) : IEngine
{
    public string Name => EngineNames.Smc;

    public string Layout => layout;

    public JoinStyle? Joins => joins;

    public int Threads => threads;

    public bool HasIndexes => hasIndexes;

    public int? Kernels(QueryDefinition query) => collections.Kernels(query, joins).Count;

    public PreparedQuery Prepare(QueryParameters parameters)
    {
        PreparedQuery query = collections.Prepare(parameters, joins);
        return threads == 1 ? query : new ThreadedQuery(query, threads);
    }

    public string Explain(QueryParameters parameters)
    {
        IReadOnlyList<string> kernels = collections.Kernels(QueryCatalog.Of(parameters), joins);
        return kernels.Count == 0
            ? "not compiled: LINQ to Objects over the collections"
            : string.Join('\n', kernels.Select(kernel => collections.KernelSource(kernel) ?? $"{kernel}, whose source is not on this machine"));
    }
}
