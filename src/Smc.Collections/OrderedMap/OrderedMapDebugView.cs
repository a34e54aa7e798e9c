using System.Diagnostics;

namespace Smc.Collections;

/// <summary>What the debugger shows of a map: its first keys and their values.</summary>
internal sealed class OrderedMapDebugView<TKey, TValue>(OrderedMap<TKey, TValue> map)
{
    private const int Shown = 1000;

    [DebuggerBrowsable(DebuggerBrowsableState.RootHidden)]
    public KeyValuePair<TKey, TValue>[] Pairs => map.IsDisposed ? [] : [.. map.Take(Shown)];
}
