using TpcH.Model;

namespace TpcH.Queries;

/// <summary>Which rows <see cref="Losses"/> take, those included that refer to one that goes.</summary>
internal static class LostRows
{
    public static bool IsLost(Customer row, Losses losses) => losses.TakesCustomer(row.CustKey);

    public static bool IsLost(Part row, Losses losses) => losses.TakesPart(row.PartKey);

    public static bool IsLost(Supplier row, Losses losses) => losses.TakesSupplier(row.SuppKey);

    public static bool IsLost(PartSupp row, Losses losses) =>
        losses.TakesPartSupp(row.PartKey, row.SuppKey) || losses.TakesPart(row.PartKey) || losses.TakesSupplier(row.SuppKey);

    public static bool IsLost(Order row, Losses losses) => losses.TakesOrder(row.OrderKey) || losses.TakesCustomer(row.CustKey);

    public static bool IsLost(LineItem row, Losses losses) =>
        losses.TakesLineItem(row.OrderKey, row.LineNumber) || IsLost(row.Order, losses) || IsLost(row.PartSupp, losses);
}
