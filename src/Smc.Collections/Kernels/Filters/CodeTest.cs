using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>Compares the sketch codes of 64 rows; the answer has a bit for each.</summary>
internal static class CodeTest
{
    private const int Lanes = 16;

    /// <summary>The rows with a code from <paramref name="low"/> to <paramref name="low"/> + <paramref name="span"/>.</summary>
    /// <safety>There are 64 codes.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe ulong Between(ushort* codes, Vector256<ushort> low, Vector256<ushort> span)
    {
        // SAFETY: as the caller promises.
        ulong first = Bits(IsBetween(codes, low, span), IsBetween(codes + Lanes, low, span));
        ulong second = Bits(IsBetween(codes + (2 * Lanes), low, span), IsBetween(codes + (3 * Lanes), low, span));
        return first | (second << 32);
    }

    /// <summary>The rows with a code from <paramref name="low"/> to <paramref name="high"/>; writes the codes down, those outside as the nearest one inside.</summary>
    /// <safety>There are 64 codes, and room for as many.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe ulong Bound(ushort* codes, Vector256<ushort> low, Vector256<ushort> high, ushort* bounded)
    {
        // SAFETY: as the caller promises.
        ulong first = Bits(BoundLanes(codes, low, high, bounded), BoundLanes(codes + Lanes, low, high, bounded + Lanes));
        ulong second = Bits(BoundLanes(codes + (2 * Lanes), low, high, bounded + (2 * Lanes)), BoundLanes(codes + (3 * Lanes), low, high, bounded + (3 * Lanes)));
        return first | (second << 32);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe Vector256<ushort> BoundLanes(ushort* codes, Vector256<ushort> low, Vector256<ushort> high, ushort* bounded)
    {
        // SAFETY: as the callers promise. Loaded once: a code that a writer changes meanwhile counts as it is read here.
        Vector256<ushort> code = Vector256.Load(codes), inside = Vector256.Min(Vector256.Max(code, low), high);
        Vector256.Store(inside, bounded);
        return Vector256.Equals(code, inside);
    }

    /// <summary>The rows with a code from <paramref name="low"/> to <paramref name="low"/> + <paramref name="span"/>, and those with an unknown code.</summary>
    /// <remarks>Each code is loaded once: one that is unknown may be known a moment later, and would be neither.</remarks>
    /// <safety>There are 64 codes.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe ulong Between(ushort* codes, Vector256<ushort> low, Vector256<ushort> span, out ulong unknown)
    {
        // SAFETY: as the caller promises.
        Vector256<ushort> a = Vector256.Load(codes), b = Vector256.Load(codes + Lanes), c = Vector256.Load(codes + (2 * Lanes)), d = Vector256.Load(codes + (3 * Lanes));
        unknown = Bits(IsUnknown(a), IsUnknown(b)) | ((ulong)Bits(IsUnknown(c), IsUnknown(d)) << 32);
        return Bits(IsBetween(a, low, span), IsBetween(b, low, span)) | ((ulong)Bits(IsBetween(c, low, span), IsBetween(d, low, span)) << 32);
    }

    /// <summary>As <see cref="Between(ushort*, Vector256{ushort}, Vector256{ushort}, out ulong)"/>, with the rows whose code is unknown or one of two others.</summary>
    /// <safety>There are 64 codes.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe ulong Between(ushort* codes, Vector256<ushort> low, Vector256<ushort> span, Vector256<ushort> one, Vector256<ushort> other, out ulong open)
    {
        // SAFETY: as the caller promises.
        Vector256<ushort> a = Vector256.Load(codes), b = Vector256.Load(codes + Lanes), c = Vector256.Load(codes + (2 * Lanes)), d = Vector256.Load(codes + (3 * Lanes));
        open = Bits(IsOpen(a, one, other), IsOpen(b, one, other)) | ((ulong)Bits(IsOpen(c, one, other), IsOpen(d, one, other)) << 32);
        return Bits(IsBetween(a, low, span), IsBetween(b, low, span)) | ((ulong)Bits(IsBetween(c, low, span), IsBetween(d, low, span)) << 32);
    }

    /// <summary>The rows whose code tells a value that is not in a range of codes. Each code is loaded once.</summary>
    /// <param name="codes">The codes.</param>
    /// <param name="low">The least code of the range.</param>
    /// <param name="span">What the greatest is more.</param>
    /// <safety>There are 64 codes.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe ulong TellOthers(ushort* codes, Vector256<ushort> low, Vector256<ushort> span)
    {
        // SAFETY: as the caller promises.
        ulong first = Bits(TellsOther(Vector256.Load(codes), low, span), TellsOther(Vector256.Load(codes + Lanes), low, span));
        ulong second = Bits(TellsOther(Vector256.Load(codes + (2 * Lanes)), low, span), TellsOther(Vector256.Load(codes + (3 * Lanes)), low, span));
        return first | (second << 32);
    }

    // Without sign, code - low is at most the span in the range and wraps around below it.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe Vector256<ushort> IsBetween(ushort* codes, Vector256<ushort> low, Vector256<ushort> span) => IsBetween(Vector256.Load(codes), low, span);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ushort> IsBetween(Vector256<ushort> codes, Vector256<ushort> low, Vector256<ushort> span)
    {
        Vector256<ushort> above = codes - low;
        return Vector256.Equals(Vector256.Min(above, span), above);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ushort> IsOpen(Vector256<ushort> codes, Vector256<ushort> one, Vector256<ushort> other) =>
        IsUnknown(codes) | Vector256.Equals(codes, one) | Vector256.Equals(codes, other);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ushort> IsUnknown(Vector256<ushort> codes) => Vector256.Equals(codes, Vector256.Create(ColumnSketch.Unknown));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ushort> TellsOther(Vector256<ushort> codes, Vector256<ushort> low, Vector256<ushort> span) => Vector256.AndNot(TellValues(codes), IsBetween(codes, low, span));

    /// <summary>The lanes whose code tells a value, or one of a step: all ones.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Vector256<ushort> TellValues(Vector256<ushort> codes) =>
        IsBetween(codes, Vector256.Create(ColumnSketch.First), Vector256.Create((ushort)(ColumnSketch.Steps - 1)));

    /// <summary>A bit for each of 32 lanes that are all ones or all zeros.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Bits(Vector256<ushort> low, Vector256<ushort> high)
    {
        if (!Avx2.IsSupported)
            return Vector256.Narrow(low, high).ExtractMostSignificantBits();
        // Saturation keeps all ones and all zeros; the instruction works within halves, so the quarters come out of order.
        Vector256<long> packed = Avx2.PackSignedSaturate(low.AsInt16(), high.AsInt16()).AsInt64();
        return Avx2.Permute4x64(packed, 0b_11_01_10_00).AsByte().ExtractMostSignificantBits();
    }
}
