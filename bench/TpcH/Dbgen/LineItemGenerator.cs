namespace TpcH.Dbgen;

/// <param name="inputs">What the columns are drawn from.</param>
/// <param name="firstOrder">The row of the random streams that the first order's lines take.</param>
/// <param name="keys">The keys of the orders.</param>
public sealed class LineItemGenerator(GeneratorInputs inputs, long firstOrder, OrderKeys keys) : RowGenerator<LineItemRow>
{
    private readonly int suppliers = inputs.Scale.Suppliers;
    private LineAmountStreams amounts = new(inputs.Scale, firstOrder);
    private RandomStream supplier = new(Streams.LineSupplier, firstOrder);
    private RandomStream commitDelay = new(Streams.LineCommitDate, firstOrder);
    private RandomStream receiptDelay = new(Streams.LineReceiptDate, firstOrder);
    private RandomStream returnFlag = new(Streams.LineReturnFlag, firstOrder);
    private RandomStream instruction = new(Streams.LineShipInstruct, firstOrder);
    private RandomStream mode = new(Streams.LineShipMode, firstOrder);
    private RandomStream comment = new(Streams.LineComment, firstOrder);
    private OrderKeys keys = keys;

    public LineItemGenerator(GeneratorInputs inputs, long firstOrder)
        : this(inputs, firstOrder, OrderKeys.OfTable(firstOrder))
    {
    }

    public override int Generate(Span<LineItemRow> rows)
    {
        int count = amounts.NextLineCount();
        int orderDay = amounts.NextOrderDay();
        long orderKey = keys.Next();
        for (int i = 0; i < count; i++)
            rows[i] = NextLine(orderKey, i + 1, orderDay);
        EndOrder();
        return count;
    }

    private LineItemRow NextLine(long orderKey, int number, int orderDay)
    {
        LineAmounts line = amounts.NextLine(orderDay);
        int receiptDay = line.ShipDay + receiptDelay.Between(1, 30);
        return new LineItemRow(
            orderKey,
            line.PartKey,
            SupplierOfPart.Key(line.PartKey, supplier.Between(0, SupplierOfPart.PerPart - 1), suppliers),
            number,
            Hundredths.ToDecimal(line.Quantity * 100),
            Hundredths.ToDecimal(line.ExtendedPrice),
            Hundredths.ToDecimal(line.Discount),
            Hundredths.ToDecimal(line.Tax),
            NextReturnFlag(receiptDay),
            line.IsShipped ? 'F' : 'O',
            OrderCalendar.Date(line.ShipDay),
            OrderCalendar.Date(orderDay + commitDelay.Between(30, 90)),
            OrderCalendar.Date(receiptDay),
            inputs.Lists.Instructions.Pick(ref instruction),
            inputs.Lists.Modes.Pick(ref mode),
            inputs.Text.Comment(ref comment, CommentLength.LineItem));
    }

    // A line that is still under way draws nothing.
    private char NextReturnFlag(int receiptDay) =>
        receiptDay <= OrderCalendar.CurrentDay ? inputs.Lists.ReturnFlags.Pick(ref returnFlag) : 'N';

    private void EndOrder()
    {
        amounts.EndOrder();
        supplier.EndRow();
        commitDelay.EndRow();
        receiptDelay.EndRow();
        returnFlag.EndRow();
        instruction.EndRow();
        mode.EndRow();
        comment.EndRow();
    }
}
