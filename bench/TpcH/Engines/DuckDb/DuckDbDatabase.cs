using System.Globalization;
using Bench.Shared.DuckDb;
using DuckDB.NET.Data;

namespace TpcH.Engines.DuckDb;

/// <summary>The tables in an in-memory DuckDB.</summary>
internal sealed class DuckDbDatabase : ITableSink
{
    private readonly DuckDbSchema _schema = new();
    private readonly DuckDBConnection _connection;
    private readonly CancellationTokenRegistration _interruption;
    private DuckDBAppender? _appender;
    private object? _table;

    /// <param name="threads">How many threads a query may use.</param>
    /// <param name="cancellationToken">Interrupts a query that runs.</param>
    public DuckDbDatabase(int threads, CancellationToken cancellationToken)
    {
        _connection = DuckDbExtensions.OpenInMemory();
        _connection.Execute(string.Create(CultureInfo.InvariantCulture, $"SET threads = {threads}"));
        _interruption = cancellationToken.Register(_connection.NativeConnection.Interrupt);
    }

    public string Version => _connection.ServerVersion;

    public long MemoryBytes =>
        Convert.ToInt64(_connection.Read("SELECT sum(memory_usage_bytes) FROM duckdb_memory()")[0][0], CultureInfo.InvariantCulture);

    /// <summary>Runs SQL and fetches all of its rows.</summary>
    public IReadOnlyList<object?[]> Read(string sql) => _connection.Read(sql);

    public PreparedQuery Prepare(string sql, AnswerShape shape) => new PreparedSql(_connection, sql, shape);

    public void Begin(Table table, long rows)
    {
        CompleteTable();
        switch (table)
        {
            case Table.Region: Begin(_schema.Region); break;
            case Table.Nation: Begin(_schema.Nation); break;
            case Table.Part: Begin(_schema.Part); break;
            case Table.Supplier: Begin(_schema.Supplier); break;
            case Table.PartSupp: Begin(_schema.PartSupp); break;
            case Table.Customer: Begin(_schema.Customer); break;
            case Table.Orders: Begin(_schema.Orders); break;
            case Table.LineItem: Begin(_schema.LineItem); break;
            default: throw new ArgumentOutOfRangeException(nameof(table), table, "Not a table of TPC-H.");
        }
    }

    public void Add(ReadOnlySpan<RegionRow> rows) => Append(rows);

    public void Add(ReadOnlySpan<NationRow> rows) => Append(rows);

    public void Add(ReadOnlySpan<PartRow> rows) => Append(rows);

    public void Add(ReadOnlySpan<SupplierRow> rows) => Append(rows);

    public void Add(ReadOnlySpan<PartSuppRow> rows) => Append(rows);

    public void Add(ReadOnlySpan<CustomerRow> rows) => Append(rows);

    public void Add(ReadOnlySpan<OrderRow> rows) => Append(rows);

    public void Add(ReadOnlySpan<LineItemRow> rows) => Append(rows);

    /// <summary>Also gathers the statistics that DuckDB's optimiser plans with.</summary>
    public void Complete()
    {
        CompleteTable();
        _connection.Execute("ANALYZE");
    }

    public void Dispose()
    {
        _interruption.Dispose();
        _appender?.Dispose();
        _connection.Dispose();
    }

    private void Begin<TRow>(DuckDbTable<TRow> table)
    {
        _connection.Execute(table.CreateStatement);
        _appender = _connection.CreateAppender(table.Name);
        _table = table;
    }

    private void Append<TRow>(ReadOnlySpan<TRow> rows) => ((DuckDbTable<TRow>)_table!).Append(_appender!, rows);

    private void CompleteTable()
    {
        _appender?.Close();
        _appender = null;
    }
}
