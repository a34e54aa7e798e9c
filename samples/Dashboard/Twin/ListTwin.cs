using Dashboard.Reports;
using Dashboard.Shop;

namespace Dashboard.Twin;

/// <summary>The same orders as objects in a <see cref="List{T}"/>, to compare with. A list needs a lock: orders wait while a query runs.</summary>
public sealed class ListTwin
{
    private readonly Lock _lock = new();
    private Dictionary<int, TwinCustomer> _customers = [];
    private List<TwinOrder> _orders = [];
    private int _left;

    /// <summary>True if the twin is kept.</summary>
    public bool IsOn { get; private set; }

    /// <summary>Copies the shop, or forgets the copy.</summary>
    public void Switch(bool isOn, LiveShop shop)
    {
        lock (_lock)
        {
            if (isOn == IsOn)
                return;
            IsOn = isOn;
            _customers = [];
            _orders = [];
            _left = 0;
            if (!isOn)
                return;
            _customers = shop.Customers.Select(c => new TwinCustomer(c.Number, c.Name, c.Nation.Name)).ToList().ToDictionary(c => c.Number);
#pragma warning disable SMC1009 // Copies every row.
            ILookup<long, LineData> lines = shop.Lines.AsEnumerable().Select(line => line.ToData()).ToLookup(line => line.OrderKey);
            foreach (OrderData order in shop.Orders.AsEnumerable().Select(order => order.ToData()).OrderBy(order => order.Key))
                _orders.Add(Copy(order, lines[order.Key]));
#pragma warning restore SMC1009
        }
    }

    /// <summary>Adds an order of the shop.</summary>
    /// <param name="order">The order.</param>
    /// <param name="lines">Its lines.</param>
    public void Add(OrderData order, IEnumerable<LineData> lines)
    {
        lock (_lock)
        {
            if (IsOn)
                _orders.Add(Copy(order, lines));
        }
    }

    /// <summary>Removes the oldest order.</summary>
    public void RemoveOldest()
    {
        lock (_lock)
        {
            if (!IsOn)
                return;
            // A list closes the gap by moving everything behind it: once for a thousand.
            if (++_left < 1_000)
                return;
            _orders.RemoveRange(0, _left);
            _left = 0;
        }
    }

    /// <summary>Revenue of each nation in each month.</summary>
    public List<RevenueCell> Revenue(DateOnly since)
    {
        lock (_lock)
        {
            return (from o in _orders.Skip(_left)
                    where o.Date >= since
                    group o by (o.Customer.Nation, o.Date.Year, o.Date.Month) into g
                    select new RevenueCell(g.Key.Nation, g.Key.Year, g.Key.Month, g.Sum(o => o.Total))).ToList();
        }
    }

    /// <summary>The customers with the highest revenue.</summary>
    public List<CustomerLine> TopCustomers(int count)
    {
        lock (_lock)
        {
            return (from o in _orders.Skip(_left)
                    group o by o.Customer into g
                    let revenue = g.Sum(o => o.Total)
                    orderby revenue descending
                    select new CustomerLine(g.Key.Name, g.Key.Nation, revenue, g.Count())).Take(count).ToList();
        }
    }

    /// <summary>Pieces and amount sold of each part.</summary>
    public List<PartLine> Parts()
    {
        lock (_lock)
        {
            return (from l in _orders.Skip(_left).SelectMany(o => o.Lines)
                    group l by l.Part into g
                    orderby g.Key
                    select new PartLine(g.Key, g.Sum(l => l.Quantity), g.Sum(l => l.Amount))).ToList();
        }
    }

    private TwinOrder Copy(OrderData order, IEnumerable<LineData> lines) =>
        new(order.Key, _customers[order.Customer.Number], order.Date, order.Total, [.. lines.Select(line => new TwinLine(line.Part, line.Quantity, line.Price))]);
}
