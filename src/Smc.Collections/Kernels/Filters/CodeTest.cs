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

    /// <summary>The rows whose code tells a value, and not one from <paramref name="low"/> to <paramref name="low"/> + <paramref name="span"/>.</summary>
    /// <safety>There are 64 codes.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe ulong TellOther(ushort* codes, Vector256<ushort> low, Vector256<ushort> span)
    {
        // SAFETY: as the caller promises.
        ulong first = Bits(TellsOther(codes, low, span), TellsOther(codes + Lanes, low, span));
        ulong second = Bits(TellsOther(codes + (2 * Lanes), low, span), TellsOther(codes + (3 * Lanes), low, span));
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

    /// <summary>The rows with an unknown code or one of two others.</summary>
    /// <safety>There are 64 codes.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe ulong Open(ushort* codes, Vector256<ushort> one, Vector256<ushort> other)
    {
        // SAFETY: as the caller promises.
        ulong first = Bits(IsOpen(codes, one, other), IsOpen(codes + Lanes, one, other));
        ulong second = Bits(IsOpen(codes + (2 * Lanes), one, other), IsOpen(codes + (3 * Lanes), one, other));
        return first | (second << 32);
    }

    /// <summary>The rows with an unknown code.</summary>
    /// <safety>There are 64 codes.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe ulong Unknown(ushort* codes)
    {
        // SAFETY: as the caller promises.
        ulong first = Bits(IsUnknown(codes), IsUnknown(codes + Lanes));
        ulong second = Bits(IsUnknown(codes + (2 * Lanes)), IsUnknown(codes + (3 * Lanes)));
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
    private static unsafe Vector256<ushort> TellsOther(ushort* codes, Vector256<ushort> low, Vector256<ushort> span)
    {
        // Loaded once: a writer may change it meanwhile.
        Vector256<ushort> code = Vector256.Load(codes);
        return Vector256.AndNot(TellValues(code), IsBetween(code, low, span));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe Vector256<ushort> IsOpen(ushort* codes, Vector256<ushort> one, Vector256<ushort> other)
    {
        Vector256<ushort> code = Vector256.Load(codes);
        return Vector256.Equals(code, Vector256.Create(ColumnSketch.Unknown)) | Vector256.Equals(code, one) | Vector256.Equals(code, other);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe Vector256<ushort> IsUnknown(ushort* codes) => Vector256.Equals(Vector256.Load(codes), Vector256.Create(ColumnSketch.Unknown));

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
