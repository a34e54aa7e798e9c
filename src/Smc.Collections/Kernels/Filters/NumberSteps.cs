using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// The codes of a block's column, where each stands for several neighbouring numbers: what is looked up in a table of bits is whether one of them has its bit. Rows for which none has are dropped
/// without a look at their values. All zero: there are none.
/// </summary>
/// <remarks>
/// For values that lie apart, in rows: a value costs a line of memory, a code two bytes. Values that lie together are read as fast as codes, and exactly.
/// </remarks>
internal readonly struct NumberSteps
{
    /// <summary>A step has 2^this numbers at most: as many as can be told from eight bytes, wherever the first is.</summary>
    public const int WidestShift = 5;

    private const int BitsOfByte = 8;

    // A line has the codes of 32 rows.
    private const uint RowsApart = 16;

    // Rows that are left are looked at again.
    private const long RowsForOneLeft = 4;

    private readonly ulong _codes;
    private readonly long _first;
    private readonly int _shift;

    /// <summary>The codes of a column in a block.</summary>
    /// <param name="codes">The code of slot 0.</param>
    /// <param name="first">The least number of the first code. Negative where that is none.</param>
    /// <param name="shift">Steps have 2^this numbers.</param>
    public NumberSteps(ulong codes, long first, int shift) => (_codes, _first, _shift) = (codes, first, shift);

    /// <summary>Whether there are codes.</summary>
    public bool AreGiven => _codes != 0;

    /// <summary>As <see cref="Keep"/>, where there are codes and they are worth their time; else all rows are kept.</summary>
    /// <param name="left">How many rows the codes have left in this scan.</param>
    /// <param name="bits">As there.</param>
    /// <param name="size">As there.</param>
    /// <param name="selection">The slots, ascending.</param>
    /// <param name="count">How many.</param>
    /// <returns>How many are kept.</returns>
    /// <safety>As <see cref="Keep"/>, if there are codes.</safety>
    public int KeepIfWorth(ref RowShare left, ulong bits, ulong size, ulong selection, int count)
    {
        if (!AreGiven || !AreNear(selection, count) || left.IsAboveOneIn(RowsForOneLeft))
            return count;
        int kept = Keep(bits, size, selection, count);
        left.Note(count, kept);
        return kept;
    }

    /// <summary>Keeps the selected rows of whose step one number has its bit, and those whose code has no step: their values are to be looked up.</summary>
    /// <param name="bits">A bit for each number, as <see cref="NumberLookUp.AllocateBits"/> gives them.</param>
    /// <param name="size">The number of numbers; the bit behind them is that of values that are no number.</param>
    /// <param name="selection">The slots, 32 bits each.</param>
    /// <param name="count">How many.</param>
    /// <returns>How many are kept.</returns>
    /// <safety><see cref="AreGiven"/>. The slots are those of the block, in whose critical section the caller is.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public unsafe int Keep(ulong bits, ulong size, ulong selection, int count)
    {
        // SAFETY: kept slots overwrite those that were read before. A number is brought between those with a bit after its code's load, and there are eight bytes from each bit on, and before the first.
        ScanBatch.AskForColumn(_codes, sizeof(ushort), selection, count);
        uint* next = (uint*)selection, end = next + count, kept = next;
        ushort* codes = (ushort*)_codes;
        ulong mask = (1UL << (1 << _shift)) - 1, last = size + NumberLookUp.BitsBefore;
        ulong origin = unchecked((ulong)_first + NumberLookUp.BitsBefore);
        int shift = _shift;
        bits -= NumberLookUp.BitsBefore / BitsOfByte;
        for (; next < end; next++)
        {
            uint slot = *next;
            uint step = unchecked(codes[slot] - (uint)ColumnSketch.First);
            ulong bit = Math.Min(unchecked(origin + ((ulong)step << shift)), last);
            ulong found = (KernelMemory.Read<ulong>(bits + (bit / BitsOfByte)) >> (int)(bit % BitsOfByte)) & mask;
            *kept = slot;
            kept += found != 0 | step >= ColumnSketch.Steps ? 1 : 0;
        }

        return (int)(kept - (uint*)selection);
    }

    /// <summary>Whether selected rows lie so close together that their codes take fewer lines of memory than their values.</summary>
    private static unsafe bool AreNear(ulong selection, int count)
    {
        uint* slots = (uint*)selection; // SAFETY: the caller's promise.
        return count != 0 && slots[count - 1] - slots[0] < (uint)count * RowsApart;
    }
}
