using System.Diagnostics;

namespace Smc.Collections;

/// <summary>What the debugger shows of a collection: its first rows.</summary>
internal sealed class CollectionDebugView<T>(Collection<T> collection)
    where T : unmanaged
{
    private const int Shown = 1000;

    [DebuggerBrowsable(DebuggerBrowsableState.RootHidden)]
    public T[] Rows => collection.IsDisposed ? [] : Enumerable.ToArray(Enumerable.Take((IEnumerable<T>)collection, Shown));
}
