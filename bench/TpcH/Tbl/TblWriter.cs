namespace TpcH.Tbl;

/// <summary>Writes tables as dbgen's .tbl files, byte for byte.</summary>
public static class TblWriter
{
    // A little more than the longest row but for those with the longest comments; a buffer that is too small grows.
    private const int ExpectedBytesPerRow = 160;

    internal delegate void WriteRow<TRow>(in TRow row, TblBuffer line);

    /// <summary>Writes all eight files. A file gets its name when it is complete; after a failure the unfinished one is deleted.</summary>
    public static async Task WriteAsync(
        ITableSource source, DirectoryInfo directory, IProgress<TableProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        directory.Create();
        foreach (Table table in TableSchema.Tables)
        {
            string path = Path.Combine(directory.FullName, table.FileName);
            await Task.Run(() => WriteFile(path, file => Write(source, table, file, progress, cancellationToken)), cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Writes one table to a stream.</summary>
    public static void Write(
        ITableSource source, Table table, Stream output, IProgress<TableProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        switch (table)
        {
            case Table.Region: WriteRows<RegionRow>(source.Regions, TblRowWriter.Write); break;
            case Table.Nation: WriteRows<NationRow>(source.Nations, TblRowWriter.Write); break;
            case Table.Part: WriteRows<PartRow>(source.Parts, TblRowWriter.Write); break;
            case Table.Supplier: WriteRows<SupplierRow>(source.Suppliers, TblRowWriter.Write); break;
            case Table.PartSupp: WriteRows<PartSuppRow>(source.PartSupps, TblRowWriter.Write); break;
            case Table.Customer: WriteRows<CustomerRow>(source.Customers, TblRowWriter.Write); break;
            case Table.Orders: WriteRows<OrderRow>(source.Orders, TblRowWriter.Write); break;
            case Table.LineItem: WriteRows<LineItemRow>(source.LineItems, TblRowWriter.Write); break;
            default: throw new ArgumentOutOfRangeException(nameof(table), table, "Not a table of TPC-H.");
        }

        void WriteRows<TRow>(TableReader<TRow> reader, WriteRow<TRow> write) => Write(reader, write, output, progress, cancellationToken);
    }

    /// <summary>Writes the rows of a reader to a stream.</summary>
    internal static void Write<TRow>(
        TableReader<TRow> reader, WriteRow<TRow> write, Stream output, IProgress<TableProgress>? progress, CancellationToken cancellationToken)
    {
        foreach (TblBuffer chunk in reader.Chunks(rows => Encode(rows, write), progress, cancellationToken))
            output.Write(chunk.Bytes);
    }

    /// <summary>Writes a file that gets its name when it is complete; after a failure it is deleted.</summary>
    internal static void WriteFile(string path, Action<Stream> write)
    {
        string unfinished = path + ".unfinished";
        // Opened outside of the try: a file that another writer has open is not ours to delete.
        var file = new FileStream(unfinished, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 0);
        try
        {
            using (file)
                write(file);
            File.Move(unfinished, path, overwrite: true);
        }
        catch
        {
            File.Delete(unfinished);
            throw;
        }
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
