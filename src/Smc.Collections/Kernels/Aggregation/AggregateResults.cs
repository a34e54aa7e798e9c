using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>The ends of aggregates: results in the type that LINQ gives, and its exceptions.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class AggregateResults
{
    /// <summary>The key of a group where LINQ refuses null.</summary>
    /// <exception cref="ArgumentNullException">It is null.</exception>
    public static T KeyNotNull<T>(T key) => key is null ? throw new ArgumentNullException(nameof(key)) : key;

    /// <summary>A total as <c>int</c>.</summary>
    /// <exception cref="OverflowException">It does not fit.</exception>
    public static int ToInt32(Int128 total) => checked((int)total);

    /// <summary>A total as <c>long</c>.</summary>
    /// <exception cref="OverflowException">It does not fit.</exception>
    public static long ToInt64(Int128 total) => checked((long)total);

    /// <summary>What LINQ raises when there is no element.</summary>
    public static InvalidOperationException NoElements() => new("Sequence contains no elements");

    /// <summary>What LINQ raises when there are several elements and one was asked for.</summary>
    public static InvalidOperationException MoreThanOneElement() => new("Sequence contains more than one element");

    /// <summary>What LINQ throws when no element matches a predicate.</summary>
    public static InvalidOperationException NoMatch() => new("Sequence contains no matching element");

    /// <summary>What LINQ throws when several elements match a predicate and one was asked for.</summary>
    public static InvalidOperationException MoreThanOneMatch() => new("Sequence contains more than one matching element");

    /// <summary>Whether a value replaces the minimum so far: NaN is less than everything, equal values keep the first.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsLess<T>(T value, T minimum)
    {
        if (typeof(T) == typeof(double))
            return (double)(object)value! < (double)(object)minimum! || double.IsNaN((double)(object)value!);
        if (typeof(T) == typeof(float))
            return (float)(object)value! < (float)(object)minimum! || float.IsNaN((float)(object)value!);
        return Comparer<T>.Default.Compare(value, minimum) < 0;
    }

    /// <summary>Whether a value replaces the maximum so far: everything is greater than NaN.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsGreater<T>(T value, T maximum)
    {
        if (typeof(T) == typeof(double))
            return (double)(object)value! > (double)(object)maximum! || double.IsNaN((double)(object)maximum!);
        if (typeof(T) == typeof(float))
            return (float)(object)value! > (float)(object)maximum! || float.IsNaN((float)(object)maximum!);
        return Comparer<T>.Default.Compare(value, maximum) > 0;
    }
}
