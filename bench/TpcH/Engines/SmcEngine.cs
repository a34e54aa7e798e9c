namespace TpcH.Engines;

/// <summary>The same query text over self-managed collections, compiled to loops when the program was built.</summary>
internal sealed class SmcEngine(ITabularDatabase collections, string layout) : IEngine
{
    public string Name => EngineNames.Smc;

    public string Layout => layout;

    public PreparedQuery Prepare(QueryParameters parameters) => collections.Prepare(parameters);

    public string Explain(QueryParameters parameters) =>
        collections.KernelSource(QueryCatalog.Of(parameters)) ?? "compiled when the program was built; what the generator wrote is not on this machine";
}
