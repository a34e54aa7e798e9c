using System.Data.Common;
using Smc.Arrow;

namespace TpcH.BulkLoading;

/// <summary>Through an Arrow stream in memory.</summary>
internal sealed class ArrowRoute : LoadRoute
{
    public override string Name => "Arrow";

    public override ITableFile Write(ITabularDatabase database, Table table)
    {
        using var stream = new MemoryStream();
        database.WriteArrow(table, stream);
        return new ArrowFile(stream.ToArray());
    }

    private sealed class ArrowFile(byte[] bytes) : ITableFile
    {
        public long Bytes => bytes.Length;

        public DbDataReader Open() => new MemoryStream(bytes).OpenArrow();
    }
}
