using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Smc.Memory.Blocks;

/// <summary>Zone map and sketch of one column, written for all rows of a new block at once.</summary>
internal static class BlockSummary
{
    /// <summary>Notes the values of a block that has no rows yet for anybody else.</summary>
    /// <safety>Values and null bits of the slots are written, and the block is the caller's alone.</safety>
    public static void Write(BlockRef block, int slots, ColumnLayout column)
    {
        bool isSigned = column.Key == ZoneKey.Signed;
        switch (column.Width)
        {
            case 1 when isSigned: Write<sbyte>(block, slots, column, 0); break;
            case 1: Write<byte>(block, slots, column, 0); break;
            case 2 when isSigned: Write<short>(block, slots, column, 0); break;
            case 2: Write<ushort>(block, slots, column, 0); break;
            case 4 when isSigned: Write<int>(block, slots, column, 0); break;
            case 4: Write<uint>(block, slots, column, 0); break;
            default: Write<long>(block, slots, column, isSigned ? 0 : long.MinValue); break;
        }
    }

    private static unsafe void Write<T>(BlockRef block, int slots, ColumnLayout column, long flip)
        where T : unmanaged, IBinaryInteger<T>
    {
        ulong values = block.Address + (uint)column.Offset;
        // SAFETY: a bit for each slot of the block.
        ulong* nulls = column.NullBitmapOffset < 0 ? null : (ulong*)(block.Address + (uint)column.NullBitmapOffset);
        long min = long.MaxValue, max = long.MinValue;
        if (nulls == null && column.Stride == sizeof(T))
        {
            (min, max) = flip == 0 ? Bounds(new ReadOnlySpan<T>((void*)values, slots)) : FlippedBounds(new ReadOnlySpan<ulong>((void*)values, slots));
        }
        else
        {
            for (int slot = 0; slot < slots; slot++)
            {
                if (nulls != null && (nulls[slot >> 6] >> (slot & 63) & 1) != 0) continue;
                long value = ValueAt<T>(values, slot, column.Stride) ^ flip;
                min = Math.Min(min, value);
                max = Math.Max(max, value);
            }
        }
        ZoneView zone = block.Zone(column.ZoneMapOffset);
        if (min <= max)
        {
            zone.Widen(min);
            zone.Widen(max);
        }
        zone.Scale(column, min, max);
        if (column.SketchOffset < 0) return;
        ushort* codes = (ushort*)zone.Codes;
        int shift = zone.Shift;
        // SAFETY: as the caller promises; a code for each slot. What lies in the place of a null may be anything.
        int done = column.Stride != sizeof(T) ? 0
            : SketchCodes.Write(new ReadOnlySpan<T>((void*)values, slots), new Span<ushort>(codes, slots), zone, flip, nulls == null ? min : long.MinValue, nulls == null ? max : long.MaxValue);
        for (int slot = done; slot < slots; slot++)
            codes[slot] = ColumnSketch.CodeOf(ValueAt<T>(values, slot, column.Stride) ^ flip, zone.Origin, shift);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe long ValueAt<T>(ulong values, int slot, int stride)
        where T : unmanaged, IBinaryInteger<T> => long.CreateTruncating(Unsafe.ReadUnaligned<T>((void*)(values + (ulong)(uint)slot * (uint)stride))); // SAFETY: as the callers promise.

    // Flipped signed numbers are in the order of unsigned ones.
    private static (long Min, long Max) FlippedBounds(ReadOnlySpan<ulong> values)
    {
        if (values.IsEmpty) return (long.MaxValue, long.MinValue);
        (long min, long max) = Bounds(values);
        return (min ^ long.MinValue, max ^ long.MinValue);
    }

    private static (long Min, long Max) Bounds<T>(ReadOnlySpan<T> values)
        where T : unmanaged, IBinaryInteger<T>
    {
        if (values.IsEmpty) return (long.MaxValue, long.MinValue);
        T min = values[0], max = values[0];
        ReadOnlySpan<Vector<T>> vectors = MemoryMarshal.Cast<T, Vector<T>>(values);
        if (!vectors.IsEmpty)
        {
            Vector<T> least = vectors[0], greatest = vectors[0];
            foreach (Vector<T> vector in vectors)
            {
                least = Vector.Min(least, vector);
                greatest = Vector.Max(greatest, vector);
            }
            for (int i = 0; i < Vector<T>.Count; i++)
            {
                min = T.Min(min, least[i]);
                max = T.Max(max, greatest[i]);
            }
        }
        foreach (T value in values[(vectors.Length * Vector<T>.Count)..])
        {
            min = T.Min(min, value);
            max = T.Max(max, value);
        }
        return (long.CreateTruncating(min), long.CreateTruncating(max));
    }
}
