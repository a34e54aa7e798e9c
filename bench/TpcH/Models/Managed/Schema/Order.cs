namespace TpcH.Model;

internal sealed class Order
{
    public required long OrderKey { get; set; }

    public required int CustKey { get; set; }

    public required Customer Customer { get; set; }

    public required char OrderStatus { get; set; }

    public required decimal TotalPrice { get; set; }

    public required DateOnly OrderDate { get; set; }

    public required string OrderPriority { get; set; }

    public required string Clerk { get; set; }

    public required int ShipPriority { get; set; }

    public required string Comment { get; set; }
}
