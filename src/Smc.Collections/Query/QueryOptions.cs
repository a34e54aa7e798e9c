namespace Smc.Collections;

/// <summary>Options for running a query.</summary>
public sealed record QueryOptions
{
    private readonly int _degreeOfParallelism = 1;
    private readonly int _minRowsPerThread = 16 << 10;
    private readonly long? _memoryLimit;

    internal static QueryOptions Default { get; } = new();

    /// <summary>The maximum number of threads. Default: 1. See <see cref="Query{T}.WithDegreeOfParallelism"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The number is not positive.</exception>
    public int DegreeOfParallelism
    {
        get => _degreeOfParallelism;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegativeOrZero(value);
            _degreeOfParallelism = value;
        }
    }

    /// <summary>
    /// The minimum number of rows for each thread. Default: 16,384. Another thread joins a scan only if this number of rows is left for each thread. For a loop over groups or other
    /// intermediate elements, a quarter of it is enough. Waking a thread takes as long as reading some ten thousand rows, so a smaller number pays off only
    /// if each row is expensive, for example because the query calls a method of yours.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The number is not positive.</exception>
    public int MinRowsPerThread
    {
        get => _minRowsPerThread;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegativeOrZero(value);
            _minRowsPerThread = value;
        }
    }

    /// <summary>Whether what threads may share is divided at once, even if no other thread comes: then a test sees parts come together whatever else the machine does.</summary>
    internal bool DividesAtOnce { get; init; }

    /// <summary>Whether indexes are looked up whatever it costs: then a test of few rows sees it.</summary>
    internal bool SeeksAlways { get; init; }

    /// <summary>Whether conditions on pairs of rows at the ends of paths are asked for each pair whatever it costs: then a test of few rows sees it.</summary>
    internal bool PairsAlways { get; init; }

    /// <summary>The maximum number of bytes for intermediate results (hash tables, sort buffers) of a compiled query; null for no limit but the manager's.</summary>
    /// <remarks>A query that needs more throws <see cref="Memory.OffHeapMemoryException"/>. The result itself does not count.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">The number is not positive.</exception>
    public long? MemoryLimit
    {
        get => _memoryLimit;
        init
        {
            if (value is { } bytes)
                ArgumentOutOfRangeException.ThrowIfNegativeOrZero(bytes, nameof(value));
            _memoryLimit = value;
        }
    }

    /// <summary>Cancels the query, which then throws <see cref="OperationCanceledException"/>.</summary>
    public CancellationToken CancellationToken { get; init; }
}
