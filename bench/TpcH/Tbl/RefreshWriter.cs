using TpcH.Dbgen;

namespace TpcH.Tbl;

/// <summary>Writes refresh sets as dbgen's option -U does, byte for byte: <c>orders.tbl.u1</c>, <c>lineitem.tbl.u1</c>, <c>delete.1</c>.</summary>
public static class RefreshWriter
{
    /// <summary>Writes the three files of a set. A file gets its name when it is complete; after a failure the unfinished one is deleted.</summary>
    public static void WriteFiles(RefreshSet set, DirectoryInfo directory, CancellationToken cancellationToken = default)
    {
        directory.Create();
        WriteFile($"{Table.Orders.FileName}.u{set.Number}", file => WriteOrders(set, file, cancellationToken));
        WriteFile($"{Table.LineItem.FileName}.u{set.Number}", file => WriteLineItems(set, file, cancellationToken));
        WriteFile($"delete.{set.Number}", file => WriteDeletes(set, file));

        void WriteFile(string name, Action<Stream> write) => TblWriter.WriteFile(Path.Combine(directory.FullName, name), write);
    }

    public static void WriteOrders(RefreshSet set, Stream output, CancellationToken cancellationToken = default) =>
        TblWriter.Write<OrderRow>(set.Orders, TblRowWriter.Write, output, progress: null, cancellationToken);

    public static void WriteLineItems(RefreshSet set, Stream output, CancellationToken cancellationToken = default) =>
        TblWriter.Write<LineItemRow>(set.LineItems, TblRowWriter.Write, output, progress: null, cancellationToken);

    /// <summary>Writes the keys of the orders to delete, one a line.</summary>
    public static void WriteDeletes(RefreshSet set, Stream output)
    {
        const int ExpectedBytesPerKey = 12;
        using var lines = new TblBuffer(set.OrderCount * ExpectedBytesPerKey);
        foreach (long key in set.DeletedOrderKeys)
        {
            lines.Integer(key);
            lines.EndRow();
        }
        output.Write(lines.Bytes);
    }
}
