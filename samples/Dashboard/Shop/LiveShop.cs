using Smc.Collections;
using Smc.Memory;

namespace Dashboard.Shop;

/// <summary>The collections, and how orders come and go. Any thread may query; one at a time adds and removes.</summary>
public sealed class LiveShop : IDisposable
{
    private static readonly string[] s_nations = ["Brazil", "Canada", "Egypt", "France", "India", "Japan", "Kenya", "Peru"];
    private static readonly string[] s_parts = ["anvil", "bellows", "chain", "drill", "engine", "file", "gear", "hammer", "iron", "jack"];

    private static readonly DateOnly s_opening = new(2025, 1, 1);

    private readonly Random _random = new(7);
    private readonly Customer[] _customers;

    // In the order in which they came. Handles: 8 bytes each, nothing that the garbage collector follows.
    private readonly Queue<Order> _ordersInTurn = new();
    private readonly Queue<Line> _linesInTurn = new();
    private long _lastKey;

    /// <summary>Creates a shop with the orders of a year.</summary>
    public LiveShop(int orders)
    {
        Size = orders;
        Nations = New<Nation>();
        Customers = New<Customer>();
        Orders = New<Order>();
        Lines = New<Line>();
        Nation[] nations = [.. s_nations.Select(name => Nations.Add(name))];
        _customers = [.. Enumerable.Range(1, 2_000).Select(number => Customers.Add(number: number, name: $"Customer {number:0000}", nation: nations[_random.Next(nations.Length)]))];
        List<Line> lines = [];
        for (int i = 0; i < orders; i++)
            Add(lines);
    }

    /// <summary>Owns the memory of the collections.</summary>
    public MemoryManager Memory { get; } = new(new MemoryManagerOptions { Name = "shop" });

    /// <summary>The number of orders that the shop keeps: beyond it the oldest leave.</summary>
    public int Size { get; }

    public Collection<Nation> Nations { get; }

    public Collection<Customer> Customers { get; }

    public Collection<Order> Orders { get; }

    public Collection<Line> Lines { get; }

    /// <summary>The first day of the last twelve months.</summary>
    public DateOnly FirstMonth
    {
        get
        {
            DateOnly today = DateOf(Volatile.Read(ref _lastKey));
            return new DateOnly(today.Year, today.Month, 1).AddMonths(-11);
        }
    }

    /// <summary>Removes the oldest order and its lines.</summary>
    public void RemoveOldest()
    {
        // A snapshot sees an order with its lines, or neither.
        using WriteGroup group = WriteGroup.Begin();
        Order order = _ordersInTurn.Dequeue();
        for (int lines = order.Lines; lines > 0; lines--)
            Lines.Remove(_linesInTurn.Dequeue());
        Orders.Remove(order);
    }

    /// <inheritdoc/>
    public void Dispose() => Memory.Dispose();

    /// <summary>Adds an order.</summary>
    /// <param name="lines">Takes its lines.</param>
    public Order Add(List<Line> lines)
    {
        lines.Clear();
        long key = _lastKey + 1;
        int count = _random.Next(1, 8);
        decimal total = 0;
        using WriteGroup group = WriteGroup.Begin();
        for (int i = 0; i < count; i++)
        {
            Line line = Lines.Add(orderKey: key, part: s_parts[_random.Next(s_parts.Length)], quantity: _random.Next(1, 50), price: _random.Next(100, 10_000) / 100m);
            total += line.Amount;
            lines.Add(line);
            _linesInTurn.Enqueue(line);
        }

        // A few customers buy much.
        int customer = (int)(_customers.Length * Math.Pow(_random.NextDouble(), 3));
        Order order = Orders.Add(key: key, customer: _customers[customer], date: DateOf(key), total: total, lines: (byte)count);
        _ordersInTurn.Enqueue(order);
        Volatile.Write(ref _lastKey, key);
        return order;
    }

    /// <summary>Time runs by orders: a year passes while the shop is filled once.</summary>
    private DateOnly DateOf(long key) => s_opening.AddDays((int)(key * 365 / Size));

    private Collection<T> New<T>()
        where T : unmanaged => new(new CollectionOptions { Manager = Memory });
}
