using Apache.Arrow;
using Apache.Arrow.Arrays;
using Apache.Arrow.Ipc;
using Apache.Arrow.Types;
using Smc.Arrow;
using Smc.Collections;
using Smc.Memory;
using Xunit;

namespace Smc.Data.Tests;

public sealed class ArrowTests : IDisposable
{
    private readonly MemoryManager _manager = new();

    public void Dispose() => _manager.Dispose();

    private Collection<T> New<T>()
        where T : unmanaged => new(new CollectionOptions { Manager = _manager });

    private static IEnumerable<WideData> Rows(int count) => WideRows.Create(count)
        .Select(row => row with { Decimal = decimal.Round(row.Decimal, 5), MaybeDecimal = row.MaybeDecimal is null ? null : 1.5m });

    /// <summary>As in <see cref="WideRows.Describe(IEnumerable{WideData})"/>, with decimals by value: a column has one scale.</summary>
    private static string[] Describe(Collection<Wide> rows) => WideRows.Describe(Enumerable.Select(rows, row => row.ToData()).Select(row =>
        row with { Decimal = row.Decimal / 1.0000000000000000000000000000m, MaybeDecimal = row.MaybeDecimal / 1.0000000000000000000000000000m }));

    [Fact]
    public void All_types_go_through_a_stream()
    {
        using Collection<Wide> source = New<Wide>();
        using Collection<Wide> target = New<Wide>();
        source.AddRange(Rows(3000));
        using MemoryStream stream = new();
        source.WriteArrow(stream);
        stream.Position = 0;
        using (BatchDataReader reader = stream.OpenArrow())
            Assert.Equal(3000, target.AddRange(reader));
        Assert.Equal(Describe(source), Describe(target));
    }

    [Fact]
    public void Arrows_own_reader_finds_the_values()
    {
        using Collection<Wide> source = New<Wide>();
        source.AddRange(Rows(100));
        using MemoryStream stream = new();
        source.WriteArrow(stream);
        stream.Position = 0;
        using ArrowStreamReader reader = new(stream);
        using RecordBatch batch = reader.ReadNextRecordBatch();
        Assert.Null(reader.ReadNextRecordBatch());
        WideData[] rows = [.. Enumerable.Select(source, row => row.ToData())];
        Assert.Equal(rows.Select(r => (long?)r.Int64), (Int64Array)batch.Column("Int64"));
        Assert.Equal(rows.Select(r => (bool?)r.Bool), (BooleanArray)batch.Column("Bool"));
        Assert.Equal(rows.Select(r => r.MaybeInt), (Int32Array)batch.Column("MaybeInt"));
        Assert.Equal(rows.Select(r => r.MaybeText), Enumerable.Range(0, 100).Select(i => ((StringArray)batch.Column("MaybeText")).GetString(i)));
        Assert.Equal(rows.Select(r => (decimal?)r.Cents), Enumerable.Range(0, 100).Select(i => ((Decimal128Array)batch.Column("Cents")).GetValue(i)));
        Assert.Equal(rows.Select(r => r.MaybeDate), Enumerable.Range(0, 100).Select(i => ((Date32Array)batch.Column("MaybeDate")).GetDateOnly(i)));
        Assert.Equal(rows.Select(r => (DateTimeOffset?)r.Zoned), Enumerable.Range(0, 100).Select(i => ((TimestampArray)batch.Column("Zoned")).GetTimestamp(i)));
        Assert.Equal(rows.Select(r => r.Bytes.ToArray()), Enumerable.Range(0, 100).Select(i => ((BinaryArray)batch.Column("Bytes")).GetBytes(i).ToArray()));
        Assert.Equal(rows.Count(r => r.MaybeInt is null), batch.Column("MaybeInt").NullCount);
        Assert.Equal(rows[0].Guid.ToByteArray(bigEndian: true), ((FixedSizeBinaryArray)batch.Column("Guid")).GetBytes(0).ToArray());
        Assert.Equal((9, 2), batch.Schema.GetFieldByName("Cents").DataType is Decimal128Type type ? (type.Precision, type.Scale) : default);
        Assert.False(batch.Schema.GetFieldByName("Int64").IsNullable);
        Assert.True(batch.Schema.GetFieldByName("MaybeInt").IsNullable);
    }

    [Fact]
    public void Results_become_batches()
    {
        using Collection<Narrow> rows = New<Narrow>();
        for (int i = 0; i < 70_000; i++)
            rows.Add(key: i, weight: i % 3 == 0 ? null : i, text: $"{i}");
        List<RecordBatch> batches = [.. rows.Where(r => r.Key >= 10).Select(r => new { r.Key, Double = r.Weight * 2 }).ToList().ToRecordBatches()];
        Assert.Equal([65_536, 69_990 - 65_536], batches.Select(b => b.Length));
        Assert.Equal(Enumerable.Range(10, 69_990).Sum(i => (long)i), batches.Sum(b => ((Int64Array)b.Column(0)).Sum(v => v)));
        Assert.Equal(70_000, Enumerable.Sum(rows.ToRecordBatches(), b => b.Length));
    }

    [Fact]
    public void Batches_go_back_into_a_collection()
    {
        using Collection<Wide> source = New<Wide>();
        using Collection<Wide> target = New<Wide>();
        source.AddRange(Rows(70_000));
        using (BatchDataReader reader = source.ToRecordBatches().OpenArrow())
            Assert.Equal(70_000, target.AddRange(reader));
        Assert.Equal(Describe(source), Describe(target));
    }

    [Fact]
    public void An_empty_collection_has_one_batch_which_says_its_columns()
    {
        using Collection<Narrow> empty = New<Narrow>();
        RecordBatch batch = Assert.Single(empty.ToRecordBatches());
        Assert.Equal((0, "Key"), (batch.Length, batch.Schema.GetFieldByIndex(0).Name));
        using BatchDataReader reader = new[] { batch }.OpenArrow();
        Assert.Equal(0, empty.AddRange(reader));
    }

    [Fact]
    public void Batches_stay_the_callers_and_no_batch_is_refused()
    {
        RecordBatch[] batches = [.. new[] { 1, 2, 3 }.ToRecordBatches()];
        for (int round = 0; round < 2; round++)
        {
            using BatchDataReader reader = batches.OpenArrow();
            Assert.Equal([1, 2, 3], Enumerable.Select(Enumerable.TakeWhile(Enumerable.Repeat(reader, 4), r => r.Read()), r => r.GetInt32(0)));
        }

        Assert.Throws<ArgumentException>(() => System.Array.Empty<RecordBatch>().OpenArrow());
    }

    [Fact]
    public void A_batch_with_other_columns_than_the_first_is_refused_at_its_row()
    {
        DataLoadException type = Refused([.. new[] { new { A = 1, B = 2 } }.ToRecordBatches(), .. new[] { new { A = 1, B = 2L } }.ToRecordBatches()]);
        Assert.Equal(2, type.Row);
        Assert.Contains("'B' of type int64 where the first has 'B' of type int32", type.Message, StringComparison.Ordinal);
        Assert.Contains("'B'", Refused([.. new[] { new { A = 1, B = 2 } }.ToRecordBatches(), .. new[] { new { B = 1, A = 2 } }.ToRecordBatches()]).Message, StringComparison.Ordinal);
        Assert.Contains("'A'", Refused([.. new[] { new { A = 1.5m } }.ToRecordBatches(), Scaled(3)]).Message, StringComparison.Ordinal);

        static RecordBatch Scaled(int scale) => new RecordBatch.Builder().Append("A", false, array => array.Decimal128(new Decimal128Type(38, scale), decimals => decimals.Append(1.5m))).Build();

        static DataLoadException Refused(RecordBatch[] batches) => Assert.Throws<DataLoadException>(() =>
        {
            using BatchDataReader reader = batches.OpenArrow();
            while (reader.Read())
            {
            }
        });
    }

    [Fact]
    public void What_the_sequence_of_batches_throws_is_thrown()
    {
        using BatchDataReader reader = Batches().OpenArrow();
        Assert.True(reader.Read());
        Assert.Throws<OperationCanceledException>(() => reader.Read());

        static IEnumerable<RecordBatch> Batches()
        {
            yield return Enumerable.Single(new[] { 1 }.ToRecordBatches());
            throw new OperationCanceledException();
        }
    }

    [Fact]
    public void An_export_through_a_snapshot_has_the_values_of_its_moment()
    {
        using Collection<Narrow> rows = New<Narrow>();
        Narrow[] handles = [.. Enumerable.Select(Enumerable.Range(0, 3000), i => rows.Add(key: i, weight: i, text: $"{i:0000}"))];
        using Snapshot moment = Snapshot.Take(rows);
        handles[0].Text = "changed";
        rows.Remove(handles[1]);
        rows.Add(key: 3000, weight: 0, text: "new");
        Assert.Equal(Enumerable.Select(Enumerable.Range(0, 3000), i => $"{i:0000}"), Texts(moment.Of(rows).ToRecordBatches()));
        Assert.Equal(Enumerable.Select(Enumerable.Range(2000, 1000), i => $"{i:0000}"), Texts(moment.Of(rows).Where(r => r.Key >= 2000).ToRecordBatches()));
        Assert.Equal(Enumerable.Select(Enumerable.Range(0, 3000), i => $"{i:0000}"), Texts(moment.Of(rows).Select(r => new { r.Text }).ToRecordBatches()));
        Assert.Contains("changed", Texts(rows.ToRecordBatches()));

        static IEnumerable<string> Texts(IEnumerable<RecordBatch> batches) =>
            Enumerable.ToList(Enumerable.OrderBy(batches.SelectMany(batch => Enumerable.Range(0, batch.Length).Select(i => ((StringArray)batch.Column("Text")).GetString(i))), text => text, StringComparer.Ordinal));
    }

    [Fact]
    public void A_type_without_a_form_is_refused_by_name() =>
        Assert.Contains("Value", Assert.Throws<NotSupportedException>(() => Enumerable.ToList(new[] { (Int128)1 }.ToRecordBatches())).Message);

    [Fact]
    public void A_decimal_that_does_not_fit_is_refused() =>
        Assert.Throws<OverflowException>(() => Enumerable.ToList(new[] { 0.00000000001m }.ToRecordBatches()));

    [Fact]
    public void A_text_with_half_of_a_surrogate_pair_is_refused()
    {
        // Not as arguments: an attribute has UTF-8, too.
        foreach (string text in new[] { "a\ud800", "\udc00", "whole \ud83d\ude00, half \ud83d!" })
            Assert.Contains("Text", Assert.Throws<System.Text.EncoderFallbackException>(() => Enumerable.ToList(new[] { new { Text = text } }.ToRecordBatches())).Message);
        Assert.Throws<System.Text.EncoderFallbackException>(() => Enumerable.ToList(new[] { new { Sign = '\udc00' } }.ToRecordBatches()));
    }

    [Theory]
    [InlineData(-2), InlineData(29), InlineData(30), InlineData(38)]
    public void A_decimal_of_any_scale_is_a_decimal(int scale)
    {
        Decimal128Type type = new(38, scale);
        byte[] units = new byte[16];
        System.Buffers.Binary.BinaryPrimitives.WriteInt128LittleEndian(units, scale < 0 ? 15 : scale == 38 ? 15 : (Int128)15 * (scale == 29 ? 100 : 1000));
        RecordBatch batch = new(new Schema.Builder().Field(new Apache.Arrow.Field("Value", type, nullable: false)).Build(),
            [new Decimal128Array(new ArrayData(type, 1, 0, 0, [ArrowBuffer.Empty, new ArrowBuffer(units)]))], 1);
        using BatchDataReader reader = new[] { batch }.OpenArrow();
        if (scale == 38)
        {
            Assert.Contains("15E-38", Assert.Throws<DataLoadException>(() => reader.Read()).Message);
            return;
        }

        Assert.True(reader.Read());
        Assert.Equal(scale < 0 ? 1500m : new decimal(15, 0, 0, false, 27), reader.GetDecimal(0));
    }

    /// <summary>Other programs write texts with 64-bit offsets or as views (polars), and repeated ones as numbers in a dictionary (categories of pandas and polars).</summary>
    [Fact]
    public void Texts_of_every_form_and_values_in_dictionaries_are_read()
    {
        string?[] texts = ["one", null, "a text that is too long for a view of twelve bytes", "", "one"];
        StringViewArray views = new StringViewArray.Builder().Append(texts[0]).AppendNull().Append(texts[2]).Append(texts[3]).Append(texts[4]).Build();
        LargeStringArray large = new LargeStringArray.Builder().Append(texts[0]).AppendNull().Append(texts[2]).Append(texts[3]).Append(texts[4]).Build();
        StringArray names = new StringArray.Builder().Append("one").Append("").Append(texts[2]).AppendNull().Build();
        DictionaryArray texted = new(new DictionaryType(Int8Type.Default, StringType.Default, ordered: false), new Int8Array.Builder().Append(0).Append(3).Append(2).Append(1).Append(0).Build(), names);
        DictionaryArray numbered = new(
            new DictionaryType(UInt32Type.Default, Int64Type.Default, ordered: false), new UInt32Array.Builder().Append(1).AppendNull().Append(0).Append(0).Append(1).Build(), new Int64Array.Builder().Append(10).Append(20).Build());
        using MemoryStream stream = new();
        using (RecordBatch batch = new RecordBatch.Builder().Append("View", true, views).Append("Large", true, large).Append("Text", true, texted).Append("Number", true, numbered).Build())
        using (ArrowStreamWriter writer = new(stream, batch.Schema, leaveOpen: true))
        {
            writer.WriteRecordBatch(batch);
            writer.WriteEnd();
        }

        stream.Position = 0;
        using BatchDataReader reader = stream.OpenArrow();
        List<(string?, string?, string?, long?)> read = [];
        while (reader.Read())
            read.Add((Text(0), Text(1), Text(2), reader.IsDBNull(3) ? null : reader.GetInt64(3)));
        Assert.Equal([(texts[0], texts[0], texts[0], 20L), (null, null, null, null), (texts[2], texts[2], texts[2], 10L), ("", "", "", 10L), ("one", "one", "one", 20L)], read);

        string? Text(int column) => reader.IsDBNull(column) ? null : reader.GetString(column);
    }

    [Fact]
    public void A_number_that_a_dictionary_does_not_have_is_damage()
    {
        DictionaryArray texted = new(new DictionaryType(Int32Type.Default, StringType.Default, ordered: false), new Int32Array.Builder().Append(0).Append(7).Build(), new StringArray.Builder().Append("one").Build());
        using RecordBatch batch = new RecordBatch.Builder().Append("Text", false, texted).Build();
        using BatchDataReader reader = new[] { batch }.OpenArrow();
        DataLoadException refused = Assert.Throws<DataLoadException>(() => reader.Read());
        Assert.Equal((2, "Text"), (refused.Row, refused.Column));
    }

    [Fact]
    public void A_thousand_damaged_streams_are_refused_or_read_with_the_values_that_were_written()
    {
        using DamagedRows rows = new(_manager, (rows, stream) => rows.WriteArrow(stream), stream => stream.OpenArrow());
        rows.AssertAThousandAreRefusedOrRight();
    }

    [Fact]
    public void Every_byte_of_a_stream_is_under_a_checksum()
    {
        using DamagedRows rows = new(_manager, (rows, stream) => rows.WriteArrow(stream), stream => stream.OpenArrow());
        rows.AssertEveryByteIsUnderAChecksum();
    }

    [Theory]
    [InlineData("Id,Name\n1,one\n2,two\n", "begins with a schema of 1311532105 bytes"), InlineData("ARROW1\0\0", "It is an Arrow file (Feather), not a stream."), InlineData("\u0010\0\0\0 this is no Arrow", "cannot be read. It is damaged, or something else."), InlineData("", "cannot be read.")]
    public void A_stream_of_something_else_is_refused_in_words_that_help(string text, string expected) =>
        Assert.Contains(expected, Assert.Throws<DataLoadException>(() => new MemoryStream(System.Text.Encoding.UTF8.GetBytes(text)).OpenArrow()).Message, StringComparison.Ordinal);

    [Fact]
    public void A_stream_that_lacks_a_message_or_its_end_is_refused_and_the_error_says_where()
    {
        using Collection<Narrow> source = New<Narrow>();
        for (int i = 0; i < 150_000; i++)
            source.Add(key: i, weight: i, text: "text");
        byte[] whole = Written(source);
        int[] starts = [.. Starts(whole)];
        Assert.Equal(5, starts.Length);
        DataLoadException cutOff = Refused(whole[..starts[3]]);
        Assert.Equal(131_073, cutOff.Row);
        Assert.Contains($"ends at byte {starts[3]}", cutOff.Message, StringComparison.Ordinal);
        Assert.Contains("ends before its last", Refused([.. whole[..starts[3]], .. whole[starts[4]..]]).Message, StringComparison.Ordinal);
        Assert.Contains("message 2 is in its place", Refused([.. whole[..starts[1]], .. whole[starts[2]..]]).Message, StringComparison.Ordinal);
        whole[starts[3] - 1] ^= 1;
        DataLoadException inBody = Refused(whole);
        Assert.Equal(65_537, inBody.Row);
        Assert.Contains($"Message 2, from byte {starts[2]} on, is damaged: the checksum of its body", inBody.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_stream_of_another_writer_is_read_and_what_follows_it_is_left()
    {
        RecordBatch batch = Enumerable.Single(new[] { 1, 2, 3 }.ToRecordBatches());
        using MemoryStream stream = new();
        using (ArrowStreamWriter writer = new(stream, batch.Schema, leaveOpen: true))
        {
            writer.WriteRecordBatch(batch);
            writer.WriteEnd();
        }

        stream.Write([1, 2, 3, 4, 5, 6, 7, 8]);
        stream.Position = 0;
        using BatchDataReader reader = stream.OpenArrow();
        Assert.Equal([1, 2, 3], Enumerable.Select(Enumerable.TakeWhile(Enumerable.Repeat(reader, 4), r => r.Read()), r => r.GetInt32(0)));
        Assert.Equal(stream.Length - 8, stream.Position);
    }

    [Fact]
    public void What_follows_a_stream_is_left()
    {
        using MemoryStream stream = new();
        new[] { 1, 2, 3 }.WriteArrow(stream);
        new[] { 4 }.WriteArrow(stream);
        stream.Position = 0;
        using (BatchDataReader first = stream.OpenArrow())
        {
            while (first.Read())
            {
            }
        }

        using BatchDataReader second = stream.OpenArrow();
        Assert.True(second.Read());
        Assert.Equal(4, second.GetInt32(0));
        Assert.False(second.Read());
        Assert.False(second.Read());
    }

    [Fact]
    public void A_stream_and_batches_that_are_given_up_are_no_damage()
    {
        using Collection<Narrow> source = New<Narrow>(), target = New<Narrow>();
        using Stream stream = new GivenUpStream();
        Assert.Throws<OperationCanceledException>(() => stream.OpenArrow());

        using BatchDataReader reader = GivenUp().OpenArrow();
        Assert.Throws<OperationCanceledException>(() => target.AddRange(reader));
        Assert.Empty(target);

        IEnumerable<RecordBatch> GivenUp()
        {
            foreach (RecordBatch batch in source.ToRecordBatches())
                yield return batch;
            throw new OperationCanceledException();
        }
    }

    private sealed class GivenUpStream : MemoryStream
    {
        public override int Read(Span<byte> buffer) => throw new OperationCanceledException();

        public override int Read(byte[] buffer, int offset, int count) => throw new OperationCanceledException();
    }

    private static byte[] Written(Collection<Narrow> rows)
    {
        using MemoryStream stream = new();
        rows.WriteArrow(stream);
        return stream.ToArray();
    }

    private DataLoadException Refused(byte[] stream)
    {
        using Collection<Narrow> target = New<Narrow>();
        using BatchDataReader reader = new MemoryStream(stream).OpenArrow();
        DataLoadException e = Assert.Throws<DataLoadException>(() => target.AddRange(reader));
        Assert.Empty(target);
        return e;
    }

    /// <summary>Where the messages and the mark of the end begin.</summary>
    private static IEnumerable<int> Starts(byte[] stream)
    {
        for (int i = 0; i < stream.Length - 8;)
        {
            yield return i;
            int metadata = BitConverter.ToInt32(stream, i + 4);
            i += 8 + metadata + (int)BitConverter.ToInt64(stream, i + 8 + 24);
        }

        yield return stream.Length - 8;
    }
}
