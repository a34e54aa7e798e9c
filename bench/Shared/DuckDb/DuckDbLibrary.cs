using DuckDB.NET.Native;

namespace Bench.Shared.DuckDb;

/// <summary>Whether DuckDB's own library is here, which its package brings for every platform that DuckDB knows.</summary>
internal static class DuckDbLibrary
{
    public const string Advice = "the package DuckDB.NET.Bindings.Full has none for this platform";

    private static readonly Lazy<bool> Loaded = new(Load);

    public static bool IsPresent => Loaded.Value;

    private static bool Load()
    {
        try
        {
            return NativeMethods.Startup.DuckDBLibraryVersion().Length > 0;
        }
        catch (DllNotFoundException)
        {
            return false;
        }
    }
}
