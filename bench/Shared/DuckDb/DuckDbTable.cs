using DuckDB.NET.Data;

namespace Bench.Shared.DuckDb;

/// <summary>A table's columns with how each is read from a row: its DDL, and how its rows get in.</summary>
internal sealed class DuckDbTable<TRow>(string name)
{
    private readonly List<Column> _columns = [];

    public delegate TValue Cell<TValue>(in TRow row);

    private delegate void AppendCell(IDuckDBAppenderRow target, in TRow row);

    public string Name => name;

    public string CreateStatement => $"CREATE TABLE {name} ({string.Join(", ", _columns.Select(column => $"{column.Name} {column.SqlType} NOT NULL"))})";

    public DuckDbTable<TRow> Integer(string column, Cell<int> cell) => Add(column, "INTEGER", (target, in row) => target.AppendValue(cell(in row)));

    public DuckDbTable<TRow> BigInt(string column, Cell<long> cell) => Add(column, "BIGINT", (target, in row) => target.AppendValue(cell(in row)));

    public DuckDbTable<TRow> Money(string column, Cell<decimal> cell) => Add(column, "DECIMAL(15,2)", (target, in row) => target.AppendValue(cell(in row)));

    /// <summary>An amount with two digits after the point that DuckDB stores in 32 bits.</summary>
    /// <param name="column">The column's name.</param>
    /// <param name="digits">All digits, from 5 to 9.</param>
    /// <param name="cell">Reads the value.</param>
    public DuckDbTable<TRow> SmallMoney(string column, byte digits, Cell<decimal> cell) => Add(column, $"DECIMAL({digits},2)", (target, in row) => target.AppendValue(cell(in row)));

    public DuckDbTable<TRow> Date(string column, Cell<DateOnly> cell) => Add(column, "DATE", (target, in row) => target.AppendValue(cell(in row)));

    public DuckDbTable<TRow> Character(string column, Cell<char> cell) => Add(column, "VARCHAR", (target, in row) => target.AppendValue(cell(in row).ToString()));

    public DuckDbTable<TRow> Text(string column, Cell<string> cell) => Add(column, "VARCHAR", (target, in row) => target.AppendValue(cell(in row)));

    /// <summary>Adds rows. They are in the table when the appender is closed.</summary>
    public void Append(DuckDBAppender appender, ReadOnlySpan<TRow> rows)
    {
        foreach (ref readonly TRow row in rows)
        {
            IDuckDBAppenderRow target = appender.CreateRow();
            foreach (Column column in _columns)
                column.Append(target, in row);
            target.EndRow();
        }
    }

    private DuckDbTable<TRow> Add(string column, string sqlType, AppendCell append)
    {
        _columns.Add(new Column(column, sqlType, append));
        return this;
    }

    private sealed record Column(string Name, string SqlType, AppendCell Append);
}
