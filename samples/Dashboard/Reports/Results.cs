namespace Dashboard.Reports;

/// <summary>Revenue of a nation in a month.</summary>
public sealed record RevenueCell(string Nation, int Year, int Month, decimal Revenue);

/// <summary>A customer and what it bought.</summary>
public sealed record CustomerLine(string Name, string Nation, decimal Revenue, int Orders);

/// <summary>What was sold of a part.</summary>
public sealed record PartLine(string Part, int Pieces, decimal Amount);

/// <summary>A line of an order.</summary>
public sealed record OrderLine(string Part, int Quantity, decimal Price);

/// <summary>An order that was looked up. Times are in milliseconds.</summary>
public sealed record FoundOrder(long Key, string Customer, string Nation, DateOnly Date, decimal Total, IReadOnlyList<OrderLine> Lines, double LookUpTime, double LinesTime);

/// <summary>How long a query took, in milliseconds.</summary>
/// <param name="Name">The query.</param>
/// <param name="Rows">The rows that it read.</param>
/// <param name="Compiled">Time of the compiled query.</param>
/// <param name="Twin">Time of LINQ to Objects over the list, if the twin is on.</param>
public sealed record QueryTime(string Name, int Rows, double Compiled, double? Twin);

/// <summary>Memory, in bytes.</summary>
/// <param name="Native">What the collections hold outside the heap.</param>
/// <param name="Garbage">The part of it that waits for readers.</param>
/// <param name="Heap">The garbage-collected heap.</param>
public sealed record MemoryFigures(long Native, long Garbage, long Heap);

/// <summary>The clock of reclamation.</summary>
/// <param name="Epoch">The present epoch.</param>
/// <param name="Blocked">How often a reader kept it from moving on.</param>
/// <param name="OldestReader">For how long the oldest reader has been inside, in milliseconds; null if no reader holds anything back.</param>
public sealed record EpochFigures(long Epoch, long Blocked, double? OldestReader);

/// <summary>Garbage collection since the start; times in milliseconds.</summary>
public sealed record CollectionFigures(int Collections, int FullCollections, double TotalPause);

/// <summary>Totals of the shop: the amounts of orders and of their lines are equal at each moment.</summary>
public sealed record ShopTotals(int Orders, int Lines, decimal OrderAmount, decimal LineAmount);

/// <summary>A frozen moment beside now. Times are in milliseconds.</summary>
/// <param name="Moment">When it was.</param>
/// <param name="Then">The totals of the moment.</param>
/// <param name="Now">The totals now, read one after the other while orders come and go.</param>
/// <param name="ThenTime">Time of the queries over the moment.</param>
/// <param name="NowTime">Time of the queries over what is there now.</param>
/// <param name="Bytes">Memory that is kept for the moment.</param>
public sealed record FrozenFigures(DateTimeOffset Moment, ShopTotals Then, ShopTotals Now, double ThenTime, double NowTime, long Bytes);

/// <summary>Everything that the page shows.</summary>
public sealed record ShopReport(
    int Rate,
    long Arrived,
    int Orders,
    int Lines,
    bool IsTwinOn,
    IReadOnlyList<string> Months,
    IReadOnlyList<string> Nations,
    IReadOnlyList<RevenueCell> Revenue,
    IReadOnlyList<CustomerLine> Customers,
    IReadOnlyList<PartLine> Parts,
    IReadOnlyList<QueryTime> Queries,
    FrozenFigures? Frozen,
    MemoryFigures Memory,
    EpochFigures Epochs,
    CollectionFigures Collections);
