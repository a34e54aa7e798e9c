using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>Decimals as units of a scale (12.345 at scale 2 lies between 1234 and 1235 units), for comparisons with stored scaled decimals that must be exact.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ScaledBound
{
    private static readonly Int128 s_largest = long.MaxValue, s_smallest = long.MinValue;

    /// <summary>The largest number of units that is not above the value; false when it does not fit 64 bits.</summary>
    public static bool Floor(decimal value, int scale, out long units) => Fits(Round(value, scale, towardsCeiling: false), out units);

    /// <summary>The smallest number of units that is not below the value; false when it does not fit 64 bits.</summary>
    public static bool Ceiling(decimal value, int scale, out long units) => Fits(Round(value, scale, towardsCeiling: true), out units);

    private static bool Fits(Int128? rounded, out long units)
    {
        bool fits = rounded >= s_smallest && rounded <= s_largest;
        units = fits ? (long)rounded.GetValueOrDefault() : 0;
        return fits;
    }

    private static Int128? Round(decimal value, int scale, bool towardsCeiling)
    {
        (Int128 mantissa, int own) = Parts(value);
        if (own <= scale)
        {
            // 18 digits more than a 64-bit number holds are out of range whatever the mantissa is, and 96 + 63 bits would overflow.
            for (int i = own; i < scale; i++)
            {
                mantissa *= 10;
                if (mantissa > s_largest || mantissa < s_smallest)
                    return null;
            }

            return mantissa;
        }

        Int128 divisor = Int128.One;
        for (int i = scale; i < own; i++)
            divisor *= 10;
        (Int128 quotient, Int128 rest) = Int128.DivRem(mantissa, divisor);
        if (towardsCeiling)
            return rest > 0 ? quotient + 1 : quotient;
        return rest < 0 ? quotient - 1 : quotient;
    }

    private static (Int128 Mantissa, int Scale) Parts(decimal value)
    {
        Span<int> bits = stackalloc int[4];
        decimal.GetBits(value, bits);
        Int128 mantissa = new((uint)bits[2], ((ulong)(uint)bits[1] << 32) | (uint)bits[0]);
        return (bits[3] < 0 ? -mantissa : mantissa, (bits[3] >> 16) & 0xFF);
    }
}
