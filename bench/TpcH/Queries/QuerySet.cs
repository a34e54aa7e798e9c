using TpcH.Model;

namespace TpcH.Queries;

/// <summary>The queries over this project's object model.</summary>
internal static class QuerySet
{
    public static PreparedQuery Prepare(TableSet tables, QueryParameters parameters, JoinStyle joins) => joins switch
    {
        JoinStyle.References => PrepareByReferences(tables, parameters),
        JoinStyle.Keys => PrepareByKeys(tables, parameters),
        _ => throw new ArgumentOutOfRangeException(nameof(joins), joins, "No such style."),
    };

    /// <summary>Those queries that start at the line items and get to all others from there.</summary>
    public static PreparedQuery PrepareOverLineItems(IEnumerable<LineItem> lineItems, QueryParameters parameters) => parameters switch
    {
        Q01Parameters p => PreparedQuery.OfRows(PricingSummary.Shape, () => Q01.Run(lineItems, p.ShipDateMax)),
        Q03Parameters p => PreparedQuery.OfRows(ShippingPriority.Shape, () => Q03.ByReferences(lineItems, p.Segment, p.Date)),
        Q04Parameters p => PreparedQuery.OfRows(OrderPriorityCount.Shape, () => Q04.ByReferences(lineItems, p.Date, p.DateEnd)),
        Q05Parameters p => PreparedQuery.OfRows(LocalSupplierVolume.Shape, () => Q05.ByReferences(lineItems, p.Region, p.Date, p.DateEnd)),
        Q06Parameters p => PreparedQuery.OfValue(
            ForecastRevenue.Shape,
            () => Q06.Run(lineItems, p.Date, p.DateEnd, p.DiscountLow, p.DiscountHigh, p.Quantity)),
        Q07Parameters p => PreparedQuery.OfRows(VolumeShipping.Shape, () => Q07.ByReferences(lineItems, p.Nation1, p.Nation2)),
        Q08Parameters p => PreparedQuery.OfRows(MarketShare.Shape, () => Q08.ByReferences(lineItems, p.Nation, p.Region, p.Type)),
        Q09Parameters p => PreparedQuery.OfRows(ProductTypeProfit.Shape, () => Q09.ByReferences(lineItems, p.Color)),
        Q10Parameters p => PreparedQuery.OfRows(ReturnedItems.Shape, () => Q10.ByReferences(lineItems, p.Date, p.DateEnd)),
        Q12Parameters p => PreparedQuery.OfRows(
            ShipModePriority.Shape, () => Q12.ByReferences(lineItems, p.ShipMode1, p.ShipMode2, p.Date, p.DateEnd)),
        Q14Parameters p => PreparedQuery.OfValue(PromotionEffect.Shape, () => Q14.ByReferences(lineItems, p.Date, p.DateEnd)),
        Q15Parameters p => PreparedQuery.OfRows(TopSupplier.Shape, () => Q15.ByReferences(lineItems, p.Date, p.DateEnd)),
        Q17Parameters p => PreparedQuery.OfValue(SmallQuantityRevenue.Shape, () => Q17.ByReferences(lineItems, p.Brand, p.Container)),
        Q18Parameters p => PreparedQuery.OfRows(LargeVolumeOrder.Shape, () => Q18.ByReferences(lineItems, p.Quantity)),
        Q19Parameters p => PreparedQuery.OfValue(
            DiscountedRevenue.Shape,
            () => Q19.ByReferences(
                lineItems, p.Brand1, p.Brand2, p.Brand3,
                p.Quantity1, p.Quantity1High, p.Quantity2, p.Quantity2High, p.Quantity3, p.Quantity3High)),
        Q20Parameters p => PreparedQuery.OfRows(
            SurplusSupplier.Shape, () => Q20.ByReferences(lineItems, p.Color, p.Date, p.DateEnd, p.Nation)),
        Q21Parameters p => PreparedQuery.OfRows(WaitingSupplier.Shape, () => Q21.ByReferences(lineItems, p.Nation)),
        _ => throw NoQueryTakes(parameters),
    };

    /// <summary>The query in SQL, with <c>:NAME</c> where a parameter goes.</summary>
    public static string Sql(QueryParameters parameters) => parameters switch
    {
        Q01Parameters => Q01.Sql,
        Q02Parameters => Q02.Sql,
        Q03Parameters => Q03.Sql,
        Q04Parameters => Q04.Sql,
        Q05Parameters => Q05.Sql,
        Q06Parameters => Q06.Sql,
        Q07Parameters => Q07.Sql,
        Q08Parameters => Q08.Sql,
        Q09Parameters => Q09.Sql,
        Q10Parameters => Q10.Sql,
        Q11Parameters => Q11.Sql,
        Q12Parameters => Q12.Sql,
        Q13Parameters => Q13.Sql,
        Q14Parameters => Q14.Sql,
        Q15Parameters => Q15.Sql,
        Q16Parameters => Q16.Sql,
        Q17Parameters => Q17.Sql,
        Q18Parameters => Q18.Sql,
        Q19Parameters => Q19.Sql,
        Q20Parameters => Q20.Sql,
        Q21Parameters => Q21.Sql,
        Q22Parameters => Q22.Sql,
        _ => throw NoQueryTakes(parameters),
    };

    private static PreparedQuery PrepareByReferences(TableSet t, QueryParameters parameters) => parameters switch
    {
        Q02Parameters p => PreparedQuery.OfRows(MinimumCostSupplier.Shape, () => Q02.ByReferences(t.PartSupps, p.Size, p.Type, p.Region)),
        Q11Parameters p => PreparedQuery.OfRows(ImportantStock.Shape, () => Q11.ByReferences(t.PartSupps, p.Nation, p.Fraction)),
        Q13Parameters p => PreparedQuery.OfRows(
            CustomerDistribution.Shape, () => Q13.ByReferences(t.Customers, t.Orders, p.Word1, p.Word2)),
        Q16Parameters p => PreparedQuery.OfRows(PartSupplierCount.Shape, () => Q16.ByReferences(t.PartSupps, p.Brand, p.Type, p.Sizes)),
        Q22Parameters p => PreparedQuery.OfRows(SalesOpportunity.Shape, () => Q22.ByReferences(t.Customers, t.Orders, p.CountryCodes)),
        _ => PrepareOverLineItems(t.LineItems, parameters),
    };

    private static PreparedQuery PrepareByKeys(TableSet t, QueryParameters parameters) => parameters switch
    {
        Q01Parameters or Q06Parameters => PrepareOverLineItems(t.LineItems, parameters),
        Q02Parameters p => PreparedQuery.OfRows(
            MinimumCostSupplier.Shape,
            () => Q02.ByKeys(t.PartSupps, t.Parts, t.Suppliers, t.Nations, t.Regions, p.Size, p.Type, p.Region)),
        Q03Parameters p => PreparedQuery.OfRows(
            ShippingPriority.Shape, () => Q03.ByKeys(t.LineItems, t.Orders, t.Customers, p.Segment, p.Date)),
        Q04Parameters p => PreparedQuery.OfRows(OrderPriorityCount.Shape, () => Q04.ByKeys(t.Orders, t.LineItems, p.Date, p.DateEnd)),
        Q05Parameters p => PreparedQuery.OfRows(
            LocalSupplierVolume.Shape,
            () => Q05.ByKeys(t.LineItems, t.Orders, t.Customers, t.Suppliers, t.Nations, t.Regions, p.Region, p.Date, p.DateEnd)),
        Q07Parameters p => PreparedQuery.OfRows(
            VolumeShipping.Shape,
            () => Q07.ByKeys(t.LineItems, t.Suppliers, t.Orders, t.Customers, t.Nations, p.Nation1, p.Nation2)),
        Q08Parameters p => PreparedQuery.OfRows(
            MarketShare.Shape,
            () => Q08.ByKeys(t.LineItems, t.Parts, t.Orders, t.Customers, t.Suppliers, t.Nations, t.Regions, p.Nation, p.Region, p.Type)),
        Q09Parameters p => PreparedQuery.OfRows(
            ProductTypeProfit.Shape, () => Q09.ByKeys(t.LineItems, t.Parts, t.PartSupps, t.Suppliers, t.Nations, t.Orders, p.Color)),
        Q10Parameters p => PreparedQuery.OfRows(
            ReturnedItems.Shape, () => Q10.ByKeys(t.LineItems, t.Orders, t.Customers, t.Nations, p.Date, p.DateEnd)),
        Q11Parameters p => PreparedQuery.OfRows(
            ImportantStock.Shape, () => Q11.ByKeys(t.PartSupps, t.Suppliers, t.Nations, p.Nation, p.Fraction)),
        Q12Parameters p => PreparedQuery.OfRows(
            ShipModePriority.Shape, () => Q12.ByKeys(t.LineItems, t.Orders, p.ShipMode1, p.ShipMode2, p.Date, p.DateEnd)),
        Q13Parameters p => PreparedQuery.OfRows(CustomerDistribution.Shape, () => Q13.ByKeys(t.Customers, t.Orders, p.Word1, p.Word2)),
        Q14Parameters p => PreparedQuery.OfValue(PromotionEffect.Shape, () => Q14.ByKeys(t.LineItems, t.Parts, p.Date, p.DateEnd)),
        Q15Parameters p => PreparedQuery.OfRows(TopSupplier.Shape, () => Q15.ByKeys(t.Suppliers, t.LineItems, p.Date, p.DateEnd)),
        Q16Parameters p => PreparedQuery.OfRows(
            PartSupplierCount.Shape, () => Q16.ByKeys(t.PartSupps, t.Parts, t.Suppliers, p.Brand, p.Type, p.Sizes)),
        Q17Parameters p => PreparedQuery.OfValue(SmallQuantityRevenue.Shape, () => Q17.ByKeys(t.LineItems, t.Parts, p.Brand, p.Container)),
        Q18Parameters p => PreparedQuery.OfRows(LargeVolumeOrder.Shape, () => Q18.ByKeys(t.Orders, t.LineItems, t.Customers, p.Quantity)),
        Q19Parameters p => PreparedQuery.OfValue(
            DiscountedRevenue.Shape,
            () => Q19.ByKeys(
                t.LineItems, t.Parts, p.Brand1, p.Brand2, p.Brand3,
                p.Quantity1, p.Quantity1High, p.Quantity2, p.Quantity2High, p.Quantity3, p.Quantity3High)),
        Q20Parameters p => PreparedQuery.OfRows(
            SurplusSupplier.Shape,
            () => Q20.ByKeys(t.Suppliers, t.Nations, t.PartSupps, t.Parts, t.LineItems, p.Color, p.Date, p.DateEnd, p.Nation)),
        Q21Parameters p => PreparedQuery.OfRows(
            WaitingSupplier.Shape, () => Q21.ByKeys(t.LineItems, t.Orders, t.Suppliers, t.Nations, p.Nation)),
        Q22Parameters p => PreparedQuery.OfRows(SalesOpportunity.Shape, () => Q22.ByKeys(t.Customers, t.Orders, p.CountryCodes)),
        _ => throw NoQueryTakes(parameters),
    };

    private static ArgumentException NoQueryTakes(QueryParameters parameters) =>
        new($"No query takes {parameters.GetType().Name}.", nameof(parameters));
}
