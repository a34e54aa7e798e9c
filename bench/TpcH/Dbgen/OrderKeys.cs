namespace TpcH.Dbgen;

/// <summary>The keys of consecutive orders. Those of refresh sets count from 1 again, while the random streams go on after the tables' orders.</summary>
/// <param name="firstIndex">The number of the first order, from 1.</param>
/// <param name="gap">0 for the orders of the tables; 1 to 3 for the gaps between their keys.</param>
public struct OrderKeys(long firstIndex, int gap)
{
    private long index = firstIndex;

    /// <summary>The keys of the orders table from a row on; rows count from 0.</summary>
    public static OrderKeys OfTable(long firstRow) => new(firstRow + 1, gap: 0);

    // The first 8 of every 32 keys belong to the tables; each gap is the next 8.
    public long Next()
    {
        long key = ((((index >> 3) << 2) + gap) << 3) + (index & 7);
        index++;
        return key;
    }
}
