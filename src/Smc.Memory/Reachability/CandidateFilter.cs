using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using Smc.Memory.Indirection;

namespace Smc.Memory.Reachability;

/// <summary>The bits of one collection's candidates side by side, from the first to the last of them, in which a scan looks up the references of 64 rows at a time.</summary>
/// <remarks>
/// Invariant: each candidate has its bit here until the scan is over. The bit of one that died meanwhile stays, and a handle of another collection, whose entries are a multiple of 64 GiB
/// away, may fall on a bit: who finds one asks <see cref="ReferenceBarrier.CandidateOf"/>. Nothing changes after the filter was made, so threads share it.
/// </remarks>
internal sealed class CandidateFilter
{
    private const int RowsOfWord = 64;
    private const int Lanes = 4;

    // Pinned, for the gather. The bit behind the last is clear: handles of other rows fall on it.
    private readonly ulong[] _bits;
    private readonly uint _first;
    private readonly uint _size;
    private readonly long _leastKey;
    private readonly long _greatestKey;

    private CandidateFilter(MemoryContext context, IdBitmap candidates, int firstWord, int words)
    {
        _bits = GC.AllocateArray<ulong>(words + 1, pinned: true);
        for (int word = 0; word < words; word++) _bits[word] = candidates.Word(firstWord + word);
        ulong first = context.EntryBase + ((ulong)firstWord * RowsOfWord * EntryWord.SizeInBytes);
        _size = checked((uint)words * RowsOfWord);
        // The difference of two numbers is right in 32 bits, since it is less than 2^32 for entries of one collection.
        _first = (uint)Handle.EntryNumber(Handle.Make(first, 0));
        _leastKey = KeyOf(Handle.Make(first, 0));
        _greatestKey = KeyOf(Handle.Make(first + ((ulong)(_size - 1) * EntryWord.SizeInBytes), Handle.MaxIncarnation));
    }

    /// <summary>The bytes that <see cref="TryMake"/> takes for candidates that are far apart, at most.</summary>
    public static long BytesFor(IdBitmap candidates) => (candidates.WordLimit + 1L) * sizeof(ulong);

    /// <summary>Makes the filter of a collection; null if it has no candidates.</summary>
    public static CandidateFilter? TryMake(MemoryContext context, IdBitmap candidates)
    {
        int limit = candidates.WordLimit, first = 0, last = limit - 1;
        while (first < limit && candidates.Word(first) == 0) first++;
        while (last > first && candidates.Word(last) == 0) last--;
        return first >= limit ? null : new CandidateFilter(context, candidates, first, last - first + 1);
    }

    /// <summary>Whether rows of a block can refer to a candidate of the collection, by the zone map of the column.</summary>
    /// <remarks>Who stores a reference while the scan is at work marks its row; those that were stored before had widened the zone map before.</remarks>
    /// <safety>The caller is inside the critical section in which it got the block.</safety>
    public bool MayBeIn(in ReferenceColumn column, ulong block) =>
        column.Zone < 0 || (ZoneMap.Min(block + (uint)column.Zone) <= _greatestKey && ZoneMap.Max(block + (uint)column.Zone) >= _leastKey);

    /// <summary>Which of 64 neighbouring slots refer to rows that may be candidates. Slots without rows are looked at, too.</summary>
    /// <param name="values">The value of the first slot.</param>
    /// <param name="stride">Bytes from one slot's value to the next.</param>
    /// <safety>The values are those of handles in a block that the caller got in its critical section, which has capacity for a multiple of 64 rows.</safety>
    public unsafe ulong Find(ulong values, uint stride)
    {
        // SAFETY: as the caller promises; a number is bounded after its load, so what is read lies in the pinned bits.
        ulong* bits = (ulong*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_bits));
        return Avx2.IsSupported && stride == sizeof(ulong) ? FindAtOnce(values, bits) : FindOneByOne(values, stride, bits);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private unsafe ulong FindAtOnce(ulong values, ulong* bits)
    {
        ulong found = 0;
        Vector256<uint> first = Vector256.Create(_first), size = Vector256.Create(_size);
        for (int row = 0; row < RowsOfWord; row += 2 * Lanes)
        {
            // SAFETY: as in Find.
            ulong* next = (ulong*)values + row;
            Vector256<uint> numbers = Vector256.Narrow(
                Vector256.ShiftRightLogical(Vector256.Load(next), Handle.IncarnationBits), Vector256.ShiftRightLogical(Vector256.Load(next + Lanes), Handle.IncarnationBits));
            numbers = Vector256.Min(numbers - first, size);
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
            uint number = Math.Min((uint)Handle.EntryNumber(Volatile.Read(ref *(ulong*)values)) - _first, _size);
            found |= (bits[number >> 6] >> (int)(number & 63) & 1) << row;
        }
        return found;
    }

    // As in zone maps: signed comparison orders them.
    private static long KeyOf(ulong handle) => (long)(handle ^ (1UL << 63));
}
