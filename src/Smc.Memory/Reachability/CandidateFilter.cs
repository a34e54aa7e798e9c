using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using Smc.Memory.Indirection;

namespace Smc.Memory.Reachability;

/// <summary>The bits of one collection's candidates side by side, from the first to the last of them, in which a scan looks up the references of 64 rows at a time.</summary>
/// <remarks>
/// If they are many and few of them are set, the look-up is in coarser bits, one for up to 64 ids, that fit the first-level cache. Who finds one there asks for the row's own (<see cref="Mark"/>).
/// Invariant: each candidate has its bits here until the scan is over. Those of one that died meanwhile stay, and a handle of another collection, whose entries are a multiple of 64 GiB away, may fall
/// on one. Nothing but marks changes after the filter was made, so threads share it.
/// </remarks>
internal sealed class CandidateFilter
{
    private const int RowsOfWord = 64;
    private const int Lanes = 4;

    // So many bits are in the first-level cache while a scan streams references through it.
    private const int BitsNear = 1 << 18;

    // Coarser bits of which more than this share is set let too many references through.
    private const int SparseShare = 8;

    // One coarse bit is for so many ids at most, that the first one behind the last id has one of its own.
    private const int MaxShift = 6;

    private readonly ScanPart _part;
    private readonly ulong[] _bits;
    private readonly ulong _firstEntry;
    private readonly uint _firstId;
    private readonly uint _size;
    private readonly long _leastKey;
    private readonly long _greatestKey;

    // The bits that are looked at first, pinned for the gather. The one behind the last is clear: handles of other rows fall on it.
    private readonly ulong[] _coarse;
    private readonly int _shift;

    private CandidateFilter(MemoryContext context, ScanPart part, int firstWord, int words)
    {
        _part = part;
        _bits = GC.AllocateArray<ulong>(words + 1, pinned: true);
        for (int word = 0; word < words; word++) _bits[word] = part.Candidates.Word(firstWord + word);
        _firstId = (uint)firstWord * RowsOfWord;
        _size = checked((uint)words * RowsOfWord);
        EntryRef first = context.Entries.Of(_firstId);
        _firstEntry = first.Number;
        _leastKey = KeyOf(first.HandleWith(0));
        _greatestKey = KeyOf(first.After(_size - 1L).HandleWith(Handle.MaxIncarnation));
        (_coarse, _shift) = Coarser(_bits, words, _size);
    }

    /// <summary>The bytes that <see cref="TryMake"/> takes for candidates that are far apart, at most.</summary>
    public static long BytesFor(IdBitmap candidates) => (candidates.WordLimit + 1L) * sizeof(ulong) * 3 / 2;

    /// <summary>Makes the filter of a collection; null if it has no candidates.</summary>
    public static CandidateFilter? TryMake(MemoryContext context, ScanPart part)
    {
        IdBitmap candidates = part.Candidates;
        int limit = candidates.WordLimit, first = 0, last = limit - 1;
        while (first < limit && candidates.Word(first) == 0) first++;
        while (last > first && candidates.Word(last) == 0) last--;
        return first >= limit ? null : new CandidateFilter(context, part, first, last - first + 1);
    }

    /// <summary>Whether rows of a block can refer to a candidate of the collection, by the zone map of the column.</summary>
    /// <remarks>Who stores a reference while the scan is at work marks its row; those that were stored before had widened the zone map before.</remarks>
    /// <safety>The caller is inside the critical section in which it got the block.</safety>
    public bool MayBeIn(in ReferenceColumn column, BlockRef block) =>
        column.Zone < 0 || (block.Zone(column.Zone).Min <= _greatestKey && block.Zone(column.Zone).Max >= _leastKey);

    /// <summary>Which of 64 neighbouring slots refer to rows that may be candidates. Slots without rows are looked at, too.</summary>
    /// <param name="values">The value of the first slot.</param>
    /// <param name="stride">Bytes from one slot's value to the next.</param>
    /// <safety>The values are those of handles in a block that the caller got in its critical section, which has capacity for a multiple of 64 rows.</safety>
    public unsafe ulong Find(ulong values, uint stride)
    {
        // SAFETY: as the caller promises; a number is bounded after its load, so what is read lies in the pinned bits.
        ulong* bits = (ulong*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_coarse));
        return Avx2.IsSupported && stride == sizeof(ulong) ? FindAtOnce(values, bits) : FindOneByOne(values, stride, bits);
    }

    /// <summary>Marks the row of a handle if it is a candidate of the collection.</summary>
    /// <safety>The caller is inside the critical section in which it read the handle.</safety>
    public void Mark(ulong handle)
    {
        ulong number = Handle.EntryNumber(handle) - _firstEntry;
        if (number >= _size || (_bits[number >> 6] >> (int)(number & 63) & 1) == 0) return;
        uint id = _firstId + (uint)number;
        // Most often another reference has led to it before; its entry lies anywhere.
        if (_part.Marked.IsSet(id) || !_part.Candidates.IsSet(id)) return;
        // A handle whose row is gone keeps nothing.
        if ((uint)EntryRef.Of(handle).Current(out _) == Handle.Incarnation(handle)) _part.Marked.TrySet(id);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private unsafe ulong FindAtOnce(ulong values, ulong* bits)
    {
        ulong found = 0;
        Vector256<uint> first = Vector256.Create((uint)_firstEntry), size = Vector256.Create(_size);
        for (int row = 0; row < RowsOfWord; row += 2 * Lanes)
        {
            // SAFETY: as in Find.
            ulong* next = (ulong*)values + row;
            Vector256<uint> numbers = Vector256.Narrow(
                Vector256.ShiftRightLogical(Vector256.Load(next), Handle.IncarnationBits), Vector256.ShiftRightLogical(Vector256.Load(next + Lanes), Handle.IncarnationBits));
            // The difference of two entries of one collection is right in 32 bits.
            numbers = Vector256.ShiftRightLogical(Vector256.Min(numbers - first, size), _shift);
            Vector256<uint> words = Avx2.GatherVector256((uint*)bits, Vector256.ShiftRightLogical(numbers, 5).AsInt32(), sizeof(uint));
            found |= (ulong)Vector256.ShiftLeft(Avx2.ShiftRightLogicalVariable(words, numbers & Vector256.Create(31u)), 31).ExtractMostSignificantBits() << row;
        }
        return found;
    }

    private unsafe ulong FindOneByOne(ulong values, uint stride, ulong* bits)
    {
        ulong found = 0;
        for (int row = 0; row < RowsOfWord; row++, values += stride)
        {
            // SAFETY: as in Find.
            uint number = Math.Min((uint)Handle.EntryNumber(Volatile.Read(ref *(ulong*)values)) - (uint)_firstEntry, _size) >> _shift;
            found |= (bits[number >> 6] >> (int)(number & 63) & 1) << row;
        }
        return found;
    }

    private static (ulong[] Bits, int Shift) Coarser(ulong[] bits, int words, uint size)
    {
        int shift = 0;
        while (shift < MaxShift && size >> shift > BitsNear) shift++;
        if (shift == 0) return (bits, 0);
        ulong[] coarse = GC.AllocateArray<ulong>((int)((size >> shift) / RowsOfWord) + 1, pinned: true);
        for (int word = 0; word < words; word++)
        {
            for (ulong rest = bits[word]; rest != 0; rest &= rest - 1)
            {
                uint bit = (((uint)word * RowsOfWord) + (uint)BitOperations.TrailingZeroCount(rest)) >> shift;
                coarse[bit >> 6] |= 1UL << (int)(bit & 63);
            }
        }
        long set = coarse.Sum(static word => (long)BitOperations.PopCount(word));
        return set <= (size >> shift) / SparseShare ? (coarse, shift) : (bits, 0);
    }

    // As in zone maps: signed comparison orders them.
    private static long KeyOf(ulong handle) => (long)(handle ^ (1UL << 63));
}
