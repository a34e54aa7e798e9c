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

    /// <summary>So many bits stay in registers.</summary>
    public const int RegisterBits = 4096;

    /// <summary>So many bits lie before the first number's; they are those of values that are no number, too.</summary>
    public const ulong BitsBefore = 64;

    /// <summary>Makes a table of bits, all 0: whole words with a bit for each number and one for values that are none. A word lies before them and one behind, as loops read several numbers at once.</summary>
    /// <param name="region">The query's region.</param>
    /// <param name="size">The number of numbers.</param>
    /// <returns>Where the bit of the first number is.</returns>
    public static ulong AllocateBits(ref Region region, ulong size) =>
        region.AllocateZeroed(Math.Max(RegisterBits / 8, (long)((size / 64) + 1) * sizeof(ulong)) + (2 * sizeof(ulong))) + sizeof(ulong);

    /// <summary>Whether a whole column can be looked up here: integers of 4 or 8 bytes lie side by side, numbers are below 2^32, and the processor has gathers.</summary>
    /// <typeparam name="T">The stored integer.</typeparam>
    /// <param name="stride">From one slot's value to the next.</param>
    /// <param name="size">The number of numbers.</param>
    public static bool IsPossible<T>(ulong stride, ulong size) => Avx2.IsSupported && stride == (ulong)Unsafe.SizeOf<T>() && stride >= sizeof(int) && size < uint.MaxValue;

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

    /// <summary>As <see cref="KeepByFlags"/>, in registers where the numbers are few enough. The bits are the lowest of each flag, as <see cref="AllocateBits"/> gives them.</summary>
    /// <safety>As <see cref="KeepByFlags"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int KeepByCodes<T>(ulong bits, ulong flags, in BlockNumbers numbers, ulong least, ulong size, int shift, int first, int rows, ulong bitmap, out bool hasOthers)
        where T : unmanaged, IBinaryInteger<T> => FitRegisters(size)
            ? KeepInRegisters<T>(bits, flags, numbers, least, size, shift, first, rows, bitmap, out hasOthers)
            : KeepByFlags<T>(flags, numbers, least, size, shift, first, rows, bitmap, out hasOthers);

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
        bool hasNumbers = TellNumbers(numbers, size, out ushort lowest, out ushort highest);
        Vector256<ushort> low = Vector256.Create(lowest), high = Vector256.Create(highest);
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
                kept |= KeepOthers<T>(flags, numbers, least, size, shift, first + (w * RowsOfWord), lowest, highest, left, ref others, ref open);
            words[w] &= kept;
        }

        hasOthers = others != 0;
        return open;
    }

    /// <summary>Whether <see cref="KeepInRegisters"/> can be called for so many numbers.</summary>
    public static bool FitRegisters(ulong size) => Avx512BW.IsSupported && size <= RegisterBits;

    /// <summary>As <see cref="KeepByFlags"/>, of numbers so few that a bit for each stays in registers: no row waits for memory but for its code.</summary>
    /// <typeparam name="T">The stored integer.</typeparam>
    /// <param name="bits">The lowest bit of each flag, as <see cref="AllocateBits"/> gives them.</param>
    /// <param name="flags">As there.</param>
    /// <param name="numbers">The column, with codes.</param>
    /// <param name="least">The value, shifted, that is number 0.</param>
    /// <param name="size">The number of numbers.</param>
    /// <param name="shift">By how many bits a value is shifted first.</param>
    /// <param name="first">The batch's first slot, a multiple of 64.</param>
    /// <param name="rows">The batch's rows, at most <see cref="ScanBatch.Rows"/>.</param>
    /// <param name="bitmap">A bit for each row of the batch.</param>
    /// <param name="hasOthers">Whether a row of the bitmap has a value without a number.</param>
    /// <returns>How many rows of the bitmap were open.</returns>
    /// <safety>As <see cref="KeepByFlags"/>; <see cref="FitRegisters"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe int KeepInRegisters<T>(ulong bits, ulong flags, in BlockNumbers numbers, ulong least, ulong size, int shift, int first, int rows, ulong bitmap, out bool hasOthers)
        where T : unmanaged, IBinaryInteger<T>
    {
        // SAFETY: as in KeepByFlags. A number is taken modulo the bits, and counts only where its code tells one.
        ulong* words = (ulong*)bitmap;
        ushort* registers = (ushort*)bits;
        bool hasNumbers = TellNumbers(numbers, size, out ushort lowest, out ushort highest);
        // Without sign, code - low is at most the span where there is a number, and wraps around below.
        Vector512<ushort> low = Vector512.Create(lowest), span = Vector512.Create((ushort)(highest - lowest)), origin = Vector512.Create(unchecked((ushort)(numbers.First - ColumnSketch.First)));
        Vector512<ushort> w0 = Vector512.Load(registers), w1 = Vector512.Load(registers + 32), w2 = Vector512.Load(registers + 64), w3 = Vector512.Load(registers + 96);
        Vector512<ushort> w4 = Vector512.Load(registers + 128), w5 = Vector512.Load(registers + 160), w6 = Vector512.Load(registers + 192), w7 = Vector512.Load(registers + 224);
        ulong codes = numbers.Codes + ((ulong)first * sizeof(ushort)), others = 0;
        int open = 0;
        for (int w = 0; w < (rows + RowsOfWord - 1) / RowsOfWord; w++, codes += RowsOfWord * sizeof(ushort))
        {
            KernelMemory.PrefetchPageLater<ushort>(codes);
            if (words[w] == 0)
                continue;
            ulong isNumber = 0, kept = 0;
            for (int row = 0; row < RowsOfWord; row += Vector512<ushort>.Count)
            {
                Vector512<ushort> code = Vector512.Load((ushort*)codes + row), number = code + origin, word = Vector512.ShiftRightLogical(number, 4);
                Vector512<ushort> isEven = Vector512.Equals(number & Vector512.Create((ushort)0x400), Vector512<ushort>.Zero), isBelow = Vector512.Equals(number & Vector512.Create((ushort)0x800), Vector512<ushort>.Zero);
                Vector512<ushort> below = Vector512.ConditionalSelect(isEven, Avx512BW.PermuteVar32x16x2(w0, word, w1), Avx512BW.PermuteVar32x16x2(w2, word, w3));
                Vector512<ushort> above = Vector512.ConditionalSelect(isEven, Avx512BW.PermuteVar32x16x2(w4, word, w5), Avx512BW.PermuteVar32x16x2(w6, word, w7));
                Vector512<ushort> found = Avx512BW.ShiftRightLogicalVariable(Vector512.ConditionalSelect(isBelow, below, above), number & Vector512.Create((ushort)15));
                kept |= Vector512.ShiftLeft(found, 15).ExtractMostSignificantBits() << row;
                isNumber |= Vector512.LessThanOrEqual(code - low, span).ExtractMostSignificantBits() << row;
            }

            isNumber = hasNumbers ? isNumber : 0;
            kept &= isNumber;
            if ((words[w] & ~isNumber) is var left and not 0)
                kept |= KeepOthers<T>(flags, numbers, least, size, shift, first + (w * RowsOfWord), lowest, highest, left, ref others, ref open);
            words[w] &= kept;
        }

        hasOthers = others != 0;
        return open;
    }

    /// <summary>The least and the greatest code that tells a number; false if none does.</summary>
    private static bool TellNumbers(in BlockNumbers numbers, ulong size, out ushort lowest, out ushort highest)
    {
        long low = Math.Max(ColumnSketch.First, (long)ColumnSketch.First - numbers.First), high = Math.Min(ColumnSketch.Above - 1L, ColumnSketch.First + (long)size - 1 - numbers.First);
        (lowest, highest) = low <= high ? ((ushort)low, (ushort)high) : (ColumnSketch.First, ColumnSketch.First);
        return low <= high;
    }

    /// <summary>Which of 64 rows whose codes told no number are kept.</summary>
    /// <safety>As <see cref="KeepByFlags"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static unsafe ulong KeepOthers<T>(ulong flags, in BlockNumbers numbers, ulong least, ulong size, int shift, int first, ushort lowest, ushort highest, ulong left, ref ulong others, ref int open)
        where T : unmanaged, IBinaryInteger<T>
    {
        // SAFETY: the block has the codes of a whole word, and there is a byte for each number and for values without one.
        // A code may have become unknown since the first test, or known again. Unless it tells by now that there is no number, the value is read, which is right whatever the first test said.
        Vector256<ushort> low = Vector256.Create(lowest), span = Vector256.Create((ushort)(highest - lowest));
        ulong isOther = left & CodeTest.TellOthers((ushort*)numbers.Codes + first, low, span), isOpen = left & ~isOther, kept = 0;
        open += BitOperations.PopCount(isOpen);
        for (; isOpen != 0; isOpen &= isOpen - 1)
        {
            int row = BitOperations.TrailingZeroCount(isOpen);
            ulong number = numbers.NumberOfValue<T>((ulong)(first + row), least, size, shift);
            isOther |= (number == size ? 1UL : 0) << row;
            kept |= (KernelMemory.Read<byte>(flags + number) & 1UL) << row;
        }

        others |= isOther;
        return (KernelMemory.Read<byte>(flags + size) & 1) != 0 ? kept | isOther : kept;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ulong> Number<T>(ulong values, Vector256<ulong> origin, Vector256<ulong> limit, int shift)
        where T : unmanaged
    {
        Vector256<ulong> numbers = Vector256.ShiftRightLogical(KernelMemory.LoadInt64x4<T>(values).AsUInt64(), shift) - origin;
        return Vector256.Min(numbers, limit);
    }
}
