namespace TpcH;

/// <summary>The tables in one object model, with the queries compiled over it.</summary>
public interface IModelDatabase : ITableSink
{
    PreparedQuery Prepare(QueryParameters parameters);
}
