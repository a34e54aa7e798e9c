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
    private readonly List<T> _kept = [];
    private T _last = default!;

    /// <summary>The first value that got a number.</summary>
    public T this[ulong number] => _values[(int)number];

    /// <summary>The number of a value.</summary>
    public ulong Of(T value)
    {
        _last = value;
        if (value is null)
            return 0;
        if (_numbers.TryGetValue(new ValueTuple<T>(value), out int number))
            return (ulong)number;
        _numbers.Add(new ValueTuple<T>(value), _values.Count);
        _values.Add(value);
        return (ulong)(_values.Count - 1);
    }

    /// <summary>Keeps the value that was asked for last as it is: one of its number may have been another.</summary>
    /// <returns>Where it is kept.</returns>
    public ulong KeepLast()
    {
        _kept.Add(_last);
        return (ulong)(_kept.Count - 1);
    }

    /// <summary>A value that was kept.</summary>
    public T Kept(ulong place) => _kept[(int)place];
}
