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

    /// <summary>The minimum with one more value. Without a branch, for the groups that a scan comes to in no order: each has few values before it, so which is less is hard to foretell.</summary>
    /// <param name="value">The value.</param>
    /// <param name="minimum">The minimum so far.</param>
    /// <param name="isFirst">Whether there was no value before.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Least(long value, long minimum, bool isFirst) => Choose(value, minimum, isFirst | (value < minimum));

    /// <summary>The minimum with one more value, if it is taken.</summary>
    /// <param name="value">The value.</param>
    /// <param name="minimum">The minimum so far.</param>
    /// <param name="isFirst">Whether there was no value before.</param>
    /// <param name="isTaken">Whether the value counts.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Least(long value, long minimum, bool isFirst, bool isTaken) => Choose(value, minimum, isTaken & (isFirst | (value < minimum)));

    /// <summary>The maximum with one more value, if it is taken.</summary>
    /// <inheritdoc cref="Least(long, long, bool, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Most(long value, long maximum, bool isFirst, bool isTaken) => Choose(value, maximum, isTaken & (isFirst | (value > maximum)));

    /// <summary>The maximum with one more value. Without a branch.</summary>
    /// <inheritdoc cref="Least(long, long, bool)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Most(long value, long maximum, bool isFirst) => Choose(value, maximum, isFirst | (value > maximum));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static long Choose(long value, long other, bool takesValue) => value ^ ((value ^ other) & ((long)KernelMemory.ToUInt64(takesValue) - 1));

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
