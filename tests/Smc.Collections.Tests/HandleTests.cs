using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Handles: null, equality, removed rows, and what each says.</summary>
public sealed class HandleTests
{
    private readonly Collection<Order> _orders = new("orders");
    private readonly Collection<Customer> _customers = new();

    [Fact]
    public void The_default_handle_is_null()
    {
        Order none = default;

        Assert.True(none.IsNull);
        Assert.False(none.IsAlive);
        Assert.True(none == null);
        Assert.True(null == none);
        Assert.False(none != null);
        Assert.False(null != none);
        Assert.Equal("Order (null)", none.ToString());
        Assert.False(none.TryRead(out _));
        Assert.Contains("Order", Assert.Throws<NullReferenceException>(() => none.Key).Message);
        Assert.Throws<NullReferenceException>(() => none.Key = 1);
        Assert.Throws<NullReferenceException>(() => none.Comment);
        Assert.Throws<NullReferenceException>(() => none.Set(key: 1));
        Assert.Throws<NullReferenceException>(() => none.ToData());
    }

    [Fact]
    public void References_are_null_until_set_and_after_set_to_null()
    {
        Order first = NewOrder(1);
        Order second = NewOrder(2);

        Assert.True(second.Previous == null);
        Assert.Null(second.Next);
        second.Previous = first;
        second.Next = first;
        Assert.True(second.Previous == first);
        Assert.True(second.Next == first);
        Assert.True(null != second.Previous);
        second.Previous = null;
        second.Next = null;
        Assert.True(second.Previous.IsNull);
        Assert.Null(second.Next);
        second.Set(previous: first, next: first);
        Assert.Equal(1, second.Next?.Key);
        second.Set(previous: null, next: null);
        Assert.True(second.Previous == null && second.Next is null);
    }

    [Fact]
    public void Rows_may_refer_to_themselves_and_in_circles()
    {
        Customer customer = _customers.Add(name: "Eve");
        Order order = NewOrder(1);
        order.Customer = customer;
        customer.LastOrder = order;
        order.Previous = order;

        Assert.Equal("Eve", order.Previous.Customer.LastOrder.Previous.Customer.Name);
        Assert.Contains("Customer = Customer#", order.ToString());
    }

    [Fact]
    public void Handles_compare_by_row()
    {
        Order a = NewOrder(1);
        Order b = NewOrder(1);

        Assert.True(a != b);
        Assert.False(a.Equals(b));
        Assert.False(a.Equals((object)5));
        Assert.Equal(a, _orders.First(o => o == a));
        Assert.Equal(2, new HashSet<Order> { a, b, a }.Count);
    }

    [Fact]
    public void A_removed_row_is_detected_everywhere()
    {
        Order order = NewOrder(1);
        Assert.True(order.IsAlive);

        Assert.True(_orders.Remove(order));

        Assert.False(order.IsAlive);
        Assert.False(order.IsNull);
        Assert.False(order == null);
        Assert.Equal("Order (removed)", order.ToString());
        Assert.False(order.TryRead(out OrderData? data));
        Assert.Null(data);
        Assert.False(_orders.Remove(order));
        Assert.False(_orders.Contains(order));
        RowRemovedException error = Assert.Throws<RowRemovedException>(() => order.Total);
        Assert.Equal("Order", error.RowType);
        Assert.Equal("orders", error.Collection);
        Assert.Contains("Order", error.Message);
        Assert.Contains("orders", error.Message);
        Assert.IsAssignableFrom<InvalidOperationException>(error);
        Assert.Throws<RowRemovedException>(() => order.Total = 1);
        Assert.Throws<RowRemovedException>(() => order.Comment);
        Assert.Throws<RowRemovedException>(() => order.Comment = "x");
        Assert.Throws<RowRemovedException>(() => order.Priority);
        Assert.Throws<RowRemovedException>(() => order.Priority = 1);
        Assert.Throws<RowRemovedException>(() => order.Customer);
        Assert.Throws<RowRemovedException>(() => order.Set(key: 1));
        Assert.Throws<RowRemovedException>(() => order.ToData());
    }

    [Fact]
    public void Rows_of_a_cleared_collection_are_gone()
    {
        Order order = NewOrder(1);
        _orders.Clear();

        Assert.False(order.IsAlive);
        Assert.Empty(_orders);
        Assert.Equal(0, _orders.LongCount);
        Order next = NewOrder(2);
        Assert.Equal(2, next.Key);
        Assert.Throws<RowRemovedException>(() => order.Key);
    }

    [Fact]
    public void Rows_of_a_disposed_collection_are_gone_and_say_so()
    {
        Order order = NewOrder(1);
        Customer customer = _customers.Add(name: "Bob");
        order.Customer = customer;
        _customers.Dispose();

        Assert.False(customer.IsAlive);
        Assert.Contains("disposed", Assert.Throws<RowRemovedException>(() => customer.Name).Message);
        Assert.Throws<RowRemovedException>(() => order.Customer.Name);
        Assert.Contains("Customer = Customer (removed)", order.ToString());
    }

    [Fact]
    public void A_new_collection_in_the_place_of_a_disposed_one_does_not_revive_its_handles()
    {
        List<Item> stale = [];
        for (int round = 0; round < 20; round++)
        {
            using Collection<Item> items = new();
            stale.Add(items.Add(key: round, text: "first"));
            Assert.All(stale.SkipLast(1), s => Assert.False(s.IsAlive));
        }

        Assert.All(stale, s => Assert.Throws<RowRemovedException>(() => s.Text));
    }

    [Fact]
    public void A_row_of_another_collection_is_refused()
    {
        using Collection<Order> others = new("others");
        Order foreign = others.Add(key: 1, date: default, total: 0, comment: "");

        Assert.Contains("orders", Assert.Throws<ArgumentException>(() => _orders.Remove(foreign)).Message);
        Assert.False(_orders.Contains(foreign));
        Assert.False(_orders.Remove(default));
        Assert.False(_orders.Contains(default));
        Assert.True(foreign.IsAlive);
    }

    [Fact]
    public void Dangling_references_are_listed()
    {
        Order kept = NewOrder(1);
        Order gone = NewOrder(2);
        kept.Previous = gone;
        kept.Next = kept;
        NewOrder(3).Next = gone;
        _orders.Remove(gone);

        IReadOnlyList<DanglingReference<Order>> dangling = _orders.VerifyReferences();

        Assert.Equal([(1L, "Previous"), (3L, "Next")], dangling.Select(d => (d.Row.Key, d.Property)).Order());
        Assert.Empty(_customers.VerifyReferences());
    }

    private Order NewOrder(long key) => _orders.Add(key: key, date: new DateOnly(2024, 5, 1), total: 10, comment: "c" + key);
}
