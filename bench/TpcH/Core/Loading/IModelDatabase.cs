namespace TpcH;

/// <summary>The tables in one object model, with the queries compiled over it.</summary>
public interface IModelDatabase : ITableSink
{
    PreparedQuery Prepare(QueryParameters parameters, JoinStyle joins);

    /// <summary>Removes orders and their lines (TPC-H's RF2), and returns how many rows went.</summary>
    long RemoveOrders(IReadOnlySet<long> orderKeys);
}
