using System.Data.Common;
using Apache.Arrow.Ipc;
using Bench.Shared.DuckDb;
using DuckDB.NET.Data;
using Smc.Arrow;
using Smc.Collections;
using Smc.Parquet;

namespace TpcH.BulkLoading;

/// <summary>Through a file in memory.</summary>
internal abstract class FileRoute : LoadRoute
{
    public override ITableFile Write(ITabularDatabase database, Table table)
    {
        using var stream = new MemoryStream();
        database.Write(table, Writer(stream));
        return new TableFile(stream.ToArray(), this);
    }

    /// <summary>Gives DuckDB a file that the route wrote as a table or a view, read without a line of ours.</summary>
    public abstract void Show(string path, Table table, DuckDBConnection duckDb);

    protected abstract ITableWriter Writer(Stream stream);

    protected abstract DbDataReader Open(Stream stream);

    private sealed class TableFile(byte[] bytes, FileRoute route) : ITableFile
    {
        public ReadOnlyMemory<byte> Bytes => bytes;

        public DbDataReader Open() => route.Open(new MemoryStream(bytes));
    }
}

/// <summary>Through an Arrow stream. DuckDB reads none without an extension, so Arrow's own reader gives it the values.</summary>
internal sealed class ArrowRoute : FileRoute
{
    public override string Name => "Arrow";

    public override void Show(string path, Table table, DuckDBConnection duckDb)
    {
        using var reader = new ArrowStreamReader(File.OpenRead(path));
        DuckDbTable<ArrowRow> rows = ArrowRow.TableOf(table, reader.Schema);
        duckDb.Execute(rows.CreateStatement);
        using DuckDBAppender appender = duckDb.CreateAppender(rows.Name);
        while (reader.ReadNextRecordBatch() is { } batch)
        {
            using (batch)
                rows.Append(appender, [.. Enumerable.Range(0, batch.Length).Select(index => new ArrowRow(batch, index))]);
        }
    }

    protected override ITableWriter Writer(Stream stream) => new ArrowWriter(stream);

    protected override DbDataReader Open(Stream stream) => stream.OpenArrow();

    private sealed class ArrowWriter(Stream stream) : ITableWriter
    {
        public void Write<T>(Collection<T> rows)
            where T : unmanaged => rows.WriteArrow(stream);
    }
}

/// <summary>Through a Parquet file.</summary>
internal class ParquetRoute : FileRoute
{
    public override string Name => "Parquet";

    public override void Show(string path, Table table, DuckDBConnection duckDb) =>
        duckDb.Execute($"CREATE VIEW {table.FileStem} ({string.Join(", ", table.Columns)}) AS SELECT * FROM read_parquet('{path}')");

    protected override ITableWriter Writer(Stream stream) => new ParquetWriter(stream);

    protected override DbDataReader Open(Stream stream) => stream.OpenParquet();

    private sealed class ParquetWriter(Stream stream) : ITableWriter
    {
        public void Write<T>(Collection<T> rows)
            where T : unmanaged => rows.WriteParquet(stream);
    }
}
