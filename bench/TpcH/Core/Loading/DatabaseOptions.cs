using Smc.Memory;

namespace TpcH;

/// <summary>What differs between the uses of a database in self-managed collections.</summary>
public sealed record DatabaseOptions
{
    /// <summary>Whether rows come and go after the load; the keys that new rows refer to are kept then.</summary>
    public bool TakesRefreshes { get; init; }

    /// <summary>Whether the tables have unique indexes on their primary keys after the load, by which orders that go are found, too, and ordered ones on the dates of orders and lines and the customers of orders.</summary>
    public bool HasIndexes { get; init; }

    /// <summary>Whether there are those indexes only by which orders that go are found.</summary>
    public bool HasOnlyIndexesOfOrders { get; init; }

    /// <summary>Where the memory comes from and is counted; the manager of the process when not set.</summary>
    public MemoryManager? Manager { get; init; }
}
