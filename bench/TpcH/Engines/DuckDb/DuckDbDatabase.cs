using System.Globalization;
using Bench.Shared.DuckDb;

namespace TpcH.Engines.DuckDb;

/// <summary>The tables in an in-memory DuckDB.</summary>
internal sealed class DuckDbDatabase : ITableSink
{
    private readonly DuckDbSchema _schema = new();
    private readonly DuckDbConnection _connection;
    private readonly CancellationTokenRegistration _interruption;
    private IDisposable? _appender;
    private Action? _completeTable;

    /// <param name="threads">How many threads a query may use.</param>
    /// <param name="cancellationToken">Interrupts a query that runs.</param>
    public DuckDbDatabase(int threads, CancellationToken cancellationToken)
    {
        _connection = new DuckDbConnection();
        _connection.Execute(string.Create(CultureInfo.InvariantCulture, $"SET threads = {threads}"));
        _interruption = cancellationToken.Register(_connection.Interrupt);
    }

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
        var appender = new DuckDbAppender<TRow>(_connection, table);
        _appender = appender;
        _completeTable = appender.Complete;
    }

    private void Append<TRow>(ReadOnlySpan<TRow> rows) => ((DuckDbAppender<TRow>)_appender!).Append(rows);

    private void CompleteTable()
    {
        _completeTable?.Invoke();
        _appender?.Dispose();
        _completeTable = null;
        _appender = null;
    }
}
