namespace TpcH.Tbl;

/// <summary>Writes tables as dbgen's .tbl files, byte for byte.</summary>
public static class TblWriter
{
    // A little more than the longest row but for those with the longest comments; a buffer that is too small grows.
    private const int ExpectedBytesPerRow = 160;

    private delegate void WriteRow<TRow>(in TRow row, TblBuffer line);

    /// <summary>Writes all eight files. A file gets its name when it is complete; after a failure the unfinished one is deleted.</summary>
    public static async Task WriteAsync(
        ITableSource source, DirectoryInfo directory, IProgress<TableProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        directory.Create();
        foreach (Table table in TableSchema.Tables)
        {
            string path = Path.Combine(directory.FullName, table.FileName);
            await Task.Run(() => WriteFile(source, table, path, progress, cancellationToken), cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Writes one table to a stream.</summary>
    public static void Write(
        ITableSource source, Table table, Stream output, IProgress<TableProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        foreach (TblBuffer chunk in Encode(source, table, progress, cancellationToken))
            output.Write(chunk.Bytes);
    }

    private static void WriteFile(
        ITableSource source, Table table, string path, IProgress<TableProgress>? progress, CancellationToken cancellationToken)
    {
        string unfinished = path + ".unfinished";
        // Opened outside of the try: a file that another writer has open is not ours to delete.
        var file = new FileStream(unfinished, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 0);
        try
        {
            using (file)
                Write(source, table, file, progress, cancellationToken);
            File.Move(unfinished, path, overwrite: true);
        }
        catch
        {
            File.Delete(unfinished);
            throw;
        }
    }

    private static IEnumerable<TblBuffer> Encode(
        ITableSource source, Table table, IProgress<TableProgress>? progress, CancellationToken cancellationToken)
    {
        return table switch
        {
            Table.Region => Chunks<RegionRow>(source.Regions, TblRowWriter.Write),
            Table.Nation => Chunks<NationRow>(source.Nations, TblRowWriter.Write),
            Table.Part => Chunks<PartRow>(source.Parts, TblRowWriter.Write),
            Table.Supplier => Chunks<SupplierRow>(source.Suppliers, TblRowWriter.Write),
            Table.PartSupp => Chunks<PartSuppRow>(source.PartSupps, TblRowWriter.Write),
            Table.Customer => Chunks<CustomerRow>(source.Customers, TblRowWriter.Write),
            Table.Orders => Chunks<OrderRow>(source.Orders, TblRowWriter.Write),
            Table.LineItem => Chunks<LineItemRow>(source.LineItems, TblRowWriter.Write),
            _ => throw new ArgumentOutOfRangeException(nameof(table), table, "Not a table of TPC-H."),
        };

        IEnumerable<TblBuffer> Chunks<TRow>(TableReader<TRow> reader, WriteRow<TRow> write) =>
            reader.Chunks(rows => Encode(rows, write), progress, cancellationToken);
    }

    private static TblBuffer Encode<TRow>(RowBuffer<TRow> rows, WriteRow<TRow> write)
    {
        using (rows)
        {
            var encoded = new TblBuffer(rows.Count * ExpectedBytesPerRow);
            foreach (ref readonly TRow row in rows.Rows)
                write(in row, encoded);
            return encoded;
        }
    }
}
