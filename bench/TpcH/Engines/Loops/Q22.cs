using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q22
{
    public static List<SalesOpportunity> Run(List<Customer> customers, List<Order> orders, Q22Parameters p)
    {
        HashSet<string> codes = [.. p.CountryCodes];
        decimal positive = 0;
        int positiveCount = 0;
        var candidates = new HashSet<Customer>();
        foreach (Customer customer in customers)
        {
            if (customer.AcctBal <= 0 || !codes.Contains(CodeOf(customer)))
                continue;
            positive += customer.AcctBal;
            positiveCount++;
            candidates.Add(customer);
        }
        foreach (Order order in orders)
            candidates.Remove(order.Customer);
        var totals = new Dictionary<string, (int Count, decimal Sum)>();
        foreach (Customer customer in candidates)
        {
            if (customer.AcctBal <= positive / positiveCount)
                continue;
            ref (int Count, decimal Sum) total = ref CollectionsMarshal.GetValueRefOrAddDefault(totals, CodeOf(customer), out _);
            total.Count++;
            total.Sum += customer.AcctBal;
        }
        var rows = new List<SalesOpportunity>(totals.Count);
        foreach ((string code, (int count, decimal sum)) in totals)
            rows.Add(new SalesOpportunity(code, count, sum));
        rows.Sort(static (a, b) => string.CompareOrdinal(a.CountryCode, b.CountryCode));
        return rows;
    }

    private static string CodeOf(Customer customer) => customer.Phone[..2];
}
