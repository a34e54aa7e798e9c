using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using DuckDB.NET.Data;

namespace Bench.Shared.DuckDb;

/// <summary>SQL in one line.</summary>
internal static class DuckDbExtensions
{
    /// <summary>A database in memory with its one connection; it ends with the connection.</summary>
    public static DuckDBConnection OpenInMemory()
    {
        var connection = new DuckDBConnection("DataSource=:memory:");
        connection.Open();
        return connection;
    }

    /// <summary>Runs one or more statements that return no rows.</summary>
    public static void Execute(this DuckDBConnection connection, string sql)
    {
        using DuckDBCommand command = Command(connection, sql);
        command.ExecuteNonQuery();
    }

    /// <summary>Runs a query to its end and fetches every row. NULL is null; a whole number of 128 bits, such as a sum, is a decimal.</summary>
    public static IReadOnlyList<object?[]> Read(this DuckDBConnection connection, string sql)
    {
        using DuckDBCommand command = Command(connection, sql);
        using DuckDBDataReader reader = command.ExecuteReader();
        var rows = new List<object?[]>();
        while (reader.Read())
        {
            var row = new object?[reader.FieldCount];
            for (int i = 0; i < row.Length; i++)
            {
                row[i] = reader.GetValue(i) switch
                {
                    DBNull => null,
                    BigInteger number => (decimal)number,
                    var value => value,
                };
            }

            rows.Add(row);
        }

        return rows;
    }

    [SuppressMessage("Security", "CA2100:Review SQL queries for security vulnerabilities", Justification = "The SQL is the benchmark's own.")]
    private static DuckDBCommand Command(DuckDBConnection connection, string sql)
    {
        DuckDBCommand command = connection.CreateCommand();
        command.CommandText = sql;
        return command;
    }
}
