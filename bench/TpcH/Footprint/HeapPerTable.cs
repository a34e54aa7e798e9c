namespace TpcH.Footprint;

/// <summary>Tells what the rows of each table added to the managed heap: objects, strings, and the list's array.</summary>
internal sealed class HeapPerTable(ITableSink target) : ITableSink
{
    private readonly Dictionary<Table, (long Rows, long Bytes)> _tables = [];
    private Table? _current;
    private long _heapBefore;

    public IReadOnlyDictionary<Table, (long Rows, long Bytes)> Tables => _tables;

    public long MemoryBytes => target.MemoryBytes;

    public void Begin(Table table, long rows)
    {
        End();
        // The list, and the index by key that only the load needs, get their room here: the index is not counted, the list's references are.
        target.Begin(table, rows);
        _current = table;
        _tables[table] = (rows, rows * IntPtr.Size);
        _heapBefore = GC.GetTotalMemory(forceFullCollection: true);
    }

    public void Add(ReadOnlySpan<RegionRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<NationRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<PartRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<SupplierRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<PartSuppRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<CustomerRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<OrderRow> rows) => target.Add(rows);

    public void Add(ReadOnlySpan<LineItemRow> rows) => target.Add(rows);

    public void Complete()
    {
        End();
        target.Complete();
    }

    public void Dispose() => target.Dispose();

    private void End()
    {
        if (_current is not { } table)
            return;
        (long rows, long references) = _tables[table];
        _tables[table] = (rows, references + GC.GetTotalMemory(forceFullCollection: true) - _heapBefore);
        _current = null;
    }
}
