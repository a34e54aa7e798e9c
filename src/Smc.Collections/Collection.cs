using System.Collections;

namespace Smc.Collections;

/// <summary>Rows of one tabular type outside the managed heap. (Surface only, for the query front end; the memory core follows.)</summary>
/// <typeparam name="T">A struct with <see cref="TabularAttribute"/>.</typeparam>
public sealed partial class Collection<T> : IReadOnlyCollection<T>, IDisposable
    where T : unmanaged
{
    /// <summary>The number of rows.</summary>
    public int Count => 0;

    /// <inheritdoc/>
    public IEnumerator<T> GetEnumerator() => Enumerable.Empty<T>().GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Gives the memory back.</summary>
    public void Dispose()
    {
    }
}
