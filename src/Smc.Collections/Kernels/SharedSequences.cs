using System.Collections;
using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>The sequences of a result by what they depend on: the partners of one key are made once, as in LINQ, and not for each element with that key. Of one thread.</summary>
/// <typeparam name="TKey">The type of what they depend on.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct SharedSequences<TKey>
{
    // Fewer elements are made again in the time that it takes to remember them.
    private const int Few = 16;

    // In a tuple, because a dictionary's key cannot be null as far as the compiler knows.
    private Dictionary<ValueTuple<TKey>, object>? _known;

    /// <summary>The sequence that was kept; null if there is none.</summary>
    public readonly object? Find(TKey key) => _known is not null && _known.TryGetValue(new ValueTuple<TKey>(key), out object? sequence) ? sequence : null;

    /// <summary>Keeps a sequence, if it is long.</summary>
    /// <param name="key">What it depends on.</param>
    /// <param name="sequence">A list.</param>
    public void Keep(TKey key, object sequence)
    {
        if (sequence is ICollection { Count: >= Few })
            (_known ??= [])[new ValueTuple<TKey>(key)] = sequence;
    }
}
