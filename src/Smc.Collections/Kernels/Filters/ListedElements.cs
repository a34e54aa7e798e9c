using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>Sequences whose <c>Contains</c> compares elements by their default equality, so that a copy of the elements gives the same answers.</summary>
internal static class ListedElements
{
    /// <summary>More elements of a set are found faster by its hashes than one after the other.</summary>
    private const int MostOfSet = 32;

    /// <summary>What the compiler calls the types that it makes for <c>IReadOnlyList&lt;T&gt; list = [a, b]</c> and the like.</summary>
    private const string MadeByCompiler = "<>z__ReadOnly";

    /// <summary>The sequence, if its elements may be copied; null for other sequences, which may compare in their own way.</summary>
    public static IReadOnlyCollection<T>? TryTake<T>(IEnumerable<T>? sequence) => TryTakeAny(sequence) is { } taken && (taken is not HashSet<T> || taken.Count <= MostOfSet) ? taken : null;

    /// <summary>As <see cref="TryTake"/>, also sets with more elements.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static IReadOnlyCollection<T>? TryTakeAny<T>(IEnumerable<T>? sequence) => sequence switch
    {
        null => null,
        T[] array when array.GetType() == typeof(T[]) => array,
        List<T> list when list.GetType() == typeof(List<T>) => list,
        HashSet<T> set when set.GetType() == typeof(HashSet<T>) && set.Comparer == EqualityComparer<T>.Default => set,
        IReadOnlyList<T> list when list.GetType() is { Namespace: null } type && type.Name.StartsWith(MadeByCompiler, StringComparison.Ordinal) => list,
        _ => null,
    };
}
