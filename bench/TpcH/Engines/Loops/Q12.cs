using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q12
{
    public static List<ShipModePriority> Run(List<LineItem> lineItems, Q12Parameters p)
    {
        (DateOnly date, DateOnly dateEnd) = (p.Date, p.DateEnd);
        var counts = new Dictionary<string, (int High, int Low)>();
        foreach (LineItem line in lineItems)
        {
            if (line.ReceiptDate < date || line.ReceiptDate >= dateEnd || line.CommitDate >= line.ReceiptDate || line.ShipDate >= line.CommitDate
                || (line.ShipMode != p.ShipMode1 && line.ShipMode != p.ShipMode2))
            {
                continue;
            }
            ref (int High, int Low) count = ref CollectionsMarshal.GetValueRefOrAddDefault(counts, line.ShipMode, out _);
            if (line.Order.OrderPriority is "1-URGENT" or "2-HIGH")
                count.High++;
            else
                count.Low++;
        }
        var rows = new List<ShipModePriority>(counts.Count);
        foreach ((string shipMode, (int high, int low)) in counts)
            rows.Add(new ShipModePriority(shipMode, high, low));
        rows.Sort(static (a, b) => string.CompareOrdinal(a.ShipMode, b.ShipMode));
        return rows;
    }
}
