using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>
/// The stored values that satisfy all comparisons of a query with one column: an interval of signed integers, which every integer-like column is
/// (dates, times, enums, characters, scaled decimals). Computed once per query; compared with zone maps, then with whole columns.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ValueRange(long low, long high)
{
    /// <summary>Every value.</summary>
    public static ValueRange All => new(long.MinValue, long.MaxValue);

    /// <summary>No value.</summary>
    public static ValueRange None => new(long.MaxValue, long.MinValue);

    /// <summary>The smallest value in the range.</summary>
    public long Low { get; } = low;

    /// <summary>The largest value in the range.</summary>
    public long High { get; } = high;

    internal bool IsAll => Low == long.MinValue && High == long.MaxValue;

    /// <summary>Whether no value is in the range.</summary>
    public bool IsEmpty => Low > High;

    /// <summary>The values of this range that are at least <paramref name="value"/>.</summary>
    public ValueRange AtLeast(long value) => new(Math.Max(Low, value), High);

    /// <summary>The values of this range that are at most <paramref name="value"/>.</summary>
    public ValueRange AtMost(long value) => new(Low, Math.Min(High, value));

    /// <summary>The values of this range above <paramref name="value"/>.</summary>
    public ValueRange Above(long value) => value == long.MaxValue ? None : AtLeast(value + 1);

    /// <summary>The values of this range below <paramref name="value"/>.</summary>
    public ValueRange Below(long value) => value == long.MinValue ? None : AtMost(value - 1);

    /// <summary>The value itself, if it is in this range.</summary>
    public ValueRange Exactly(long value) => AtLeast(value).AtMost(value);

    /// <summary>As <see cref="AtLeast(long)"/> for a column of decimals with <paramref name="scale"/> digits after the point.</summary>
    public ValueRange AtLeast(decimal value, int scale) => ScaledBound.Ceiling(value, scale, out long units) ? AtLeast(units) : value > 0 ? None : this;

    /// <summary>As <see cref="AtMost(long)"/> for decimals.</summary>
    public ValueRange AtMost(decimal value, int scale) => ScaledBound.Floor(value, scale, out long units) ? AtMost(units) : value < 0 ? None : this;

    /// <summary>As <see cref="Above(long)"/> for decimals.</summary>
    public ValueRange Above(decimal value, int scale) => ScaledBound.Floor(value, scale, out long units) ? Above(units) : value > 0 ? None : this;

    /// <summary>As <see cref="Below(long)"/> for decimals.</summary>
    public ValueRange Below(decimal value, int scale) => ScaledBound.Ceiling(value, scale, out long units) ? Below(units) : value < 0 ? None : this;

    /// <summary>As <see cref="Exactly(long)"/> for decimals; no stored value equals one with more digits than the column has.</summary>
    public ValueRange Exactly(decimal value, int scale) =>
        ScaledBound.Floor(value, scale, out long floor) && ScaledBound.Ceiling(value, scale, out long ceiling) && floor == ceiling ? Exactly(floor) : None;

    /// <summary>This range, or none: what is compared with null is not in any.</summary>
    public ValueRange OnlyIf(bool condition) => condition ? this : None;

    /// <summary>Whether a value is in the range.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Contains(long value) => value >= Low && value <= High;
}
