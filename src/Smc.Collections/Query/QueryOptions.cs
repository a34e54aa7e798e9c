namespace Smc.Collections;

/// <summary>What may be chosen about the execution of a query.</summary>
public sealed record QueryOptions
{
    private readonly int _degreeOfParallelism = 1;
    private readonly int _minRowsPerThread = 16 << 10;
    private readonly long? _memoryLimit;

    internal static QueryOptions Default { get; } = new();

    /// <summary>The most threads that the query uses; 1 when not set. See <see cref="Query{T}.WithDegreeOfParallelism"/>.</summary>
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
    /// A further thread takes part in a scan only where so many rows are left for each, and in a loop over groups or other kept elements for a quarter of them: 16,384 when not set. To wake a thread takes as long as to read some ten thousand rows, so a
    /// smaller number pays only where a row costs much, with a call of a method of yours for instance.
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

    /// <summary>Whether ordered indexes are looked up whatever it costs: then a test of few rows sees it.</summary>
    internal bool SeeksAlways { get; init; }

    /// <summary>The most bytes for intermediate results (hash tables, sort buffers) of a compiled query; null for no limit but the manager's.</summary>
    /// <remarks>A query that needs more ends with <see cref="Memory.OffHeapMemoryException"/>. The result itself does not count.</remarks>
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

    /// <summary>Ends the query with <see cref="OperationCanceledException"/> when it is cancelled.</summary>
    public CancellationToken CancellationToken { get; init; }
}
