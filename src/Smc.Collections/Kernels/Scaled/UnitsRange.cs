using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>Bounds of the values of an expression over the rows of a block, in units of its scale. Each operation rounds them outwards.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct UnitsRange
{
    private readonly double _low, _high;

    private UnitsRange(double low, double high)
    {
        _low = low;
        _high = high;
    }

    /// <summary>The values that a column has in a block.</summary>
    /// <safety><paramref name="zone"/> is the address of a zone map.</safety>
    public static UnitsRange OfZone(ulong zone) => Outwards(KernelMemory.Read<long>(zone), KernelMemory.Read<long>(zone + sizeof(long)));

    /// <summary>One value.</summary>
    public static UnitsRange Of(long units) => Outwards(units, units);

    /// <summary>
    /// Whether a product may be a zero without digits after the point: <see cref="decimal"/> makes that of zero and a number of more than 32 bits, whatever digits both have.
    /// </summary>
    /// <param name="left">The values of one factor.</param>
    /// <param name="right">Those of the other.</param>
    public static bool ProductMayLoseScale(UnitsRange left, UnitsRange right) =>
        (left.MayBeZero && right.MayBeWide) || (right.MayBeZero && left.MayBeWide);

    /// <summary>The values of a sum.</summary>
    public static UnitsRange Add(UnitsRange left, UnitsRange right) => Outwards(left._low + right._low, left._high + right._high);

    /// <summary>The values of a difference.</summary>
    public static UnitsRange Subtract(UnitsRange left, UnitsRange right) => Outwards(left._low - right._high, left._high - right._low);

    /// <summary>The values of a product.</summary>
    public static UnitsRange Multiply(UnitsRange left, UnitsRange right)
    {
        double a = left._low * right._low, b = left._low * right._high, c = left._high * right._low, d = left._high * right._high;
        return Outwards(Math.Min(Math.Min(a, b), Math.Min(c, d)), Math.Max(Math.Max(a, b), Math.Max(c, d)));
    }

    private bool MayBeZero => _low <= 0 && _high >= 0;

    private bool MayBeWide => _low < -(double)uint.MaxValue || _high > uint.MaxValue;

    private static UnitsRange Outwards(double low, double high) => new(Math.BitDecrement(low), Math.BitIncrement(high));
}
