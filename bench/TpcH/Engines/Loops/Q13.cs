using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q13
{
    public static List<CustomerDistribution> Run(List<Customer> customers, List<Order> orders, Q13Parameters p)
    {
        var placed = new Dictionary<Customer, int>(customers.Count);
        foreach (Customer customer in customers)
            placed.Add(customer, 0);
        foreach (Order order in orders)
        {
            int at = order.Comment.IndexOf(p.Word1, StringComparison.Ordinal);
            if (at < 0 || order.Comment.IndexOf(p.Word2, at + p.Word1.Length, StringComparison.Ordinal) < 0)
                CollectionsMarshal.GetValueRefOrAddDefault(placed, order.Customer, out _)++;
        }
        var distribution = new Dictionary<int, int>();
        foreach (int count in placed.Values)
            CollectionsMarshal.GetValueRefOrAddDefault(distribution, count, out _)++;
        var rows = new List<CustomerDistribution>(distribution.Count);
        foreach ((int orderCount, int customerCount) in distribution)
            rows.Add(new CustomerDistribution(orderCount, customerCount));
        rows.Sort(static (a, b) =>
            a.CustomerCount != b.CustomerCount ? b.CustomerCount.CompareTo(a.CustomerCount) : b.OrderCount.CompareTo(a.OrderCount));
        return rows;
    }
}
