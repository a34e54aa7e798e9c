namespace TpcH.Dbgen;

/// <summary>The tables as dbgen makes them at a scale factor. Disposing it releases the text pool.</summary>
public sealed class DbgenSource : ITableSource
{
    public const int DefaultUnitsPerChunk = 1000;

    private readonly Func<CancellationToken, TextPool> loadText;
    private readonly Lock loading = new();
    private GeneratorInputs? inputs;
    private bool isDisposed;

    /// <summary>The text pool is read from the shared cache, or generated, when the first table is read.</summary>
    public DbgenSource(double scaleFactor)
        : this(scaleFactor, DefaultUnitsPerChunk, token => TextPool.Load(TextPoolCache.Shared, token))
    {
    }

    /// <param name="scaleFactor">See <see cref="ScaleFactor"/>.</param>
    /// <param name="text">A pool that the caller has already; several sources may use it.</param>
    /// <param name="unitsPerChunk">Rows (of partsupp: parts, of lineitem: orders) that a thread generates at a time.</param>
    public DbgenSource(double scaleFactor, TextPool text, int unitsPerChunk = DefaultUnitsPerChunk)
        : this(scaleFactor, unitsPerChunk, _ => text)
    {
    }

    private DbgenSource(double scaleFactor, int unitsPerChunk, Func<CancellationToken, TextPool> loadText)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(unitsPerChunk);
        this.loadText = loadText;
        Scale = new ScaleFactor(scaleFactor);
        UnitsPerChunk = unitsPerChunk;
        Regions = Table(TpcH.Table.Region, Distributions.Standard.Regions.Count, (inputs, row) => new RegionGenerator(inputs, row));
        Nations = Table(TpcH.Table.Nation, Distributions.Standard.Nations.Count, (inputs, row) => new NationGenerator(inputs, row));
        Parts = Table(TpcH.Table.Part, Scale.Parts, (inputs, row) => new PartGenerator(inputs, row));
        Suppliers = Table(TpcH.Table.Supplier, Scale.Suppliers, (inputs, row) => new SupplierGenerator(inputs, row));
        Customers = Table(TpcH.Table.Customer, Scale.Customers, (inputs, row) => new CustomerGenerator(inputs, row));
        Orders = Table(TpcH.Table.Orders, Scale.Orders, (inputs, row) => new OrderGenerator(inputs, row));
        PartSupps = new GeneratedTable<PartSuppRow>(
            this, TpcH.Table.PartSupp, Scale.Parts, (inputs, part) => new PartSuppGenerator(inputs, part))
        {
            MaximumRowsPerUnit = SupplierOfPart.PerPart,
        };
        LineItems = new GeneratedTable<LineItemRow>(
            this, TpcH.Table.LineItem, Scale.Orders, (inputs, order) => new LineItemGenerator(inputs, order))
        {
            MaximumRowsPerUnit = LineAmountStreams.MaximumLines,
            ExactCount = () => LineAmountStreams.CountLines(firstOrder: 0, Scale.Orders),
        };
    }

    public ScaleFactor Scale { get; }

    public TableReader<RegionRow> Regions { get; }

    public TableReader<NationRow> Nations { get; }

    public TableReader<PartRow> Parts { get; }

    public TableReader<SupplierRow> Suppliers { get; }

    public TableReader<PartSuppRow> PartSupps { get; }

    public TableReader<CustomerRow> Customers { get; }

    public TableReader<OrderRow> Orders { get; }

    public TableReader<LineItemRow> LineItems { get; }

    internal int UnitsPerChunk { get; }

    /// <summary>What dbgen's option -U writes as its set of that number, which counts from 1.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The number is not between 1 and <see cref="RefreshSet.Maximum"/>.</exception>
    public RefreshSet Refresh(int number) => new(this, number);

    public void Dispose()
    {
        lock (loading)
        {
            isDisposed = true;
            inputs = null;
        }
    }

    internal GeneratorInputs LoadInputs(CancellationToken cancellationToken)
    {
        lock (loading)
        {
            ObjectDisposedException.ThrowIf(isDisposed, this);
            return inputs ??= new GeneratorInputs(Scale, Distributions.Standard, loadText(cancellationToken));
        }
    }

    private GeneratedTable<TRow> Table<TRow>(Table table, long rows, Func<GeneratorInputs, long, RowGenerator<TRow>> start) =>
        new(this, table, rows, start);
}
