using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>Numbers values of any type as <c>EqualityComparer&lt;T&gt;.Default</c> tells them apart, so that kernels can group and join by the numbers. Null is number 0.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class ValueNumbers<T>
{
    // In a tuple, because a dictionary's key cannot be null as far as the compiler knows.
    private readonly Dictionary<ValueTuple<T>, int> _numbers = [];
    private readonly List<T> _values = [default!];

    /// <summary>The first value that got a number.</summary>
    public T this[ulong number] => _values[(int)number];

    /// <summary>The number of a value.</summary>
    public ulong Of(T value)
    {
        if (value is null)
            return 0;
        if (_numbers.TryGetValue(new ValueTuple<T>(value), out int number))
            return (ulong)number;
        _numbers.Add(new ValueTuple<T>(value), _values.Count);
        _values.Add(value);
        return (ulong)(_values.Count - 1);
    }
}
