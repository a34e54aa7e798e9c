using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Potential part promotion: suppliers that have more of some parts in stock than half of what they shipped in a year.</summary>
internal static class Q20
{
    public const string Sql = """
        SELECT s_name, s_address
        FROM supplier, nation
        WHERE s_suppkey IN (
            SELECT ps_suppkey
            FROM partsupp
            WHERE ps_partkey IN (SELECT p_partkey FROM part WHERE p_name LIKE :COLOR || '%')
              AND ps_availqty > (
                  SELECT 0.5 * sum(l_quantity)
                  FROM lineitem
                  WHERE l_partkey = ps_partkey
                    AND l_suppkey = ps_suppkey
                    AND l_shipdate >= :DATE
                    AND l_shipdate < :DATE_END))
          AND s_nationkey = n_nationkey
          AND n_name = :NATION
        ORDER BY s_name
        """;

    public static List<SurplusSupplier> ByReferences(
        IEnumerable<LineItem> lineItems, string color, DateOnly date, DateOnly dateEnd, string nation) =>
        Query.Run(lineItems, color, date, dateEnd, nation, static (lineItems, color, date, dateEnd, nation) =>
            (from s in (from l in lineItems
                        where l.ShipDate >= date && l.ShipDate < dateEnd
                           && l.Supplier.Nation.Name == nation && l.Part.Name.StartsWith(color, StringComparison.Ordinal)
                        group l by l.PartSupp into shipped
                        where shipped.Key.AvailQty > 0.5m * shipped.Sum(l => l.Quantity)
                        select shipped.Key.Supplier).Distinct()
             orderby s.Name
             select new SurplusSupplier(s.Name, s.Address)).ToList());

    public static List<SurplusSupplier> ByKeys(
        IEnumerable<Supplier> suppliers, IEnumerable<Nation> nations, IEnumerable<PartSupp> partSupps, IEnumerable<Part> parts,
        IEnumerable<LineItem> lineItems, string color, DateOnly date, DateOnly dateEnd, string nation) =>
        Query.Run(
            suppliers, nations, partSupps, parts, lineItems, color, date, dateEnd, nation,
            static (suppliers, nations, partSupps, parts, lineItems, color, date, dateEnd, nation) =>
                (from s in suppliers
                 join n in nations.Where(n => n.Name == nation) on s.NationKey equals n.NationKey
                 join suppKey in from ps in partSupps
                                 join p in parts.Where(p => p.Name.StartsWith(color, StringComparison.Ordinal))
                                     on ps.PartKey equals p.PartKey
                                 join shipped in from l in lineItems
                                                 where l.ShipDate >= date && l.ShipDate < dateEnd
                                                 group l.Quantity by new { l.PartKey, l.SuppKey } into g
                                                 select new { g.Key, Quantity = g.Sum() }
                                     on new { ps.PartKey, ps.SuppKey } equals shipped.Key
                                 where ps.AvailQty > 0.5m * shipped.Quantity
                                 select ps.SuppKey
                     on s.SuppKey equals suppKey into surplus
                 where surplus.Any()
                 orderby s.Name
                 select new SurplusSupplier(s.Name, s.Address)).ToList());
}
