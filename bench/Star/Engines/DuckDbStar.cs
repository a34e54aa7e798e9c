using System.Globalization;
using Bench.Shared.DuckDb;
using DuckDB.NET.Data;

namespace Star.Engines;

/// <summary>The tables in an in-memory DuckDB, with the types and widths that the collections have.</summary>
internal sealed class DuckDbStar : IDisposable
{
    private readonly DuckDBConnection _connection = DuckDbExtensions.OpenInMemory();

    /// <param name="threads">How many threads a query may use.</param>
    public DuckDbStar(StarData data, int threads)
    {
        _connection.Execute(string.Create(CultureInfo.InvariantCulture, $"SET threads = {threads}"));
        Load(Days(), [data.Days.ToArray()]);
        Load(Customers(), [data.Customers.ToArray()]);
        Load(Suppliers(), [data.Suppliers.ToArray()]);
        Load(Products(), [data.Products.ToArray()]);
        Load(Stores(), [data.Stores.ToArray()]);
        Load(Sales(), data.Sales());
        _connection.Execute("ANALYZE");
    }

    public PreparedQuery Prepare(QueryDefinition query) => new PreparedSql(_connection, Model.ManagedModel.Sql(query), query.Shape);

    public void Dispose() => _connection.Dispose();

    private void Load<TRow>(DuckDbTable<TRow> table, IEnumerable<ReadOnlyMemory<TRow>> chunks)
    {
        _connection.Execute(table.CreateStatement);
        using DuckDBAppender appender = _connection.CreateAppender(table.Name);
        foreach (ReadOnlyMemory<TRow> chunk in chunks)
            table.Append(appender, chunk.Span);
    }

    private static DuckDbTable<DayRow> Days() => new DuckDbTable<DayRow>("days")
        .Integer("key", (in row) => row.Key)
        .Date("date", (in row) => row.Date)
        .Integer("year", (in row) => row.Year)
        .Integer("month", (in row) => row.Month)
        .Integer("year_month", (in row) => row.YearMonth)
        .Integer("week", (in row) => row.Week)
        .Text("day_of_week", (in row) => row.DayOfWeek);

    private static DuckDbTable<CustomerRow> Customers() => new DuckDbTable<CustomerRow>("customers")
        .Integer("key", (in row) => row.Key)
        .Text("name", (in row) => row.Name)
        .Text("city", (in row) => row.City)
        .Text("nation", (in row) => row.Nation)
        .Text("region", (in row) => row.Region)
        .Text("segment", (in row) => row.Segment);

    private static DuckDbTable<SupplierRow> Suppliers() => new DuckDbTable<SupplierRow>("suppliers")
        .Integer("key", (in row) => row.Key)
        .Text("name", (in row) => row.Name)
        .Text("city", (in row) => row.City)
        .Text("nation", (in row) => row.Nation)
        .Text("region", (in row) => row.Region);

    private static DuckDbTable<ProductRow> Products() => new DuckDbTable<ProductRow>("products")
        .Integer("key", (in row) => row.Key)
        .Text("name", (in row) => row.Name)
        .Text("brand", (in row) => row.Brand)
        .Text("category", (in row) => row.Category)
        .Text("department", (in row) => row.Department)
        .Text("colour", (in row) => row.Colour)
        .SmallMoney("list_price", 7, (in row) => row.ListPrice);

    private static DuckDbTable<StoreRow> Stores() => new DuckDbTable<StoreRow>("stores")
        .Integer("key", (in row) => row.Key)
        .Text("name", (in row) => row.Name)
        .Text("city", (in row) => row.City)
        .Text("format", (in row) => row.Format)
        .Integer("area", (in row) => row.Area);

    private static DuckDbTable<SaleRow> Sales() => new DuckDbTable<SaleRow>("sales")
        .BigInt("number", (in row) => row.Number)
        .Integer("day_key", (in row) => row.DayKey)
        .Integer("customer_key", (in row) => row.CustomerKey)
        .Integer("supplier_key", (in row) => row.SupplierKey)
        .Integer("product_key", (in row) => row.ProductKey)
        .Integer("store_key", (in row) => row.StoreKey)
        .Integer("quantity", (in row) => row.Quantity)
        .SmallMoney("price", 9, (in row) => row.Price)
        .SmallMoney("discount", 5, (in row) => row.Discount)
        .SmallMoney("revenue", 9, (in row) => row.Revenue)
        .SmallMoney("cost", 9, (in row) => row.Cost)
        .SmallMoney("unit_cost", 7, (in row) => row.UnitCost);
}
