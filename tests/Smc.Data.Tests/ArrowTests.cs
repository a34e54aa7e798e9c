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
    public void A_type_without_a_form_is_refused_by_name() =>
        Assert.Contains("Value", Assert.Throws<NotSupportedException>(() => Enumerable.ToList(new[] { (Int128)1 }.ToRecordBatches())).Message);

    [Fact]
    public void A_decimal_that_does_not_fit_is_refused() =>
        Assert.Throws<OverflowException>(() => Enumerable.ToList(new[] { 0.00000000001m }.ToRecordBatches()));

    [Fact]
    public void Damaged_streams_are_refused_or_read_as_other_values()
    {
        using Collection<Narrow> source = New<Narrow>();
        for (int i = 0; i < 50; i++)
            source.Add(key: i, weight: i % 3 == 0 ? null : i, text: i % 5 == 0 ? null : $"text {i}");
        using MemoryStream stream = new();
        source.WriteArrow(stream);
        byte[] whole = stream.ToArray();
        int refused = 0;
        for (int seed = 0; seed < 1000; seed++)
        {
            byte[] damaged = Damage.Apply(whole, seed);
            using Collection<Narrow> target = New<Narrow>();
            try
            {
                using BatchDataReader reader = new MemoryStream(damaged).OpenArrow();
                target.AddRange(reader);
            }
            catch (DataLoadException e)
            {
                refused++;
                Assert.Empty(target);
                Assert.False(string.IsNullOrEmpty(e.Message));
            }
        }

        Assert.InRange(refused, 300, 1000);
    }
}
