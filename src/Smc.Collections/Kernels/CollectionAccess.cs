using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>From a collection to the memory behind it, for generated code and query kernels.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class CollectionAccess
{
    /// <summary>The memory context of a collection.</summary>
    /// <exception cref="ArgumentNullException"><paramref name="collection"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The collection has been disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static MemoryContext Context<T>(Collection<T> collection)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(collection);
        return collection.OpenContext();
    }
}
