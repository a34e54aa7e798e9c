using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Customer distribution: how many customers have how many orders, leaving out orders with certain comments.</summary>
internal static class Q13
{
    public const string Sql = """
        SELECT c_count, count(*) AS custdist
        FROM (
            SELECT c_custkey, count(o_orderkey) AS c_count
            FROM customer LEFT OUTER JOIN orders ON c_custkey = o_custkey AND o_comment NOT LIKE '%' || :WORD1 || '%' || :WORD2 || '%'
            GROUP BY c_custkey) AS c_orders
        GROUP BY c_count
        ORDER BY custdist DESC, c_count DESC
        """;

    public static List<CustomerDistribution> ByReferences(
        IEnumerable<Customer> customers, IEnumerable<Order> orders, string word1, string word2) =>
        Query.Run(customers, orders, word1, word2, static (customers, orders, word1, word2) =>
            (from c in customers
             join o in from o in orders
                       let at = o.Comment.IndexOf(word1, StringComparison.Ordinal)
                       where at < 0 || o.Comment.IndexOf(word2, at + word1.Length, StringComparison.Ordinal) < 0
                       select o
                 on c equals o.Customer into placed
             group c by placed.Count() into g
             let count = g.Count()
             orderby count descending, g.Key descending
             select new CustomerDistribution(g.Key, count)).ToList());

    public static List<CustomerDistribution> ByKeys(
        IEnumerable<Customer> customers, IEnumerable<Order> orders, string word1, string word2) =>
        Query.Run(customers, orders, word1, word2, static (customers, orders, word1, word2) =>
            (from c in customers
             join o in from o in orders
                       let at = o.Comment.IndexOf(word1, StringComparison.Ordinal)
                       where at < 0 || o.Comment.IndexOf(word2, at + word1.Length, StringComparison.Ordinal) < 0
                       select o
                 on c.CustKey equals o.CustKey into placed
             group c by placed.Count() into g
             let count = g.Count()
             orderby count descending, g.Key descending
             select new CustomerDistribution(g.Key, count)).ToList());
}
