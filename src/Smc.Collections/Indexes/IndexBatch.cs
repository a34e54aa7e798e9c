using System.Runtime.InteropServices;

namespace Smc.Collections.Indexes;

/// <summary>Rows on their way into an index that is built, and where their words go in it. Any order is right; that of the words is the fast one in an ordered index.</summary>
internal sealed class IndexBatch
{
    private const int Capacity = 1 << 18;

    private readonly List<ulong> _handles = [];
    private readonly List<ulong> _places = [];

    public ReadOnlySpan<ulong> Handles => CollectionsMarshal.AsSpan(_handles);

    public bool IsFull => _handles.Count >= Capacity;

    public void Clear()
    {
        _handles.Clear();
        _places.Clear();
    }

    /// <param name="handle">The row.</param>
    /// <param name="place">A number in the order in which words lie in the index.</param>
    public void Add(ulong handle, ulong place)
    {
        _handles.Add(handle);
        _places.Add(place);
    }

    public void SortByPlace() => CollectionsMarshal.AsSpan(_places).Sort(CollectionsMarshal.AsSpan(_handles));
}
