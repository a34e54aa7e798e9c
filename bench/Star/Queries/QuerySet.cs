using Star.Model;

namespace Star.Queries;

/// <summary>The queries over this project's object model.</summary>
internal static class QuerySet
{
    public static PreparedQuery Prepare(Database tables, QueryDefinition query, QueryForm form) => form switch
    {
        QueryForm.Navigation => PrepareNavigation(tables, query),
        QueryForm.Joins => PrepareJoins(tables, query),
        _ => throw new ArgumentOutOfRangeException(nameof(form), form, "No such form."),
    };

    public static string Sql(QueryDefinition query) => query.Name switch
    {
        "1.1" => Q11.Sql,
        "1.2" => Q12.Sql,
        "1.3" => Q13.Sql,
        "2.1" => Q21.Sql,
        "2.2" => Q22.Sql,
        "2.3" => Q23.Sql,
        "3.1" => Q31.Sql,
        "3.2" => Q32.Sql,
        "3.3" => Q33.Sql,
        "3.4" => Q34.Sql,
        "4.1" => Q41.Sql,
        "4.2" => Q42.Sql,
        "4.3" => Q43.Sql,
        _ => throw NoSuch(query),
    };

    private static PreparedQuery PrepareNavigation(Database t, QueryDefinition query) => query.Name switch
    {
        "1.1" => PreparedQuery.OfValue(DiscountTotal.Shape, () => Q11.Navigation(t.Sales)),
        "1.2" => PreparedQuery.OfValue(DiscountTotal.Shape, () => Q12.Navigation(t.Sales)),
        "1.3" => PreparedQuery.OfValue(DiscountTotal.Shape, () => Q13.Navigation(t.Sales)),
        "2.1" => PreparedQuery.OfRows(BrandRevenue.Shape, () => Q21.Navigation(t.Sales)),
        "2.2" => PreparedQuery.OfRows(BrandRevenue.Shape, () => Q22.Navigation(t.Sales)),
        "2.3" => PreparedQuery.OfRows(BrandRevenue.Shape, () => Q23.Navigation(t.Sales)),
        "3.1" => PreparedQuery.OfRows(TradeRevenue.Shape, () => Q31.Navigation(t.Sales)),
        "3.2" => PreparedQuery.OfRows(TradeRevenue.Shape, () => Q32.Navigation(t.Sales)),
        "3.3" => PreparedQuery.OfRows(TradeRevenue.Shape, () => Q33.Navigation(t.Sales)),
        "3.4" => PreparedQuery.OfRows(TradeRevenue.Shape, () => Q34.Navigation(t.Sales)),
        "4.1" => PreparedQuery.OfRows(NationProfit.Shape, () => Q41.Navigation(t.Sales)),
        "4.2" => PreparedQuery.OfRows(GoodsProfit.Shape, () => Q42.Navigation(t.Sales)),
        "4.3" => PreparedQuery.OfRows(GoodsProfit.Shape, () => Q43.Navigation(t.Sales)),
        _ => throw NoSuch(query),
    };

    private static PreparedQuery PrepareJoins(Database t, QueryDefinition query) => query.Name switch
    {
        "1.1" => PreparedQuery.OfValue(DiscountTotal.Shape, () => Q11.Joins(t.Sales, t.Days)),
        "1.2" => PreparedQuery.OfValue(DiscountTotal.Shape, () => Q12.Joins(t.Sales, t.Days)),
        "1.3" => PreparedQuery.OfValue(DiscountTotal.Shape, () => Q13.Joins(t.Sales, t.Days)),
        "2.1" => PreparedQuery.OfRows(BrandRevenue.Shape, () => Q21.Joins(t.Sales, t.Days, t.Products, t.Suppliers)),
        "2.2" => PreparedQuery.OfRows(BrandRevenue.Shape, () => Q22.Joins(t.Sales, t.Days, t.Products, t.Suppliers)),
        "2.3" => PreparedQuery.OfRows(BrandRevenue.Shape, () => Q23.Joins(t.Sales, t.Days, t.Products, t.Suppliers)),
        "3.1" => PreparedQuery.OfRows(TradeRevenue.Shape, () => Q31.Joins(t.Sales, t.Days, t.Customers, t.Suppliers)),
        "3.2" => PreparedQuery.OfRows(TradeRevenue.Shape, () => Q32.Joins(t.Sales, t.Days, t.Customers, t.Suppliers)),
        "3.3" => PreparedQuery.OfRows(TradeRevenue.Shape, () => Q33.Joins(t.Sales, t.Days, t.Customers, t.Suppliers)),
        "3.4" => PreparedQuery.OfRows(TradeRevenue.Shape, () => Q34.Joins(t.Sales, t.Days, t.Customers, t.Suppliers)),
        "4.1" => PreparedQuery.OfRows(NationProfit.Shape, () => Q41.Joins(t.Sales, t.Days, t.Customers, t.Suppliers, t.Products)),
        "4.2" => PreparedQuery.OfRows(GoodsProfit.Shape, () => Q42.Joins(t.Sales, t.Days, t.Customers, t.Suppliers, t.Products, t.Stores)),
        "4.3" => PreparedQuery.OfRows(GoodsProfit.Shape, () => Q43.Joins(t.Sales, t.Days, t.Customers, t.Suppliers, t.Products)),
        _ => throw NoSuch(query),
    };

    private static ArgumentException NoSuch(QueryDefinition query) => new($"There is no query {query.Name}.", nameof(query));
}
