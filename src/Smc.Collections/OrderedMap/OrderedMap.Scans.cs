using System.Collections;
using Smc.Memory;

namespace Smc.Collections;

/// <content>Ranges, scans, and the map as a dictionary that is read.</content>
public sealed partial class OrderedMap<TKey, TValue>
{
    /// <summary>All keys, ascending.</summary>
    public MapRange<TKey, TValue> All => new(this);

    /// <summary>The keys in ascending order, as copies. Reading them takes time by their number.</summary>
    public IEnumerable<TKey> Keys => All.Select(static pair => pair.Key);

    /// <summary>The values in the order of their keys, as copies. Reading them takes time by their number.</summary>
    public IEnumerable<TValue> Values => All.Select(static pair => pair.Value);

    /// <summary>The keys from <paramref name="key"/> on.</summary>
    public MapRange<TKey, TValue> From(TKey key) => All.From(key);

    /// <summary>The keys above <paramref name="key"/>.</summary>
    public MapRange<TKey, TValue> After(TKey key) => All.After(key);

    /// <summary>The keys up to <paramref name="key"/>, that key included.</summary>
    public MapRange<TKey, TValue> UpTo(TKey key) => All.UpTo(key);

    /// <summary>The keys below <paramref name="key"/>.</summary>
    public MapRange<TKey, TValue> Before(TKey key) => All.Before(key);

    /// <summary>The keys, the highest first.</summary>
    public MapRange<TKey, TValue> Descending() => All.Descending();

    /// <inheritdoc cref="MapRange{TKey, TValue}.GetEnumerator"/>
    public IEnumerator<KeyValuePair<TKey, TValue>> GetEnumerator() => All.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    internal KeyBound BoundAt(TKey key, bool isIncluded)
    {
        using EncodedValue bytes = Encode(key, stackalloc byte[EncodedValue.StackBytes]);
        return new KeyBound(bytes.Bytes.ToArray(), isIncluded);
    }

    internal SliceScope OpenRead(SafePtr slice) => Heap.OpenRead(slice);
}
