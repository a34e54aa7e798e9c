namespace TpcH.Dbgen;

/// <summary>
/// The data of one pair of TPC-H's refresh functions: orders to insert with their lines (RF1), in a gap of the sparse keys, and the keys of the
/// orders to delete with theirs (RF2), from the beginning of the table on. The columns of a set continue the random streams of the set before it,
/// those of the first set the streams of the tables.
/// </summary>
public sealed class RefreshSet
{
    /// <summary>The sets that share a gap. With the next one dbgen goes on to the next gap, and its keys to delete name no orders any more.</summary>
    public const int Maximum = 999;

    private const int TableGap = 0;
    private const int InsertGap = 1;

    private readonly long firstIndex;

    internal RefreshSet(DbgenSource source, int number)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(number, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(number, Maximum);
        Number = number;
        OrderCount = source.Scale.OrdersPerRefresh;
        long ordersBefore = (number - 1) * (long)OrderCount;
        long firstRow = source.Scale.Orders + ordersBefore;
        firstIndex = ordersBefore + 1;
        Orders = new GeneratedTable<OrderRow>(
            source, Table.Orders, OrderCount, (inputs, order) => new OrderGenerator(inputs, firstRow + order, new OrderKeys(firstIndex + order, InsertGap)));
        LineItems = new GeneratedTable<LineItemRow>(
            source, Table.LineItem, OrderCount, (inputs, order) => new LineItemGenerator(inputs, firstRow + order, new OrderKeys(firstIndex + order, InsertGap)))
        {
            MaximumRowsPerUnit = LineAmountStreams.MaximumLines,
            ExactCount = () => LineAmountStreams.CountLines(firstRow, OrderCount),
        };
    }

    public int Number { get; }

    /// <summary>The number of orders to insert, and of orders to delete.</summary>
    public int OrderCount { get; }

    /// <summary>RF1's new orders.</summary>
    public TableReader<OrderRow> Orders { get; }

    /// <summary>RF1's new lines.</summary>
    public TableReader<LineItemRow> LineItems { get; }

    /// <summary>The keys of RF2's orders.</summary>
    public IEnumerable<long> DeletedOrderKeys
    {
        get
        {
            var keys = new OrderKeys(firstIndex, TableGap);
            for (int i = 0; i < OrderCount; i++)
                yield return keys.Next();
        }
    }
}
