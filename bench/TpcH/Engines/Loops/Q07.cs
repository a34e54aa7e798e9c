using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q07
{
    public static List<VolumeShipping> Run(List<LineItem> lineItems, Q07Parameters p)
    {
        (DateOnly from, DateOnly to) = (new DateOnly(1995, 1, 1), new DateOnly(1996, 12, 31));
        var revenues = new Dictionary<(string, string, int), decimal>();
        foreach (LineItem line in lineItems)
        {
            if (line.ShipDate < from || line.ShipDate > to)
                continue;
            string supplier = line.Supplier.Nation.Name;
            if (supplier != p.Nation1 && supplier != p.Nation2)
                continue;
            string customer = line.Order.Customer.Nation.Name;
            if (customer != (supplier == p.Nation1 ? p.Nation2 : p.Nation1))
                continue;
            ref decimal revenue = ref CollectionsMarshal.GetValueRefOrAddDefault(revenues, (supplier, customer, line.ShipDate.Year), out _);
            revenue += line.ExtendedPrice * (1 - line.Discount);
        }
        var rows = new List<VolumeShipping>(revenues.Count);
        foreach (((string supplier, string customer, int year), decimal revenue) in revenues)
            rows.Add(new VolumeShipping(supplier, customer, year, revenue));
        rows.Sort(static (a, b) =>
        {
            int order = string.CompareOrdinal(a.SupplierNation, b.SupplierNation);
            if (order == 0)
                order = string.CompareOrdinal(a.CustomerNation, b.CustomerNation);
            return order != 0 ? order : a.Year.CompareTo(b.Year);
        });
        return rows;
    }
}
