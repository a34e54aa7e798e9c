using System.Runtime.InteropServices;
using TpcH.Model;

namespace TpcH.Engines;

/// <summary>What a programmer writes by hand for speed over the same lists of objects: one loop, a dictionary where it takes one.</summary>
internal sealed class LoopEngine(Database lists) : IEngine
{
    public string Name => EngineNames.Loop;

    public bool Has(QueryDefinition query) => query.Name is "q01" or "q03" or "q06";

    public PreparedQuery Prepare(QueryParameters parameters) => parameters switch
    {
        Q01Parameters p => PreparedQuery.OfRows(PricingSummary.Shape, () => PricingSummaries(lists.LineItems, p.ShipDateMax)),
        Q03Parameters p => PreparedQuery.OfRows(ShippingPriority.Shape, () => ShippingPriorities(lists.LineItems, p.Segment, p.Date)),
        Q06Parameters p => PreparedQuery.OfValue(ForecastRevenue.Shape, () => Revenue(lists.LineItems, p)),
        _ => throw new ArgumentException($"No query takes {parameters.GetType().Name}.", nameof(parameters)),
    };

    public string Explain(QueryParameters parameters) => "a hand-written loop over List<T>";

    private static List<PricingSummary> PricingSummaries(List<LineItem> lineItems, DateOnly shipDateMax)
    {
        var totals = new Dictionary<(char, char), PricingTotals>();
        foreach (LineItem line in lineItems)
        {
            if (line.ShipDate > shipDateMax)
                continue;
            ref PricingTotals total = ref CollectionsMarshal.GetValueRefOrAddDefault(totals, (line.ReturnFlag, line.LineStatus), out _);
            decimal discountedPrice = line.ExtendedPrice * (1 - line.Discount);
            total.Quantity += line.Quantity;
            total.BasePrice += line.ExtendedPrice;
            total.DiscountedPrice += discountedPrice;
            total.Charge += discountedPrice * (1 + line.Tax);
            total.Discount += line.Discount;
            total.Count++;
        }
        var rows = new List<PricingSummary>(totals.Count);
        foreach (((char returnFlag, char lineStatus), PricingTotals total) in totals)
            rows.Add(total.ToRow(returnFlag, lineStatus));
        rows.Sort(static (a, b) => (a.ReturnFlag, a.LineStatus).CompareTo((b.ReturnFlag, b.LineStatus)));
        return rows;
    }

    private static List<ShippingPriority> ShippingPriorities(List<LineItem> lineItems, string segment, DateOnly date)
    {
        const int Wanted = 10;
        var revenues = new Dictionary<Order, decimal>();
        foreach (LineItem line in lineItems)
        {
            if (line.ShipDate <= date)
                continue;
            Order order = line.Order;
            if (order.OrderDate < date && order.Customer.MktSegment == segment)
                CollectionsMarshal.GetValueRefOrAddDefault(revenues, order, out _) += line.ExtendedPrice * (1 - line.Discount);
        }
        var rows = new List<ShippingPriority>(revenues.Count);
        foreach ((Order order, decimal revenue) in revenues)
            rows.Add(new ShippingPriority(order.OrderKey, revenue, order.OrderDate, order.ShipPriority));
        rows.Sort(static (a, b) => a.Revenue != b.Revenue ? b.Revenue.CompareTo(a.Revenue) : a.OrderDate.CompareTo(b.OrderDate));
        return rows.Count <= Wanted ? rows : rows.GetRange(0, Wanted);
    }

    private static decimal Revenue(List<LineItem> lineItems, Q06Parameters p)
    {
        (DateOnly date, DateOnly dateEnd, decimal low, decimal high) = (p.Date, p.DateEnd, p.DiscountLow, p.DiscountHigh);
        decimal revenue = 0;
        foreach (LineItem line in lineItems)
        {
            if (line.ShipDate >= date && line.ShipDate < dateEnd && line.Discount >= low && line.Discount <= high && line.Quantity < p.Quantity)
                revenue += line.ExtendedPrice * line.Discount;
        }
        return revenue;
    }

    private struct PricingTotals
    {
        public decimal Quantity;
        public decimal BasePrice;
        public decimal DiscountedPrice;
        public decimal Charge;
        public decimal Discount;
        public int Count;

        public readonly PricingSummary ToRow(char returnFlag, char lineStatus) => new(
            returnFlag, lineStatus, Quantity, BasePrice, DiscountedPrice, Charge, Quantity / Count, BasePrice / Count, Discount / Count, Count);
    }
}
