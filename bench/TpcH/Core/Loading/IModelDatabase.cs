namespace TpcH;

/// <summary>The tables in one object model, with the queries compiled over it.</summary>
public interface IModelDatabase : ITableSink
{
    PreparedQuery Prepare(QueryParameters parameters, JoinStyle joins);

    /// <summary>Removes orders and their lines (TPC-H's RF2), and returns how many rows went.</summary>
    long RemoveOrders(IReadOnlySet<long> orderKeys);

    /// <summary>Removes rows of all tables.</summary>
    void Remove(Losses losses);

    /// <summary>Makes some references null and others lead to rows that were removed, until what it returns is disposed.</summary>
    IDisposable SpoilReferences();
}
