using System.Collections;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>
/// The keys of an <see cref="OrderedMap{TKey, TValue}"/> between two bounds, in one of two orders. A range is a view: enumerating it reads the map as it is then, with the guarantees
/// that the map gives to scans.
/// </summary>
/// <remarks><code>foreach ((DateOnly day, decimal total) in totals.From(first).UpTo(last).Descending()) …</code></remarks>
public readonly struct MapRange<TKey, TValue> : IEnumerable<KeyValuePair<TKey, TValue>>
{
    private readonly OrderedMap<TKey, TValue> _map;
    private readonly KeyBound? _from;
    private readonly KeyBound? _to;
    private readonly bool _isDescending;

    internal MapRange(OrderedMap<TKey, TValue> map)
        : this(map, from: null, to: null, isDescending: false)
    {
    }

    private MapRange(OrderedMap<TKey, TValue> map, KeyBound? from, KeyBound? to, bool isDescending)
    {
        _map = map;
        _from = from;
        _to = to;
        _isDescending = isDescending;
    }

    /// <summary>The same keys without those below <paramref name="key"/>.</summary>
    public MapRange<TKey, TValue> From(TKey key) => Above(_map.BoundAt(key, isIncluded: true));

    /// <summary>The same keys without those below <paramref name="key"/> and that key.</summary>
    public MapRange<TKey, TValue> After(TKey key) => Above(_map.BoundAt(key, isIncluded: false));

    /// <summary>The same keys without those above <paramref name="key"/>.</summary>
    public MapRange<TKey, TValue> UpTo(TKey key) => Below(_map.BoundAt(key, isIncluded: true));

    /// <summary>The same keys without those above <paramref name="key"/> and that key.</summary>
    public MapRange<TKey, TValue> Before(TKey key) => Below(_map.BoundAt(key, isIncluded: false));

    /// <summary>The same keys, the highest first.</summary>
    public MapRange<TKey, TValue> Descending() => new(_map, _from, _to, isDescending: true);

    /// <summary>Reads the keys one after the other without copies of the values.</summary>
    public MapScan<TKey, TValue> Scan() => new(_map, _map.Table.Scan(_from, _to, _isDescending));

    /// <summary>Enumerates copies of keys and values. The enumerator may be kept across <c>await</c>.</summary>
    public IEnumerator<KeyValuePair<TKey, TValue>> GetEnumerator()
    {
        using MapScan<TKey, TValue> scan = Scan();
        while (scan.MoveNext())
        {
            if (scan.TryGetValue(out TValue? value)) yield return new KeyValuePair<TKey, TValue>(scan.Key, value);
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private MapRange<TKey, TValue> Above(KeyBound bound) => new(_map, bound.Within(_from, isLower: true), _to, _isDescending);

    private MapRange<TKey, TValue> Below(KeyBound bound) => new(_map, _from, bound.Within(_to, isLower: false), _isDescending);
}
