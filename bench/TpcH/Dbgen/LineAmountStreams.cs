namespace TpcH.Dbgen;

/// <summary>The streams that both an order and its lines are derived from.</summary>
internal struct LineAmountStreams(ScaleFactor scale, long firstOrder)
{
    public const int MaximumLines = 7;

    private readonly int parts = scale.Parts;
    private RandomStream lineCount = new(Streams.OrderLineCount, firstOrder);
    private RandomStream orderDate = new(Streams.OrderDate, firstOrder);
    private RandomStream part = new(Streams.LinePart, firstOrder);
    private RandomStream quantity = new(Streams.LineQuantity, firstOrder);
    private RandomStream discount = new(Streams.LineDiscount, firstOrder);
    private RandomStream tax = new(Streams.LineTax, firstOrder);
    private RandomStream shipDelay = new(Streams.LineShipDate, firstOrder);

    /// <summary>The lines of consecutive orders together, from the stream of line counts alone.</summary>
    public static long CountLines(long firstOrder, long orders)
    {
        var lineCount = new RandomStream(Streams.OrderLineCount, firstOrder);
        long lines = 0;
        for (long i = 0; i < orders; i++)
            lines += NextLineCount(ref lineCount);
        return lines;
    }

    public int NextLineCount() => NextLineCount(ref lineCount);

    public int NextOrderDay() => orderDate.Between(0, OrderCalendar.LastOrderDay);

    public LineAmounts NextLine(int orderDay) => new(
        part.Between(1, parts),
        quantity.Between(1, 50),
        discount.Between(0, 10),
        tax.Between(0, 8),
        orderDay + shipDelay.Between(1, 121));

    public void EndOrder()
    {
        orderDate.EndRow();
        part.EndRow();
        quantity.EndRow();
        discount.EndRow();
        tax.EndRow();
        shipDelay.EndRow();
    }

    private static int NextLineCount(ref RandomStream lineCount)
    {
        int lines = lineCount.Between(1, MaximumLines);
        lineCount.EndRow();
        return lines;
    }
}
