using System.Globalization;

namespace Star;

/// <summary>
/// Sales of a chain of stores. Everything follows from the seed and the number of sales: dimensions are made at once, sales anew each
/// time they are asked for, all dimensions equally likely and in no order.
/// </summary>
public sealed class StarData
{
    private const int CustomerCount = 30_000;
    private const int SupplierCount = 2_000;
    private const int ProductCount = 200_000;
    private const int StoreCount = 500;
    private const int RowsPerChunk = 2048;

    private static readonly DateOnly FirstDay = new(2018, 1, 1);
    private static readonly DateOnly LastDay = new(2024, 12, 31);
    private static readonly IReadOnlyList<string> Segments = ["Household", "Office", "School", "Workshop", "Restaurant"];
    private static readonly IReadOnlyList<string> Formats = ["Kiosk", "Corner", "Market", "Warehouse"];
    private static readonly IReadOnlyList<string> Colours = ["amber", "black", "blue", "green", "grey", "ivory", "red", "violet", "white", "yellow"];
    private static readonly IReadOnlyList<string> Qualities = ["classic", "compact", "heavy", "light", "modern", "plain", "robust", "simple"];

    private readonly int _seed;

    public StarData(int sales, int seed)
    {
        _seed = seed;
        SaleCount = sales;
        Days = [.. Enumerable.Range(FirstDay.DayNumber, LastDay.DayNumber - FirstDay.DayNumber + 1).Select(number => Day(DateOnly.FromDayNumber(number)))];
        Customers = Rows(1, CustomerCount, Customer);
        Suppliers = Rows(2, SupplierCount, Supplier);
        Products = Rows(3, ProductCount, Product);
        Stores = Rows(4, StoreCount, Store);
    }

    public int SaleCount { get; }

    public IReadOnlyList<DayRow> Days { get; }

    /// <summary>In the order of their keys, which begin at 1 and have no gaps, as those of suppliers, products and stores.</summary>
    public IReadOnlyList<CustomerRow> Customers { get; }

    public IReadOnlyList<SupplierRow> Suppliers { get; }

    public IReadOnlyList<ProductRow> Products { get; }

    public IReadOnlyList<StoreRow> Stores { get; }

    /// <summary>All sales in chunks. A chunk is valid until the next is asked for.</summary>
    public IEnumerable<ReadOnlyMemory<SaleRow>> Sales()
    {
        RandomNumbers random = Stream(5);
        var chunk = new SaleRow[RowsPerChunk];
        for (int first = 0; first < SaleCount; first += RowsPerChunk)
        {
            int count = Math.Min(RowsPerChunk, SaleCount - first);
            for (int i = 0; i < count; i++)
                chunk[i] = Sale(first + i + 1, random);
            yield return chunk.AsMemory(0, count);
        }
    }

    private TRow[] Rows<TRow>(int stream, int count, Func<int, RandomNumbers, TRow> make)
    {
        RandomNumbers random = Stream(stream);
        return [.. Enumerable.Range(1, count).Select(key => make(key, random))];
    }

    // Tables do not share numbers: a change to one leaves the others as they are.
    private RandomNumbers Stream(int table) => new(((ulong)(uint)_seed << 8) | (uint)table);

    private static DayRow Day(DateOnly date) => new(
        date.Year * 10_000 + date.Month * 100 + date.Day,
        date,
        date.Year,
        date.Month,
        date.Year * 100 + date.Month,
        (date.DayOfYear - 1) / 7 + 1,
        date.DayOfWeek.ToString());

    private static CustomerRow Customer(int key, RandomNumbers random)
    {
        Place place = random.Pick(Place.All);
        return new CustomerRow(key, Numbered("Customer", key), place.City, place.Nation, place.Region, random.Pick(Segments));
    }

    private static SupplierRow Supplier(int key, RandomNumbers random)
    {
        Place place = random.Pick(Place.All);
        return new SupplierRow(key, Numbered("Supplier", key), place.City, place.Nation, place.Region);
    }

    private static ProductRow Product(int key, RandomNumbers random)
    {
        Brand brand = random.Pick(Brand.All);
        string colour = random.Pick(Colours);
        string name = $"{random.Pick(Qualities)} {colour} {brand.Category.ToLowerInvariant()}";
        return new ProductRow(key, name, brand.Name, brand.Category, brand.Department, colour, Hundredths.ToDecimal(100 + random.Below(99_900)));
    }

    private static StoreRow Store(int key, RandomNumbers random) =>
        new(key, Numbered("Store", key), random.Pick(Place.All).City, random.Pick(Formats), 40 + random.Below(4_000));

    private SaleRow Sale(long number, RandomNumbers random)
    {
        ProductRow product = random.Pick(Products);
        int quantity = 1 + random.Below(50);
        int discount = random.Below(11);
        long unitPrice = Hundredths.FromDecimal(product.ListPrice);
        long price = unitPrice * quantity;
        long unitCost = unitPrice * (50 + random.Below(31)) / 100;
        return new SaleRow(
            number,
            random.Pick(Days).Key,
            random.Pick(Customers).Key,
            random.Pick(Suppliers).Key,
            product.Key,
            random.Pick(Stores).Key,
            quantity,
            Hundredths.ToDecimal(price),
            Hundredths.ToDecimal(discount),
            Hundredths.ToDecimal(price - (price * discount + 50) / 100),
            Hundredths.ToDecimal(unitCost * quantity),
            Hundredths.ToDecimal(unitCost));
    }

    private static string Numbered(string name, int number) => string.Create(CultureInfo.InvariantCulture, $"{name} {number:000000}");
}
