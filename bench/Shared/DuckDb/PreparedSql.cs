using DuckDB.NET.Data;

namespace Bench.Shared.DuckDb;

/// <summary>SQL to be run many times. A run is parsing, planning, execution and fetching the rows.</summary>
internal sealed class PreparedSql(DuckDBConnection connection, string sql, AnswerShape shape) : PreparedQuery
{
    private IReadOnlyList<object?[]> _rows = [];

    public override void Execute() => _rows = connection.Read(sql);

    public override Answer ReadAnswer() => shape.FromValues(_rows);
}
