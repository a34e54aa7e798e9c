using Star.Queries;

namespace Star.Model;

/// <summary>The tables as lists of objects that refer to each other.</summary>
internal sealed class Database : IStarDatabase
{
    public Database(StarData data)
    {
        Sales.EnsureCapacity(data.SaleCount);
        var days = new Dictionary<int, Day>(data.Days.Count);
        foreach (DayRow row in data.Days)
        {
            var day = new Day
            {
                Key = row.Key, Date = row.Date, Year = row.Year, Month = row.Month, YearMonth = row.YearMonth, Week = row.Week, DayOfWeek = row.DayOfWeek,
            };
            Days.Add(day);
            days.Add(row.Key, day);
        }
        Customers.AddRange(data.Customers.Select(row => new Customer
        {
            Key = row.Key, Name = row.Name, City = row.City, Nation = row.Nation, Region = row.Region, Segment = row.Segment,
        }));
        Suppliers.AddRange(data.Suppliers.Select(row => new Supplier
        {
            Key = row.Key, Name = row.Name, City = row.City, Nation = row.Nation, Region = row.Region,
        }));
        Products.AddRange(data.Products.Select(row => new Product
        {
            Key = row.Key, Name = row.Name, Brand = row.Brand, Category = row.Category, Department = row.Department,
            Colour = row.Colour, ListPrice = row.ListPrice,
        }));
        Stores.AddRange(data.Stores.Select(row => new Store
        {
            Key = row.Key, Name = row.Name, City = row.City, Format = row.Format, Area = row.Area,
        }));
        foreach (ReadOnlyMemory<SaleRow> chunk in data.Sales())
        {
            foreach (ref readonly SaleRow row in chunk.Span)
            {
                Sales.Add(new Sale
                {
                    Number = row.Number,
                    DayKey = row.DayKey,
                    Day = days[row.DayKey],
                    CustomerKey = row.CustomerKey,
                    Customer = Customers[row.CustomerKey - 1],
                    SupplierKey = row.SupplierKey,
                    Supplier = Suppliers[row.SupplierKey - 1],
                    ProductKey = row.ProductKey,
                    Product = Products[row.ProductKey - 1],
                    StoreKey = row.StoreKey,
                    Store = Stores[row.StoreKey - 1],
                    Quantity = row.Quantity,
                    Price = row.Price,
                    Discount = row.Discount,
                    Revenue = row.Revenue,
                    Cost = row.Cost,
                    UnitCost = row.UnitCost,
                });
            }
        }
    }

    public List<Day> Days { get; } = [];

    public List<Customer> Customers { get; } = [];

    public List<Supplier> Suppliers { get; } = [];

    public List<Product> Products { get; } = [];

    public List<Store> Stores { get; } = [];

    public List<Sale> Sales { get; } = [];

    public PreparedQuery Prepare(QueryDefinition query, QueryForm form) => QuerySet.Prepare(this, query, form);

    public void Dispose()
    {
    }
}
