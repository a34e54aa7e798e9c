using System.Numerics;
using Parquet.Data;

namespace Smc.Parquet;

/// <summary>Decimals of files whose columns have more digits than <see cref="decimal"/>.</summary>
internal static class WideDecimal
{
    /// <summary>The value, exactly.</summary>
    /// <exception cref="OverflowException">It has too many digits.</exception>
    public static decimal ToDecimal(BigDecimal value)
    {
        BigInteger units = value.UnscaledValue;
        int scale = value.Scale;
        // A column has one scale, which may leave zeros that a decimal has no room for.
        while (scale > 0 && (scale > 28 || units.GetBitLength() > 90))
        {
            (BigInteger shorter, BigInteger rest) = BigInteger.DivRem(units, 10);
            if (!rest.IsZero)
                break;
            (units, scale) = (shorter, scale - 1);
        }

        BigInteger magnitude = BigInteger.Abs(units);
        if (magnitude.GetBitLength() > 96 || scale > 28)
            throw new OverflowException($"{units}E-{scale} has more digits than a decimal.");
        UInt128 bits = (UInt128)magnitude;
        return new decimal((int)(uint)bits, (int)(uint)(bits >> 32), (int)(uint)(bits >> 64), units.Sign < 0, (byte)scale);
    }
}
