using System.Reflection;
using System.Runtime.InteropServices;

namespace Bench.Shared.DuckDb;

/// <summary>Finds and loads libduckdb.so, which <c>get-duckdb.sh</c> puts beside the sources.</summary>
internal static class DuckDbLibrary
{
    public const string Name = "duckdb";
    public const string Advice = "bench/TpcH/get-duckdb.sh fetches it";

    private const string PathVariable = "TPCH_DUCKDB";

    private static readonly Lazy<nint> Loaded = new(Load);

    public static bool IsPresent => Loaded.Value != 0;

    public static void EnsureResolved()
    {
        if (!IsPresent)
            throw new DllNotFoundException($"There is no DuckDB at {LibraryPath}; {Advice}.");
    }

    /// <summary>The environment's choice, or the path that was recorded when the program was built.</summary>
    private static string LibraryPath =>
        Environment.GetEnvironmentVariable(PathVariable)
        ?? typeof(DuckDbLibrary).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().First(entry => entry.Key == "DuckDbPath").Value!;

    private static nint Load()
    {
        if (!NativeLibrary.TryLoad(LibraryPath, out nint handle))
            return 0;
        NativeLibrary.SetDllImportResolver(typeof(DuckDbLibrary).Assembly, (name, _, _) => name == Name ? handle : 0);
        return handle;
    }
}
