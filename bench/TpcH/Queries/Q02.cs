using Smc.Collections;
using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Minimum cost supplier: where in a region each part of a kind is cheapest.</summary>
internal static class Q02
{
    public const string Sql = """
        SELECT s_acctbal, s_name, n_name, p_partkey, p_mfgr, s_address, s_phone, s_comment
        FROM part, supplier, partsupp, nation, region
        WHERE p_partkey = ps_partkey
          AND s_suppkey = ps_suppkey
          AND p_size = :SIZE
          AND p_type LIKE '%' || :TYPE
          AND s_nationkey = n_nationkey
          AND n_regionkey = r_regionkey
          AND r_name = :REGION
          AND ps_supplycost = (
              SELECT min(ps_supplycost)
              FROM partsupp, supplier, nation, region
              WHERE p_partkey = ps_partkey
                AND s_suppkey = ps_suppkey
                AND s_nationkey = n_nationkey
                AND n_regionkey = r_regionkey
                AND r_name = :REGION)
        ORDER BY s_acctbal DESC, n_name, s_name, p_partkey
        LIMIT 100
        """;

    public static List<MinimumCostSupplier> ByReferences(IEnumerable<PartSupp> partSupps, int size, string type, string region) =>
        Query.Run(partSupps, size, type, region, static (partSupps, size, type, region) =>
            (from ps in partSupps
             where ps.Part.Size == size && ps.Part.Type.EndsWith(type, StringComparison.Ordinal) && ps.Supplier.Nation.Region.Name == region
             group ps by ps.Part into offers
             let lowest = offers.Min(ps => ps.SupplyCost)
             from ps in offers
             where ps.SupplyCost == lowest
             let s = ps.Supplier
             orderby s.AcctBal descending, s.Nation.Name, s.Name, ps.PartKey
             select new MinimumCostSupplier(s.AcctBal, s.Name, s.Nation.Name, ps.PartKey, ps.Part.Mfgr, s.Address, s.Phone, s.Comment))
            .Take(100).ToList());

    public static List<MinimumCostSupplier> ByKeys(
        IEnumerable<PartSupp> partSupps, IEnumerable<Part> parts, IEnumerable<Supplier> suppliers, IEnumerable<Nation> nations,
        IEnumerable<Region> regions, int size, string type, string region) =>
        Query.Run(
            partSupps, parts, suppliers, nations, regions, size, type, region,
            static (partSupps, parts, suppliers, nations, regions, size, type, region) =>
                (from ps in partSupps
                 join p in parts.Where(p => p.Size == size && p.Type.EndsWith(type, StringComparison.Ordinal))
                     on ps.PartKey equals p.PartKey
                 join s in suppliers on ps.SuppKey equals s.SuppKey
                 join n in nations on s.NationKey equals n.NationKey
                 join r in regions.Where(r => r.Name == region) on n.RegionKey equals r.RegionKey
                 group new { ps.SupplyCost, Part = p, Supplier = s, Nation = n } by ps.PartKey into offers
                 let lowest = offers.Min(offer => offer.SupplyCost)
                 from offer in offers
                 where offer.SupplyCost == lowest
                 let s = offer.Supplier
                 orderby s.AcctBal descending, offer.Nation.Name, s.Name, offers.Key
                 select new MinimumCostSupplier(
                     s.AcctBal, s.Name, offer.Nation.Name, offers.Key, offer.Part.Mfgr, s.Address, s.Phone, s.Comment))
                .Take(100).ToList());
}
