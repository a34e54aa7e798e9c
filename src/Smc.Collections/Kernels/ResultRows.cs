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

    /// <summary>An empty set of elements of the type of <paramref name="witness"/>.</summary>
    public static HashSet<T> HashSet<T>(T? witness) => [];

    /// <summary>An empty dictionary of the types of the witnesses.</summary>
    public static Dictionary<TKey, T> Dictionary<TKey, T>(TKey? key, T? witness, IEqualityComparer<TKey>? comparer = null)
        where TKey : notnull => new(comparer);

    /// <summary>An empty list of keys and elements for a look-up.</summary>
    public static List<KeyValuePair<TKey, T>> Pairs<TKey, T>(TKey? key, T? witness) => [];

    /// <summary>The elements of a list as an array; the empty one is shared, as LINQ's is.</summary>
    public static T[] ToArray<T>(List<T> rows) => rows.Count == 0 ? [] : [.. rows];

    /// <summary>Keys and elements as a look-up.</summary>
    public static ILookup<TKey, T> ToLookup<TKey, T>(List<KeyValuePair<TKey, T>> pairs, IEqualityComparer<TKey>? comparer = null) =>
        pairs.ToLookup(pair => pair.Key, pair => pair.Value, comparer);

    /// <summary>A group.</summary>
    public static IGrouping<TKey, T> Group<TKey, T>(TKey key, List<T> rows) => new ResultGroup<TKey, T>(key, rows);

    /// <summary>A sequence that a query reads.</summary>
    /// <exception cref="ArgumentNullException">It is null.</exception>
    public static T Source<T>(T? source)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(source);
        return source;
    }
}
