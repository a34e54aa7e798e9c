using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q02
{
    private const int Wanted = 100;

    public static List<MinimumCostSupplier> Run(List<PartSupp> partSupps, Q02Parameters p)
    {
        var lowest = new Dictionary<Part, decimal>();
        var offers = new List<PartSupp>();
        foreach (PartSupp offer in partSupps)
        {
            Part part = offer.Part;
            if (part.Size != p.Size || !part.Type.EndsWith(p.Type, StringComparison.Ordinal) || offer.Supplier.Nation.Region.Name != p.Region)
                continue;
            offers.Add(offer);
            ref decimal cost = ref CollectionsMarshal.GetValueRefOrAddDefault(lowest, part, out bool isKnown);
            cost = isKnown ? Math.Min(cost, offer.SupplyCost) : offer.SupplyCost;
        }
        var rows = new List<MinimumCostSupplier>();
        foreach (PartSupp offer in offers)
        {
            if (offer.SupplyCost != lowest[offer.Part])
                continue;
            Supplier s = offer.Supplier;
            rows.Add(new MinimumCostSupplier(s.AcctBal, s.Name, s.Nation.Name, offer.PartKey, offer.Part.Mfgr, s.Address, s.Phone, s.Comment));
        }
        rows.Sort(static (a, b) =>
        {
            int order = b.AcctBal.CompareTo(a.AcctBal);
            if (order == 0)
                order = string.CompareOrdinal(a.Nation, b.Nation);
            if (order == 0)
                order = string.CompareOrdinal(a.Supplier, b.Supplier);
            return order != 0 ? order : a.PartKey.CompareTo(b.PartKey);
        });
        return rows.Count <= Wanted ? rows : rows.GetRange(0, Wanted);
    }
}
