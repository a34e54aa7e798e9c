using System.Collections;
using Smc.Collections;

namespace Smc.QueryCompiler.Fuzz.Running;

/// <summary>The rows of a collection as a sequence that no kernel takes: over it a query runs as LINQ to Objects.</summary>
internal sealed class PlainRows<T>(Collection<T> rows) : IEnumerable<T>
    where T : unmanaged
{
    public IEnumerator<T> GetEnumerator()
    {
        foreach (T row in rows)
            yield return row;
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
