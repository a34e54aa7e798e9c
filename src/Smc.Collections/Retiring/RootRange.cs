using System.Collections;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>
/// The keys of a <see cref="RootMap{TKey, T}"/> between two bounds, in one of two orders. A range is a view: enumerating it reads the map as it is then.
/// </summary>
/// <remarks>The enumeration does not keep rows: one whose key is removed meanwhile may be reclaimed before the loop has come to it.</remarks>
public readonly struct RootRange<TKey, T> : IEnumerable<KeyValuePair<TKey, T>>
    where T : unmanaged
{
    private readonly RootMap<TKey, T> _map;
    private readonly KeyBound? _from;
    private readonly KeyBound? _to;
    private readonly bool _isDescending;

    internal RootRange(RootMap<TKey, T> map)
        : this(map, from: null, to: null, isDescending: false)
    {
    }

    private RootRange(RootMap<TKey, T> map, KeyBound? from, KeyBound? to, bool isDescending)
    {
        _map = map;
        _from = from;
        _to = to;
        _isDescending = isDescending;
    }

    /// <summary>The same keys without those below <paramref name="key"/>.</summary>
    public RootRange<TKey, T> From(TKey key) => Above(_map.BoundAt(key, isIncluded: true));

    /// <summary>The same keys without those below <paramref name="key"/> and that key.</summary>
    public RootRange<TKey, T> After(TKey key) => Above(_map.BoundAt(key, isIncluded: false));

    /// <summary>The same keys without those above <paramref name="key"/>.</summary>
    public RootRange<TKey, T> UpTo(TKey key) => Below(_map.BoundAt(key, isIncluded: true));

    /// <summary>The same keys without those above <paramref name="key"/> and that key.</summary>
    public RootRange<TKey, T> Before(TKey key) => Below(_map.BoundAt(key, isIncluded: false));

    /// <summary>The same keys, the highest first.</summary>
    public RootRange<TKey, T> Descending() => new(_map, _from, _to, isDescending: true);

    /// <summary>Enumerates keys and rows. The enumerator may be kept across <c>await</c>.</summary>
    /// <exception cref="ObjectDisposedException">The map was disposed.</exception>
    public IEnumerator<KeyValuePair<TKey, T>> GetEnumerator()
    {
        using OrderedCursor cursor = _map.Scan(_from, _to, _isDescending);
        while (cursor.MoveNext()) yield return new KeyValuePair<TKey, T>(_map.DecodeKey(cursor.Key), RowHandle.FromBits<T>(cursor.Word));
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private RootRange<TKey, T> Above(KeyBound bound) => new(_map, bound.Within(_from, isLower: true), _to, _isDescending);

    private RootRange<TKey, T> Below(KeyBound bound) => new(_map, _from, bound.Within(_to, isLower: false), _isDescending);
}
