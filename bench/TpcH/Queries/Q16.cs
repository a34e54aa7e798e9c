using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Parts and suppliers: how many suppliers without complaints can deliver parts of each kind.</summary>
internal static class Q16
{
    public const string Sql = """
        SELECT p_brand, p_type, p_size, count(DISTINCT ps_suppkey) AS supplier_cnt
        FROM partsupp, part
        WHERE p_partkey = ps_partkey
          AND p_brand <> :BRAND
          AND p_type NOT LIKE :TYPE || '%'
          AND p_size IN (:SIZE1, :SIZE2, :SIZE3, :SIZE4, :SIZE5, :SIZE6, :SIZE7, :SIZE8)
          AND ps_suppkey NOT IN (SELECT s_suppkey FROM supplier WHERE s_comment LIKE '%Customer%Complaints%')
        GROUP BY p_brand, p_type, p_size
        ORDER BY supplier_cnt DESC, p_brand, p_type, p_size
        """;

    public static List<PartSupplierCount> ByReferences(
        IEnumerable<PartSupp> partSupps, string brand, string type, IEnumerable<int> sizes) =>
        Query.Run(partSupps, brand, type, sizes, static (partSupps, brand, type, sizes) =>
            (from ps in partSupps
             let p = ps.Part
             where p.Brand != brand && !p.Type.StartsWith(type, StringComparison.Ordinal) && sizes.Contains(p.Size)
             let customer = ps.Supplier.Comment.IndexOf("Customer", StringComparison.Ordinal)
             where customer < 0 || ps.Supplier.Comment.IndexOf("Complaints", customer, StringComparison.Ordinal) < 0
             group ps.Supplier by new { p.Brand, p.Type, p.Size } into g
             let count = g.Distinct().Count()
             orderby count descending, g.Key.Brand, g.Key.Type, g.Key.Size
             select new PartSupplierCount(g.Key.Brand, g.Key.Type, g.Key.Size, count)).ToList());

    public static List<PartSupplierCount> ByKeys(
        IEnumerable<PartSupp> partSupps, IEnumerable<Part> parts, IEnumerable<Supplier> suppliers,
        string brand, string type, IEnumerable<int> sizes) =>
        Query.Run(partSupps, parts, suppliers, brand, type, sizes, static (partSupps, parts, suppliers, brand, type, sizes) =>
            (from ps in partSupps
             join p in parts on ps.PartKey equals p.PartKey
             where p.Brand != brand && !p.Type.StartsWith(type, StringComparison.Ordinal) && sizes.Contains(p.Size)
             join s in from s in suppliers
                       let customer = s.Comment.IndexOf("Customer", StringComparison.Ordinal)
                       where customer >= 0 && s.Comment.IndexOf("Complaints", customer, StringComparison.Ordinal) >= 0
                       select s
                 on ps.SuppKey equals s.SuppKey into complaints
             where !complaints.Any()
             group ps.SuppKey by new { p.Brand, p.Type, p.Size } into g
             let count = g.Distinct().Count()
             orderby count descending, g.Key.Brand, g.Key.Type, g.Key.Size
             select new PartSupplierCount(g.Key.Brand, g.Key.Type, g.Key.Size, count)).ToList());
}
