using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// A column of one block whose values a scan looks up by number: dense ids of the rows that references lead to, or keys of a join that lie near each other. Where the block's sketch tells
/// the numbers, the scan reads 16 bits for each value.
/// </summary>
/// <remarks>
/// Of a reference, a code tells the dense id and not the incarnation: what is asked of it is what is asked of the bits of a handle above the incarnation. A row without a code of its own (null,
/// outside of the block's scale, or changed by a writer since it was added) is <em>open</em>: its code tells no number, and its value is looked at.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct BlockNumbers
{
    /// <summary>Where more than one row in so many is open, as after many changes, values are better read at once.</summary>
    internal const long RowsForOneOpen = 64;

    /// <summary>So many lines of codes tell whether most rows of a block are open.</summary>
    private const int Samples = 4;

    private BlockNumbers(ulong column, ulong stride, ulong codes, int first, NumberSteps steps)
    {
        Column = column;
        Stride = stride;
        Codes = codes;
        First = first;
        Steps = steps;
    }

    /// <summary>The value of slot 0.</summary>
    internal ulong Column { get; }

    /// <summary>From one slot's value to the next.</summary>
    internal ulong Stride { get; }

    /// <summary>The code of slot 0; 0 when codes do not help.</summary>
    internal ulong Codes { get; }

    /// <summary>The number of the first code. Negative if that is none.</summary>
    internal int First { get; }

    /// <summary>Codes that stand for several numbers each, where values lie apart; none where a code tells one number.</summary>
    internal NumberSteps Steps { get; }

    /// <summary>The numbers of a column in a block.</summary>
    /// <param name="block">The block.</param>
    /// <param name="zoneOffset">Where blocks have the column's zone map.</param>
    /// <param name="offset">Where blocks have the value of slot 0.</param>
    /// <param name="stride">From one slot's value to the next.</param>
    /// <param name="least">The value, shifted, that is number 0.</param>
    /// <param name="size">The number of numbers.</param>
    /// <param name="shift">By how many bits a value is shifted first: <see cref="TargetRows.DenseIdShift"/> of a handle, 0 of a key.</param>
    /// <safety>The caller reached the block in its critical section.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    internal static BlockNumbers Of(ulong block, ulong zoneOffset, ulong offset, ulong stride, ulong least, ulong size, int shift)
    {
        // Scale and place of the codes are constants of the block; what the zone map says of values only tells whether codes are worth their time. Null is the least reference.
        ZoneView zone = ZoneView.At(block, zoneOffset);
        int wider = zone.Shift - shift;
        BlockNumbers values = OfValues(block + offset, stride);
        if (zone.Codes == 0 || !zone.IsScaled || wider < 0 || (wider > 0 && !(LieApart(stride) && wider <= NumberSteps.WidestShift)))
            return values;
        ulong origin = Shifted(zone.Origin, shift);
        bool areInScale = (zone.Min >= zone.Origin - (LieApart(stride) ? SpareBelow(zone) : 0) || zone.Min == long.MinValue) && (Shifted(zone.Max, shift) - origin) >> wider < ColumnSketch.Steps;
        bool haveCodes = areInScale || AreFewOpen(zone.Codes, BlockHeader.SlotCount(block));
        long first = unchecked((long)(origin - least));
        if (!haveCodes || size > int.MaxValue || first is <= -((long)ColumnSketch.Steps << NumberSteps.WidestShift) or > int.MaxValue - ColumnSketch.Steps)
            return values;
        if (wider > 0)
            return new BlockNumbers(block + offset, stride, codes: 0, first: 0, new NumberSteps(zone.Codes, first, wider));
        return first > -ColumnSketch.Steps ? new BlockNumbers(block + offset, stride, zone.Codes, (int)first, steps: default) : values;
    }

    /// <summary>The numbers of a column, of which nothing but the values is known.</summary>
    /// <param name="column">The value of slot 0.</param>
    /// <param name="stride">From one slot's value to the next.</param>
    internal static BlockNumbers OfValues(ulong column, ulong stride) => new(column, stride, codes: 0, first: 0, steps: default);

    /// <summary>Whether values so many bytes from each other lie among those of other columns, in rows.</summary>
    internal static bool LieApart(ulong stride) => stride > sizeof(ulong);

    /// <summary>Asks for what tells the numbers of selected rows of a batch: see <see cref="ScanBatch.AskForColumn"/>.</summary>
    /// <param name="selection">The slots, 32 bits each, ascending.</param>
    /// <param name="count">How many.</param>
    /// <safety>As <see cref="ScanBatch.AskForColumn"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Ask(ulong selection, int count)
    {
        if (Codes != 0)
            ScanBatch.AskForColumn(Codes, sizeof(ushort), selection, count);
        else if (Stride <= sizeof(ulong))
            ScanBatch.AskForColumn(Column, Stride, selection, count);
    }

    /// <summary>The number of a slot's value; <paramref name="size"/> if it has none.</summary>
    /// <typeparam name="T">The stored integer.</typeparam>
    /// <param name="slot">The slot.</param>
    /// <param name="least">As in <see cref="Of"/>.</param>
    /// <param name="size">The number of numbers.</param>
    /// <param name="shift">As in <see cref="Of"/>.</param>
    /// <safety>In the critical section in which this was found; the block has the slot.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ulong NumberAt<T>(ulong slot, ulong least, ulong size, int shift)
        where T : unmanaged, IBinaryInteger<T>
    {
        if (Codes != 0 && Tells(slot, out ulong number))
            return Math.Min(number, size);
        return NumberOfValue<T>(slot, least, size, shift);
    }

    /// <summary>Whether the row is not open.</summary>
    /// <param name="slot">The slot.</param>
    /// <param name="number">What its code tells, which may lie outside of the numbers.</param>
    /// <safety>As <see cref="NumberAt"/>; there are codes.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool Tells(ulong slot, out ulong number)
    {
        uint step = unchecked(KernelMemory.Read<ushort>(Codes + (slot * sizeof(ushort))) - (uint)ColumnSketch.First);
        number = unchecked((ulong)((long)First + step));
        return step < ColumnSketch.Steps;
    }

    /// <summary>As <see cref="NumberAt"/>, by the value itself.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ulong NumberOfValue<T>(ulong slot, ulong least, ulong size, int shift)
        where T : unmanaged, IBinaryInteger<T>
    {
        ulong value = unchecked((ulong)long.CreateTruncating(KernelMemory.Read<T>(Column + (slot * Stride))));
        return Math.Min(unchecked((value >> shift) - least), size);
    }

    // One reference that leads far away is enough for values outside of the scale. A few codes tell whether many are.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe bool AreFewOpen(ulong codes, int slots)
    {
        int open = 0;
        for (int sample = 0; sample < Samples; sample++)
        {
            // SAFETY: blocks have capacity for a multiple of 64 rows, so each sample lies among the codes.
            ushort* next = (ushort*)codes + (slots / Samples * sample & -Vector512<ushort>.Count);
            Vector512<ushort> steps = Vector512.Load(next) - Vector512.Create(ColumnSketch.First);
            open += BitOperations.PopCount(Vector512.GreaterThanOrEqual(steps, Vector512.Create((ushort)ColumnSketch.Steps)).ExtractMostSignificantBits());
        }

        return open <= Samples * Vector512<ushort>.Count / RowsForOneOpen;
    }

    // Where a value costs a line of memory, some of them may be below the codes: an eighth of the span, as the least value differs from block to block.
    private static long SpareBelow(ZoneView zone) => unchecked((long)((ulong)zone.Max - (ulong)zone.Origin) / 8);

    private static ulong Shifted(long zone, int shift) => shift == 0 ? unchecked((ulong)zone) : TargetRows.HandleOf(zone) >> shift;
}
