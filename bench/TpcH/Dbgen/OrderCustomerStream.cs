namespace TpcH.Dbgen;

/// <summary>Customers of orders. Every third customer has none.</summary>
internal struct OrderCustomerStream(int customers, long row)
{
    private const int WithoutOrders = 3;

    private RandomStream stream = new(Streams.OrderCustomer, row);

    public int Next()
    {
        int key = stream.Between(1, customers);
        stream.EndRow();
        for (int step = 1; key % WithoutOrders == 0; step = -step)
            key = Math.Min(key + step, customers);
        return key;
    }
}
