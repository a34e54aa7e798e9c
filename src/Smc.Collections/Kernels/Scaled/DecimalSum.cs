using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Smc.Collections.Kernels;

/// <summary>
/// Sums of decimals, as decimal addition gives them, which tell whether it can have rounded. As long as it has not, the order of the additions
/// changes neither value nor scale, and sums of parts can be added.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class DecimalSum
{
    /// <summary>The high 32 bits of sums stay below this, the digits therefore below 2⁷²: sums of parts, aligned by <see cref="MostAlignment"/> digits, stay below 2⁹⁶.</summary>
    private const uint HighLimit = 1 << 8;

    /// <summary>10⁶ &lt; 2²⁰.</summary>
    private const int MostAlignment = 6;

    /// <summary>Adds a value to a sum.</summary>
    /// <param name="sum">The sum.</param>
    /// <param name="value">The value.</param>
    /// <param name="isInexact">Set when the sum has become so large that decimal addition may round.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static decimal Add(decimal sum, decimal value, ref bool isInexact)
    {
        Parts left = Unsafe.BitCast<decimal, Parts>(sum), right = Unsafe.BitCast<decimal, Parts>(value);
        if (left.Flags != right.Flags || (left.High | right.High) >= HighLimit / 2)
            return AddAny(sum, value, ref isInexact);
        ulong low = unchecked(left.Low + right.Low);
        uint carry = low < left.Low ? 1u : 0;
        return Unsafe.BitCast<Parts, decimal>(new Parts { Flags = left.Flags, High = left.High + right.High + carry, Low = low });
    }

    /// <summary>Adds the sum of a part of the values to the sum of those before.</summary>
    /// <param name="sum">The sum.</param>
    /// <param name="part">The sum of the part.</param>
    /// <param name="isInexact">Set when adding the part's values one by one might have rounded.</param>
    public static decimal AddPart(decimal sum, decimal part, ref bool isInexact)
    {
        // On the way to its end the part's sum may have had any number of digits below the limit, aligned to the scale of the sum before.
        isInexact |= sum.Scale - part.Scale > MostAlignment;
        return AddAny(sum, part, ref isInexact);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static decimal AddAny(decimal sum, decimal value, ref bool isInexact)
    {
        // The first value, and the zeros of sums with a condition.
        if (value == 0 && sum != 0 && value.Scale <= sum.Scale)
            return sum;
        if (sum == 0 && value != 0 && sum.Scale <= value.Scale && Unsafe.BitCast<decimal, Parts>(value).High < HighLimit)
            return value;
        decimal result = sum + value;
        isInexact |= Unsafe.BitCast<decimal, Parts>(result).High >= HighLimit || result.Scale < Math.Max(sum.Scale, value.Scale);
        return result;
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct Parts
    {
        public uint Flags, High;
        public ulong Low;
    }
}
