using Smc.Collections;

namespace RollUp;

/// <summary>Totals that are always up to date: a map from country, day and product to counters. Any thread may add and read at any time.</summary>
/// <remarks>The map is sorted by country, then day, then product, so the days of a country are one range of keys.</remarks>
public sealed class Totals : IDisposable
{
    // The codec could be left out, but where no code is generated at run time (NativeAOT), that of a tuple has to be written.
    private readonly OrderedMap<(string Country, DateOnly Day, string Product), Counters> _cells = new(
        new OrderedMapOptions { Name = "totals" },
        KeyCodec.Tuple(KeyCodec.For<string>(), KeyCodec.For<DateOnly>(), KeyCodec.For<string>()));

    /// <summary>The number of combinations that occurred.</summary>
    public long Cells => _cells.LongCount;

    /// <summary>Bytes outside the heap.</summary>
    public long MemoryBytes => _cells.MemoryBytes;

    /// <summary>Counts a sale. The counters of a cell change together: no reader sees the sale without its revenue.</summary>
    public void Add(Sale sale)
    {
        Counters one = new(1, sale.Units, sale.Units * sale.Price);
        _cells.AddOrUpdate((sale.Country, sale.Day, sale.Product), one, static (_, one) => one, static (ref Counters sum, Counters one) => sum += one);
    }

    /// <summary>The totals of a country for each product, from a day on and before another.</summary>
    /// <remarks>Each cell is read whole; cells are read one after the other while others count on.</remarks>
    public SortedDictionary<string, Counters> ByProduct(string country, DateOnly first, DateOnly end)
    {
        SortedDictionary<string, Counters> products = new(StringComparer.Ordinal);
        foreach (((_, _, string product), Counters cell) in _cells.From((country, first, "")).Before((country, end, "")))
            products[product] = products.GetValueOrDefault(product) + cell;
        return products;
    }

    /// <summary>Removes the cells of earlier days.</summary>
    /// <returns>The number of cells removed.</returns>
    public int RemoveBefore(DateOnly day)
    {
        int removed = 0;
        foreach (((string Country, DateOnly Day, string Product) key, _) in _cells)
        {
            if (key.Day < day && _cells.Remove(key))
                removed++;
        }

        return removed;
    }

    /// <inheritdoc/>
    public void Dispose() => _cells.Dispose();
}
