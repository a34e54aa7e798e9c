using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>Result collections of the right size, also of elements whose type has no name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ResultRows
{
    /// <summary>An empty list with room for so many elements of the type of <paramref name="witness"/>.</summary>
    public static List<T> List<T>(int count, T? witness) => new(count);

    /// <summary>An array for so many elements of the type of <paramref name="witness"/>.</summary>
    public static T[] Array<T>(int count, T? witness) => Array<T>(count);

    /// <summary>An array for so many elements; the empty one is shared, as LINQ's is.</summary>
    public static T[] Array<T>(int count) => count == 0 ? [] : new T[count];
}
