using TpcH.Tbl;

namespace TpcH.Tests.Tbl;

/// <summary>A temporary folder with .tbl files.</summary>
internal sealed class TblFolder : IDisposable
{
    public DirectoryInfo Directory { get; } = System.IO.Directory.CreateTempSubdirectory("tbl-");

    public static async Task<TblFolder> WriteAsync(ITableSource source)
    {
        var folder = new TblFolder();
        await TblWriter.WriteAsync(source, folder.Directory);
        return folder;
    }

    /// <summary>All tables empty but one.</summary>
    public static TblFolder With(Table table, ReadOnlySpan<byte> content)
    {
        var folder = new TblFolder();
        foreach (Table other in TableSchema.Tables)
            File.WriteAllBytes(folder.PathOf(other), []);
        File.WriteAllBytes(folder.PathOf(table), content);
        return folder;
    }

    public string PathOf(Table table) => Path.Combine(Directory.FullName, table.FileName);

    public void Dispose() => Directory.Delete(recursive: true);
}
