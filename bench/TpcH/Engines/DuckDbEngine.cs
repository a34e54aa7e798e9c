using TpcH.Engines.DuckDb;
using TpcH.Queries;

namespace TpcH.Engines;

/// <summary>The query's SQL in DuckDB, in this process. A run is parsing, planning, execution and fetching the rows.</summary>
internal sealed class DuckDbEngine(DuckDbDatabase database, int threads) : IEngine
{
    public string Name => EngineNames.DuckDb;

    public int Threads => threads;

    public PreparedQuery Prepare(QueryParameters parameters) =>
        database.Prepare(parameters.Substitute(QuerySet.Sql(parameters)), QueryCatalog.Of(parameters).Shape);

    public string Explain(QueryParameters parameters)
    {
        string sql = parameters.Substitute(QuerySet.Sql(parameters));
        IEnumerable<object?> plan = database.Read("EXPLAIN " + sql).Select(row => row[^1]);
        return sql + "\n" + string.Join("\n", plan);
    }
}
