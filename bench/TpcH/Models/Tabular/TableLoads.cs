using System.Data.Common;
using Smc.Collections;
using Smc.Data;

namespace TpcH.Model;

/// <summary>Loads tables from readers. The rows that a row refers to are found by key, so their tables come first.</summary>
internal sealed class TableLoads(Database database) : IDisposable
{
    private readonly UniqueIndex<Region, int> _regions = database.Regions.CreateUniqueIndex(r => r.RegionKey);
    private readonly UniqueIndex<Nation, int> _nations = database.Nations.CreateUniqueIndex(n => n.NationKey);
    private readonly UniqueIndex<Part, int> _parts = database.Parts.CreateUniqueIndex(p => p.PartKey);
    private readonly UniqueIndex<Supplier, int> _suppliers = database.Suppliers.CreateUniqueIndex(s => s.SuppKey);
    private readonly UniqueIndex<PartSupp, (int, int)> _partSupps = database.PartSupps.CreateUniqueIndex(p => ValueTuple.Create(p.PartKey, p.SuppKey));
    private readonly UniqueIndex<Customer, int> _customers = database.Customers.CreateUniqueIndex(c => c.CustKey);
    private readonly UniqueIndex<Order, long> _orders = database.Orders.CreateUniqueIndex(o => o.OrderKey);

    public long Load(Table table, DbDataReader rows) => table switch
    {
        Table.Region => database.Regions.AddRange(rows),
        Table.Nation => database.Nations.AddRange(rows, new LoadOptions<Nation>().Reference(n => n.Region, _regions, "RegionKey")),
        Table.Part => database.Parts.AddRange(rows),
        Table.Supplier => database.Suppliers.AddRange(rows, new LoadOptions<Supplier>().Reference(s => s.Nation, _nations, "NationKey")),
        Table.PartSupp => database.PartSupps.AddRange(rows, new LoadOptions<PartSupp>()
            .Reference(p => p.Part, _parts, "PartKey")
            .Reference(p => p.Supplier, _suppliers, "SuppKey")),
        Table.Customer => database.Customers.AddRange(rows, new LoadOptions<Customer>().Reference(c => c.Nation, _nations, "NationKey")),
        Table.Orders => database.Orders.AddRange(rows, new LoadOptions<Order>().Reference(o => o.Customer, _customers, "CustKey")),
        Table.LineItem => database.LineItems.AddRange(rows, new LoadOptions<LineItem>()
            .Reference(l => l.Order, _orders, "OrderKey")
            .Reference(l => l.Part, _parts, "PartKey")
            .Reference(l => l.Supplier, _suppliers, "SuppKey")
            .Reference(l => l.PartSupp, _partSupps, "PartKey", "SuppKey")),
        _ => throw new ArgumentOutOfRangeException(nameof(table), table, "Not a table of TPC-H."),
    };

    /// <summary>The line items alone, referring to nothing: what the look-ups cost is the difference.</summary>
    public static long LoadWithoutReferences(Collection<LineItem> lines, DbDataReader rows) => lines.AddRange(rows, new LoadOptions<LineItem>()
        .Omit(l => l.Order)
        .Omit(l => l.Part)
        .Omit(l => l.Supplier)
        .Omit(l => l.PartSupp));

    public void Dispose()
    {
        _orders.Dispose();
        _customers.Dispose();
        _partSupps.Dispose();
        _suppliers.Dispose();
        _parts.Dispose();
        _nations.Dispose();
        _regions.Dispose();
    }
}
