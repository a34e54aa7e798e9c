using System.Data.Common;

namespace TpcH.BulkLoading;

/// <summary>A way for a table out of one database and into another.</summary>
internal abstract class LoadRoute
{
    public static IReadOnlyList<LoadRoute> All { get; } = [new ReaderRoute(), new CsvRoute(), new ArrowRoute(), new ParquetRoute()];

    public abstract string Name { get; }

    /// <summary>Writes a table, if the route has a file between.</summary>
    public abstract ITableFile Write(ITabularDatabase database, Table table);
}

/// <summary>A table outside of a database.</summary>
internal interface ITableFile
{
    /// <summary>Its bytes, empty if it is no file.</summary>
    ReadOnlyMemory<byte> Bytes { get; }

    DbDataReader Open();
}

/// <summary>From the rows of a collection straight into another.</summary>
internal sealed class ReaderRoute : LoadRoute
{
    public override string Name => "DbDataReader";

    public override ITableFile Write(ITabularDatabase database, Table table) => new NoFile(database, table);

    private sealed class NoFile(ITabularDatabase database, Table table) : ITableFile
    {
        public ReadOnlyMemory<byte> Bytes => default;

        public DbDataReader Open() => database.Read(table);
    }
}
