using System.Runtime.InteropServices;

namespace Bench.Shared.DuckDb;

/// <summary>Finds and loads DuckDB's library, which the package DuckDB.NET.Bindings.Full brings for every platform that it knows.</summary>
internal static class DuckDbLibrary
{
    public const string Name = "duckdb";
    public const string Advice = "the package DuckDB.NET.Bindings.Full has none for this platform; TPCH_DUCKDB can name another library";

    private const string PathVariable = "TPCH_DUCKDB";

    private static readonly Lazy<nint> Loaded = new(Load);

    public static bool IsPresent => Loaded.Value != 0;

    public static void EnsureResolved()
    {
        if (!IsPresent)
            throw new DllNotFoundException($"There is no DuckDB here: {Advice}.");
    }

    private static nint Load()
    {
        bool isThere = Environment.GetEnvironmentVariable(PathVariable) is { } path
            ? NativeLibrary.TryLoad(path, out nint handle)
            : NativeLibrary.TryLoad(Name, typeof(DuckDbLibrary).Assembly, searchPath: null, out handle);
        if (!isThere)
            return 0;
        NativeLibrary.SetDllImportResolver(typeof(DuckDbLibrary).Assembly, (name, _, _) => name == Name ? handle : 0);
        return handle;
    }
}
