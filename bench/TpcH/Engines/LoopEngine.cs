using TpcH.Model;

namespace TpcH.Engines;

/// <summary>What a programmer writes by hand for speed over the same lists of objects: one loop along references, a dictionary where it takes one.</summary>
internal sealed class LoopEngine(Database lists) : IEngine
{
    public string Name => EngineNames.Loop;

    public PreparedQuery Prepare(QueryParameters parameters) => parameters switch
    {
        Q01Parameters p => PreparedQuery.OfRows(PricingSummary.Shape, () => Loops.Q01.Run(lists.LineItems, p)),
        Q02Parameters p => PreparedQuery.OfRows(MinimumCostSupplier.Shape, () => Loops.Q02.Run(lists.PartSupps, p)),
        Q03Parameters p => PreparedQuery.OfRows(ShippingPriority.Shape, () => Loops.Q03.Run(lists.LineItems, p)),
        Q04Parameters p => PreparedQuery.OfRows(OrderPriorityCount.Shape, () => Loops.Q04.Run(lists.LineItems, p)),
        Q05Parameters p => PreparedQuery.OfRows(LocalSupplierVolume.Shape, () => Loops.Q05.Run(lists.LineItems, p)),
        Q06Parameters p => PreparedQuery.OfValue(ForecastRevenue.Shape, () => Loops.Q06.Run(lists.LineItems, p)),
        Q07Parameters p => PreparedQuery.OfRows(VolumeShipping.Shape, () => Loops.Q07.Run(lists.LineItems, p)),
        Q08Parameters p => PreparedQuery.OfRows(MarketShare.Shape, () => Loops.Q08.Run(lists.LineItems, p)),
        Q09Parameters p => PreparedQuery.OfRows(ProductTypeProfit.Shape, () => Loops.Q09.Run(lists.LineItems, p)),
        Q10Parameters p => PreparedQuery.OfRows(ReturnedItems.Shape, () => Loops.Q10.Run(lists.LineItems, p)),
        Q11Parameters p => PreparedQuery.OfRows(ImportantStock.Shape, () => Loops.Q11.Run(lists.PartSupps, p)),
        Q12Parameters p => PreparedQuery.OfRows(ShipModePriority.Shape, () => Loops.Q12.Run(lists.LineItems, p)),
        Q13Parameters p => PreparedQuery.OfRows(CustomerDistribution.Shape, () => Loops.Q13.Run(lists.Customers, lists.Orders, p)),
        Q14Parameters p => PreparedQuery.OfValue(PromotionEffect.Shape, () => Loops.Q14.Run(lists.LineItems, p)),
        Q15Parameters p => PreparedQuery.OfRows(TopSupplier.Shape, () => Loops.Q15.Run(lists.LineItems, p)),
        Q16Parameters p => PreparedQuery.OfRows(PartSupplierCount.Shape, () => Loops.Q16.Run(lists.PartSupps, p)),
        Q17Parameters p => PreparedQuery.OfValue(SmallQuantityRevenue.Shape, () => Loops.Q17.Run(lists.LineItems, p)),
        Q18Parameters p => PreparedQuery.OfRows(LargeVolumeOrder.Shape, () => Loops.Q18.Run(lists.LineItems, p)),
        Q19Parameters p => PreparedQuery.OfValue(DiscountedRevenue.Shape, () => Loops.Q19.Run(lists.LineItems, p)),
        Q20Parameters p => PreparedQuery.OfRows(SurplusSupplier.Shape, () => Loops.Q20.Run(lists.LineItems, p)),
        Q21Parameters p => PreparedQuery.OfRows(WaitingSupplier.Shape, () => Loops.Q21.Run(lists.LineItems, p)),
        Q22Parameters p => PreparedQuery.OfRows(SalesOpportunity.Shape, () => Loops.Q22.Run(lists.Customers, lists.Orders, p)),
        _ => throw new ArgumentException($"No query takes {parameters.GetType().Name}.", nameof(parameters)),
    };

    public string Explain(QueryParameters parameters) => "a hand-written loop over List<T>";
}
