namespace TpcH.Dbgen;

/// <param name="inputs">What the columns are drawn from.</param>
/// <param name="firstRow">The row of the random streams that the first order takes.</param>
/// <param name="keys">The keys of the orders.</param>
public sealed class OrderGenerator(GeneratorInputs inputs, long firstRow, OrderKeys keys) : RowGenerator<OrderRow>
{
    private readonly ScaleFactor scale = inputs.Scale;
    private LineAmountStreams lines = new(inputs.Scale, firstRow);
    private OrderCustomerStream customer = new(inputs.Scale.Customers, firstRow);
    private RandomStream priority = new(Streams.OrderPriority, firstRow);
    private RandomStream clerk = new(Streams.OrderClerk, firstRow);
    private RandomStream comment = new(Streams.OrderComment, firstRow);
    private OrderKeys keys = keys;

    public OrderGenerator(GeneratorInputs inputs, long firstRow)
        : this(inputs, firstRow, OrderKeys.OfTable(firstRow))
    {
    }

    public override int Generate(Span<OrderRow> rows)
    {
        int day = lines.NextOrderDay();
        (char status, long totalPrice) = SummarizeLines(day);
        rows[0] = new OrderRow(
            keys.Next(),
            customer.Next(),
            status,
            Hundredths.ToDecimal(totalPrice),
            OrderCalendar.Date(day),
            inputs.Lists.Priorities.Pick(ref priority),
            NumberedName.Of("Clerk", clerk.Between(1, scale.Clerks)),
            ShipPriority: 0,
            inputs.Text.Comment(ref comment, CommentLength.Order));
        EndRow();
        return 1;
    }

    private (char Status, long TotalPrice) SummarizeLines(int day)
    {
        int count = lines.NextLineCount();
        int shipped = 0;
        long totalPrice = 0;
        for (int i = 0; i < count; i++)
        {
            LineAmounts line = lines.NextLine(day);
            totalPrice += line.Charge;
            shipped += line.IsShipped ? 1 : 0;
        }
        char status = shipped == count ? 'F' : shipped == 0 ? 'O' : 'P';
        return (status, totalPrice);
    }

    private void EndRow()
    {
        lines.EndOrder();
        priority.EndRow();
        clerk.EndRow();
        comment.EndRow();
    }
}
