using System.Diagnostics;
using System.Globalization;
using Dashboard.Shop;
using Dashboard.Twin;
using Smc.Collections;
using Smc.Memory;

namespace Dashboard.Reports;

/// <summary>Runs the queries and takes their times.</summary>
public sealed class Reporter(LiveShop shop, FrozenMoment frozen, ListTwin twin, OrderFlow flow)
{
    private const int Top = 10;

    private readonly UniqueIndex<Order, long> _byKey = shop.Orders.GetUniqueIndex(o => o.Key);

    /// <summary>Answers all queries over the rows of this moment.</summary>
    public ShopReport Report()
    {
        DateOnly since = shop.FirstMonth;
        int orders = shop.Orders.Count, lines = shop.Lines.Count;
        bool isTwinOn = twin.IsOn;
        List<QueryTime> times = [];
        List<RevenueCell> revenue = Timed("Revenue by nation and month", orders, () => ShopQueries.Revenue(shop.Orders, since), () => twin.Revenue(since));
        List<CustomerLine> customers = Timed("Top customers", orders, () => ShopQueries.TopCustomers(shop.Orders, Top), () => twin.TopCustomers(Top));
        List<PartLine> parts = Timed("Sales by part", lines, () => ShopQueries.Parts(shop.Lines), twin.Parts);

        return new ShopReport(
            flow.Rate,
            flow.Arrived,
            orders,
            lines,
            isTwinOn,
            [.. Enumerable.Range(0, 12).Select(month => since.AddMonths(month).ToString("yyyy-MM", CultureInfo.InvariantCulture))],
            shop.Nations.Select(n => n.Name).Order().ToList(),
            revenue,
            customers,
            parts,
            times,
            CompareFrozen(),
            new MemoryFigures(shop.Memory.MappedBytes, shop.Memory.GarbageBytes, GC.GetTotalMemory(forceFullCollection: false)),
            new EpochFigures(Epoch.Current, Epoch.BlockedAdvances, MemoryManager.OldestReader?.AtLeast.TotalMilliseconds),
            new CollectionFigures(GC.CollectionCount(0), GC.CollectionCount(2), GC.GetTotalPauseDuration().TotalMilliseconds));

        List<T> Timed<T>(string name, int rows, Func<List<T>> compiled, Func<List<T>> list)
        {
            (List<T> answer, double time) = Time(compiled);
            times.Add(new QueryTime(name, rows, time, isTwinOn ? Time(list).Milliseconds : null));
            return answer;
        }
    }

    private FrozenFigures? CompareFrozen() => frozen.Read(snapshot =>
    {
        (ShopTotals then, double thenTime) = Time(() => ShopQueries.Totals(snapshot.Of(shop.Orders), snapshot.Of(shop.Lines)));
        (ShopTotals now, double nowTime) = Time(() => ShopQueries.Totals(shop.Orders, shop.Lines));
        return new FrozenFigures(snapshot.Moment, then, now, thenTime, nowTime, snapshot.Bytes);
    });

    /// <summary>Looks an order up by its key.</summary>
    public FoundOrder? Find(long key)
    {
        ((bool isFound, Order order), double lookUp) = Time(() => (_byKey.TryFind(key, out Order found), found));
        // The order may leave between the two.
        if (!isFound || !order.TryRead(out OrderData? data))
            return null;
        (List<OrderLine> lines, double scan) = Time(() => ShopQueries.LinesOf(shop.Lines, key));
        return new FoundOrder(data.Key, data.Customer.Name, data.Customer.Nation.Name, data.Date, data.Total, lines, lookUp, scan);
    }

    /// <summary>Runs a full, blocking garbage collection.</summary>
    /// <returns>Its pause in milliseconds.</returns>
    public double Collect()
    {
        TimeSpan before = GC.GetTotalPauseDuration();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true);
        return (GC.GetTotalPauseDuration() - before).TotalMilliseconds;
    }

    private static (T Result, double Milliseconds) Time<T>(Func<T> action)
    {
        long start = Stopwatch.GetTimestamp();
        T result = action();
        return (result, Stopwatch.GetElapsedTime(start).TotalMilliseconds);
    }
}
