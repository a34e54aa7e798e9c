using TpcH.Model;
using TpcH.Queries;

namespace TpcH.Engines;

/// <summary>The same query text as LINQ to Objects over lists of objects.</summary>
internal sealed class LinqEngine(Database lists, JoinStyle joins) : IEngine
{
    public string Name => EngineNames.Linq;

    public JoinStyle? Joins => joins;

    public PreparedQuery Prepare(QueryParameters parameters) => QuerySet.Prepare(lists.Tables, parameters, joins);

    public string Explain(QueryParameters parameters) => "System.Linq over List<T>, operator by operator as the query is written";
}
