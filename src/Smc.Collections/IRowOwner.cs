using Smc.Memory;

namespace Smc.Collections;

/// <summary>A collection, whatever its row type.</summary>
internal interface IRowOwner
{
    /// <summary>The memory behind the collection, which may be disposed.</summary>
    MemoryContext Context { get; }
}
