using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// Looks the numbers of a whole column up, for a batch of rows, in a table of bits or of bytes, and clears the rows whose number has none. Words without rows are not looked at.
/// </summary>
/// <remarks>
/// By values, eight rows at a time, with one gather from the table of bits: what it takes does not depend on how many rows are kept, and a table of 200,000 numbers fits the first-level cache. Six million
/// 8-byte references took 3.6 to 4.7 ms, where a selection of all rows, shortened by a byte for each number, took 5.4 to 9.
/// </remarks>
internal static class NumberLookUp
{
    private const int RowsOfWord = 64;
    private const int Lanes = 4;

    /// <summary>What <see cref="Keep"/> takes for each row: picoseconds.</summary>
    public const int CostOfKeep = 650;

    /// <summary>What <see cref="KeepByFlags"/> takes for each row: picoseconds.</summary>
    public const int CostByFlags = 240;

    // Picoseconds for each row, and for each row and page: decision 0055.
    private const int CostByPages = 30;
    private const int CostOfPage = 12;

    /// <summary>So many bits lie before the first number's: a line of memory. The last 64 of them are those of values that are no number, too.</summary>
    public const ulong BitsBefore = 512;

    /// <summary>Makes a table of bits, all 0: whole words with a bit for each number and one for values that are none. A line of memory lies before them and a page of <see cref="BitPages"/> behind, as loops read several numbers at once.</summary>
    /// <param name="region">The query's region.</param>
    /// <param name="size">The number of numbers.</param>
    /// <returns>Where the bit of the first number is.</returns>
    public static ulong AllocateBits(ref Region region, ulong size) =>
        region.AllocateZeroed(((long)((size / 64) + 1) * sizeof(ulong)) + ((long)BitsBefore / 8) + BitPages.Bytes) + (BitsBefore / 8);

    /// <summary>Whether a whole column can be looked up here: integers of 4 or 8 bytes lie side by side, numbers are below 2^32, and the processor has gathers.</summary>
    /// <typeparam name="T">The stored integer.</typeparam>
    /// <param name="stride">From one slot's value to the next.</param>
    /// <param name="size">The number of numbers.</param>
    public static bool IsPossible<T>(ulong stride, ulong size) => Avx2.IsSupported && stride == (ulong)Unsafe.SizeOf<T>() && stride >= sizeof(int) && size < uint.MaxValue;

    /// <summary>What a look-up by codes takes for each row of a block whose batches are like the first: picoseconds.</summary>
    /// <param name="numbers">The column, with codes.</param>
    /// <param name="size">The number of numbers.</param>
    /// <param name="slots">The slots of the block.</param>
    /// <param name="otherwise">What it takes where <see cref="TryKeepByPages"/> does nothing.</param>
    /// <safety>As <see cref="KeepByFlags"/>, of a batch of the block.</safety>
    public static int CostOfKeepByCodes(in BlockNumbers numbers, ulong size, int slots, int otherwise) =>
        BitPages.AreSupported && CodeWindow.Of(numbers, size, first: 0, Math.Min(ScanBatch.Rows, slots)) is { IsNarrow: true } window
            ? CostByPages + (CostOfPage * BitPages.CountOf(window.Span + 1))
            : otherwise;

    /// <summary>Keeps the rows of a batch whose number has its bit set.</summary>
    /// <typeparam name="T">The stored integer.</typeparam>
    /// <param name="bits">A bit for each number, in 64-bit words, and one more behind them for values that are no number.</param>
    /// <param name="least">The value, shifted, that is number 0.</param>
    /// <param name="size">The number of numbers.</param>
    /// <param name="shift">By how many bits a value is shifted first.</param>
    /// <param name="column">The value of slot 0.</param>
    /// <param name="first">The batch's first slot, a multiple of 64.</param>
    /// <param name="rows">The batch's rows, at most <see cref="ScanBatch.Rows"/>.</param>
    /// <param name="bitmap">A bit for each row of the batch.</param>
    /// <returns>Whether all values that were looked at are numbers. The slots of a word that hold no row were looked at, too.</returns>
    /// <safety><see cref="IsPossible"/>. The column is that of a block, in whose critical section the caller is, and the batch lies in the block.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe bool Keep<T>(ulong bits, ulong least, ulong size, int shift, ulong column, int first, int rows, ulong bitmap)
        where T : unmanaged
    {
        // SAFETY: blocks have capacity for a multiple of 64 rows, so the values of a whole word exist. A number is bounded after its load, and the bit behind the last has a word.
        ulong* words = (ulong*)bitmap;
        column += (ulong)first * (ulong)sizeof(T);
        Vector256<ulong> origin = Vector256.Create(least), limit = Vector256.Create(size), most = Vector256<ulong>.Zero;
        for (int w = 0; w < (rows + RowsOfWord - 1) / RowsOfWord; w++, column += RowsOfWord * (ulong)sizeof(T))
        {
            if (words[w] == 0)
                continue;
            ulong kept = 0;
            for (int row = 0; row < RowsOfWord; row += 2 * Lanes)
            {
                ulong values = column + ((ulong)row * (ulong)sizeof(T));
                Vector256<ulong> low = Number<T>(values, origin, limit, shift), high = Number<T>(values + (Lanes * (ulong)sizeof(T)), origin, limit, shift);
                most = Vector256.Max(most, Vector256.Max(low, high));
                Vector256<uint> numbers = Vector256.Narrow(low, high);
                Vector256<uint> found = Avx2.GatherVector256((uint*)bits, Vector256.ShiftRightLogical(numbers, 5).AsInt32(), sizeof(uint));
                kept |= (ulong)Vector256.ShiftLeft(Avx2.ShiftRightLogicalVariable(found, numbers & Vector256.Create(31u)), 31).ExtractMostSignificantBits() << row;
            }

            words[w] &= kept;
        }

        return !Vector256.EqualsAny(most, limit);
    }

    /// <summary>As <see cref="KeepByFlags"/>, by pages of bits where the numbers of the batch lie near each other. The bits are the lowest of each flag, as <see cref="AllocateBits"/> gives them.</summary>
    /// <safety>As <see cref="KeepByFlags"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int KeepByCodes<T>(ulong bits, ulong flags, in BlockNumbers numbers, ulong least, ulong size, int shift, int first, int rows, ulong bitmap, out bool hasOthers)
        where T : unmanaged, IBinaryInteger<T> => TryKeepByPages<T>(bits, flags, numbers, least, size, shift, first, rows, bitmap, out int open, out hasOthers)
            ? open
            : KeepByFlags<T>(flags, numbers, least, size, shift, first, rows, bitmap, out hasOthers);

    /// <summary>As <see cref="KeepByCodes"/>, but does nothing where the numbers of the batch do not lie near each other. Only the lowest bit of a flag counts.</summary>
    /// <returns>Whether rows were looked up.</returns>
    /// <safety>As <see cref="KeepByFlags"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryKeepByPages<T>(ulong bits, ulong flags, in BlockNumbers numbers, ulong least, ulong size, int shift, int first, int rows, ulong bitmap, out int open, out bool hasOthers)
        where T : unmanaged, IBinaryInteger<T>
    {
        if (BitPages.AreSupported && CodeWindow.Of(numbers, size, first, rows) is { IsNarrow: true } window)
        {
            open = KeepByPages<T>(bits, flags, numbers, window, least, size, shift, first, rows, bitmap, out hasOthers);
            return true;
        }

        (open, hasOthers) = (0, false);
        return false;
    }

    /// <summary>As <see cref="Keep"/>, by codes that tell the numbers, and from a byte for each number; the values of open rows are looked at.</summary>
    /// <typeparam name="T">The stored integer.</typeparam>
    /// <param name="flags">A byte for each number, which is 0 or 1, and one more for values that have none.</param>
    /// <param name="numbers">The column, with codes.</param>
    /// <param name="least">The value, shifted, that is number 0.</param>
    /// <param name="size">The number of numbers.</param>
    /// <param name="shift">By how many bits a value is shifted first.</param>
    /// <param name="first">The batch's first slot, a multiple of 64.</param>
    /// <param name="rows">The batch's rows, at most <see cref="ScanBatch.Rows"/>.</param>
    /// <param name="bitmap">A bit for each row of the batch.</param>
    /// <param name="hasOthers">Whether a row of the bitmap has a value without a number.</param>
    /// <returns>How many rows of the bitmap were open: looked at themselves.</returns>
    /// <remarks>Two loads and an addition for each row, none of which waits for another: half the time of gathers, where numbers are near each other or few.</remarks>
    /// <safety>The column is that of a block, in whose critical section the caller is, and the batch lies in the block.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe int KeepByFlags<T>(ulong flags, in BlockNumbers numbers, ulong least, ulong size, int shift, int first, int rows, ulong bitmap, out bool hasOthers)
        where T : unmanaged, IBinaryInteger<T>
    {
        // SAFETY: as in Keep. Codes are brought between those that tell the least and the greatest number before they are used as such.
        ulong* words = (ulong*)bitmap;
        bool hasNumbers = CodeWindow.TryTell(numbers, size, out ushort lowest, out ushort highest);
        Vector256<ushort> low = Vector256.Create(lowest), high = Vector256.Create(highest), span = high - low;
        byte* flagOfCode = (byte*)flags + numbers.First - ColumnSketch.First;
        ushort* bounded = stackalloc ushort[RowsOfWord];
        ulong codes = numbers.Codes + ((ulong)first * sizeof(ushort)), others = 0;
        int open = 0;
        for (int w = 0; w < (rows + RowsOfWord - 1) / RowsOfWord; w++, codes += RowsOfWord * sizeof(ushort))
        {
            KernelMemory.PrefetchPageLater<ushort>(codes);
            if (words[w] == 0)
                continue;
            ulong isNumber = CodeTest.Bound((ushort*)codes, low, high, bounded), kept = 0;
            for (int row = hasNumbers ? RowsOfWord - 8 : -1; row >= 0; row -= 8)
            {
                ushort* code = bounded + row;
                ulong eight = flagOfCode[code[7]];
                eight = (eight * 2) + flagOfCode[code[6]];
                eight = (eight * 2) + flagOfCode[code[5]];
                eight = (eight * 2) + flagOfCode[code[4]];
                eight = (eight * 2) + flagOfCode[code[3]];
                eight = (eight * 2) + flagOfCode[code[2]];
                eight = (eight * 2) + flagOfCode[code[1]];
                kept = (kept << 8) | ((eight * 2) + flagOfCode[code[0]]);
            }

            isNumber = hasNumbers ? isNumber : 0;
            kept &= isNumber;
            if ((words[w] & ~isNumber) is var left and not 0)
                kept |= KeepOthers<T>(flags, numbers, low, span, least, size, shift, first + (w * RowsOfWord), left, ref others, ref open);
            words[w] &= kept;
        }

        hasOthers = others != 0;
        return open;
    }

    /// <summary>As <see cref="KeepByFlags"/>, from a bit for each number, 64 rows at once.</summary>
    /// <typeparam name="T">The stored integer.</typeparam>
    /// <param name="bits">The lowest bit of each flag, as <see cref="AllocateBits"/> gives them.</param>
    /// <param name="flags">As there.</param>
    /// <param name="numbers">The column, with codes.</param>
    /// <param name="window">The codes that are looked up. Rows with others are looked at themselves, if these tell numbers.</param>
    /// <param name="least">The value, shifted, that is number 0.</param>
    /// <param name="size">The number of numbers.</param>
    /// <param name="shift">By how many bits a value is shifted first.</param>
    /// <param name="first">The batch's first slot, a multiple of 64.</param>
    /// <param name="rows">The batch's rows, at most <see cref="ScanBatch.Rows"/>.</param>
    /// <param name="bitmap">A bit for each row of the batch.</param>
    /// <param name="hasOthers">Whether a row of the bitmap has a value without a number.</param>
    /// <returns>How many rows of the bitmap were open.</returns>
    /// <safety>As <see cref="KeepByFlags"/>; <see cref="BitPages.AreSupported"/>, and the window is narrow.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe int KeepByPages<T>(ulong bits, ulong flags, in BlockNumbers numbers, CodeWindow window, ulong least, ulong size, int shift, int first, int rows, ulong bitmap, out bool hasOthers)
        where T : unmanaged, IBinaryInteger<T>
    {
        // SAFETY: as in KeepByFlags. The window's codes tell numbers, so the pages are those of the table, and a row counts only where the code that was loaded is in the window.
        ulong* words = (ulong*)bitmap;
        BitPages pages = new(bits, numbers.First + (window.Lowest - ColumnSketch.First), window.Span + 1);
        CodeWindow.TryTell(numbers, size, out ushort lowest, out ushort highest);
        Vector256<ushort> lowOfAll = Vector256.Create(lowest), spanOfAll = Vector256.Create(highest) - lowOfAll;
        Vector512<ushort> low = Vector512.Create(window.Lowest), span = Vector512.Create(window.Span), origin = Vector512.Create((ushort)(window.Lowest - pages.BitsBefore));
        ulong codes = numbers.Codes + ((ulong)first * sizeof(ushort)), others = 0;
        int open = 0;
        for (int w = 0; w < (rows + RowsOfWord - 1) / RowsOfWord; w++, codes += RowsOfWord * sizeof(ushort))
        {
            KernelMemory.PrefetchPageLater<ushort>(codes);
            if (words[w] == 0)
                continue;
            Vector512<ushort> left = Vector512.Load((ushort*)codes), right = Vector512.Load((ushort*)codes + Vector512<ushort>.Count);
            ulong isNumber = Vector512.LessThanOrEqual(left - low, span).ExtractMostSignificantBits() | (Vector512.LessThanOrEqual(right - low, span).ExtractMostSignificantBits() << Vector512<ushort>.Count);
            ulong kept = pages.Find(left - origin, right - origin) & isNumber;
            if ((words[w] & ~isNumber) is var unseen and not 0)
                kept |= KeepOthers<T>(flags, numbers, lowOfAll, spanOfAll, least, size, shift, first + (w * RowsOfWord), unseen, ref others, ref open);
            words[w] &= kept;
        }

        hasOthers = others != 0;
        return open;
    }

    /// <summary>Which of 64 rows whose codes were not looked up are kept.</summary>
    /// <param name="flags">As in <see cref="KeepByFlags"/>.</param>
    /// <param name="numbers">The column, with codes.</param>
    /// <param name="low">The least code of the block that tells a number.</param>
    /// <param name="span">What the greatest is more.</param>
    /// <param name="least">The value, shifted, that is number 0.</param>
    /// <param name="size">The number of numbers.</param>
    /// <param name="shift">By how many bits a value is shifted first.</param>
    /// <param name="first">The first of the 64 slots.</param>
    /// <param name="left">The rows.</param>
    /// <param name="others">Gets those whose value has no number.</param>
    /// <param name="open">Counts those that were looked at themselves.</param>
    /// <safety>As <see cref="KeepByFlags"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe ulong KeepOthers<T>(ulong flags, in BlockNumbers numbers, Vector256<ushort> low, Vector256<ushort> span, ulong least, ulong size, int shift, int first, ulong left, ref ulong others, ref int open)
        where T : unmanaged, IBinaryInteger<T>
    {
        // SAFETY: the block has the codes of a whole word, and there is a byte for values without a number.
        // A code may have changed since the first test. It counts as it is read here: it tells a value that is no number, or the value is looked at.
        ulong isOther = left & CodeTest.TellOthers((ushort*)numbers.Codes + first, low, span), kept = 0;
        if (left != isOther)
            kept = KeepOpen<T>(flags, numbers, least, size, shift, first, left & ~isOther, ref isOther, ref open);
        others |= isOther;
        return (KernelMemory.Read<byte>(flags + size) & 1) != 0 ? kept | isOther : kept;
    }

    /// <summary>Which of 64 rows whose codes tell nothing are kept, by their values; adds to <paramref name="isOther"/> those whose value has no number.</summary>
    /// <safety>As <see cref="KeepByFlags"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static ulong KeepOpen<T>(ulong flags, in BlockNumbers numbers, ulong least, ulong size, int shift, int first, ulong isOpen, ref ulong isOther, ref int open)
        where T : unmanaged, IBinaryInteger<T>
    {
        ulong kept = 0;
        open += BitOperations.PopCount(isOpen);
        for (; isOpen != 0; isOpen &= isOpen - 1)
        {
            int row = BitOperations.TrailingZeroCount(isOpen);
            ulong number = numbers.NumberOfValue<T>((ulong)(first + row), least, size, shift);
            isOther |= (number == size ? 1UL : 0) << row;
            kept |= (KernelMemory.Read<byte>(flags + number) & 1UL) << row;
        }

        return kept;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ulong> Number<T>(ulong values, Vector256<ulong> origin, Vector256<ulong> limit, int shift)
        where T : unmanaged
    {
        Vector256<ulong> numbers = Vector256.ShiftRightLogical(KernelMemory.LoadInt64x4<T>(values).AsUInt64(), shift) - origin;
        return Vector256.Min(numbers, limit);
    }
}
