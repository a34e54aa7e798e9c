namespace TpcH.Tbl;

/// <summary>The tables of a folder with dbgen's eight .tbl files.</summary>
public sealed class TblSource : ITableSource
{
    public const int DefaultChunkSize = 1 << 18;

    private readonly List<TblFile> files = [];

    /// <exception cref="FileNotFoundException">A table has no file.</exception>
    public TblSource(DirectoryInfo directory)
        : this(directory, DefaultChunkSize)
    {
    }

    /// <param name="directory">The folder with the files.</param>
    /// <param name="chunkSize">Bytes that a thread reads at a time.</param>
    public TblSource(DirectoryInfo directory, int chunkSize)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(chunkSize);
        RequireAllFiles(directory);
        try
        {
            foreach (Table table in TableSchema.Tables)
                files.Add(new TblFile(directory, table));
        }
        catch
        {
            Dispose();
            throw;
        }
        Regions = new TblTable<RegionRow>(files[(int)Table.Region], chunkSize, TblRowReader.Region);
        Nations = new TblTable<NationRow>(files[(int)Table.Nation], chunkSize, TblRowReader.Nation);
        Parts = new TblTable<PartRow>(files[(int)Table.Part], chunkSize, TblRowReader.Part);
        Suppliers = new TblTable<SupplierRow>(files[(int)Table.Supplier], chunkSize, TblRowReader.Supplier);
        PartSupps = new TblTable<PartSuppRow>(files[(int)Table.PartSupp], chunkSize, TblRowReader.PartSupp);
        Customers = new TblTable<CustomerRow>(files[(int)Table.Customer], chunkSize, TblRowReader.Customer);
        Orders = new TblTable<OrderRow>(files[(int)Table.Orders], chunkSize, TblRowReader.Order);
        LineItems = new TblTable<LineItemRow>(files[(int)Table.LineItem], chunkSize, TblRowReader.LineItem);
    }

    public TableReader<RegionRow> Regions { get; }

    public TableReader<NationRow> Nations { get; }

    public TableReader<PartRow> Parts { get; }

    public TableReader<SupplierRow> Suppliers { get; }

    public TableReader<PartSuppRow> PartSupps { get; }

    public TableReader<CustomerRow> Customers { get; }

    public TableReader<OrderRow> Orders { get; }

    public TableReader<LineItemRow> LineItems { get; }

    public void Dispose()
    {
        foreach (TblFile file in files)
            file.Dispose();
    }

    private static void RequireAllFiles(DirectoryInfo directory)
    {
        string[] missing = [.. TableSchema.Tables.Select(table => table.FileName)
            .Where(name => !File.Exists(Path.Combine(directory.FullName, name)))];
        if (missing.Length > 0)
        {
            throw new FileNotFoundException(
                $"The folder '{directory.FullName}' has no {string.Join(", ", missing)}.", Path.Combine(directory.FullName, missing[0]));
        }
    }
}
