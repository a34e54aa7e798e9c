namespace TpcH;

/// <summary>Where the eight tables come from.</summary>
public interface ITableSource : IDisposable
{
    TableReader<RegionRow> Regions { get; }

    TableReader<NationRow> Nations { get; }

    TableReader<PartRow> Parts { get; }

    TableReader<SupplierRow> Suppliers { get; }

    TableReader<PartSuppRow> PartSupps { get; }

    TableReader<CustomerRow> Customers { get; }

    TableReader<OrderRow> Orders { get; }

    TableReader<LineItemRow> LineItems { get; }

    /// <summary>The exact number of rows of a table.</summary>
    long Count(Table table) => table switch
    {
        Table.Region => Regions.Count,
        Table.Nation => Nations.Count,
        Table.Part => Parts.Count,
        Table.Supplier => Suppliers.Count,
        Table.PartSupp => PartSupps.Count,
        Table.Customer => Customers.Count,
        Table.Orders => Orders.Count,
        Table.LineItem => LineItems.Count,
        _ => throw new ArgumentOutOfRangeException(nameof(table), table, "Not a table of TPC-H."),
    };
}
