namespace TpcH;

/// <summary>A row names a row of another table that does not exist.</summary>
public sealed class DanglingKeyException(Table table, long row, string column, string key, Table target)
    : Exception($"{table.FileStem}, row {row}: {column} {key} names no row of {target.FileStem}");
