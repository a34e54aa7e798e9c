using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>The values of a key that rows are sorted by with a comparer of the user's; rows refer to them by number.</summary>
/// <typeparam name="T">The type of the key.</typeparam>
/// <param name="comparer">The comparer; null stands for the default one.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class SortValues<T>(IComparer<T>? comparer)
{
    private readonly IComparer<T> _comparer = comparer ?? Comparer<T>.Default;
    private readonly List<T> _values = [];

    /// <summary>Adds a value and returns its number.</summary>
    public int Add(T value)
    {
        _values.Add(value);
        return _values.Count - 1;
    }

    /// <summary>Compares two values by their numbers.</summary>
    public int Compare(int left, int right) => _comparer.Compare(_values[left], _values[right]);
}
