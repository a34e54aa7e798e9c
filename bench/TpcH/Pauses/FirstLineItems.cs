namespace TpcH.Pauses;

/// <summary>Lets only so many lineitems through to a sink, and tells what they added to the managed heap.</summary>
internal sealed class FirstLineItems(ITableSink target, long limit) : ITableSink
{
    private long _added;
    private long _heapBefore;

    /// <summary>Managed bytes of the lineitems, known when the load is complete.</summary>
    public long HeapBytes { get; private set; }

    public long MemoryBytes => target.MemoryBytes;

    public void Begin(Table table, long rows)
    {
        if (table == Table.LineItem)
            _heapBefore = GC.GetTotalMemory(forceFullCollection: true);
        target.Begin(table, table == Table.LineItem ? Math.Min(rows, limit) : rows);
    }

    public void Add(ReadOnlySpan<RegionRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<NationRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<PartRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<SupplierRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<PartSuppRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<CustomerRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<OrderRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<LineItemRow> rows)
    {
        int count = (int)Math.Min(rows.Length, limit - _added);
        target.Add(rows[..count]);
        _added += count;
    }

    public void Complete()
    {
        HeapBytes = GC.GetTotalMemory(forceFullCollection: true) - _heapBefore;
        target.Complete();
    }

    public void Dispose() => target.Dispose();
}
