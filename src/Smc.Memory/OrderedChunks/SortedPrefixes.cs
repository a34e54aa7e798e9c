using System.Runtime.CompilerServices;

namespace Smc.Memory.OrderedChunks;

/// <summary>The prefixes of the sorted cells of a chunk, and a sample of them: the first of each group.</summary>
/// <remarks>
/// A binary search of some thousand prefixes misses the cache at each of its first steps. The samples of a chunk are few lines, which stay in the cache, and tell the group; the lines of
/// the group are asked for together.
/// Invariants: neither a sorted prefix nor its sample changes, and both are stored before the number of sorted cells says that they are there.
/// </remarks>
/// <safety>The caller is in a critical section in which it found the chunk, and read the number of sorted cells with acquire.</safety>
internal readonly unsafe struct SortedPrefixes(ulong* samples, ulong* prefixes)
{
    /// <summary>Cells of a group: eight lines of memory.</summary>
    public const int GroupSize = 64;

    private const int PrefixesPerLine = 8;

    // SAFETY, here and below: the caller's section keeps the slice.
    public ulong this[int cell] => prefixes[cell];

    /// <summary>The number of samples of so many cells.</summary>
    public static int SamplesOf(int cells) => (cells + GroupSize - 1) / GroupSize;

    /// <summary>Stores the sample of a cell that is about to be sorted, if it is the first of a group. Its prefix is there.</summary>
    public void NoteSorted(int cell)
    {
        if (cell % GroupSize == 0) samples[cell / GroupSize] = prefixes[cell];
    }

    /// <summary>The number of sorted cells whose prefix is not above a prefix.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int CountUpTo(int sorted, ulong prefix)
    {
        int group = GroupOf(sorted, prefix);
        PrefetchGroup(group);
        return CountUpTo(sorted, group, prefix);
    }

    /// <summary>The last group whose first prefix is not above a prefix; the first if there is none.</summary>
    public int GroupOf(int sorted, ulong prefix) => Math.Max(0, CountUpTo(samples, SamplesOf(sorted), prefix) - 1);

    /// <summary>The number of sorted cells whose prefix is not above a prefix, of the group that <see cref="GroupOf"/> told.</summary>
    public int CountUpTo(int sorted, int group, ulong prefix)
    {
        int first = group * GroupSize;
        return first + CountUpTo(prefixes + first, Math.Min(GroupSize, sorted - first), prefix);
    }

    /// <summary>Asks the processor for the samples of so many cells.</summary>
    public void PrefetchSamples(int sorted)
    {
        for (int i = 0; i < SamplesOf(sorted); i += PrefixesPerLine) Platform.Prefetch.Line((ulong)(samples + i));
    }

    /// <summary>Asks the processor for the prefixes of a group.</summary>
    public void PrefetchGroup(int group)
    {
        ulong first = (ulong)(prefixes + group * GroupSize);
        for (ulong i = 0; i < GroupSize * sizeof(ulong); i += PrefixesPerLine * sizeof(ulong)) Platform.Prefetch.Line(first + i);
    }

    /// <summary>The number of ascending words that are not above one. Without branches that depend on the words: half of them would be guessed wrong.</summary>
    private static int CountUpTo(ulong* words, int count, ulong word)
    {
        ulong* first = words;
        for (int left = count; left > 1;)
        {
            int half = left / 2;
            first += first[half - 1] <= word ? half : 0;
            left -= half;
        }
        return (int)(first - words) + (count > 0 && *first <= word ? 1 : 0);
    }
}
