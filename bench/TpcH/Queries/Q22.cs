using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Global sales opportunity: customers of some countries with a good balance who have not ordered anything.</summary>
internal static class Q22
{
    public const string Sql = """
        SELECT cntrycode, count(*) AS numcust, sum(c_acctbal) AS totacctbal
        FROM (
            SELECT substring(c_phone FROM 1 FOR 2) AS cntrycode, c_acctbal
            FROM customer
            WHERE substring(c_phone FROM 1 FOR 2) IN (:I1, :I2, :I3, :I4, :I5, :I6, :I7)
              AND c_acctbal > (
                  SELECT avg(c_acctbal)
                  FROM customer
                  WHERE c_acctbal > 0.00
                    AND substring(c_phone FROM 1 FOR 2) IN (:I1, :I2, :I3, :I4, :I5, :I6, :I7))
              AND NOT EXISTS (SELECT * FROM orders WHERE o_custkey = c_custkey)) AS custsale
        GROUP BY cntrycode
        ORDER BY cntrycode
        """;

    public static List<SalesOpportunity> ByReferences(
        IEnumerable<Customer> customers, IEnumerable<Order> orders, IEnumerable<string> codes) =>
        Query.Run(customers, orders, codes, AverageBalance(customers, codes), static (customers, orders, codes, average) =>
            (from c in (from c in customers
                        where codes.Contains(c.Phone.Substring(0, 2)) && c.AcctBal > average
                        select c).Except(orders.Select(o => o.Customer))
             group c.AcctBal by c.Phone.Substring(0, 2) into balances
             orderby balances.Key
             select new SalesOpportunity(balances.Key, balances.Count(), balances.Sum())).ToList());

    public static List<SalesOpportunity> ByKeys(IEnumerable<Customer> customers, IEnumerable<Order> orders, IEnumerable<string> codes) =>
        Query.Run(customers, orders, codes, AverageBalance(customers, codes), static (customers, orders, codes, average) =>
            (from c in customers
             let code = c.Phone.Substring(0, 2)
             where codes.Contains(code) && c.AcctBal > average
             join o in orders on c.CustKey equals o.CustKey into placed
             where !placed.Any()
             group c.AcctBal by code into balances
             orderby balances.Key
             select new SalesOpportunity(balances.Key, balances.Count(), balances.Sum())).ToList());

    /// <summary>Of positive balances; null when there are none, and then no balance is greater.</summary>
    private static decimal? AverageBalance(IEnumerable<Customer> customers, IEnumerable<string> codes) =>
        Query.Run(customers, codes, static (customers, codes) =>
            (from c in customers
             where c.AcctBal > 0 && codes.Contains(c.Phone.Substring(0, 2))
             select (decimal?)c.AcctBal).Average());
}
