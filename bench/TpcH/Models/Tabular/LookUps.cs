using Smc.Collections;

namespace TpcH.Model;

/// <summary>Selective queries over the tables: points by key, days, what belongs to one row.</summary>
internal static class LookUps
{
    /// <summary>Order keys come in groups of eight of thirty-two.</summary>
    private const long KeysOfGroup = 32;

    private static readonly DateOnly s_day = new(1995, 6, 17);

    /// <summary>The same queries over any tables with the same rows.</summary>
    public static IReadOnlyList<LookUp> Of(Database tables)
    {
        Collection<Order> orders = tables.Orders;
        Collection<Customer> customers = tables.Customers;
        Collection<LineItem> lines = tables.LineItems;
        Collection<PartSupp> stock = tables.PartSupps;
        long key = (orders.Max(o => o.OrderKey) / 2 / KeysOfGroup * KeysOfGroup) + 1;
        int customer = orders.First(o => o.OrderKey == key).CustKey;
        DateOnly day = s_day, week = day.AddDays(7), last = lines.Max(l => l.ShipDate).AddDays(-1);
        return
        [
            new("an order by its key", () => orders.First(o => o.OrderKey == key).CustKey),
            new("a line item by its order and number", () => lines.Where(l => l.OrderKey == key && l.LineNumber == 1).Sum(l => l.PartKey)),
            new("a customer by its key", () => customers.First(c => c.CustKey == customer).NationKey),
            new("an order by its key, without expression trees", () => Query.Run(orders, key, static (orders, key) => orders.First(o => o.OrderKey == key).CustKey)),
            new("a customer by its key, without expression trees", () => Query.Run(customers, customer, static (customers, customer) => customers.First(c => c.CustKey == customer).NationKey)),
            new("a line item with its stock, joined by two keys", () => lines.Where(l => l.OrderKey == key && l.LineNumber == 1).Join(stock, l => new { l.PartKey, l.SuppKey }, s => new { s.PartKey, s.SuppKey }, (l, s) => l.OrderKey + s.AvailQty).Sum()),
            new("the orders of a customer", () => orders.Where(o => o.CustKey == customer).Sum(o => o.OrderKey)),
            new("an order with its customer, joined by key", () => orders.Where(o => o.OrderKey == key).Join(customers, o => o.CustKey, c => c.CustKey, (o, c) => o.OrderKey + c.NationKey).Sum()),
            new("a customer's orders with the customer, joined by key", () => orders.Where(o => o.CustKey == customer).Join(customers, o => o.CustKey, c => c.CustKey, (o, c) => o.OrderKey + c.NationKey).Sum()),
            new("the orders of a day from customers in debt", () => orders.LongCount(o => o.OrderDate == day && customers.Any(c => c.CustKey == o.CustKey && c.AcctBal < 0))),
            new("the orders of a day", () => orders.Where(o => o.OrderDate == day).Sum(o => o.OrderKey)),
            new("the orders of a week", () => orders.Where(o => o.OrderDate >= day && o.OrderDate < week).Sum(o => o.OrderKey)),
            new("the line items shipped on a day", () => lines.Where(l => l.ShipDate == day).Sum(l => l.OrderKey)),
            new("the line items shipped on the last two days", () => lines.Where(l => l.ShipDate >= last).Sum(l => l.OrderKey)),
            new("the ten latest orders", () => orders.OrderByDescending(o => o.OrderDate).Take(10).Select(o => o.OrderKey).ToList().Sum()),
        ];
    }
}
