using System.Collections;

namespace Smc.Collections;

/// <summary>The rows of a collection for LINQ to Objects, where the query that falls back on it has been counted already.</summary>
internal sealed class RowSequence<T>(Collection<T> rows) : IEnumerable<T>
    where T : unmanaged
{
    public IEnumerator<T> GetEnumerator() => rows.EnumerateUncounted();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
