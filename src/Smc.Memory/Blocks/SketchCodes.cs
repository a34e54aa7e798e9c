using System.Numerics;
using System.Runtime.CompilerServices;

namespace Smc.Memory.Blocks;

/// <summary>The codes of a whole column of a block, many at a time: the same as <see cref="ColumnSketch.CodeOf"/> gives.</summary>
internal static class SketchCodes
{
    /// <summary>Writes the codes of as many values as vectors take.</summary>
    /// <typeparam name="T">An integer of 4 or 8 bytes; others are left to the caller.</typeparam>
    /// <param name="values">The values, without gaps.</param>
    /// <param name="codes">Get the codes.</param>
    /// <param name="zone">The scale.</param>
    /// <param name="flip">What values are combined with to be in the order of signed numbers.</param>
    /// <param name="min">No value is below this, nulls included.</param>
    /// <param name="max">No value is above this, nulls included.</param>
    /// <returns>How many values have their codes: a multiple of the length of a vector.</returns>
    public static int Write<T>(ReadOnlySpan<T> values, Span<ushort> codes, ZoneView zone, long flip, long min, long max)
        where T : unmanaged
    {
        if (Unsafe.SizeOf<T>() == sizeof(long)) return Write(Cast<T, long>(values), codes, zone.Origin, zone.Shift, flip);
        // Differences have to fit as many bits as the values have.
        bool fits = Unsafe.SizeOf<T>() == sizeof(int) && flip == 0 && min >= zone.Origin && max >= min && max - zone.Origin <= uint.MaxValue;
        return fits ? Write(Cast<T, uint>(values), codes, (uint)zone.Origin, zone.Shift) : 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static int Write(ReadOnlySpan<long> values, Span<ushort> codes, long origin, int shift, long flip)
    {
        int length = Vector<ushort>.Count, done = 0;
        for (; done + length <= values.Length; done += length)
        {
            Vector<uint> lower = Vector.Narrow(CodesOf(values[done..], origin, shift, flip), CodesOf(values[(done + (length / 4))..], origin, shift, flip));
            Vector<uint> upper = Vector.Narrow(CodesOf(values[(done + (length / 2))..], origin, shift, flip), CodesOf(values[(done + (length / 4 * 3))..], origin, shift, flip));
            Vector.Narrow(lower, upper).CopyTo(codes[done..]);
        }
        return done;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector<ulong> CodesOf(ReadOnlySpan<long> values, long origin, int shift, long flip)
    {
        Vector<long> value = new Vector<long>(values) ^ new Vector<long>(flip);
        Vector<ulong> step = Vector.ShiftRightLogical((value - new Vector<long>(origin)).As<long, ulong>(), shift);
        Vector<ulong> code = Vector.Min(step, new Vector<ulong>(ColumnSketch.Steps)) + new Vector<ulong>(ColumnSketch.First);
        return Vector.ConditionalSelect(Vector.LessThan(value, new Vector<long>(origin)).As<long, ulong>(), new Vector<ulong>(ColumnSketch.Below), code);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static int Write(ReadOnlySpan<uint> values, Span<ushort> codes, uint origin, int shift)
    {
        int length = Vector<ushort>.Count, done = 0;
        for (; done + length <= values.Length; done += length)
            Vector.Narrow(CodesOf(values[done..], origin, shift), CodesOf(values[(done + (length / 2))..], origin, shift)).CopyTo(codes[done..]);
        return done;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector<uint> CodesOf(ReadOnlySpan<uint> values, uint origin, int shift)
    {
        Vector<uint> step = Vector.ShiftRightLogical(new Vector<uint>(values) - new Vector<uint>(origin), shift);
        return Vector.Min(step, new Vector<uint>(ColumnSketch.Steps)) + new Vector<uint>(ColumnSketch.First);
    }

    private static ReadOnlySpan<TTo> Cast<TFrom, TTo>(ReadOnlySpan<TFrom> values)
        where TFrom : unmanaged
        where TTo : unmanaged => System.Runtime.InteropServices.MemoryMarshal.Cast<TFrom, TTo>(values);
}
