using Smc.Memory;

namespace TpcH;

/// <summary>Line items in a self-managed collection of their own, to be removed, moved, read and written one by one.</summary>
public interface ILineItems : IDisposable
{
    long Count { get; }

    MemoryUsage Memory { get; }

    /// <summary>The same rows in a new collection, referring to the same orders, parts and suppliers.</summary>
    ILineItems Copy(MemoryManager manager);

    PreparedQuery Prepare(QueryParameters parameters);

    /// <summary>The query as LINQ to Objects over the rows, one by one.</summary>
    PreparedQuery PrepareLinq(QueryParameters parameters);

    /// <summary>Removes each row with a probability. The same seed removes the same rows.</summary>
    void RemoveAtRandom(double share, int seed);

    CompactionResult Compact(CancellationToken cancellationToken);

    /// <summary>Handles to all rows there are, in random order.</summary>
    ILineItemHandles Handles(int seed);

    /// <summary>Reads every row once by enumeration; a step of the clock is a row. Returns the sum of the order keys.</summary>
    long SumByEnumeration(StallClock clock);
}
