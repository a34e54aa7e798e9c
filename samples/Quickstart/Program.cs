using Smc.Collections;

using var orders = new Collection<Order>();
Order first = orders.Add(key: 1, date: new DateOnly(2026, 1, 5), total: 99.50m, comment: "first");
for (int i = 2; i <= 1000; i++)
    orders.Add(key: i, date: new DateOnly(2026, 1, 1).AddDays(i % 365), total: i * 1.25m, comment: "bulk");

decimal revenue = Query.Run(orders, new DateOnly(2026, 7, 1), static (orders, since) =>
    (from o in orders where o.Date >= since && o.Total > 100 select o.Total).Sum());
Console.WriteLine($"revenue since July: {revenue}");

first.Total += 5;
orders.Remove(first);
Console.WriteLine($"{orders.Count} rows left, first is alive: {first.IsAlive}");

UniqueIndex<Order, long> byKey = orders.GetUniqueIndex(o => o.Key);
if (byKey.TryFind(42, out Order order))
    order.Comment = "found";

Order same = orders.First(o => o.Key == 42);       // a query uses the index, too
Console.WriteLine($"order {same.Key}: {same.Total}, {same.Comment}");

[Tabular]
public readonly partial struct Order
{
    [Key] public partial long Key { get; set; }
    public partial DateOnly Date { get; set; }
    [Precision(15, 2)] public partial decimal Total { get; set; }
    public partial string Comment { get; set; }
}
