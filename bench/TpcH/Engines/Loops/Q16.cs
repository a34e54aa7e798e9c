using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q16
{
    public static List<PartSupplierCount> Run(List<PartSupp> partSupps, Q16Parameters p)
    {
        HashSet<int> sizes = [.. p.Sizes];
        var suppliers = new Dictionary<(string, string, int), HashSet<Supplier>>();
        foreach (PartSupp offer in partSupps)
        {
            Part part = offer.Part;
            if (!sizes.Contains(part.Size) || part.Brand == p.Brand || part.Type.StartsWith(p.Type, StringComparison.Ordinal)
                || HasComplaints(offer.Supplier))
            {
                continue;
            }
            (CollectionsMarshal.GetValueRefOrAddDefault(suppliers, (part.Brand, part.Type, part.Size), out _) ??= []).Add(offer.Supplier);
        }
        var rows = new List<PartSupplierCount>(suppliers.Count);
        foreach (((string brand, string type, int size), HashSet<Supplier> different) in suppliers)
            rows.Add(new PartSupplierCount(brand, type, size, different.Count));
        rows.Sort(static (a, b) =>
        {
            int order = b.SupplierCount.CompareTo(a.SupplierCount);
            if (order == 0)
                order = string.CompareOrdinal(a.Brand, b.Brand);
            if (order == 0)
                order = string.CompareOrdinal(a.Type, b.Type);
            return order != 0 ? order : a.Size.CompareTo(b.Size);
        });
        return rows;
    }

    private static bool HasComplaints(Supplier supplier)
    {
        int customer = supplier.Comment.IndexOf("Customer", StringComparison.Ordinal);
        return customer >= 0 && supplier.Comment.IndexOf("Complaints", customer, StringComparison.Ordinal) >= 0;
    }
}
