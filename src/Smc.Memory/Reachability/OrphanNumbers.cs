using System.Numerics;
using Smc.Memory.Epochs;

namespace Smc.Memory.Reachability;

/// <summary>Numbers the orphans of a scan from 0 on: candidates that had no mark when this was made. Their bits and counts lie in native memory of the caller's region, 12 bytes for 64 ids.</summary>
/// <remarks>Invariant: the numbers stay as they are. A row that is marked or dies meanwhile keeps its number, and no other row gets it: who has a number asks whether its row is still there (<c>HandleOf</c>).</remarks>
/// <safety>The region outlives this.</safety>
internal sealed unsafe class OrphanNumbers
{
    private const int IdsOfWord = 64;

    private readonly MemoryContext[] _contexts;
    private readonly Range[] _ranges;

    private OrphanNumbers(MemoryContext[] contexts)
    {
        _contexts = contexts;
        _ranges = new Range[contexts.Length];
    }

    /// <summary>How many there are.</summary>
    public uint Count { get; private set; }

    /// <summary>Collections of the scan.</summary>
    public int Collections => _ranges.Length;

    /// <summary>Numbers the orphans of a scan's collections.</summary>
    /// <param name="contexts">The collections, in the order of their parts' numbers.</param>
    /// <param name="region">Gets the bits and counts.</param>
    /// <exception cref="OffHeapMemoryException">The limit does not leave the memory.</exception>
    public static OrphanNumbers Of(MemoryContext[] contexts, ref Region region)
    {
        OrphanNumbers numbers = new(contexts);
        for (int collection = 0; collection < contexts.Length; collection++)
        {
            if (contexts[collection].Retired.Scan is not { Candidates.Count: > 0 } part) continue;
            int words = part.Candidates.WordLimit;
            ref Range range = ref numbers._ranges[collection];
            range = new Range((ulong*)region.Allocate(words * (long)sizeof(ulong)), (uint*)region.Allocate(words * (long)sizeof(uint)), words);
            for (int word = 0; word < words; word++)
            {
                // One that is marked meanwhile was stored meanwhile.
                ulong bits = RowsThatAreThere(contexts[collection], part, word, part.Candidates.Word(word) & ~part.Marked.Word(word));
                range.Set(word, bits, numbers.Count);
                numbers.Count = checked(numbers.Count + (uint)BitOperations.PopCount(bits));
            }
        }
        return numbers;
    }

    /// <summary>The orphans of a collection, ascending.</summary>
    public IdsIn IdsOf(int collection) => new(_ranges[collection]);

    /// <summary>The number of a row; -1 if it is no orphan.</summary>
    public long NumberOf(int collection, uint id)
    {
        Range range = _ranges[collection];
        int word = (int)(id / IdsOfWord);
        if (word >= range.Words) return -1;
        ulong bits = range.Bits(word), bit = 1UL << (int)(id & 63);
        return (bits & bit) == 0 ? -1 : range.Before(word) + (uint)BitOperations.PopCount(bits & (bit - 1));
    }

    /// <summary>The handle of an orphan; 0 if it died meanwhile.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    public ulong HandleOf(int collection, uint id, out MemoryContext context)
    {
        context = _contexts[collection];
        return context.Retired.Scan is { } part ? HandleOf(context, part, id) : 0;
    }

    private static ulong RowsThatAreThere(MemoryContext context, ScanPart part, int word, ulong bits)
    {
        if (bits == 0) return 0;
        using CriticalSection section = CriticalSection.Enter();
        for (ulong rest = bits; rest != 0; rest &= rest - 1)
        {
            int bit = BitOperations.TrailingZeroCount(rest);
            if (HandleOf(context, part, (uint)((word * IdsOfWord) + bit)) == 0) bits &= ~(1UL << bit);
        }
        return bits;
    }

    private static ulong HandleOf(MemoryContext context, ScanPart part, uint id)
    {
        if (context.IsDisposed) return 0;
        ulong handle = context.Retired.HandleOf(id);
        // The handle first: a row that is still a candidate after that is the one whose handle it is, until the section ends.
        return part.Candidates.IsSet(id) ? handle : 0;
    }

    /// <summary>The words of one collection, and how many orphans come before each.</summary>
    internal readonly struct Range(ulong* bits, uint* before, int words)
    {
        public int Words => words;

        // SAFETY: callers stay below the number of words, for which the region gave room.
        public ulong Bits(int word) => bits[word];

        public uint Before(int word) => before[word];

        public void Set(int word, ulong bitsOfWord, uint countBefore) => (bits[word], before[word]) = (bitsOfWord, countBefore);
    }

    /// <summary>Goes through the ids of one collection's orphans.</summary>
    internal struct IdsIn(Range range)
    {
        private int _word;
        private ulong _rest;

        public uint Current { get; private set; }

        public readonly IdsIn GetEnumerator() => this;

        public bool MoveNext()
        {
            while (_rest == 0)
            {
                if (_word == range.Words) return false;
                _rest = range.Bits(_word++);
            }
            Current = (uint)(((_word - 1) * IdsOfWord) + BitOperations.TrailingZeroCount(_rest));
            _rest &= _rest - 1;
            return true;
        }
    }
}
