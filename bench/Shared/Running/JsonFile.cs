using System.Text.Json;

namespace Bench.Shared;

/// <summary>Results for other programs (<c>--json</c>): names in snake case, indented.</summary>
internal static class JsonFile
{
    private static readonly JsonSerializerOptions s_format = new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower, WriteIndented = true };

    /// <summary>Writes the file, and makes its folder.</summary>
    public static void Write<T>(FileInfo file, T results)
    {
        file.Directory?.Create();
        using FileStream stream = file.Create();
        JsonSerializer.Serialize(stream, results, s_format);
    }
}
