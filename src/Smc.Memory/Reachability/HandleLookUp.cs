using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Smc.Memory.Reachability;

/// <summary>Looks up in bits by dense id which of neighbouring handles may be those of candidates, 64 handles for each word of the answer.</summary>
/// <remarks>Bits may be cleared meanwhile: what is told may be out of date, which costs a second look.</remarks>
/// <param name="bits">The bits: one for each 2<sup>shift</sup> ids, and one behind them that is clear. 128 bits more may be loaded.</param>
/// <param name="firstEntry">The entry of the first id.</param>
/// <param name="size">How many ids there are, a multiple of 64.</param>
/// <param name="shift">See <paramref name="bits"/>.</param>
/// <safety>The bits are pinned while this is used. Handles lie in a block that the caller got in its critical section, 64 for each word of the answer.</safety>
internal readonly unsafe struct HandleLookUp(ulong* bits, ulong firstEntry, uint size, int shift)
{
    private const int RowsOfWord = 64;
    private const int Lanes = 4;

    // So far ahead of the look-ups memory is asked for: those in bits that lie anywhere keep the processor from finding out by itself that a column is read from end to end.
    private const int BytesAhead = 4096;

    /// <summary>Whether handles with so many bytes from one to the next are looked at eight at a time.</summary>
    public static bool HasLanes(uint stride) => Avx2.IsSupported && stride == sizeof(ulong);

    /// <summary>Whether it seems that neighbours lead to neighbours, so that <see cref="FindNear"/> is fast.</summary>
    /// <param name="values">The first handle.</param>
    /// <param name="count">How many, at least 64.</param>
    public static bool SeemNear(ulong values, int count)
    {
        ulong* handles = (ulong*)values;
        return IsNear(handles[0], handles[RowsOfWord - 1]) && IsNear(handles[count - RowsOfWord], handles[count - 1]);

        static bool IsNear(ulong one, ulong other) => Handle.EntryNumber(one) - Handle.EntryNumber(other) + RowsOfWord < 2 * RowsOfWord;
    }

    /// <summary>Looks up handles that lie as they may, one at a time.</summary>
    public void FindOneByOne(ulong values, uint stride, Span<ulong> found)
    {
        for (int word = 0; word < found.Length; word++)
        {
            ulong rows = 0;
            for (int row = 0; row < RowsOfWord; row++, values += stride)
            {
                // SAFETY: as for all of this; a number is bounded after its load.
                uint number = Math.Min((uint)Handle.EntryNumber(Volatile.Read(ref *(ulong*)values)) - (uint)firstEntry, size) >> shift;
                rows |= (bits[number >> 6] >> (int)(number & 63) & 1) << row;
            }
            found[word] = rows;
        }
    }

    /// <summary>Looks up handles side by side that lead anywhere: eight at a time, with one gather.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void FindAnywhere(ulong values, Span<ulong> found)
    {
        Vector256<uint> first = Vector256.Create((uint)firstEntry), limit = Vector256.Create(size);
        // SAFETY: as in FindOneByOne.
        ulong* next = (ulong*)values;
        for (int word = 0; word < found.Length; word++)
        {
            ulong rows = 0;
            for (int row = 0; row < RowsOfWord; row += 2 * Lanes, next += 2 * Lanes)
            {
                Platform.Prefetch.Line((ulong)next + BytesAhead);
                Vector256<uint> numbers = Vector256.ShiftRightLogical(NumbersAt(next, first, limit), shift);
                Vector256<uint> words = Avx2.GatherVector256((uint*)bits, Vector256.ShiftRightLogical(numbers, 5).AsInt32(), sizeof(uint));
                rows |= (ulong)Vector256.ShiftLeft(Avx2.ShiftRightLogicalVariable(words, numbers & Vector256.Create(31u)), 31).ExtractMostSignificantBits() << row;
            }
            found[word] = rows;
        }
    }

    /// <summary>As <see cref="FindAnywhere"/>, of bits that stand for one id each, and fast where 64 neighbours lead to neighbours: their bits are a window that stays in registers.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void FindNear(ulong values, Span<ulong> found)
    {
        Vector256<uint> first = Vector256.Create((uint)firstEntry), limit = Vector256.Create(size), half = Vector256.Create(32u);
        for (int word = 0; word < found.Length; word++, values += RowsOfWord * sizeof(ulong))
        {
            ulong* next = (ulong*)values;
            // SAFETY: as in FindOneByOne. The window begins at the number of a handle or below, and 128 bits behind the last number may be loaded.
            uint from = Math.Min(NumberOf(next[0]), NumberOf(next[RowsOfWord - 1]));
            from -= Math.Min(from, RowsOfWord / 8);
            ulong low = bits[from >> 6] >> (int)(from & 63), high = bits[(from >> 6) + 1] << 1 << (int)(~from & 63), window = low | high;
            Vector256<uint> origin = Vector256.Create(from), lower = Vector256.Create((uint)window), upper = Vector256.Create((uint)(window >> 32)), reach = Vector256<uint>.Zero;
            ulong rows = 0;
            for (int row = 0; row < RowsOfWord; row += 2 * Lanes, next += 2 * Lanes)
            {
                Platform.Prefetch.Line((ulong)next + BytesAhead);
                Vector256<uint> places = NumbersAt(next, first, limit) - origin;
                reach |= places;
                // A shift by 32 bits or more leaves nothing.
                Vector256<uint> bit = Avx2.ShiftRightLogicalVariable(lower, places) | Avx2.ShiftRightLogicalVariable(upper, places - half);
                rows |= (ulong)Vector256.ShiftLeft(bit, 31).ExtractMostSignificantBits() << row;
            }
            if ((reach & Vector256.Create(~63u)) == Vector256<uint>.Zero) found[word] = rows;
            else FindAnywhere(values, found.Slice(word, 1));
        }
    }

    private uint NumberOf(ulong handle) => Math.Min((uint)Handle.EntryNumber(handle) - (uint)firstEntry, size);

    // The difference of two entries of one collection is right in 32 bits.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<uint> NumbersAt(ulong* handles, Vector256<uint> first, Vector256<uint> limit)
    {
        Vector256<ulong> low = Vector256.ShiftRightLogical(Vector256.Load(handles), Handle.IncarnationBits);
        Vector256<ulong> high = Vector256.ShiftRightLogical(Vector256.Load(handles + Lanes), Handle.IncarnationBits);
        return Vector256.Min(Vector256.Narrow(low, high) - first, limit);
    }
}
