using System.Data;
using System.Data.Common;
using System.Text.Json;
using Smc.Arrow;
using Smc.Collections;
using Smc.Memory;
using Smc.Parquet;
using Sylvan.Data.Csv;
using Xunit;

namespace Smc.Data.Tests;

[Tabular]
public readonly partial struct Customer
{
    [Key] public partial long Key { get; set; }
    public partial string Name { get; set; }
}

[Tabular]
public readonly partial struct Order
{
    public partial long Key { get; set; }
    public partial Customer Customer { get; set; }
    public partial DateOnly Day { get; set; }
    [Precision(15, 2)] public partial decimal Total { get; set; }
    public partial string? Comment { get; set; }
}

/// <summary>The examples of docs/data-in-and-out.md, run.</summary>
public sealed class GuideExamples : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly Collection<Customer> customers;
    private readonly Collection<Order> orders;

    public GuideExamples()
    {
        customers = new Collection<Customer>(new CollectionOptions { Manager = _manager });
        orders = new Collection<Order>(new CollectionOptions { Manager = _manager });
        customers.Add(key: 7, name: "Ann");
    }

    public void Dispose() => _manager.Dispose();

    private static TextReader File() => new StringReader("KEY,customer_key,day,total,comment\n1,7,2024-02-29,12.50,\n2,7,2024-03-01,3,\"a, b\"\n");

    [Fact]
    public void A_csv_file_is_loaded()
    {
        using TextReader file = File();
        UniqueIndex<Customer, long> customersByKey = customers.CreateUniqueIndex(c => c.Key);

        using CsvDataReader csv = CsvDataReader.Create(file);
        long rows = orders.AddRange(csv, new LoadOptions<Order> { FieldsInRow = () => csv.RowFieldCount }
            .Reference(o => o.Customer, customersByKey, "customer_key"));

        Assert.Equal(2, rows);
        Assert.All(orders, order => Assert.Equal("Ann", order.Customer.Name));
    }

    [Fact]
    public void Options_are_combined()
    {
        using DbDataReader reader = CsvDataReader.Create(new StringReader("o_key,o_date,o_total\n1,2024-02-29,5\n"));

        orders.AddRange(reader, new LoadOptions<Order>()
            .Columns(property => "o_" + property)
            .Column(o => o.Day, "o_date")
            .Omit(o => o.Customer)
            .Omit(o => o.Comment));

        Assert.Equal(new DateOnly(2024, 2, 29), Enumerable.Single(orders).Day);
    }

    [Fact]
    public void A_bad_row_is_reported()
    {
        using DbDataReader reader = CsvDataReader.Create(new StringReader("key,day,total,comment\n1,2024-02-30,5,\n"));
        LoadOptions<Order> options = new LoadOptions<Order>().Omit(o => o.Customer);
        List<string> lines = [];

        try
        {
            orders.AddRange(reader, options);
        }
        catch (DataLoadException e)
        {
            lines.Add($"{e.Row}, {e.Column}: {e.Message}");
        }

        Assert.Equal("1, day: Row 1, column 'day', value \"2024-02-30\": It is no date such as 2024-12-31.", Assert.Single(lines));
        Assert.Empty(orders);
    }

    [Fact]
    public async Task A_load_tells_how_far_it_is()
    {
        using DbDataReader reader = CsvDataReader.Create(new StringReader("key,day,total,comment\n1,2024-02-29,5,\n"));
        LoadOptions<Order> options = new LoadOptions<Order>().Omit(o => o.Customer);
        CancellationToken token = TestContext.Current.CancellationToken;

        Progress<long> progress = new(rows => Console.WriteLine($"{rows:N0} rows"));
        await orders.AddRangeAsync(reader, options, progress, token);

        Assert.Single(orders);
    }

    [Fact]
    public void Results_are_read()
    {
        orders.Add(key: 1, customer: Enumerable.Single(customers), day: new DateOnly(2024, 2, 29), total: 5);

        DataTable table = new();
        table.Load(orders.Where(o => o.Total > 1)
            .Select(o => new { o.Key, CustomerKey = o.Customer.Key, o.Total })
            .ToList()
            .AsDataReader());

        Assert.Equal([1L, 7L, 5m], table.Rows[0].ItemArray);

        using DbDataReader reader = orders.AsDataReader();
        while (reader.Read())
            Console.WriteLine($"{reader.GetInt64(0)}: {reader.GetDecimal(reader.GetOrdinal("Total"))}");
    }

    [Fact]
    public void Rows_go_through_arrow()
    {
        orders.Add(key: 1, customer: Enumerable.Single(customers), day: new DateOnly(2024, 2, 29), total: 5);
        using Collection<Order> copies = new(new CollectionOptions { Manager = _manager });
        using MemoryStream stream = new();

        orders.WriteArrow(stream);

        stream.Position = 0;

        using BatchDataReader reader = stream.OpenArrow();
        copies.AddRange(reader, new LoadOptions<Order>().Omit(o => o.Customer));

        Assert.Equal(5, Enumerable.Single(copies).Total);
    }

    [Fact]
    public void Rows_go_through_record_batches()
    {
        orders.Add(key: 1, customer: Enumerable.Single(customers), day: new DateOnly(2024, 2, 29), total: 5);
        using Collection<Order> copies = new(new CollectionOptions { Manager = _manager });

        using BatchDataReader reader = orders.ToRecordBatches().OpenArrow();
        copies.AddRange(reader, new LoadOptions<Order>().Omit(o => o.Customer));

        Assert.Equal(5, Enumerable.Single(copies).Total);
    }

    [Fact]
    public void One_moment_is_exported()
    {
        Order order = orders.Add(key: 1, customer: Enumerable.Single(customers), day: new DateOnly(2024, 2, 29), total: 5);

        using Snapshot moment = Snapshot.Take(orders);
        using DbDataReader reader = moment.Of(orders).AsDataReader();

        order.Total = 6;
        orders.Add(key: 2, customer: Enumerable.Single(customers), day: new DateOnly(2024, 2, 29), total: 7);
        Assert.True(reader.Read());
        Assert.Equal(5m, reader["Total"]);
        Assert.False(reader.Read());
    }

    [Fact]
    public void Rows_go_through_parquet()
    {
        orders.Add(key: 1, customer: Enumerable.Single(customers), day: new DateOnly(2024, 2, 29), total: 5);
        using Collection<Order> copies = new(new CollectionOptions { Manager = _manager });
        UniqueIndex<Customer, long> customersByKey = customers.GetUniqueIndex(c => c.Key);
        using MemoryStream file = new();

        orders.Select(o => new { o.Key, CustomerKey = o.Customer.Key, o.Day, o.Total, o.Comment }).ToList().WriteParquet(file);

        using BatchDataReader reader = file.OpenParquet();
        copies.AddRange(reader, new LoadOptions<Order>().Reference(o => o.Customer, customersByKey, "CustomerKey"));

        Assert.Equal("Ann", Enumerable.Single(copies).Customer.Name);
    }

    [Fact]
    public void Rows_go_through_json()
    {
        orders.Add(key: 1, customer: Enumerable.Single(customers), day: new DateOnly(2024, 2, 29), total: 120);

        string json = JsonSerializer.Serialize(orders.Where(o => o.Total > 100).ToList());
        // [{"Key":1,"Customer":7,"Day":"2024-02-29","Total":120.00,"Comment":null}]

        Assert.Equal("""[{"Key":1,"Customer":7,"Day":"2024-02-29","Total":120.00,"Comment":null}]""", json);

        JsonSerializerOptions options = new JsonSerializerOptions()
            .ResolveReferences(customers.GetUniqueIndex(c => c.Key));
        OrderData[] data = JsonSerializer.Deserialize<OrderData[]>(json, options)!;
        orders.AddRange(data);

        Assert.Equal([7L, 7L], Enumerable.Select(orders, o => o.Customer.Key));
    }

    [Fact]
    public void The_page_shows_what_is_run_here()
    {
        string root = AppContext.BaseDirectory;
        while (!System.IO.File.Exists(Path.Combine(root, "SelfManaged.sln")))
            root = Path.GetDirectoryName(root)!;
        string examples = Squeezed(System.IO.File.ReadAllText(Path.Combine(root, "tests/Smc.Data.Tests/GuideExamples.cs")));
        foreach (string page in new[] { "docs/data-in-and-out.md", "src/Smc.Data/README.md", "src/Smc.Arrow/README.md", "src/Smc.Parquet/README.md" })
        {
            string[] parts = System.IO.File.ReadAllText(Path.Combine(root, page)).Split("```");
            string[] blocks = [.. parts.Where(part => part.StartsWith("csharp", StringComparison.Ordinal)).Select(part => part["csharp".Length..])];
            Assert.NotEmpty(blocks);
            Assert.All(blocks, block => Assert.Contains(Squeezed(block), examples));
        }
    }

    private static string Squeezed(string text) => string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
}
