using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>
/// Minima and maxima of integers in groups, held as unsigned ranks of which the greater one stays. 0, with which the memory of a group begins, is the rank of the value that no other is worse than,
/// so the first value needs no test; and there is no jump, which would be hard to foretell where a scan comes to groups in no order.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ExtremeRank
{
    /// <summary>The rank of a value of which the least is asked for.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint OfMinimum(int value) => unchecked((uint)(int.MaxValue - value));

    /// <inheritdoc cref="OfMinimum(int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong OfMinimum(long value) => unchecked((ulong)(long.MaxValue - value));

    /// <summary>The rank of a value of which the greatest is asked for.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint OfMaximum(int value) => unchecked((uint)(value - int.MinValue));

    /// <inheritdoc cref="OfMaximum(int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong OfMaximum(long value) => unchecked((ulong)(value - long.MinValue));

    /// <summary>The greater rank. <see cref="Math.Max(uint, uint)"/> jumps where it is in a loop.</summary>
    /// <param name="known">The rank so far.</param>
    /// <param name="rank">That of one more value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Greater(uint known, uint rank)
    {
        long ahead = (long)known - rank;
        return (uint)unchecked(known - (ahead & (ahead >> 63)));
    }

    /// <inheritdoc cref="Greater(uint, uint)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Greater(ulong known, ulong rank) => known ^ ((known ^ rank) & unchecked(0 - KernelMemory.ToUInt64(known < rank)));

    /// <summary>A rank, or that of nothing.</summary>
    /// <param name="isTaken">Whether the value counts.</param>
    /// <param name="rank">Its rank.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint If(bool isTaken, uint rank) => unchecked(rank & (0 - (uint)KernelMemory.ToUInt64(isTaken)));

    /// <inheritdoc cref="If(bool, uint)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong If(bool isTaken, ulong rank) => unchecked(rank & (0 - KernelMemory.ToUInt64(isTaken)));

    /// <summary>The value with a rank by <see cref="OfMinimum(int)"/>.</summary>
    public static int Minimum(uint rank) => unchecked(int.MaxValue - (int)rank);

    /// <summary>The value with a rank by <see cref="OfMinimum(long)"/>.</summary>
    public static long Minimum(ulong rank) => unchecked(long.MaxValue - (long)rank);

    /// <summary>The value with a rank by <see cref="OfMaximum(int)"/>.</summary>
    public static int Maximum(uint rank) => unchecked((int)rank + int.MinValue);

    /// <summary>The value with a rank by <see cref="OfMaximum(long)"/>.</summary>
    public static long Maximum(ulong rank) => unchecked((long)rank + long.MinValue);
}
