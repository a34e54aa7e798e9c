using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Memory.Epochs;
using Smc.Memory.Indirection;

namespace Smc.Memory.Reachability;

/// <summary>The bits of one collection's candidates side by side, from the first to the last of them, in which a scan looks up the references of 64 rows at a time.</summary>
/// <remarks>
/// A handle is that of a candidate if it has its incarnation, too. These are read from the entries once, in the order of ids, and lie together: the references to candidates come in any order, and each
/// entry is in another line of memory. If they are many and few of them are set, the look-up is in coarser bits, one for up to 64 ids, that fit the first-level cache. Who finds one there looks at the row's own.
/// Invariants: bits are only cleared, and a candidate has its bits here until a reference was found that leads to it (<see cref="Note(ulong, uint, ulong, bool)"/>); so the other references to it are not looked at any more.
/// A coarse bit is cleared after the last one that it stands for. Bits of a candidate that died meanwhile stay, and a handle of another collection, whose entries are a multiple of 64 GiB away, may
/// fall on one. Threads that share a filter clear bits by interlocked operations: one that is lost is a mark that is lost.
/// </remarks>
internal sealed class CandidateFilter
{
    private const int RowsOfWord = 64;

    // So many bits are in the first-level cache while a scan streams references through it.
    private const int BitsNear = 1 << 18;

    // Coarser bits of which more than this share is set let too many references through.
    private const int SparseShare = 64;

    // One coarse bit is for so many ids at most, that the first one behind the last id has one of its own.
    private const int MaxShift = 6;

    private readonly ScanPart _part;
    private readonly ulong[] _bits;

    // All bits as they were, with how many there are before each word, and the incarnations of the candidates in that order.
    private readonly (ulong Bits, int Before)[] _all;
    private readonly uint[] _incarnations;
    private readonly ulong _firstEntry;
    private readonly uint _firstId;
    private readonly uint _size;
    private readonly long _leastKey;
    private readonly long _greatestKey;

    // The bits that are looked at first, pinned for the gather. The one behind the last is clear: handles of other rows fall on it.
    private readonly ulong[] _coarse;
    private readonly int _shift;

    // In the bits that are looked at first, and in those that stand for one id each. They are good while this object is there.
    private readonly HandleLookUp _lookUp;
    private readonly HandleLookUp _exactLookUp;

    private unsafe CandidateFilter(MemoryContext context, ScanPart part, int firstWord, int words)
    {
        _part = part;
        _bits = GC.AllocateArray<ulong>(words + 2, pinned: true);
        _all = new (ulong, int)[words];
        _incarnations = new uint[part.Candidates.Count];
        int count = 0;
        for (int word = 0; word < words; word++)
        {
            // Those that came to the set by now would have no room: there are none, since it only shrinks.
            ulong bits = part.Candidates.Word(firstWord + word);
            _bits[word] = bits;
            _all[word] = (bits, count);
            if (bits != 0) count += ReadIncarnations(context, (uint)(firstWord + word) * RowsOfWord, bits, _incarnations.AsSpan(count));
        }
        _firstId = (uint)firstWord * RowsOfWord;
        _size = checked((uint)words * RowsOfWord);
        EntryRef first = context.Entries.Of(_firstId);
        _firstEntry = first.Number;
        _leastKey = KeyOf(first.HandleWith(0));
        _greatestKey = KeyOf(first.After(_size - 1L).HandleWith(Handle.MaxIncarnation));
        (_coarse, _shift) = Coarser(_bits, words, _size);
        // SAFETY: both arrays are pinned and end behind the clear bit.
        _lookUp = new HandleLookUp((ulong*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_coarse)), _firstEntry, _size, _shift);
        _exactLookUp = new HandleLookUp((ulong*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_bits)), _firstEntry, _size, shift: 0);
    }

    /// <summary>The bytes that <see cref="TryMake"/> takes for candidates that are far apart, at most.</summary>
    public static long BytesFor(IdBitmap candidates) =>
        ((candidates.WordLimit + 2L) * ((sizeof(ulong) * 3 / 2) + (2 * sizeof(ulong)))) + (candidates.Count * sizeof(uint));

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

    /// <summary>Which of neighbouring slots refer to rows that may be candidates. Slots without rows are looked at, too.</summary>
    /// <param name="values">The value of the first slot.</param>
    /// <param name="stride">Bytes from one slot's value to the next.</param>
    /// <param name="found">Gets a bit for each slot, 64 in a word.</param>
    /// <safety>The values are those of handles in a block that the caller got in its critical section, which has capacity for a multiple of 64 rows.</safety>
    public void Find(ulong values, uint stride, Span<ulong> found)
    {
        if (!HandleLookUp.HasLanes(stride)) _lookUp.FindOneByOne(values, stride, found);
        else if (HandleLookUp.SeemNear(values, found.Length * RowsOfWord)) _exactLookUp.FindNear(values, found);
        else _lookUp.FindAnywhere(values, found);
        GC.KeepAlive(this);
    }

    /// <summary>Notes to which candidates references of 64 neighbouring slots lead. A handle whose row is gone leads to none.</summary>
    /// <param name="values">The value of the first slot.</param>
    /// <param name="stride">Bytes from one slot's value to the next.</param>
    /// <param name="rows">Which slots, at least one.</param>
    /// <param name="isShared">Whether other threads note what they find at the same time.</param>
    /// <safety>As <see cref="Find"/>.</safety>
    public unsafe void Note(ulong values, uint stride, ulong rows, bool isShared)
    {
        ulong last = 0;
        do
        {
            // SAFETY: the slots are those of a block that the caller got in its section.
            ulong handle = Volatile.Read(ref *(ulong*)(values + ((uint)BitOperations.TrailingZeroCount(rows) * (ulong)stride)));
            // Neighbours often refer to one row.
            if (handle != last) Note(handle, isShared);
            last = handle;
        }
        while ((rows &= rows - 1) != 0);
    }

    /// <summary>Marks the candidates to which references were found. All that was noted is in memory that the caller sees.</summary>
    public void MarkFound()
    {
        int first = (int)(_firstId / RowsOfWord);
        for (int word = 0; word < (int)(_size / RowsOfWord); word++)
        {
            // A candidate that died meanwhile is none any more, and its id may have another row.
            ulong found = _part.Candidates.Word(first + word) & ~_bits[word];
            if (found != 0) _part.Marked.SetAll(first + word, found);
        }
    }

    /// <summary>Reads the incarnations of candidates; 0 for one that is gone.</summary>
    /// <returns>How many there are.</returns>
    private static int ReadIncarnations(MemoryContext context, uint firstId, ulong bits, Span<uint> incarnations)
    {
        using CriticalSection section = CriticalSection.Enter();
        int count = 0;
        // Of an id that has another row by now it is that row's: then its bit is in the set no more, and nothing is marked.
        for (; bits != 0; bits &= bits - 1) incarnations[count++] = Handle.Incarnation(context.Retired.HandleOf(firstId + (uint)BitOperations.TrailingZeroCount(bits)));
        return count;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Note(ulong handle, bool isShared)
    {
        ulong number = Handle.EntryNumber(handle) - _firstEntry;
        if (number >= _size) return;
        int word = (int)(number >> 6);
        ulong bit = 1UL << (int)(number & 63);
        ref ulong bits = ref _bits[word];
        if ((Volatile.Read(ref bits) & bit) == 0) return;
        (ulong all, int before) = _all[word];
        if (_incarnations[before + BitOperations.PopCount(all & (bit - 1))] != Handle.Incarnation(handle)) return;
        ulong rest = Clear(ref bits, bit, isShared);
        if (_shift != 0) ClearCoarse(number, rest, isShared);
    }

    /// <summary>The last of the candidates that share a coarse bit takes that with it. Nobody sets bits again.</summary>
    private void ClearCoarse(ulong number, ulong rest, bool isShared)
    {
        int together = 1 << _shift;
        ulong neighbours = rest >> (int)(number & 63 & ~((ulong)together - 1));
        if ((neighbours & (ulong.MaxValue >> (RowsOfWord - together))) != 0) return;
        number >>= _shift;
        Clear(ref _coarse[number >> 6], 1UL << (int)(number & 63), isShared);
    }

    /// <summary>Clears a bit of a word.</summary>
    /// <returns>What is left in the word.</returns>
    private static ulong Clear(ref ulong word, ulong bit, bool isShared)
    {
        if (!isShared) return word &= ~bit;
        return Interlocked.And(ref word, ~bit) & ~bit;
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
