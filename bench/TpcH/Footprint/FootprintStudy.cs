using TpcH.Dbgen;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Footprint;

/// <summary>Loads the tables into each object model, one after the other, and measures what each table takes.</summary>
internal sealed class FootprintStudy(double scaleFactor, IProgressDisplay display, CancellationToken cancellationToken)
{
    public const string Managed = "List<T> of classes";

    /// <summary>Tables whose size grows with the scale factor; of 5 regions and 25 nations only the block's size would be measured.</summary>
    public static IReadOnlyList<Table> Tables { get; } = [Table.Part, Table.Supplier, Table.PartSupp, Table.Customer, Table.Orders, Table.LineItem];

    public static IReadOnlyList<string> Holders { get; } = [.. LayoutNames.All, Managed];

    public IReadOnlyList<TableFootprint> Run()
    {
        using var source = new DbgenSource(scaleFactor);
        var footprints = new List<TableFootprint>();
        using (var lists = new Model.Database())
        {
            var counted = new HeapPerTable(lists);
            Load(source, counted, Managed);
            footprints.AddRange(Tables.Select(table => new TableFootprint(table, Managed, counted.Tables[table].Rows, counted.Tables[table].Bytes)));
            GC.KeepAlive(lists);
        }
        Dictionary<Table, long> rows = footprints.ToDictionary(footprint => footprint.Table, footprint => footprint.Rows);
        foreach (string layout in LayoutNames.All)
        {
            using ITabularDatabase collections = LayoutNames.CreateDatabase(layout);
            Load(source, collections, layout);
            footprints.AddRange(Tables.Select(table => new TableFootprint(table, layout, rows[table], collections.MappedBytes(table))));
        }
        return footprints;
    }

    private void Load(DbgenSource source, ITableSink sink, string holder) =>
        display.Stage($"loading {holder}", stage => DatabaseLoader.Load(source, [sink], new RowProgress(source, stage), cancellationToken));
}
