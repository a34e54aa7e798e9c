using Smc.Memory;

namespace Smc.Collections;

/// <summary>A collection, whatever its row type.</summary>
internal interface IRowOwner
{
    /// <summary>The memory behind the collection, which may be disposed.</summary>
    MemoryContext Context { get; }

    /// <summary>The snapshot through which the rows are seen; null for the collection itself.</summary>
    MemorySnapshot? Snapshot { get; }
}
