using System.Data.Common;
using System.Text;
using Sylvan.Data.Csv;

namespace TpcH.BulkLoading;

/// <summary>Through CSV in memory, written and read by Sylvan.Data.Csv.</summary>
internal sealed class CsvRoute : LoadRoute
{
    public override string Name => "CSV";

    public override ITableFile Write(ITabularDatabase database, Table table)
    {
        using var stream = new MemoryStream();
        using (DbDataReader rows = database.Read(table))
        using (var text = new StreamWriter(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), leaveOpen: true))
        using (CsvDataWriter writer = CsvDataWriter.Create(text))
            writer.Write(rows);
        return new CsvFile(stream.ToArray());
    }

    private sealed class CsvFile(byte[] bytes) : ITableFile
    {
        public ReadOnlyMemory<byte> Bytes => bytes;

        public DbDataReader Open() => CsvDataReader.Create(new StreamReader(new MemoryStream(bytes), Encoding.UTF8));
    }
}
