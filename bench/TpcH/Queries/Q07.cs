using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Volume shipping: revenue from goods between two nations, both ways, by year.</summary>
internal static class Q07
{
    public const string Sql = """
        SELECT supp_nation, cust_nation, l_year, sum(volume) AS revenue
        FROM (
            SELECT n1.n_name AS supp_nation, n2.n_name AS cust_nation, extract(year FROM l_shipdate) AS l_year,
                   l_extendedprice * (1 - l_discount) AS volume
            FROM supplier, lineitem, orders, customer, nation n1, nation n2
            WHERE s_suppkey = l_suppkey
              AND o_orderkey = l_orderkey
              AND c_custkey = o_custkey
              AND s_nationkey = n1.n_nationkey
              AND c_nationkey = n2.n_nationkey
              AND ((n1.n_name = :NATION1 AND n2.n_name = :NATION2) OR (n1.n_name = :NATION2 AND n2.n_name = :NATION1))
              AND l_shipdate BETWEEN DATE '1995-01-01' AND DATE '1996-12-31') AS shipping
        GROUP BY supp_nation, cust_nation, l_year
        ORDER BY supp_nation, cust_nation, l_year
        """;

    public static List<VolumeShipping> ByReferences(IEnumerable<LineItem> lineItems, string nation1, string nation2) =>
        Query.Run(lineItems, nation1, nation2, static (lineItems, nation1, nation2) =>
            (from l in lineItems
             where l.ShipDate >= new DateOnly(1995, 1, 1) && l.ShipDate <= new DateOnly(1996, 12, 31)
             let supplierNation = l.Supplier.Nation.Name
             let customerNation = l.Order.Customer.Nation.Name
             where (supplierNation == nation1 && customerNation == nation2) || (supplierNation == nation2 && customerNation == nation1)
             group l by new { SupplierNation = supplierNation, CustomerNation = customerNation, l.ShipDate.Year } into g
             orderby g.Key.SupplierNation, g.Key.CustomerNation, g.Key.Year
             select new VolumeShipping(
                 g.Key.SupplierNation, g.Key.CustomerNation, g.Key.Year, g.Sum(l => l.ExtendedPrice * (1 - l.Discount)))).ToList());

    public static List<VolumeShipping> ByKeys(
        IEnumerable<LineItem> lineItems, IEnumerable<Supplier> suppliers, IEnumerable<Order> orders, IEnumerable<Customer> customers,
        IEnumerable<Nation> nations, string nation1, string nation2) =>
        Query.Run(
            lineItems, suppliers, orders, customers, nations, nation1, nation2,
            static (lineItems, suppliers, orders, customers, nations, nation1, nation2) =>
                (from l in lineItems
                 where l.ShipDate >= new DateOnly(1995, 1, 1) && l.ShipDate <= new DateOnly(1996, 12, 31)
                 join s in suppliers on l.SuppKey equals s.SuppKey
                 join n1 in nations.Where(n => n.Name == nation1 || n.Name == nation2) on s.NationKey equals n1.NationKey
                 join o in orders on l.OrderKey equals o.OrderKey
                 join c in customers on o.CustKey equals c.CustKey
                 join n2 in nations.Where(n => n.Name == nation1 || n.Name == nation2) on c.NationKey equals n2.NationKey
                 where n1.Name != n2.Name
                 group l.ExtendedPrice * (1 - l.Discount)
                     by new { SupplierNation = n1.Name, CustomerNation = n2.Name, l.ShipDate.Year } into g
                 orderby g.Key.SupplierNation, g.Key.CustomerNation, g.Key.Year
                 select new VolumeShipping(g.Key.SupplierNation, g.Key.CustomerNation, g.Key.Year, g.Sum())).ToList());
}
