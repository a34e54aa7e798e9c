using System.Runtime.InteropServices;

namespace Bench.Shared.DuckDb;

/// <summary><c>duckdb_result</c>: DuckDB reads and writes it, this program only keeps it.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct DuckDbResult
{
    private readonly ulong _columnCount;
    private readonly ulong _rowCount;
    private readonly ulong _rowsChanged;
    private readonly nint _columns;
    private readonly nint _errorMessage;
    private readonly nint _internalData;
}
