using Smc.Collections;

namespace Retire;

/// <summary>
/// Orders with four line items. A customer has its last order, and the order its customer: cycles, when both are done with. An order is done with when it is complete, and stays as long as its items or its
/// customer lead to it; customers are done with now and then, and stay as long as orders lead to them.
/// </summary>
internal sealed class OrderWorld : World
{
    private const int CustomerCount = 20_000;
    private const int OpenOrders = 40_000;
    private const int LinesOfOrder = 4;
    private const int CustomerBytes = 20;
    private const int OrderBytes = 20;

    private readonly Collection<Customer> _customers;
    private readonly Collection<Order> _orders;
    private readonly Collection<Line> _lines;
    private readonly Customer[] _current;
    private readonly Line[] _open = new Line[OpenOrders * LinesOfOrder];
    private int _number;

    public OrderWorld(Keeping keeping)
        : base(keeping)
    {
        CollectionOptions options = new() { Manager = Manager };
        _customers = new Collection<Customer>(options);
        _orders = new Collection<Order>(options);
        _lines = new Collection<Line>(options);
        _current = [.. Enumerable.Range(0, CustomerCount).Select(_ => AddCustomer())];
    }

    public override long Rows => _customers.Count + _customers.RetiredCount + _orders.Count + _orders.RetiredCount + _lines.Count;

    public override long CountReached()
    {
        (HashSet<Customer> customers, HashSet<Order> orders) = Mark();
        foreach (Customer customer in customers) Require(customer.IsAlive, $"customer {customer} is gone, and a row leads to it");
        foreach (Order order in orders) Require(order.IsAlive, $"order {order} is gone, and a row leads to it");
        return customers.Count + orders.Count + _lines.Count;
    }

    protected override void Change(Random random)
    {
        int place = random.Next(_current.Length);
        if (random.Next(16) == 0)
        {
            Customer former = _current[place];
            _current[place] = AddCustomer();
            if (Finish(_customers, former, CustomerBytes)) Remove(former);
            return;
        }
        int slot = random.Next(OpenOrders) * LinesOfOrder;
        for (int i = slot; i < slot + LinesOfOrder; i++)
        {
            if (!_open[i].IsAlive) continue;
            Order order = _open[i].Order;
            _lines.Remove(_open[i]);
            if (LetGo(order)) Remove(order);
        }
        AddOrder(_current[place], slot);
    }

    protected override void Follow(Random random)
    {
        Line line = _open[random.Next(_open.Length)];
        if (!line.IsAlive) return;
        for (int i = 0; i < 8; i++)
        {
            if (line.Order.Customer.LastOrder is not { } order || order.Customer.Number < 0) return;
        }
    }

    protected override void RemoveUnmarked()
    {
        (HashSet<Customer> customers, HashSet<Order> orders) = Mark();
        CountGone((int)_customers.RemoveWhere(customer => customer.IsDone && !customers.Contains(customer)) * CustomerBytes);
        CountGone((int)_orders.RemoveWhere(order => order.IsDone && !orders.Contains(order)) * OrderBytes);
    }

    private Customer AddCustomer() => _customers.Add(number: _number++, lastOrder: null, references: 0, isDone: false);

    private void AddOrder(Customer customer, int slot)
    {
        Hold(customer);
        Order order = _orders.Add(number: _number++, customer: customer, references: 0, isDone: false);
        for (int i = slot; i < slot + LinesOfOrder; i++)
        {
            Hold(order);
            _open[i] = _lines.Add(number: i, order: order);
        }
        Order? before = customer.LastOrder;
        Hold(order);
        customer.LastOrder = order;
        if (before is { } lost && LetGo(lost)) Remove(lost);
        if (Finish(_orders, order, OrderBytes)) Remove(order);
    }

    private (HashSet<Customer> Customers, HashSet<Order> Orders) Mark()
    {
        HashSet<Customer> customers = [];
        HashSet<Order> orders = [];
        Stack<Customer> next = new();
        foreach (Customer customer in _customers.AsEnumerable())
        {
            if (!customer.IsDone) next.Push(customer);
        }
        foreach (Line line in _lines.AsEnumerable())
        {
            if (orders.Add(line.Order)) next.Push(line.Order.Customer);
        }
        foreach (Order order in _orders.AsEnumerable())
        {
            if (!order.IsDone && orders.Add(order)) next.Push(order.Customer);
        }
        while (next.TryPop(out Customer customer))
        {
            if (customers.Add(customer) && customer.LastOrder is { } order && orders.Add(order)) next.Push(order.Customer);
        }
        return (customers, orders);
    }

    private void Remove(Order order)
    {
        Customer customer = order.Customer;
        _orders.Remove(order);
        CountGone(OrderBytes);
        if (LetGo(customer)) Remove(customer);
    }

    private void Remove(Customer customer)
    {
        Order? last = customer.LastOrder;
        _customers.Remove(customer);
        CountGone(CustomerBytes);
        if (last is { } order && LetGo(order)) Remove(order);
    }
}
