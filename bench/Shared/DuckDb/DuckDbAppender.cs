using System.Runtime.InteropServices;

namespace Bench.Shared.DuckDb;

/// <summary>Adds rows to a table through DuckDB's appender, a vector's worth at a time.</summary>
internal sealed class DuckDbAppender<TRow> : IDisposable
{
    private static readonly int RowsPerChunk = (int)Native.VectorSize();

    private readonly DuckDbTable<TRow> _table;
    private nint _appender;
    private nint _chunk;

    public DuckDbAppender(DuckDbConnection connection, DuckDbTable<TRow> table)
    {
        _table = table;
        if (Native.CreateAppender(connection.Handle, 0, table.Name, out _appender) != 0)
            throw Failure(_appender);
        _chunk = CreateChunk(table);
    }

    public void Append(ReadOnlySpan<TRow> rows)
    {
        while (!rows.IsEmpty)
        {
            int count = Math.Min(rows.Length, RowsPerChunk);
            Native.ResetDataChunk(_chunk);
            _table.Fill(rows[..count], _chunk);
            if (Native.AppendDataChunk(_appender, _chunk) != 0)
                throw Failure(_appender);
            rows = rows[count..];
        }
    }

    /// <summary>Makes the appended rows visible.</summary>
    public void Complete()
    {
        if (Native.CloseAppender(_appender) != 0)
            throw Failure(_appender);
    }

    public void Dispose()
    {
        if (_chunk != 0)
            Native.DestroyDataChunk(ref _chunk);
        if (_appender != 0)
            _ = Native.DestroyAppender(ref _appender);
        _chunk = _appender = 0;
    }

    private static nint CreateChunk(DuckDbTable<TRow> table)
    {
        nint[] types = table.CreateLogicalTypes();
        nint chunk = Native.CreateDataChunk(types, (ulong)types.Length);
        for (int i = 0; i < types.Length; i++)
            Native.DestroyLogicalType(ref types[i]);
        return chunk;
    }

    private static DuckDbException Failure(nint appender) =>
        new(Marshal.PtrToStringUTF8(Native.AppenderError(appender))?.ReplaceLineEndings(" ") ?? "The appender failed.");
}
