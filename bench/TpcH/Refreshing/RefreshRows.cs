using TpcH.Dbgen;

namespace TpcH.Refreshing;

/// <summary>The rows of a refresh set, generated: what is timed afterwards is the database's work alone.</summary>
internal sealed record RefreshRows(OrderRow[] Orders, LineItemRow[] LineItems, IReadOnlySet<long> DeletedOrderKeys)
{
    public static RefreshRows Of(RefreshSet set, CancellationToken cancellationToken) => new(
        [.. set.Orders.Rows(progress: null, cancellationToken)],
        [.. set.LineItems.Rows(progress: null, cancellationToken)],
        set.DeletedOrderKeys.ToHashSet());

    /// <summary>RF1. Returns the number of rows inserted.</summary>
    public long InsertInto(IModelDatabase database)
    {
        database.Add(Orders);
        database.Add(LineItems);
        database.Complete();
        return Orders.Length + LineItems.Length;
    }

    /// <summary>RF2. Returns the number of rows removed.</summary>
    public long DeleteFrom(IModelDatabase database) => database.RemoveOrders(DeletedOrderKeys);
}
