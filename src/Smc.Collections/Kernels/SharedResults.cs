using System.Collections;
using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>Results of a part of a query by what they depend on: the partners of one key are made once, as in LINQ, and not for each element with that key. Of one thread.</summary>
/// <typeparam name="TKey">The type of what they depend on.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct SharedResults<TKey>
{
    // Of many keys, sequences of fewer elements are made again in the time that it takes to remember them. Of few keys, each sequence may have cost a scan of all rows.
    private const int Few = 16;

    // In a tuple, because a dictionary's key cannot be null as far as the compiler knows.
    private Dictionary<ValueTuple<TKey>, object?>? _known;

    /// <summary>Whether there is a result that was kept.</summary>
    /// <param name="key">What it depends on.</param>
    /// <param name="result">The result.</param>
    public readonly bool TryFind(TKey key, out object? result)
    {
        result = null;
        return _known is not null && _known.TryGetValue(new ValueTuple<TKey>(key), out result);
    }

    /// <summary>Keeps a result, unless it is a short sequence and there are many keys.</summary>
    /// <param name="key">What it depends on.</param>
    /// <param name="result">A list, or a single value.</param>
    public void Keep(TKey key, object? result)
    {
        _known ??= [];
        if (_known.Count < Few || result is not ICollection { Count: < Few })
            _known[new ValueTuple<TKey>(key)] = result;
    }
}
