using System.ComponentModel;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Smc.Collections.Kernels;

/// <summary>
/// Decimals stored as integers: a column with <c>[Precision(p, s)]</c> holds <c>value × 10^s</c>, its units. Conversions are exact or refused,
/// and give back a <see cref="decimal"/> with exactly s digits after the point.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ScaledDecimal
{
    /// <summary>The most digits that a column can have.</summary>
    public const int MaxPrecision = 28;

    private static readonly ulong[] PowersOfTen = MakePowers();

    private static readonly Int128[] WidePowersOfTen = MakeWidePowers();

    /// <summary>The decimal of a 4- or 8-byte column.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static decimal ToDecimal(long units, int scale)
    {
        // As its constructor does, which looks at the scale each time.
        return Unsafe.BitCast<Parts, decimal>(new Parts((scale << 16) | ((int)(units >> 63) & int.MinValue), 0, (ulong)(units < 0 ? -units : units)));
    }

    /// <summary>The decimal of a 16-byte column.</summary>
    /// <exception cref="OverflowException">The units need more than the 96 bits of a decimal.</exception>
    public static decimal ToDecimal(Int128 units, int scale)
    {
        UInt128 magnitude = (UInt128)(Int128.IsNegative(units) ? -units : units);
        if (magnitude >> 96 != UInt128.Zero)
            throw new OverflowException("Value was either too large or too small for a Decimal.");
        ulong low = (ulong)magnitude;
        return new decimal((int)low, (int)(low >> 32), (int)(ulong)(magnitude >> 64), Int128.IsNegative(units), (byte)scale);
    }

    /// <summary>The units of a value for a 4-byte column.</summary>
    /// <inheritdoc cref="ToUnits64(decimal, int, int, string)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ToUnits32(decimal value, int precision, int scale, string property) => (int)ToUnits64(value, precision, scale, property);

    /// <summary>The units of a value for an 8-byte column.</summary>
    /// <param name="value">The value.</param>
    /// <param name="precision">Digits in all.</param>
    /// <param name="scale">Digits after the point.</param>
    /// <param name="property">The property's name, for the message.</param>
    /// <exception cref="ArgumentException">The value has more than <paramref name="scale"/> digits after the point.</exception>
    /// <exception cref="OverflowException">The value has more than <paramref name="precision"/> − <paramref name="scale"/> digits before the point.</exception>
    public static long ToUnits64(decimal value, int precision, int scale, string property)
    {
        Parts parts = Unsafe.BitCast<decimal, Parts>(value);
        int missing = scale - parts.Scale;
        if (parts.High == 0 && missing >= 0)
        {
            ulong overflow = Math.BigMul(parts.Low, PowersOfTen[missing], out ulong units);
            if (overflow == 0 && units < PowersOfTen[precision])
                return parts.IsNegative ? -(long)units : (long)units;
        }

        return (long)ToUnits128(value, precision, scale, property);
    }

    /// <summary>The units of a value for a 16-byte column.</summary>
    /// <inheritdoc cref="ToUnits64(decimal, int, int, string)"/>
    public static Int128 ToUnits128(decimal value, int precision, int scale, string property)
    {
        if (Math.Abs(value) < WholeLimit(precision, scale))
            return TryToUnits(value, scale, out Int128 units) ? units : throw NotExact(value, scale, property);
        throw OutOfRange(value, precision, scale, property);
    }

    /// <summary>The units of a value that is rounded to the scale first, for a 4-byte column.</summary>
    /// <inheritdoc cref="ToUnits128(decimal, int, int, MidpointRounding, string)"/>
    public static int ToUnits32(decimal value, int precision, int scale, MidpointRounding rounding, string property) =>
        (int)ToUnits128(value, precision, scale, rounding, property);

    /// <summary>The units of a value that is rounded to the scale first, for an 8-byte column.</summary>
    /// <inheritdoc cref="ToUnits128(decimal, int, int, MidpointRounding, string)"/>
    public static long ToUnits64(decimal value, int precision, int scale, MidpointRounding rounding, string property) =>
        (long)ToUnits128(value, precision, scale, rounding, property);

    /// <summary>The units of a value that is rounded to the scale first, for a 16-byte column.</summary>
    /// <param name="value">The value.</param>
    /// <param name="precision">Digits in all.</param>
    /// <param name="scale">Digits after the point.</param>
    /// <param name="rounding">How to round.</param>
    /// <param name="property">The property's name, for the message.</param>
    /// <exception cref="OverflowException">The rounded value has more than <paramref name="precision"/> − <paramref name="scale"/> digits before the point.</exception>
    public static Int128 ToUnits128(decimal value, int precision, int scale, MidpointRounding rounding, string property) =>
        ToUnits128(decimal.Round(value, scale, rounding), precision, scale, property);

    /// <summary>The units of a value at a scale, if it has no more digits than that: how kernels bring parameters to a column's scale.</summary>
    /// <param name="value">The value.</param>
    /// <param name="scale">Digits after the point, at most <see cref="MaxPrecision"/>.</param>
    /// <param name="units">The value × 10^<paramref name="scale"/>.</param>
    /// <returns>False when the value has more digits, or the units need more than 127 bits.</returns>
    public static bool TryToUnits(decimal value, int scale, out Int128 units)
    {
        Parts parts = Unsafe.BitCast<decimal, Parts>(value);
        Int128 mantissa = (Int128)new UInt128(parts.High, parts.Low);
        int missing = scale - parts.Scale;
        units = mantissa;
        if (missing < 0)
        {
            (units, Int128 rest) = Int128.DivRem(mantissa, WidePowersOfTen[-missing]);
            if (rest != Int128.Zero)
                return false;
        }
        else if (missing > 0)
        {
            if (mantissa > Int128.MaxValue / WidePowersOfTen[missing])
                return false;
            units = mantissa * WidePowersOfTen[missing];
        }

        if (parts.IsNegative)
            units = -units;
        return true;
    }

    /// <summary>As <see cref="TryToUnits(decimal, int, out Int128)"/>, false also when the units need more than 63 bits.</summary>
    public static bool TryToUnits(decimal value, int scale, out long units)
    {
        bool exact = TryToUnits(value, scale, out Int128 wide);
        units = unchecked((long)wide);
        return exact && wide == units;
    }

    /// <summary>10 to the power of <paramref name="digits"/>, 0 to 38.</summary>
    public static Int128 PowerOfTen(int digits) => WidePowersOfTen[digits];

    private static decimal WholeLimit(int precision, int scale) => (decimal)WidePowersOfTen[precision - scale];

    private static ArgumentException NotExact(decimal value, int scale, string property) => new(
        string.Create(CultureInfo.InvariantCulture, $"{property} cannot hold {value} exactly: it has {scale} digits after the point. Round the value, or let [Precision] round with Rounding = …."),
        property);

    private static OverflowException OutOfRange(decimal value, int precision, int scale, string property) => new(
        string.Create(CultureInfo.InvariantCulture, $"{property} cannot hold {value}: [Precision({precision}, {scale})] leaves {precision - scale} digits before the point."));

    private static ulong[] MakePowers()
    {
        // 10^19 is the last that fits; the rest only has to be larger than any 64-bit value that it is compared with or too large to multiply.
        ulong[] powers = new ulong[MaxPrecision + 1];
        powers[0] = 1;
        for (int i = 1; i < powers.Length; i++)
            powers[i] = i <= 19 ? powers[i - 1] * 10 : ulong.MaxValue;
        return powers;
    }

    private static Int128[] MakeWidePowers()
    {
        Int128[] powers = new Int128[39];
        powers[0] = Int128.One;
        for (int i = 1; i < powers.Length; i++)
            powers[i] = powers[i - 1] * 10;
        return powers;
    }

    /// <summary>A decimal as it lies in memory: the layout of the platform's DECIMAL, which interop fixes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private readonly struct Parts(int flags, uint high, ulong low)
    {
        private readonly int _flags = flags;
        public readonly uint High = high;
        public readonly ulong Low = low;

        public int Scale => (byte)(_flags >> 16);

        public bool IsNegative => _flags < 0;
    }
}
