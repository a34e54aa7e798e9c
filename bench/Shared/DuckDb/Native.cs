using System.Runtime.InteropServices;

namespace Bench.Shared.DuckDb;

/// <summary>DuckDB's C interface, as far as it is used here; names and meanings are those of duckdb.h. A state of 0 is success.</summary>
internal static class Native
{
    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_library_version")]
    public static extern nint LibraryVersion();

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_open")]
    public static extern int Open(nint path, out nint database);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_close")]
    public static extern void Close(ref nint database);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_connect")]
    public static extern int Connect(nint database, out nint connection);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_disconnect")]
    public static extern void Disconnect(ref nint connection);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_interrupt")]
    public static extern void Interrupt(nint connection);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_query")]
    public static extern int Query(nint connection, [MarshalAs(UnmanagedType.LPUTF8Str)] string sql, out DuckDbResult result);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_destroy_result")]
    public static extern void DestroyResult(ref DuckDbResult result);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_result_error")]
    public static extern nint ResultError(ref DuckDbResult result);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_column_count")]
    public static extern ulong ColumnCount(ref DuckDbResult result);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_column_logical_type")]
    public static extern nint ColumnLogicalType(ref DuckDbResult result, ulong column);

    /// <summary>0 after the last chunk.</summary>
    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_fetch_chunk")]
    public static extern nint FetchChunk(DuckDbResult result);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_create_logical_type")]
    public static extern nint CreateLogicalType(DuckDbType type);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_create_decimal_type")]
    public static extern nint CreateDecimalType(byte width, byte scale);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_get_type_id")]
    public static extern DuckDbType TypeId(nint logicalType);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_decimal_scale")]
    public static extern byte DecimalScale(nint logicalType);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_decimal_internal_type")]
    public static extern DuckDbType DecimalInternalType(nint logicalType);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_destroy_logical_type")]
    public static extern void DestroyLogicalType(ref nint logicalType);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_create_data_chunk")]
    public static extern nint CreateDataChunk(nint[] logicalTypes, ulong columns);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_destroy_data_chunk")]
    public static extern void DestroyDataChunk(ref nint chunk);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_data_chunk_reset")]
    public static extern void ResetDataChunk(nint chunk);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_data_chunk_get_size")]
    public static extern ulong DataChunkSize(nint chunk);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_data_chunk_set_size")]
    public static extern void SetDataChunkSize(nint chunk, ulong rows);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_data_chunk_get_vector")]
    public static extern nint Vector(nint chunk, ulong column);

    /// <summary>Rows that a vector holds.</summary>
    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_vector_size")]
    public static extern ulong VectorSize();

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_vector_get_data")]
    public static extern nint VectorData(nint vector);

    /// <summary>A bit per row, 0 for NULL; no bitmap at all when no row is NULL.</summary>
    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_vector_get_validity")]
    public static extern nint VectorValidity(nint vector);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_vector_assign_string_element_len")]
    public static extern void AssignString(nint vector, ulong row, byte[] utf8, ulong length);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_appender_create")]
    public static extern int CreateAppender(nint connection, nint schema, [MarshalAs(UnmanagedType.LPUTF8Str)] string table, out nint appender);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_append_data_chunk")]
    public static extern int AppendDataChunk(nint appender, nint chunk);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_appender_error")]
    public static extern nint AppenderError(nint appender);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_appender_close")]
    public static extern int CloseAppender(nint appender);

    [DllImport(DuckDbLibrary.Name, EntryPoint = "duckdb_appender_destroy")]
    public static extern int DestroyAppender(ref nint appender);
}
