using System.Text.Json;
using TpcH.Dbgen;

namespace TpcH.Tbl;

/// <summary>The reference checksums of dbgen's files, and files compared with them.</summary>
public static class Checksums
{
    private const int BufferSize = 1 << 20;

    private static readonly JsonElement ScaleFactors = Load();

    /// <summary>The reference of a table's file, or null for scale factors that have none.</summary>
    public static FileChecksum? Reference(ScaleFactor scale, Table table) =>
        ScaleFactors.TryGetProperty(scale.ToString(), out JsonElement tables) ? Parse(tables.GetProperty(table.FileStem)) : null;

    /// <summary>Reads the eight files of a folder; several at a time, results in the order of the tables.</summary>
    public static async Task<IReadOnlyList<TableVerification>> VerifyAsync(
        DirectoryInfo directory, double scaleFactor, CancellationToken cancellationToken = default)
    {
        var scale = new ScaleFactor(scaleFactor);
        var results = new TableVerification[TableSchema.Tables.Count];
        await Parallel.ForEachAsync(TableSchema.Tables, cancellationToken, async (table, token) =>
        {
            FileChecksum? actual = await ComputeAsync(Path.Combine(directory.FullName, table.FileName), token).ConfigureAwait(false);
            results[(int)table] = new TableVerification(table, Reference(scale, table), actual);
        }).ConfigureAwait(false);
        return results;
    }

    private static async Task<FileChecksum?> ComputeAsync(string path, CancellationToken cancellationToken)
    {
        if (!File.Exists(path))
            return null;
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0);
        using var checksum = new ChecksumStream();
        await file.CopyToAsync(checksum, BufferSize, cancellationToken).ConfigureAwait(false);
        return checksum.Checksum;
    }

    private static FileChecksum Parse(JsonElement entry) => new(
        entry.GetProperty("rows").GetInt64(),
        entry.GetProperty("bytes").GetInt64(),
        entry.GetProperty("md5").GetString()!);

    private static JsonElement Load()
    {
        using Stream json = EmbeddedFile.Open("checksums.json");
        using JsonDocument document = JsonDocument.Parse(json);
        return document.RootElement.GetProperty("scale_factors").Clone();
    }
}
