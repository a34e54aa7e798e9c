using System.Data.Common;
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

    protected abstract ITableWriter Writer(Stream stream);

    protected abstract DbDataReader Open(Stream stream);

    private sealed class TableFile(byte[] bytes, FileRoute route) : ITableFile
    {
        public long Bytes => bytes.Length;

        public DbDataReader Open() => route.Open(new MemoryStream(bytes));
    }
}

/// <summary>Through an Arrow stream.</summary>
internal sealed class ArrowRoute : FileRoute
{
    public override string Name => "Arrow";

    protected override ITableWriter Writer(Stream stream) => new ArrowWriter(stream);

    protected override DbDataReader Open(Stream stream) => stream.OpenArrow();

    private sealed class ArrowWriter(Stream stream) : ITableWriter
    {
        public void Write<T>(Collection<T> rows)
            where T : unmanaged => rows.WriteArrow(stream);
    }
}

/// <summary>Through a Parquet file.</summary>
internal sealed class ParquetRoute : FileRoute
{
    public override string Name => "Parquet";

    protected override ITableWriter Writer(Stream stream) => new ParquetWriter(stream);

    protected override DbDataReader Open(Stream stream) => stream.OpenParquet();

    private sealed class ParquetWriter(Stream stream) : ITableWriter
    {
        public void Write<T>(Collection<T> rows)
            where T : unmanaged => rows.WriteParquet(stream);
    }
}
