using System.Data.Common;
using System.IO.Compression;
using System.Text;
using DuckDB.NET.Data;
using Parquet;
using Parquet.Schema;
using Smc.Collections;
using Smc.Memory;
using Smc.Parquet;
using Xunit;

namespace Smc.Data.Tests;

public sealed class ParquetTests : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly string _file = Path.Combine(Path.GetTempPath(), $"smc-{Guid.NewGuid():N}.parquet");

    public void Dispose()
    {
        _manager.Dispose();
        File.Delete(_file);
    }

    private Collection<T> New<T>()
        where T : unmanaged => new(new CollectionOptions { Manager = _manager });

    private static IEnumerable<WideData> Rows(int count) => WideRows.Create(count).Select(row => row with { Decimal = decimal.Round(row.Decimal, 5) });

    /// <summary>As in <see cref="WideRows.Describe(IEnumerable{WideData})"/>, with decimals by value: a column has one scale.</summary>
    private static string[] Describe(Collection<Wide> rows) => WideRows.Describe(Enumerable.Select(rows, row => row.ToData()).Select(row => row with
    {
        Decimal = row.Decimal / 1.0000000000000000000000000000m,
        MaybeDecimal = row.MaybeDecimal / 1.0000000000000000000000000000m,
    }));

    private static MemoryStream Written(Action<Stream> write)
    {
        MemoryStream stream = new();
        write(stream);
        stream.Position = 0;
        return stream;
    }

    [Fact]
    public void All_types_go_through_a_file()
    {
        using Collection<Wide> source = New<Wide>();
        using Collection<Wide> target = New<Wide>();
        source.AddRange(Rows(3000));
        using MemoryStream stream = Written(source.WriteParquet);
        using (BatchDataReader reader = stream.OpenParquet())
            Assert.Equal(3000, target.AddRange(reader));
        Assert.Equal(Describe(source), Describe(target));
        Assert.True(stream.CanRead);
    }

    [Fact]
    public async Task Files_are_written_and_read_without_a_thread_that_waits()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using Collection<Narrow> source = New<Narrow>();
        using Collection<Narrow> target = New<Narrow>();
        for (int i = 0; i < 130_000; i++)
            source.Add(key: i, weight: i % 3 == 0 ? null : i, text: $"{i % 100}");
        using MemoryStream stream = new();
        await source.WriteParquetAsync(stream, token);
        using (BatchDataReader reader = await stream.OpenParquetAsync(token))
            Assert.Equal(130_000, await target.AddRangeAsync(reader, cancellationToken: token));
        Assert.Equal(source.Sum(r => r.Key), target.Sum(r => r.Key));
        Assert.Equal(source.Sum(r => r.Weight), target.Sum(r => r.Weight));
    }

    [Fact]
    public void An_empty_collection_is_a_file_with_its_columns()
    {
        using Collection<Narrow> source = New<Narrow>();
        using Collection<Narrow> target = New<Narrow>();
        using MemoryStream stream = Written(source.WriteParquet);
        using BatchDataReader reader = stream.OpenParquet();
        Assert.Equal(["Key", "Weight", "Text"], Enumerable.Range(0, reader.FieldCount).Select(reader.GetName));
        Assert.Equal(0, target.AddRange(reader));
    }

    [Fact]
    public void References_are_found_by_the_keys_that_a_query_selected()
    {
        using Collection<Shop> shops = New<Shop>();
        using Collection<Sale> sales = New<Sale>();
        using Collection<Sale> copies = New<Sale>();
        using UniqueIndex<Shop, int> byKey = shops.CreateUniqueIndex(s => s.Key);
        for (int i = 1; i <= 3; i++)
            shops.Add(key: i, region: i, name: $"shop {i}");
        for (int i = 0; i < 100; i++)
            sales.Add(key: i, shop: byKey.Find(i % 3 + 1), total: i, kind: Kind.Shop, day: new DateOnly(2024, 1, 1), second: i % 2 == 0 ? null : byKey.Find(1));
        using MemoryStream stream = Written(sales
            .Select(s => new { s.Key, ShopKey = s.Shop.Key, SecondKey = s.Second == null ? (int?)null : s.Second.Value.Key, s.Total, s.Pieces, s.Kind, s.Day, s.Note, s.Clerk })
            .ToList().WriteParquet);
        using BatchDataReader reader = stream.OpenParquet();
        copies.AddRange(reader, new LoadOptions<Sale>().Reference(s => s.Shop, byKey, "ShopKey").Reference(s => s.Second, byKey, "SecondKey"));
        Assert.Equal(Enumerable.Select(sales, s => s.ToData()), Enumerable.Select(copies, s => s.ToData()));
    }

    [Fact]
    public void DuckDB_reads_what_was_written()
    {
        using Collection<Wide> source = New<Wide>();
        source.AddRange(Rows(500));
        using (FileStream file = File.Create(_file))
            source.WriteParquet(file);
        using DuckDBConnection duck = new("DataSource=:memory:");
        duck.Open();
        WideData[] rows = [.. Enumerable.Select(source, row => row.ToData()).OrderBy(row => row.Key)];
        using DbCommand command = duck.CreateCommand();
        command.CommandText = $"SELECT \"Int64\", \"UInt16\", \"Cents\", \"Large\", \"Date\", \"Moment\", \"Guid\", \"Text\", \"MaybeText\", \"MaybeInt\", \"Double\", \"Kind\", \"Bytes\", \"Decimal\" FROM '{_file}' ORDER BY \"Key\"";
        using DbDataReader reader = command.ExecuteReader();
        foreach (WideData row in rows)
        {
            Assert.True(reader.Read());
            Assert.Equal(row.Int64, reader.GetInt64(0));
            Assert.Equal(row.UInt16, reader.GetFieldValue<ushort>(1));
            Assert.Equal(row.Cents, reader.GetDecimal(2));
            Assert.Equal(row.Large, reader.GetDecimal(3));
            Assert.Equal(row.Date, reader.GetFieldValue<DateOnly>(4));
            Assert.Equal(row.Moment, reader.GetDateTime(5));
            Assert.Equal(row.Guid, reader.GetGuid(6));
            Assert.Equal(row.Text, reader.GetString(7));
            Assert.Equal(row.MaybeText, reader.IsDBNull(8) ? null : reader.GetString(8));
            Assert.Equal(row.MaybeInt, reader.IsDBNull(9) ? null : reader.GetInt32(9));
            Assert.Equal(row.Double, reader.GetDouble(10));
            Assert.Equal((byte)row.Kind, reader.GetByte(11));
            using Stream bytes = reader.GetStream(12);
            using MemoryStream copy = new();
            bytes.CopyTo(copy);
            Assert.Equal(row.Bytes.ToArray(), copy.ToArray());
            Assert.Equal(row.Decimal, reader.GetDecimal(13));
        }

        Assert.False(reader.Read());
    }

    [Fact]
    public void What_DuckDB_wrote_is_read()
    {
        using DuckDBConnection duck = new("DataSource=:memory:");
        duck.Open();
        using DbCommand command = duck.CreateCommand();
        command.CommandText = $"""
            COPY (SELECT i::BIGINT AS "Key", CASE WHEN i % 3 = 0 THEN NULL ELSE i::DOUBLE END AS "Weight", CASE WHEN i % 5 = 0 THEN NULL ELSE 'text ' || i END AS "Text",
                (i * 1.25)::DECIMAL(9, 2) AS "Total", (i * 1.5)::DECIMAL(38, 10) AS "Wide", DATE '2024-02-29' + i::INTEGER AS "Day", TIMESTAMP '2024-02-29 12:00:00.123456' AS "Moment",
                TIMESTAMPTZ '2024-02-29 12:00:00+00' AS "Zoned", TIME '23:59:59.5' AS "Time", [i] AS "List", i::USMALLINT AS "Small"
                FROM range(5000) t(i)) TO '{_file}' (FORMAT PARQUET)
            """;
        command.ExecuteNonQuery();
        using Collection<Narrow> target = New<Narrow>();
        using FileStream file = File.OpenRead(_file);
        using (BatchDataReader reader = file.OpenParquet())
            Assert.Equal(5000, target.AddRange(reader));
        Assert.Equal(
            Enumerable.Range(0, 5000).Select(i => ((long)i, i % 3 == 0 ? null : (double?)i, i % 5 == 0 ? null : $"text {i}")),
            Enumerable.Select(target, r => (r.Key, r.Weight, r.Text)).OrderBy(r => r.Key));
        using BatchDataReader again = file.OpenParquet();
        Assert.True(again.Read());
        Assert.True(again.Read());
        Assert.Throws<IndexOutOfRangeException>(() => again.GetOrdinal("List"));
        Assert.Equal(1.25m, again.GetDecimal(again.GetOrdinal("Total")));
        Assert.Equal(1.5m, again.GetDecimal(again.GetOrdinal("Wide")));
        Assert.Equal(new DateOnly(2024, 3, 1), again.GetFieldValue<DateOnly>(again.GetOrdinal("Day")));
        Assert.Equal(new DateTime(2024, 2, 29, 12, 0, 0).AddMicroseconds(123456), again.GetDateTime(again.GetOrdinal("Moment")));
        Assert.Equal(new DateTimeOffset(2024, 2, 29, 12, 0, 0, TimeSpan.Zero), again.GetFieldValue<DateTimeOffset>(again.GetOrdinal("Zoned")));
        Assert.Equal(new TimeOnly(23, 59, 59, 500), again.GetFieldValue<TimeOnly>(again.GetOrdinal("Time")));
        Assert.Equal(1, again.GetFieldValue<ushort>(again.GetOrdinal("Small")));
    }

    [Fact]
    public void A_decimal_that_does_not_fit_is_refused() =>
        Assert.Throws<OverflowException>(() => new[] { 0.00000000001m }.WriteParquet(new MemoryStream()));

    [Fact]
    public void Half_of_a_surrogate_pair_is_refused()
    {
        Assert.Contains("Text", Assert.Throws<System.Text.EncoderFallbackException>(() => new[] { new { Text = "a\ud800" } }.WriteParquet(new MemoryStream())).Message);
        Assert.Contains("Sign", Assert.Throws<System.Text.EncoderFallbackException>(() => new[] { new { Sign = '\udc00' } }.WriteParquet(new MemoryStream())).Message);
    }

    [Fact]
    public void A_type_without_a_form_is_refused_by_name() =>
        Assert.Contains("Value", Assert.Throws<NotSupportedException>(() => new[] { new { Value = new object() } }.WriteParquet(new MemoryStream())).Message);

    [Fact]
    public void What_is_no_Parquet_file_is_refused()
    {
        Assert.Throws<DataLoadException>(() => new MemoryStream([1, 2, 3]).OpenParquet());
        Assert.Throws<DataLoadException>(() => new MemoryStream(new byte[1000]).OpenParquet());
    }

    [Fact]
    public void A_thousand_damaged_files_are_refused_or_read_with_the_values_that_were_written()
    {
        using DamagedRows rows = new(_manager, (rows, stream) => rows.WriteParquet(stream), stream => stream.OpenParquet());
        rows.AssertAThousandAreRefusedOrRight();
    }

    [Fact]
    public void Every_byte_of_a_file_is_under_a_checksum()
    {
        using DamagedRows rows = new(_manager, (rows, stream) => rows.WriteParquet(stream), stream => stream.OpenParquet());
        rows.AssertEveryByteIsUnderAChecksum();
    }

    [Fact]
    public void The_error_says_which_row_group_or_that_the_footer_is_damaged_and_where()
    {
        using Collection<Narrow> source = New<Narrow>();
        for (int i = 0; i < 130_000; i++)
            source.Add(key: i, weight: i, text: $"{i % 100}");
        byte[] whole = Written(source.WriteParquet).ToArray();
        byte[] group = [.. whole], footer = [.. whole];
        int footerStart = whole.Length - 8 - BitConverter.ToInt32(whole, whole.Length - 8);
        group[footerStart - 1] ^= 16;
        footer[footerStart + 100] ^= 16;
        using BatchDataReader reader = new MemoryStream(group).OpenParquet();
        using Collection<Narrow> target = New<Narrow>();
        DataLoadException inGroup = Assert.Throws<DataLoadException>(() => target.AddRange(reader));
        Assert.Equal(122_881, inGroup.Row);
        Assert.Contains("Row group 2 of the file, bytes ", inGroup.Message, StringComparison.Ordinal);
        Assert.Contains($" to {footerStart}, is damaged", inGroup.Message, StringComparison.Ordinal);
        Assert.Contains($"footer, bytes {footerStart} to {whole.Length}, is damaged", Assert.Throws<DataLoadException>(() => new MemoryStream(footer).OpenParquet()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_of_another_program_that_copied_our_metadata_is_read()
    {
        byte[] ours = Written(new[] { 1, 2, 3 }.WriteParquet).ToArray();
        // What Arrow's C++ library does: the metadata of the file that was read, and its own name.
        string text = Encoding.Latin1.GetString(ours).Replace("Parquet.Net version", "parquet-cpp-arrow v", StringComparison.Ordinal);
        using BatchDataReader reader = new MemoryStream(Encoding.Latin1.GetBytes(text)).OpenParquet();
        Assert.True(reader.Read());
        Assert.Equal(1, reader.GetInt32(0));
    }

    [Fact]
    public async Task A_damaged_footer_of_another_program_does_not_keep_the_reader_for_ever()
    {
        byte[] ours = Written(new[] { new { Key = 1, Text = "a", Total = 1.5m } }.WriteParquet).ToArray();
        byte[] foreign = Encoding.Latin1.GetBytes(Encoding.Latin1.GetString(ours).Replace("Parquet.Net version", "parquet-cpp-arrow v", StringComparison.Ordinal));
        int footer = foreign.Length - 8 - BitConverter.ToInt32(foreign, foreign.Length - 8);
        int refused = await Task.Run(RefusedFiles, TestContext.Current.CancellationToken).WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
        Assert.InRange(refused, 1000, (foreign.Length - footer) * 8);

        int RefusedFiles()
        {
            int refused = 0;
            for (int bit = footer * 8; bit < foreign.Length * 8; bit++)
            {
                byte[] damaged = [.. foreign];
                damaged[bit / 8] ^= (byte)(1 << (bit % 8));
                try
                {
                    using BatchDataReader reader = new MemoryStream(damaged).OpenParquet();
                    while (reader.Read())
                    {
                    }
                }
                catch (DataLoadException)
                {
                    refused++;
                }
            }

            return refused;
        }
    }

    [Fact]
    public async Task A_file_that_is_mostly_footer_is_read()
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        using MemoryStream stream = new();
        // The name is in the footer for each group. More digits than a decimal has: the footer is read once more for them.
        DecimalDataField field = new(new string('v', 300), 38, 10);
        await using (ParquetWriter writer = await ParquetWriter.CreateAsync(new ParquetSchema(field), stream, cancellationToken: token))
        {
            for (int i = 0; i < 20_000; i++)
            {
                using ParquetRowGroupWriter group = writer.CreateRowGroup();
                await group.WriteAsync<decimal>(field, new[] { 1.5m }.AsMemory(), cancellationToken: token);
            }
        }

        stream.Position = 0;
        using BatchDataReader reader = await stream.OpenParquetAsync(token);
        Assert.True(reader.Read());
        Assert.Equal(1.5m, reader.GetDecimal(0));
    }

    [Fact]
    public void A_stream_that_only_takes_bytes_gets_the_same_file()
    {
        using MemoryStream file = new();
        using (BufferedStream pipe = new(new DeflateStream(file, CompressionLevel.Fastest, leaveOpen: true)))
            new[] { 1, 2, 3 }.WriteParquet(pipe);
        file.Position = 0;
        using DeflateStream inflated = new(file, CompressionMode.Decompress);
        using MemoryStream copy = new();
        inflated.CopyTo(copy);
        Assert.Equal(Written(new[] { 1, 2, 3 }.WriteParquet).ToArray(), copy.ToArray());
    }
}
