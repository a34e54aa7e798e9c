using System.Runtime.InteropServices;

namespace Bench.Shared.DuckDb;

/// <summary>An in-memory database with its one connection.</summary>
internal sealed class DuckDbConnection : IDisposable
{
    private readonly Lock _closing = new();
    private nint _database;
    private nint _connection;

    public DuckDbConnection()
    {
        DuckDbLibrary.EnsureResolved();
        if (Native.Open(0, out _database) != 0)
            throw new DuckDbException("The in-memory database cannot be opened.");
        if (Native.Connect(_database, out _connection) != 0)
        {
            Dispose();
            throw new DuckDbException("The in-memory database refuses the connection.");
        }
    }

    public static string LibraryVersion => Marshal.PtrToStringUTF8(Native.LibraryVersion())!;

    /// <summary>Valid until the connection is disposed.</summary>
    public nint Handle => _connection;

    public void Execute(string sql) => Read(sql);

    /// <summary>Runs a query to its end and fetches every row.</summary>
    public IReadOnlyList<object?[]> Read(string sql)
    {
        int state = Native.Query(_connection, sql, out DuckDbResult result);
        try
        {
            return state == 0 ? DuckDbResultReader.ReadRows(ref result) : throw new DuckDbException(ErrorOf(ref result));
        }
        finally
        {
            Native.DestroyResult(ref result);
        }
    }

    /// <summary>Ends the running query with an error; any thread may call it.</summary>
    public void Interrupt()
    {
        lock (_closing)
        {
            if (_connection != 0)
                Native.Interrupt(_connection);
        }
    }

    public void Dispose()
    {
        lock (_closing)
        {
            if (_connection != 0)
                Native.Disconnect(ref _connection);
            if (_database != 0)
                Native.Close(ref _database);
            _connection = _database = 0;
        }
    }

    private static string ErrorOf(ref DuckDbResult result) =>
        Marshal.PtrToStringUTF8(Native.ResultError(ref result))?.ReplaceLineEndings(" ") ?? "unknown error";
}
