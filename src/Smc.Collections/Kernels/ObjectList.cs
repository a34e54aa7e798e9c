using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>Values of a query that cannot lie in its region, by number. Number 0 is the type's default.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class ObjectList<T>
{
    private readonly List<T> _values = [default!];

    /// <summary>The value with a number.</summary>
    public T this[int number] => _values[number];

    /// <summary>Adds a value and gives its number.</summary>
    public int Add(T value)
    {
        _values.Add(value);
        return _values.Count - 1;
    }

    /// <summary>Replaces the value with a number; 0 gets a new one. Gives the number.</summary>
    public int Put(int number, T value)
    {
        if (number == 0)
            return Add(value);
        _values[number] = value;
        return number;
    }
}
