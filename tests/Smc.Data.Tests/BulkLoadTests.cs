using System.Data;
using System.Data.Common;
using System.Globalization;
using Smc.Collections;
using Smc.Memory;
using Sylvan.Data.Csv;
using Xunit;

namespace Smc.Data.Tests;

public sealed class BulkLoadTests : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly Collection<Sale> _sales;
    private readonly Collection<Shop> _shops;
    private readonly UniqueIndex<Shop, int> _shopsByKey;
    private readonly UniqueIndex<Shop, (int, int)> _shopsByRegion;

    public BulkLoadTests()
    {
        _sales = new Collection<Sale>(new CollectionOptions { Manager = _manager });
        _shops = new Collection<Shop>(new CollectionOptions { Manager = _manager });
        _shopsByKey = _shops.CreateUniqueIndex(s => s.Key);
        _shopsByRegion = _shops.CreateUniqueIndex(s => ValueTuple.Create(s.Region, s.Key));
        for (int i = 1; i <= 9; i++)
            _shops.Add(key: i, region: i % 2, name: $"shop {i}");
    }

    public void Dispose() => _manager.Dispose();

    private LoadOptions<Sale> Options => new LoadOptions<Sale>().Reference(s => s.Shop, _shopsByKey, "shop").Reference(s => s.Second, _shopsByRegion, "region", "second");

    private const string Header = "KEY,shop,region,second,total,pieces,kind,day,note,clerk\n";

    private static DbDataReader Csv(string text) => CsvDataReader.Create(new StringReader(text));

    private static string Line(long key, string? total = null) => string.Create(CultureInfo.InvariantCulture, $"{key},{key % 9 + 1},1,3,{total ?? "12.50"},5,Web,2024-02-29,fine,me\n");

    [Fact]
    public void Rows_of_a_csv_file_are_added_with_their_references()
    {
        long rows = _sales.AddRange(Csv(Header + "7,2,1,3,-12.5,,phone,2024-02-29,\"a, b\",Ann\n8,,,,0,3,1,0001-01-01,,\n"), Options);
        Assert.Equal(2, rows);
        Sale first = Enumerable.Single(_sales, s => s.Key == 7);
        Assert.Equal(
            new SaleData { Key = 7, Shop = _shopsByKey.Find(2), Second = _shopsByKey.Find(3), Total = -12.50m, Kind = Kind.Phone, Day = new DateOnly(2024, 2, 29), Note = "a, b", Clerk = "Ann" },
            first.ToData());
        Sale second = Enumerable.Single(_sales, s => s.Key == 8);
        Assert.Equal(new SaleData { Key = 8, Total = 0, Pieces = 3, Kind = Kind.Shop, Day = DateOnly.MinValue, Note = "", Clerk = "" }, second.ToData());
        Assert.True(second.Shop.IsNull);
    }

    [Fact]
    public void Rows_of_the_load_itself_are_not_found_and_the_message_says_so()
    {
        using Collection<Employee> employees = new(new CollectionOptions { Manager = _manager });
        LoadOptions<Employee> options = new LoadOptions<Employee>().Reference(e => e.Manager, employees.GetUniqueIndex(e => e.Number), "manager");
        Assert.Equal(1, employees.AddRange(Csv("number,manager\n1,\n"), options));
        Assert.Equal(1, employees.AddRange(Csv("number,manager\n2,1\n"), options));
        DataLoadException refused = Assert.Throws<DataLoadException>(() => employees.AddRange(Csv("number,manager\n3,1\n4,3\n"), options));
        Assert.Equal((2, "manager"), (refused.Row, refused.Column));
        Assert.Contains("Rows that this load adds are not found", refused.Message, StringComparison.Ordinal);
        Assert.Equal(2, employees.Count);
    }

    [Fact]
    public void All_types_of_columns_go_from_one_collection_through_a_reader_to_another()
    {
        using Collection<Wide> source = new(new CollectionOptions { Manager = _manager });
        using Collection<Wide> target = new(new CollectionOptions { Manager = _manager });
        source.AddRange(WideRows.Create(5000));
        target.AddRange(source.AsDataReader());
        Assert.Equal(WideRows.Describe(source), WideRows.Describe(target));
    }

    [Fact]
    public void Rows_of_several_batches_are_added_in_their_order()
    {
        _sales.AddRange(Csv(Header + string.Concat(Enumerable.Range(0, 10_000).Select(i => Line(i)))), Options);
        Assert.Equal(Enumerable.Range(0, 10_000).Select(i => (long)i), Enumerable.Select(_sales, s => s.Key).Order());
        Assert.All(_sales, s => Assert.Equal(s.Key % 9 + 1, s.Shop.Key));
    }

    [Theory]
    [InlineData("KEY", "x", "12,1,1,1,1,1,Web,2024-01-01,n,c", 0)]
    [InlineData("KEY", "", "12,1,1,1,1,1,Web,2024-01-01,n,c", 0)]
    [InlineData("KEY", "9223372036854775808", "12,1,1,1,1,1,Web,2024-01-01,n,c", 0)]
    [InlineData("KEY", " 5", "12,1,1,1,1,1,Web,2024-01-01,n,c", 0)]
    [InlineData("shop", "77", "12,1,1,1,1,1,Web,2024-01-01,n,c", 1)]
    [InlineData("shop", "one", "12,1,1,1,1,1,Web,2024-01-01,n,c", 1)]
    [InlineData("region", "1", "12,1,1,4,1,1,Web,2024-01-01,n,c", 2)]
    [InlineData("total", "1.005", "12,1,1,1,1,1,Web,2024-01-01,n,c", 4)]
    [InlineData("total", "10000000", "12,1,1,1,1,1,Web,2024-01-01,n,c", 4)]
    [InlineData("total", "\"1,5\"", "12,1,1,1,1,1,Web,2024-01-01,n,c", 4)]
    [InlineData("total", "NaN", "12,1,1,1,1,1,Web,2024-01-01,n,c", 4)]
    [InlineData("pieces", "1.5", "12,1,1,1,1,1,Web,2024-01-01,n,c", 5)]
    [InlineData("kind", "Fax", "12,1,1,1,1,1,Web,2024-01-01,n,c", 6)]
    [InlineData("kind", "256", "12,1,1,1,1,1,Web,2024-01-01,n,c", 6)]
    [InlineData("day", "2023-02-29", "12,1,1,1,1,1,Web,2024-01-01,n,c", 7)]
    [InlineData("day", "29.02.2024", "12,1,1,1,1,1,Web,2024-01-01,n,c", 7)]
    public void A_bad_field_is_reported_by_row_and_column_and_nothing_stays(string column, string field, string line, int position)
    {
        string[] fields = line.Split(',');
        fields[position] = field;
        string text = Header + string.Concat(Enumerable.Range(100, 4999).Select(i => Line(i))) + string.Join(',', fields) + "\n" + Line(1);
        DataLoadException e = Assert.Throws<DataLoadException>(() => _sales.AddRange(Csv(text), Options));
        Assert.Equal((5000, column), (e.Row, e.Column));
        Assert.Equal(field.Trim('"'), Convert.ToString(e.Value, CultureInfo.InvariantCulture));
        Assert.Contains($"Row 5000, column '{column}'", e.Message);
        Assert.Equal(field.Length == 0, e.Message.Contains("is empty", StringComparison.Ordinal));
        Assert.Empty(_sales);
    }

    [Fact]
    public void A_second_row_with_a_key_is_reported_with_its_column()
    {
        using UniqueIndex<Sale, long> byKey = _sales.CreateUniqueIndex(s => s.Key);
        DataLoadException e = Assert.Throws<DataLoadException>(() => _sales.AddRange(Csv(Header + Line(1) + Line(2) + Line(1)), Options));
        Assert.Equal((3, "KEY", 1L), (e.Row, e.Column, e.Value));
        Assert.IsType<DuplicateKeyException>(e.InnerException);
        Assert.Empty(_sales);
    }

    [Fact]
    public void A_column_that_is_missing_is_refused_before_the_first_row()
    {
        DataLoadException e = Assert.Throws<DataLoadException>(() => _sales.AddRange(Csv("key,shop,region,second,total,pieces,kind,day,clerk\n"), Options));
        Assert.Equal("Note", e.Column);
        Assert.Equal(0, e.Row);
        e = Assert.Throws<DataLoadException>(() => _sales.AddRange(Csv(Header), new LoadOptions<Sale>()));
        Assert.Contains("refers to rows", e.Message);
    }

    [Fact]
    public void A_column_that_is_there_twice_is_refused() =>
        Assert.Equal("total", Assert.Throws<DataLoadException>(() => _sales.AddRange(new Doubled(), Options.Column(s => s.Total, "total"))).Column);

    [Fact]
    public void A_property_that_is_left_out_has_its_default()
    {
        _sales.AddRange(Csv("key,day,kind,amount\n1,2024-01-01,0,5\n"), new LoadOptions<Sale>()
            .Omit(s => s.Shop).Omit(s => s.Second).Omit(s => s.Pieces).Omit(s => s.Note).Omit(s => s.Clerk).Column(s => s.Total, "Amount"));
        Assert.Equal(new SaleData { Key = 1, Day = new DateOnly(2024, 1, 1), Kind = Kind.Web, Total = 5, Clerk = "none" }, Enumerable.Single(_sales).ToData());
        Assert.Contains("Day", Assert.Throws<ArgumentException>(() => _sales.AddRange(Csv(Header), Options.Omit(s => s.Day))).Message);
    }

    [Fact]
    public void Columns_are_named_by_a_rule()
    {
        using Collection<Shop> shops = new(new CollectionOptions { Manager = _manager });
        shops.AddRange(Csv("s_key,s_region,s_name\n1,2,x\n"), new LoadOptions<Shop>().Columns(property => "S_" + property));
        Assert.Equal(new ShopData { Key = 1, Region = 2, Name = "x" }, Enumerable.Single(shops).ToData());
    }

    [Theory]
    [InlineData("1,1,1,3,1,5,Web,2024-02-29,fine")]
    [InlineData("1,1,1,3,1,5,Web,2024-02-29,fine,me,you")]
    [InlineData("")]
    public void A_row_with_more_or_fewer_fields_than_the_header_is_refused(string line)
    {
        CsvDataReader csv = CsvDataReader.Create(new StringReader(Header + Line(5) + line + "\n" + Line(6)));
        LoadOptions<Sale> options = Options;
        options.FieldsInRow = () => csv.RowFieldCount;
        Assert.Equal(2, Assert.Throws<DataLoadException>(() => _sales.AddRange(csv, options)).Row);
        Assert.Empty(_sales);
    }

    [Fact]
    public void Progress_grows_to_the_number_of_rows()
    {
        Steps steps = new();
        _sales.AddRange(Csv(Header + string.Concat(Enumerable.Range(0, 5000).Select(i => Line(i)))), Options, steps);
        Assert.Equal(steps.Order(), steps);
        Assert.True(steps.Count > 2);
        Assert.Equal(5000, steps[^1]);
    }

    [Fact]
    public async Task A_load_that_is_cancelled_leaves_nothing()
    {
        string text = Header + string.Concat(Enumerable.Range(0, 9000).Select(i => Line(i)));
        using CancellationTokenSource first = new();
        Assert.Throws<OperationCanceledException>(() => _sales.AddRange(Csv(text), Options, new Steps(rows => first.Cancel()), first.Token));
        using CancellationTokenSource second = new();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => _sales.AddRangeAsync(Csv(text), Options, new Steps(rows => second.Cancel()), second.Token));
        Assert.Empty(_sales);
    }

    [Fact]
    public async Task Rows_are_added_without_a_thread_that_waits()
    {
        Assert.Equal(5000, await _sales.AddRangeAsync(Csv(Header + string.Concat(Enumerable.Range(0, 5000).Select(i => Line(i)))), Options, cancellationToken: TestContext.Current.CancellationToken));
        Assert.Equal(5000, _sales.Count);
        DataLoadException e = await Assert.ThrowsAsync<DataLoadException>(() => _sales.AddRangeAsync(Csv(Header + Line(1) + Line(2, "x")), Options));
        Assert.Equal(2, e.Row);
        Assert.Equal(5000, _sales.Count);
    }

    [Fact]
    public void A_reader_over_the_same_collection_ends()
    {
        using Collection<Narrow> rows = new(new CollectionOptions { Manager = _manager });
        for (int i = 0; i < 5000; i++)
            rows.Add(key: i, weight: i, text: "t");
        Assert.Equal(5000, rows.AddRange(rows.AsDataReader()));
        Assert.Equal(10_000, rows.Count);
    }

    [Fact]
    public void Numbers_convert_where_nothing_is_lost()
    {
        using Collection<Narrow> rows = new(new CollectionOptions { Manager = _manager });
        foreach (object key in new object[] { 5, (short)5, (byte)5, 5u, 5ul, 5m, 5.0, 5f, "5" })
        {
            using DataTable table = TableOf(key);
            Assert.Equal(1, rows.AddRange(table.CreateDataReader()));
        }

        Assert.All(rows, row => Assert.Equal(5, row.Key));
        foreach (object key in new object[] { 5.5m, 5.5, float.NaN, double.PositiveInfinity, ulong.MaxValue, "5.0", true, DateTime.MinValue })
        {
            using DataTable table = TableOf(key);
            Assert.Equal("Key", Assert.Throws<DataLoadException>(() => rows.AddRange(table.CreateDataReader())).Column);
        }
    }

    [Fact]
    public void A_column_of_objects_may_have_values_of_several_types()
    {
        using Collection<Narrow> rows = new(new CollectionOptions { Manager = _manager });
        using DataTable table = new();
        table.Columns.Add("Key", typeof(object));
        table.Columns.Add("Weight", typeof(object));
        table.Columns.Add("Text", typeof(string));
        table.Rows.Add(1, 2.5, "a");
        table.Rows.Add(2L, "3.5", DBNull.Value);
        table.Rows.Add("3", DBNull.Value, "");
        rows.AddRange(table.CreateDataReader());
        Assert.Equal([(1, 2.5, "a"), (2, 3.5, null), (3, null, "")], Enumerable.Select(rows, r => (r.Key, r.Weight, r.Text)));
    }

    [Fact]
    public void A_null_is_refused_where_there_is_none()
    {
        using Collection<Shop> shops = new(new CollectionOptions { Manager = _manager });
        using DataTable table = new();
        table.Columns.Add("Key", typeof(int));
        table.Columns.Add("Region", typeof(int));
        table.Columns.Add("Name", typeof(string));
        table.Rows.Add(1, 2, DBNull.Value);
        DataLoadException e = Assert.Throws<DataLoadException>(() => shops.AddRange(table.CreateDataReader()));
        Assert.Equal((1, "Name", null), (e.Row, e.Column, e.Value));
    }

    [Fact]
    public void A_lack_of_memory_leaves_nothing()
    {
        using MemoryManager small = new(new MemoryManagerOptions { Limit = 4 << 20 });
        using Collection<Shop> shops = new(new CollectionOptions { Manager = small });
        string text = "key,region,name\n" + string.Concat(Enumerable.Range(0, 100_000).Select(i => $"{i},1,a name that needs memory of its own {i}\n"));
        Assert.ThrowsAny<OutOfMemoryException>(() => shops.AddRange(Csv(text)));
        Assert.Empty(shops);
    }

    private static DataTable TableOf(object key)
    {
        DataTable table = new();
        table.Columns.Add("Key", key.GetType());
        table.Columns.Add("Weight", typeof(float));
        table.Columns.Add("Text", typeof(string));
        table.Rows.Add(key, 1.5f, "x");
        return table;
    }

    /// <summary>A reader with one name for two columns.</summary>
    private sealed class Doubled : DelegatingReader
    {
        public Doubled()
            : base(Csv(Header + Line(1)))
        {
        }

        public override string GetName(int ordinal) => ordinal is 4 or 5 ? "Total" : base.GetName(ordinal);
    }
}
