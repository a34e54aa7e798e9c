namespace TpcH;

/// <summary>
/// What is filled from a table source: a database of one engine. Rows come table by table in the order of <see cref="Table"/>, so a row's
/// foreign keys name rows that came before. Disposing gives everything back, whether the load was finished or not.
/// </summary>
public interface ITableSink : IDisposable
{
    /// <summary>Says that a table's rows come now and how many, so that room can be made.</summary>
    void Begin(Table table, long rows);

    void Add(ReadOnlySpan<RegionRow> rows);

    void Add(ReadOnlySpan<NationRow> rows);

    void Add(ReadOnlySpan<PartRow> rows);

    void Add(ReadOnlySpan<SupplierRow> rows);

    void Add(ReadOnlySpan<PartSuppRow> rows);

    void Add(ReadOnlySpan<CustomerRow> rows);

    void Add(ReadOnlySpan<OrderRow> rows);

    void Add(ReadOnlySpan<LineItemRow> rows);

    /// <summary>What the rows take, all overheads included, as near as the engine can tell.</summary>
    long MemoryBytes { get; }

    /// <summary>All rows are there: what only the load needed can go.</summary>
    void Complete();
}
