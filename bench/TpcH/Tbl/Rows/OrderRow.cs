namespace TpcH;

public readonly record struct OrderRow(
    long OrderKey,
    int CustKey,
    char OrderStatus,
    decimal TotalPrice,
    DateOnly OrderDate,
    string OrderPriority,
    string Clerk,
    int ShipPriority,
    string Comment);
