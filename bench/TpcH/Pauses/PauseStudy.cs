using TpcH.Dbgen;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Pauses;

/// <summary>
/// Measures what rows cost the garbage collector: for every number of lineitems (with the orders, parts and so on that they refer to)
/// self-managed collections, then the same process without any rows, then lists of objects.
/// </summary>
internal sealed class PauseStudy(IReadOnlyList<long> rowCounts, string layout, IProgressDisplay display, CancellationToken cancellationToken)
{
    public const string None = "none";
    public const string SelfManaged = "self-managed";
    public const string Managed = "List<T> of classes";

    private const int SmallestScaleInThousandths = 10;

    /// <summary>Generates a scale factor's data.</summary>
    public Func<double, DbgenSource> OpenSource { get; init; } = scaleFactor => new DbgenSource(scaleFactor);

    public IReadOnlyList<PauseRow> Run()
    {
        var rows = new List<PauseRow>();
        foreach (long count in rowCounts)
        {
            using DbgenSource source = OpenSource(ScaleFor(count));
            rows.Add(MeasureCollections(source, count));
            // After them, not before: the generator's buffers, which are on the managed heap, are there both times.
            rows.Add(new PauseRow(count, None, PauseSample.Take(), BytesPerRow: null));
            rows.Add(MeasureLists(source, count));
        }
        return rows;
    }

    private PauseRow MeasureCollections(DbgenSource source, long count)
    {
        using ITabularDatabase collections = LayoutNames.CreateDatabase(layout);
        Load(source, new FirstLineItems(collections, count), $"{count:#,0} lineitems, {SelfManaged} ({layout})");
        return new PauseRow(count, SelfManaged, PauseSample.Take(), collections.MappedBytes(Table.LineItem) / (double)count);
    }

    private PauseRow MeasureLists(DbgenSource source, long count)
    {
        using var lists = new Model.Database();
        var counted = new FirstLineItems(lists, count);
        Load(source, counted, $"{count:#,0} lineitems, {Managed}");
        var row = new PauseRow(count, Managed, PauseSample.Take(), counted.HeapBytes / (double)count);
        GC.KeepAlive(lists);
        return row;
    }

    private void Load(DbgenSource source, ITableSink sink, string title) =>
        display.Stage(title, stage => DatabaseLoader.Load(source, [sink], new RowProgress(source, stage), cancellationToken));

    // The smallest data that dbgen makes with so many lineitems: whole thousandths below scale factor 1, whole numbers above.
    private static double ScaleFor(long rows)
    {
        for (int thousandths = SmallestScaleInThousandths; thousandths < 1000; thousandths = Math.Max(thousandths + 1, thousandths * 101 / 100))
        {
            if (LineItems(thousandths / 1000.0) >= rows)
                return thousandths / 1000.0;
        }
        int scale = 1;
        while (LineItems(scale) < rows)
            scale++;
        return scale;
    }

    private static long LineItems(double scaleFactor)
    {
        using var source = new DbgenSource(scaleFactor);
        return source.LineItems.Count;
    }
}
