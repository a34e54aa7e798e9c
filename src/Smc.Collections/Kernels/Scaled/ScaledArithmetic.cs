using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>Arithmetic of decimals whose scales are known, as 64-bit integers. What does not fit is told, not raised: the caller lets decimals decide then.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ScaledArithmetic
{
    /// <summary>The sum of two numbers of one scale.</summary>
    /// <param name="left">A number.</param>
    /// <param name="right">Another number.</param>
    /// <param name="isTooLarge">Set when the result has more than 64 bits, and is then any number.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Add(long left, long right, ref bool isTooLarge)
    {
        long sum = unchecked(left + right);
        if (((left ^ sum) & (right ^ sum)) < 0)
            isTooLarge = true;
        return sum;
    }

    /// <summary>The difference of two numbers of one scale.</summary>
    /// <inheritdoc cref="Add"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Subtract(long left, long right, ref bool isTooLarge)
    {
        long difference = unchecked(left - right);
        if (((left ^ right) & (left ^ difference)) < 0)
            isTooLarge = true;
        return difference;
    }

    /// <summary>The product of two numbers; its scale is the sum of theirs, but for a zero that decimals make of a number with more than 32 bits: theirs has no digits after the point.</summary>
    /// <inheritdoc cref="Add"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Multiply(long left, long right, ref bool isTooLarge)
    {
        long product = Align(left, right, ref isTooLarge);
        if (product == 0 && unchecked(((ulong)(left < 0 ? -left : left)) | (ulong)(right < 0 ? -right : right)) > uint.MaxValue)
            isTooLarge = true;
        return product;
    }

    /// <summary>A number with more digits after the point.</summary>
    /// <param name="number">The number.</param>
    /// <param name="factor">A power of ten.</param>
    /// <param name="isTooLarge">As in <see cref="Add"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Align(long number, long factor, ref bool isTooLarge)
    {
        long high = Math.BigMul(number, factor, out long low);
        if (high != low >> 63)
            isTooLarge = true;
        return low;
    }
}
