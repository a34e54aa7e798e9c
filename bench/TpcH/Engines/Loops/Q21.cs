using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines.Loops;

internal static class Q21
{
    private const int Wanted = 100;

    public static List<WaitingSupplier> Run(List<LineItem> lineItems, Q21Parameters p)
    {
        var orders = new Dictionary<Order, Deliveries>();
        foreach (LineItem line in lineItems)
        {
            if (line.Order.OrderStatus == 'F')
                CollectionsMarshal.GetValueRefOrAddDefault(orders, line.Order, out _).Add(line);
        }
        var counts = new Dictionary<Supplier, int>();
        foreach (Deliveries deliveries in orders.Values)
        {
            if (deliveries.OnlyLateSupplier is { } supplier && supplier.Nation.Name == p.Nation)
                CollectionsMarshal.GetValueRefOrAddDefault(counts, supplier, out _) += deliveries.LateLines;
        }
        var rows = new List<WaitingSupplier>(counts.Count);
        foreach ((Supplier supplier, int count) in counts)
            rows.Add(new WaitingSupplier(supplier.Name, count));
        rows.Sort(static (a, b) => a.WaitCount != b.WaitCount ? b.WaitCount.CompareTo(a.WaitCount) : string.CompareOrdinal(a.Name, b.Name));
        return rows.Count <= Wanted ? rows : rows.GetRange(0, Wanted);
    }

    private struct Deliveries
    {
        private Supplier? _supplier;
        private Supplier? _lateSupplier;
        private bool _hasSeveralSuppliers;
        private bool _hasSeveralLateSuppliers;

        public int LateLines { get; private set; }

        /// <summary>The supplier that was late, when no other was and there are others; null otherwise.</summary>
        public readonly Supplier? OnlyLateSupplier => _hasSeveralSuppliers && !_hasSeveralLateSuppliers ? _lateSupplier : null;

        public void Add(LineItem line)
        {
            _supplier ??= line.Supplier;
            _hasSeveralSuppliers |= line.Supplier != _supplier;
            if (line.ReceiptDate <= line.CommitDate)
                return;
            LateLines++;
            _lateSupplier ??= line.Supplier;
            _hasSeveralLateSuppliers |= line.Supplier != _lateSupplier;
        }
    }
}
