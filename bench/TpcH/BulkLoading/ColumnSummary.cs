using Bench.Shared.DuckDb;
using DuckDB.NET.Data;

namespace TpcH.BulkLoading;

/// <summary>What DuckDB says of a column, in its own text; nothing of it depends on the order of the rows.</summary>
/// <param name="Column">The column's name; for whole rows that of the table.</param>
/// <param name="Type">The SQL type.</param>
/// <param name="Values">Values that are not null.</param>
/// <param name="Least">The least value.</param>
/// <param name="Greatest">The greatest value.</param>
/// <param name="Sum">The exact sum; of texts that of their lengths, of dates that of their days.</param>
/// <param name="Checksum">The sum of the values' hashes.</param>
internal sealed record ColumnSummary(string Column, string? Type, string? Values, string? Least, string? Greatest, string? Sum, string? Checksum)
{
    /// <summary>Whether this is the checksum over whole rows.</summary>
    public bool IsOfRows => Type is null;

    /// <summary>The columns of a table or view, and its rows.</summary>
    public static IReadOnlyList<ColumnSummary> Of(Table table, DuckDBConnection duckDb)
    {
        var types = duckDb.Read($"SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = '{table.FileStem}' ORDER BY column_index")
            .Select(row => (Column: (string)row[0]!, Type: (string)row[1]!)).ToList();
        IEnumerable<string> columns = types.Select(column =>
            $"SELECT '{column.Column}', '{column.Type}', count({column.Column})::VARCHAR, min({column.Column})::VARCHAR, max({column.Column})::VARCHAR, " +
            $"sum({Number(column.Column, column.Type)})::VARCHAR, sum(hash({column.Column}))::VARCHAR FROM {table.FileStem}");
        string rows = $"SELECT '{table.FileStem}', NULL, count(*)::VARCHAR, NULL, NULL, NULL, " +
            $"sum(hash({string.Join(", ", types.Select(column => column.Column))}))::VARCHAR FROM {table.FileStem}";
        return [.. duckDb.Read(string.Join(" UNION ALL ", columns.Append(rows)))
            .Select(row => new ColumnSummary((string)row[0]!, (string?)row[1], (string?)row[2], (string?)row[3], (string?)row[4], (string?)row[5], (string?)row[6]))];
    }

    private static string Number(string column, string type) => type switch
    {
        "VARCHAR" => $"length({column})",
        "DATE" => $"{column} - DATE '1970-01-01'",
        _ => column,
    };
}
