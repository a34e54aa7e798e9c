namespace TpcH.Model;

/// <summary>Writes columns that queries read (amounts, dates, keys, references) of rows that lie all over the tables.</summary>
internal sealed class RowRewriter : IRowRewriter
{
    private const int Rows = 1 << 17;

    private readonly LineItem[] _lines;
    private readonly Order[] _orders;
    private readonly PartSupp[] _partSupps;
    private readonly Customer[] _customers;
    private int _next;

    public RowRewriter(Database tables, int seed)
    {
        var random = new Random(seed);
        _lines = Sample(tables.LineItems, tables.LineItems.LongCount, random);
        _orders = Sample(tables.Orders, tables.Orders.LongCount, random);
        _partSupps = Sample(tables.PartSupps, tables.PartSupps.LongCount, random);
        _customers = Sample(tables.Customers, tables.Customers.LongCount, random);
    }

    public void WriteNext()
    {
        int at = _next++;
        LineItem line = _lines[at % _lines.Length];
        Order order = _orders[at % _orders.Length];
        PartSupp partSupp = _partSupps[at % _partSupps.Length];
        Customer customer = _customers[at % _customers.Length];
        switch (at % 16)
        {
            case 0: line.Quantity = line.Quantity; break;
            case 1: line.ExtendedPrice = line.ExtendedPrice; break;
            case 2: line.Discount = line.Discount; break;
            case 3: line.ShipDate = line.ShipDate; break;
            case 4: line.CommitDate = line.CommitDate; break;
            case 5: line.ReturnFlag = line.ReturnFlag; break;
            case 6: line.ShipMode = line.ShipMode; break;
            case 7: line.Order = line.Order; break;
            case 8: line.Part = line.Part; break;
            case 9: line.OrderKey = line.OrderKey; break;
            case 10: order.OrderDate = order.OrderDate; break;
            case 11: order.Customer = order.Customer; break;
            case 12: order.CustKey = order.CustKey; break;
            case 13: partSupp.SupplyCost = partSupp.SupplyCost; break;
            case 14: partSupp.Part = partSupp.Part; break;
            case 15: customer.AcctBal = customer.AcctBal; break;
        }
    }

    private static TRow[] Sample<TRow>(IEnumerable<TRow> rows, long count, Random random)
    {
        double share = Math.Min(1, Rows / (double)count);
        var sample = new List<TRow>(Rows);
        foreach (TRow row in rows)
        {
            if (random.NextDouble() < share)
                sample.Add(row);
        }
        TRow[] shuffled = [.. sample];
        random.Shuffle(shuffled);
        return shuffled;
    }
}
