using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>A collection, whatever its row type.</summary>
internal interface IRowOwner : IRowCollection
{
    /// <summary>The memory behind the collection, which may be disposed.</summary>
    MemoryContext Context { get; }

    /// <summary>Columns and layout of its rows.</summary>
    TabularSchema Schema { get; }

    /// <summary>Creates an index over the rows that are there.</summary>
    /// <exception cref="DuplicateKeyException">Two rows have one key; there is no index.</exception>
    void BuildIndex(IndexDescription description, bool isUnique, int threads, CancellationToken cancellationToken);

    /// <summary>Creates the reverse indexes of the type's references (<see cref="OnRemoveAttribute"/>) over the rows that are there.</summary>
    void BuildReferrerIndexes(int threads, CancellationToken cancellationToken);

    /// <summary>The snapshot through which the rows are seen; null for the collection itself.</summary>
    MemorySnapshot? Snapshot { get; }
}
