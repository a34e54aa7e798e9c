namespace TpcH;

/// <summary>
/// Where the eight tables come from. Rows arrive in file order on the caller's thread while other threads prepare the next ones;
/// a table can be enumerated any number of times, but nothing is buffered beyond a few chunks.
/// </summary>
public interface ITableSource : IDisposable
{
    /// <summary>The exact number of rows of a table.</summary>
    long Count(Table table);

    IEnumerable<RegionRow> Regions(IProgress<TableProgress>? progress = null, CancellationToken cancellationToken = default);

    IEnumerable<NationRow> Nations(IProgress<TableProgress>? progress = null, CancellationToken cancellationToken = default);

    IEnumerable<PartRow> Parts(IProgress<TableProgress>? progress = null, CancellationToken cancellationToken = default);

    IEnumerable<SupplierRow> Suppliers(IProgress<TableProgress>? progress = null, CancellationToken cancellationToken = default);

    IEnumerable<PartSuppRow> PartSupps(IProgress<TableProgress>? progress = null, CancellationToken cancellationToken = default);

    IEnumerable<CustomerRow> Customers(IProgress<TableProgress>? progress = null, CancellationToken cancellationToken = default);

    IEnumerable<OrderRow> Orders(IProgress<TableProgress>? progress = null, CancellationToken cancellationToken = default);

    IEnumerable<LineItemRow> LineItems(IProgress<TableProgress>? progress = null, CancellationToken cancellationToken = default);
}
