using Smc.Collections;
using Star.Queries;

namespace Star.Model;

/// <summary>The tables as self-managed collections of rows that refer to each other.</summary>
internal sealed class Database : IStarDatabase
{
    public Database(StarData data)
    {
        Sales.Reserve(data.SaleCount);
        var days = new Dictionary<int, Day>(data.Days.Count);
        foreach (DayRow row in data.Days)
            days.Add(row.Key, Days.Add(
                key: row.Key, date: row.Date, year: row.Year, month: row.Month, yearMonth: row.YearMonth, week: row.Week, dayOfWeek: row.DayOfWeek));
        Customer[] customers = [.. data.Customers.Select(row => Customers.Add(
            key: row.Key, name: row.Name, city: row.City, nation: row.Nation, region: row.Region, segment: row.Segment))];
        Supplier[] suppliers = [.. data.Suppliers.Select(row => Suppliers.Add(
            key: row.Key, name: row.Name, city: row.City, nation: row.Nation, region: row.Region))];
        Product[] products = [.. data.Products.Select(row => Products.Add(
            key: row.Key, name: row.Name, brand: row.Brand, category: row.Category, department: row.Department, colour: row.Colour, listPrice: row.ListPrice))];
        Store[] stores = [.. data.Stores.Select(row => Stores.Add(
            key: row.Key, name: row.Name, city: row.City, format: row.Format, area: row.Area))];
        foreach (ReadOnlyMemory<SaleRow> chunk in data.Sales())
        {
            foreach (ref readonly SaleRow row in chunk.Span)
            {
                Sales.Add(
                    number: row.Number,
                    dayKey: row.DayKey,
                    day: days[row.DayKey],
                    customerKey: row.CustomerKey,
                    customer: customers[row.CustomerKey - 1],
                    supplierKey: row.SupplierKey,
                    supplier: suppliers[row.SupplierKey - 1],
                    productKey: row.ProductKey,
                    product: products[row.ProductKey - 1],
                    storeKey: row.StoreKey,
                    store: stores[row.StoreKey - 1],
                    quantity: row.Quantity,
                    price: row.Price,
                    discount: row.Discount,
                    revenue: row.Revenue,
                    cost: row.Cost,
                    unitCost: row.UnitCost);
            }
        }
    }

    public Collection<Day> Days { get; } = new();

    public Collection<Customer> Customers { get; } = new();

    public Collection<Supplier> Suppliers { get; } = new();

    public Collection<Product> Products { get; } = new();

    public Collection<Store> Stores { get; } = new();

    public Collection<Sale> Sales { get; } = new();

    public PreparedQuery Prepare(QueryDefinition query, QueryForm form) => QuerySet.Prepare(this, query, form);

    public void Dispose()
    {
        Sales.Dispose();
        Stores.Dispose();
        Products.Dispose();
        Suppliers.Dispose();
        Customers.Dispose();
        Days.Dispose();
    }
}
