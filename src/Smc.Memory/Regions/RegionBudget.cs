namespace Smc.Memory;

/// <summary>What the regions of one query may take together, on all of its threads.</summary>
/// <param name="limit">The bytes.</param>
public sealed class RegionBudget(long limit)
{
    [ThreadStatic]
    private static RegionBudget? t_current;

    private long _used;

    /// <summary>The budget of the query that the calling thread runs; null when it has none.</summary>
    public static RegionBudget? Current
    {
        get => t_current;
        set => t_current = value;
    }

    /// <summary>Counts a chunk that a region has taken. The region gives it back in any case.</summary>
    /// <exception cref="OffHeapMemoryException">That is more than the limit.</exception>
    internal void Charge(long bytes)
    {
        if (Interlocked.Add(ref _used, bytes) <= limit)
            return;
        throw new OffHeapMemoryException(
            $"The query needs more than its memory limit of {limit:N0} bytes for intermediate results. " +
            "Raise QueryOptions.MemoryLimit, or let the query keep less: filter earlier, group by fewer keys, take fewer rows after ordering.");
    }

    internal void Release(long bytes) => Interlocked.Add(ref _used, -bytes);
}
