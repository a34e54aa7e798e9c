using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>Totals of scaled decimals, kept as integers during a query and made into a <see cref="decimal"/> once.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ScaledTotal
{
    /// <summary>The decimal with the value and the scale that adding decimals gives; false when it has more than 96 bits, where decimal addition rounds or overflows.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static bool TryToDecimal(Int128 units, int scale, out decimal value)
    {
        bool negative = units < 0;
        UInt128 magnitude = negative ? (UInt128)(-units) : (UInt128)units;
        ulong high = (ulong)(magnitude >> 64), low = (ulong)magnitude;
        bool fits = high <= uint.MaxValue;
        value = fits ? new decimal((int)(uint)low, (int)(uint)(low >> 32), (int)(uint)high, negative, (byte)scale) : 0;
        return fits;
    }

    /// <summary>As <see cref="TryToDecimal"/>, for values known to fit.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static decimal ToDecimal(Int128 units, int scale)
    {
        TryToDecimal(units, scale, out decimal value);
        return value;
    }
}
