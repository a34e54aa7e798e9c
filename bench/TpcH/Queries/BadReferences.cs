using TpcH.Model;

namespace TpcH.Queries;

/// <summary>
/// Line items whose four references, and orders whose customer, are null or lead to a row that was removed: one in a thousand of each, half
/// of them null. They are chosen among rows that are left out before a query follows a reference of theirs, as far as it asks anything before:
/// line items that were shipped early and at once, and early orders. A query that follows a reference of every row throws, as it has to.
/// Disposing gives all their references back.
/// </summary>
internal sealed class BadReferences : IDisposable
{
    private const int LinesForOne = 1000;
    private const int DicePurpose = 7;

    private static readonly DateOnly s_early = new(1993, 12, 1);

    private readonly List<(LineItem Row, Order Order, Part Part, Supplier Supplier, PartSupp PartSupp)> _lines = [];
    private readonly List<(Order Row, Customer Customer)> _orders = [];

    /// <summary>Spoils the references of the tables.</summary>
    public BadReferences(TableSet tables, RemovedRows removed)
    {
        foreach (LineItem line in Chosen([.. Eligible(tables.LineItems)], line => RowDice.Throw(DicePurpose, line.OrderKey, line.LineNumber), tables.LineItems.LongCount()))
            _lines.Add((line, line.Order, line.Part, line.Supplier, line.PartSupp));
        foreach (Order order in Chosen([.. Eligible(tables.Orders)], order => RowDice.Throw(DicePurpose, order.OrderKey, 0), tables.Orders.LongCount()))
            _orders.Add((order, order.Customer));
        for (int i = 0; i < _lines.Count; i++)
        {
            LineItem line = _lines[i].Row;
            bool isNull = i % 2 == 0;
            line.Order = isNull ? default! : removed.Order;
            line.Part = isNull ? default! : removed.Part;
            line.Supplier = isNull ? default! : removed.Supplier;
            line.PartSupp = isNull ? default! : removed.PartSupp;
        }
        for (int i = 0; i < _orders.Count; i++)
        {
            Order order = _orders[i].Row;
            order.Customer = i % 2 == 0 ? default! : removed.Customer;
        }
    }

    public void Dispose()
    {
        foreach ((LineItem row, Order order, Part part, Supplier supplier, PartSupp partSupp) in _lines)
        {
            LineItem line = row;
            (line.Order, line.Part, line.Supplier, line.PartSupp) = (order, part, supplier, partSupp);
        }
        foreach ((Order row, Customer customer) in _orders)
        {
            Order order = row;
            order.Customer = customer;
        }
    }

    private static IEnumerable<LineItem> Eligible(IEnumerable<LineItem> lines)
    {
        foreach (LineItem line in lines)
        {
            if (line.ShipDate < s_early && line.ReceiptDate < s_early && line.CommitDate >= line.ReceiptDate && line.ReturnFlag != 'R' && line.ShipInstruct != "DELIVER IN PERSON")
                yield return line;
        }
    }

    private static IEnumerable<Order> Eligible(IEnumerable<Order> orders)
    {
        foreach (Order order in orders)
        {
            if (order.OrderDate < new DateOnly(1993, 6, 1))
                yield return order;
        }
    }

    // As many as one in a thousand of all rows.
    private static IEnumerable<TRow> Chosen<TRow>(TRow[] rows, Func<TRow, double> dice, long all)
    {
        double share = all / (double)LinesForOne / rows.Length;
        return rows.Where(row => dice(row) < share);
    }
}
