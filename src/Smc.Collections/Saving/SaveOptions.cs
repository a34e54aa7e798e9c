namespace Smc.Collections;

/// <summary>How collections are saved.</summary>
public sealed record SaveOptions
{
    internal static SaveOptions Default { get; } = new();

    /// <summary>The threads that encode, the calling one among them. Default: the number of processors.</summary>
    public int DegreeOfParallelism { get; init; } = Environment.ProcessorCount;

    /// <summary>What to do with a reference to a row that has been removed. Default: it is saved as null and counted.</summary>
    public DanglingReferenceAction OnDangling { get; init; }

    /// <summary>What to do with a reference to a collection that is not saved. Default: an exception.</summary>
    public UnsavedReferenceAction OnUnsaved { get; init; }

    /// <summary>Receives the progress, on the calling thread; null if not needed.</summary>
    public IProgress<DatabaseProgress>? Progress { get; init; }

    /// <summary>Ends it early. A file that was there stays as it was.</summary>
    public CancellationToken CancellationToken { get; init; }

    internal static void Validate(SaveOptions options)
    {
        if (options.DegreeOfParallelism < 1)
            throw new ArgumentOutOfRangeException(nameof(options), options.DegreeOfParallelism, "DegreeOfParallelism is at least 1.");
    }
}

/// <summary>What <see cref="Database.Save(string, SaveOptions, ReadOnlySpan{IRowCollection})"/> does with a reference to a row that has been removed, or retired (<see cref="Collection{T}.Retire"/>): neither is saved.</summary>
public enum DanglingReferenceAction
{
    /// <summary>It is saved as null, and <see cref="SaveResult.Dangling"/> counts it.</summary>
    Null = 0,

    /// <summary>An <see cref="InvalidOperationException"/> says which property it is, and nothing is saved.</summary>
    Throw = 1,
}

/// <summary>What <see cref="Database.Save(string, SaveOptions, ReadOnlySpan{IRowCollection})"/> does with a reference to a row of a collection that is not saved.</summary>
public enum UnsavedReferenceAction
{
    /// <summary>An <see cref="InvalidOperationException"/> says which property it is, and nothing is saved.</summary>
    Throw = 0,

    /// <summary>It is left out: a property whose type of row is not saved is not in the file, other references become null. <see cref="SaveResult.Dropped"/> counts the latter.</summary>
    Drop = 1,
}
