using System.Data;
using System.Data.Common;
using Dapper;
using DuckDB.NET.Data;
using Smc.Collections;
using Smc.Memory;
using Xunit;

namespace Smc.Data.Tests;

public sealed class DataReaderTests : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly Collection<Sale> _sales;
    private readonly Collection<Shop> _shops;

    public DataReaderTests()
    {
        _sales = new Collection<Sale>(new CollectionOptions { Manager = _manager });
        _shops = new Collection<Shop>(new CollectionOptions { Manager = _manager });
        Shop shop = _shops.Add(key: 1, region: 2, name: "first");
        _sales.Add(key: 1, total: 10.5m, kind: Kind.Phone, day: new DateOnly(2024, 2, 29), shop: shop, pieces: 4, note: "n", clerk: "c");
        _sales.Add(key: 2, total: 0, kind: Kind.Web, day: new DateOnly(2024, 3, 1));
    }

    public void Dispose() => _manager.Dispose();

    private sealed record Person(int Id, string? Name, DateOnly Born, Kind? Kind);

    private readonly record struct Pair(long Left, double? Right);

    private sealed class SaleRow
    {
        public long Key { get; set; }
        public decimal Total { get; set; }
        public int? Pieces { get; set; }
        public Kind Kind { get; set; }
        public string? Note { get; set; }
    }

    [Fact]
    public void Rows_are_read_by_typed_getters()
    {
        using BatchDataReader reader = _sales.AsDataReader();
        Assert.True(reader.HasRows);
        Assert.Equal(["Key", "Total", "Pieces", "Kind", "Day", "Note", "Clerk"], Enumerable.Range(0, reader.FieldCount).Select(reader.GetName));
        Assert.True(reader.Read());
        Assert.Equal(1, reader.GetInt64(0));
        Assert.Equal(10.5m, reader.GetDecimal(reader.GetOrdinal("TOTAL")));
        Assert.Equal(4, reader.GetInt32(2));
        Assert.Equal(4, reader.GetFieldValue<int?>(2));
        Assert.Equal(200, reader.GetByte(3));
        Assert.Equal(Kind.Phone, reader.GetFieldValue<Kind>(3));
        Assert.Equal(new DateOnly(2024, 2, 29), reader.GetFieldValue<DateOnly>(4));
        Assert.Equal(new DateTime(2024, 2, 29), reader.GetDateTime(4));
        Assert.Equal("n", reader.GetString(5));
        Assert.Equal(1L, reader["key"]);
        Assert.True(reader.Read());
        Assert.True(reader.IsDBNull(2));
        Assert.Equal(DBNull.Value, reader.GetValue(2));
        Assert.Null(reader.GetFieldValue<int?>(2));
        Assert.Throws<InvalidCastException>(() => reader.GetInt32(2));
        Assert.Throws<InvalidCastException>(() => reader.GetString(5));
        Assert.Equal("none", reader.GetString(6));
        Assert.False(reader.Read());
        Assert.False(reader.Read());
        Assert.Throws<InvalidOperationException>(() => reader.GetInt64(0));
    }

    [Fact]
    public void A_getter_of_another_type_is_refused()
    {
        using BatchDataReader reader = _sales.AsDataReader();
        Assert.Throws<InvalidOperationException>(() => reader.GetInt64(0));
        reader.Read();
        Assert.Throws<InvalidCastException>(() => reader.GetInt32(0));
        Assert.Throws<IndexOutOfRangeException>(() => reader.GetValue(7));
        Assert.Throws<IndexOutOfRangeException>(() => reader.GetOrdinal("Shop"));
        reader.Close();
        Assert.True(reader.IsClosed);
        Assert.Throws<ObjectDisposedException>(() => reader.Read());
    }

    [Fact]
    public void The_schema_says_types_precision_and_nulls()
    {
        using BatchDataReader reader = _sales.AsDataReader();
        DataTable schema = reader.GetSchemaTable();
        Assert.Equal([typeof(long), typeof(decimal), typeof(int), typeof(byte), typeof(DateOnly), typeof(string), typeof(string)], schema.Rows.Cast<DataRow>().Select(row => (Type)row["DataType"]));
        Assert.Equal([false, false, true, false, false, true, false], schema.Rows.Cast<DataRow>().Select(row => (bool)row["AllowDBNull"]));
        Assert.Equal((short)9, schema.Rows[1]["NumericPrecision"]);
        DbColumn total = reader.GetColumnSchema()[1];
        Assert.Equal(("Total", 1, typeof(decimal), (int?)9, (int?)2, (bool?)false), (total.ColumnName, total.ColumnOrdinal, total.DataType, total.NumericPrecision, total.NumericScale, total.AllowDBNull));
    }

    [Fact]
    public void A_data_table_takes_rows_and_results()
    {
        DataTable table = new();
        table.Load(_sales.AsDataReader());
        Assert.Equal([1L, 10.5m, 4, (byte)200, new DateOnly(2024, 2, 29), "n", "c"], table.Rows[0].ItemArray);
        Assert.Equal([2L, 0m, DBNull.Value, (byte)0, new DateOnly(2024, 3, 1), DBNull.Value, "none"], table.Rows[1].ItemArray);
        table = new DataTable();
        table.Load(_sales.Where(s => s.Key == 1).Select(s => new { s.Key, Shop = s.Shop.Name }).ToList().AsDataReader());
        Assert.Equal([1L, "first"], table.Rows[0].ItemArray);
    }

    [Fact]
    public void Records_structs_tuples_and_numbers_are_read()
    {
        using BatchDataReader records = new List<Person> { new(1, "a", DateOnly.MinValue, Kind.Shop), new(2, null, DateOnly.MaxValue, null) }.AsDataReader();
        Assert.Equal([typeof(int), typeof(string), typeof(DateOnly), typeof(byte)], Enumerable.Range(0, 4).Select(records.GetFieldType));
        Assert.True(records.Read());
        Assert.Equal((1, "a", Kind.Shop), (records.GetInt32(0), records.GetString(1), records.GetFieldValue<Kind>(3)));
        Assert.True(records.Read());
        Assert.True(records.IsDBNull(1) && records.IsDBNull(3));

        using BatchDataReader structs = new Pair[] { new(1, 2.5), new(2, null) }.AsDataReader();
        Assert.True(structs.Read());
        Assert.Equal((1L, 2.5), (structs.GetInt64(0), structs.GetDouble(1)));
        Assert.True(structs.Read());
        Assert.True(structs.IsDBNull(1));

        using BatchDataReader tuples = new[] { (1, "x"), (2, "y") }.AsDataReader();
        Assert.True(tuples.Read());
        Assert.Equal((1, "x"), (tuples.GetInt32(tuples.GetOrdinal("Item1")), tuples.GetString(1)));

        using BatchDataReader numbers = Enumerable.Range(1, 3).AsDataReader();
        List<int> read = [];
        while (numbers.Read())
            read.Add(numbers.GetInt32(0));
        Assert.Equal([1, 2, 3], read);
        Assert.Equal("Value", numbers.GetName(0));

        using BatchDataReader texts = new string?[] { "a", null }.AsDataReader();
        Assert.True(texts.Read());
        Assert.Equal("a", texts.GetString(0));
        Assert.True(texts.Read());
        Assert.True(texts.IsDBNull(0));
        Assert.Throws<NotSupportedException>(() => new object[] { new() }.Select(_ => new Nothing()).AsDataReader());
    }

    private sealed class Nothing;

    [Fact]
    public void Long_tuples_have_a_column_for_each_element()
    {
        using BatchDataReader tuples = new[] { (1, 2, 3, 4, 5, 6, 7, "eight", 9, 10, 11, 12, 13, 14, (decimal?)null, Kind.Shop) }.AsDataReader();
        Assert.Equal(Enumerable.Range(1, 16).Select(i => $"Item{i}"), Enumerable.Range(0, tuples.FieldCount).Select(tuples.GetName));
        Assert.True(tuples.Read());
        Assert.Equal((7, "eight", 14, Kind.Shop), (tuples.GetInt32(6), tuples.GetString(7), tuples.GetInt32(13), tuples.GetFieldValue<Kind>(15)));
        Assert.True(tuples.IsDBNull(14));
    }

    private class Shape
    {
        public string Size { get; } = "none";
    }

    private sealed class Square : Shape
    {
        public new int Size { get; } = 3;
    }

    [Fact]
    public void A_property_that_another_one_hides_is_no_column()
    {
        using BatchDataReader squares = new[] { new Square() }.AsDataReader();
        Assert.True(squares.Read());
        Assert.Equal((1, 3), (squares.FieldCount, squares.GetInt32(0)));
    }

    [Fact]
    public void An_element_is_read_when_its_turn_comes()
    {
        int taken = 0;
        using BatchDataReader reader = Enumerable.Range(0, 10).Select(i => ++taken).AsDataReader();
        Assert.True(reader.Read() && reader.Read());
        Assert.Equal(2, taken);
    }

    [Fact]
    public void Bytes_and_characters_are_read_in_parts()
    {
        using BatchDataReader reader = new[] { new { Text = "abcdef", Bytes = new byte[] { 1, 2, 3 }, Memory = new ReadOnlyMemory<byte>([7, 8]) } }.AsDataReader();
        Assert.True(reader.Read());
        char[] text = new char[4];
        Assert.Equal(3, reader.GetChars(0, 3, text, 0, 4));
        Assert.Equal("def", new string(text, 0, 3));
        Assert.Equal(3, reader.GetBytes(1, 0, null, 0, 0));
        Assert.Equal([7, 8], reader.GetFieldValue<byte[]>(2));
        Assert.Equal([1, 2, 3], reader.GetFieldValue<ReadOnlyMemory<byte>>(1).ToArray());
        using Stream stream = reader.GetStream(2);
        Assert.Equal(7, stream.ReadByte());
    }

    [Fact]
    public void A_typed_getter_allocates_nothing()
    {
        Pair[] pairs = [.. Enumerable.Range(0, 5000).Select(i => new Pair(i, i))];
        long least = long.MaxValue;
        // Code that is not optimised yet may box; once it is, a round takes no more than its reader does.
        for (int round = 0; round < 200 && least > 5000; round++)
        {
            using BatchDataReader reader = pairs.AsDataReader();
            long before = GC.GetAllocatedBytesForCurrentThread();
            Assert.Equal(4999L * 5000, Sum(reader, pairs.Length));
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
            Thread.Sleep(5);
        }

        Assert.True(least <= 5000, $"5,000 rows took {least} bytes.");

        static long Sum(DbDataReader reader, int rows)
        {
            long sum = 0;
            for (int i = 0; i < rows && reader.Read(); i++)
                sum += reader.GetInt64(0) + (long)reader.GetDouble(1) + (reader.IsDBNull(1) ? 1 : 0);
            return sum;
        }
    }

    [Fact]
    public void Rows_that_others_remove_are_left_out_or_reported()
    {
        Sale[] handles = [.. _sales];
        using BatchDataReader ofHandles = handles.AsDataReader();
        _sales.Remove(handles[1]);
        Assert.True(ofHandles.Read());
        Assert.Throws<RowRemovedException>(() => ofHandles.Read());
        using BatchDataReader ofCollection = _sales.AsDataReader();
        Assert.True(ofCollection.Read());
        Assert.False(ofCollection.Read());
    }

    [Fact]
    public void Dapper_maps_rows()
    {
        using BatchDataReader reader = _sales.AsDataReader();
        SaleRow[] rows = [.. reader.Parse<SaleRow>()];
        Assert.Equal([(1L, 10.5m, 4, Kind.Phone, "n"), (2L, 0m, null, Kind.Web, null)], rows.Select(r => (r.Key, r.Total, r.Pieces, r.Kind, r.Note)));
    }

    [Fact]
    public void A_database_gives_back_what_it_took()
    {
        using Collection<Wide> source = new(new CollectionOptions { Manager = _manager });
        source.AddRange(WideRows.Create(300));
        using DuckDBConnection connection = new("DataSource=:memory:");
        connection.Open();
        using DbCommand create = connection.CreateCommand();
        create.CommandText = "CREATE TABLE t (Key INTEGER, Int64 BIGINT, Double DOUBLE, Cents DECIMAL(9,2), Date DATE, Text VARCHAR, MaybeInt INTEGER, MaybeText VARCHAR, Guid UUID)";
        create.ExecuteNonQuery();
        using (DuckDBAppender appender = connection.CreateAppender("t"))
        using (BatchDataReader reader = source.Select(w => new { w.Key, w.Int64, w.Double, w.Cents, w.Date, w.Text, w.MaybeInt, w.MaybeText, w.Guid }).AsDataReader())
        {
            while (reader.Read())
            {
                appender.CreateRow().AppendValue(reader.GetInt32(0)).AppendValue(reader.GetInt64(1)).AppendValue(reader.GetDouble(2)).AppendValue(reader.GetDecimal(3))
                    .AppendValue(reader.GetFieldValue<DateOnly>(4)).AppendValue(reader.GetString(5)).AppendValue(reader.GetFieldValue<int?>(6))
                    .AppendValue(reader.IsDBNull(7) ? null : reader.GetString(7)).AppendValue(reader.GetGuid(8)).EndRow();
            }
        }

        create.CommandText = "SELECT Key, Int64 AS Key64, Double AS Weight, Text FROM t ORDER BY Key";
        using Collection<Narrow> target = new(new CollectionOptions { Manager = _manager });
        using (DbDataReader reader = create.ExecuteReader())
            Assert.Equal(300, target.AddRange(reader, new LoadOptions<Narrow>().Column(n => n.Key, "key64")));
        Assert.Equal(
            WideRows.Create(300).Select(w => ((long, double?, string?))(w.Int64, w.Double, w.Text)).Order(),
            Enumerable.Select(target, n => (n.Key, n.Weight, n.Text)).Order());
    }
}
