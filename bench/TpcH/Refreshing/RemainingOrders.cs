using System.Runtime.InteropServices;

namespace TpcH.Refreshing;

/// <summary>Keeps orders that were deleted, and their lines, from a sink.</summary>
internal sealed class RemainingOrders(ITableSink target, IReadOnlySet<long> deletedOrderKeys) : ITableSink
{
    private readonly List<OrderRow> _orders = [];
    private readonly List<LineItemRow> _lineItems = [];

    public long MemoryBytes => target.MemoryBytes;

    public void Begin(Table table, long rows) => target.Begin(table, rows);

    public void Add(ReadOnlySpan<RegionRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<NationRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<PartRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<SupplierRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<PartSuppRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<CustomerRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<OrderRow> rows)
    {
        _orders.Clear();
        foreach (ref readonly OrderRow row in rows)
        {
            if (!deletedOrderKeys.Contains(row.OrderKey))
                _orders.Add(row);
        }
        target.Add(CollectionsMarshal.AsSpan(_orders));
    }

    public void Add(ReadOnlySpan<LineItemRow> rows)
    {
        _lineItems.Clear();
        foreach (ref readonly LineItemRow row in rows)
        {
            if (!deletedOrderKeys.Contains(row.OrderKey))
                _lineItems.Add(row);
        }
        target.Add(CollectionsMarshal.AsSpan(_lineItems));
    }

    public void Complete() => target.Complete();

    public void Dispose() => target.Dispose();
}
