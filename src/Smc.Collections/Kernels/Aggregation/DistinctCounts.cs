using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// Counts the distinct words of each group: a set of pairs (<see cref="DistinctSet"/>), and in each group's record the number of its pairs. A pair waits until some others have come, and the
/// memory where it is looked for is asked for meanwhile: the set is often larger than the caches near the processor.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct DistinctCounts
{
    /// <summary>So many pairs wait at most: their lines of memory fit into the first cache beside what else a scan reads.</summary>
    private const int MostWaiting = 128;

    private DistinctSet _seen;
    private ulong _waiting;
    private int _count;

    /// <summary>Notes a word of a group.</summary>
    /// <param name="place">The place of the group.</param>
    /// <param name="word">The word.</param>
    /// <param name="groups">The groups.</param>
    /// <param name="offset">Where a group's record has the number of its words, which is up to date after <see cref="CountWaiting"/>.</param>
    /// <param name="region">The query's region.</param>
    /// <exception cref="OffHeapMemoryException">There is no memory for it.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe void Add(int place, ulong word, in GroupRecords groups, int offset, ref Region region)
    {
        Reserve(ref region);
        // SAFETY: fewer than MostWaiting wait.
        ((Pair*)_waiting)[_count] = new Pair(word, place);
        _seen.Ask(place, word);
        if (++_count == MostWaiting)
            CountWaiting(groups, offset, ref region);
    }

    /// <summary>Counts the pairs that wait.</summary>
    /// <param name="groups">The groups.</param>
    /// <param name="offset">Where a group's record has the number of its words.</param>
    /// <param name="region">The query's region.</param>
    /// <exception cref="OffHeapMemoryException">There is no memory for them.</exception>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public unsafe void CountWaiting(in GroupRecords groups, int offset, ref Region region)
    {
        // SAFETY: so many wait; places are those of groups.
        for (Pair* next = (Pair*)_waiting, end = next + _count; next < end; next++)
        {
            if (_seen.Add(next->Place, next->Word, ref region))
                (*(long*)(groups.Place(next->Place) + (ulong)offset))++;
        }

        _count = 0;
    }

    /// <summary>Counts what waits, and what a part of a scan has noted.</summary>
    /// <param name="part">The part.</param>
    /// <param name="places">The place that a group of the part has among the groups, 32 bits each, by its place in the part.</param>
    /// <param name="groups">The groups.</param>
    /// <param name="offset">Where a group's record has the number of its words.</param>
    /// <param name="region">The query's region.</param>
    /// <exception cref="OffHeapMemoryException">There is no memory for it.</exception>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public unsafe void Take(in DistinctCounts part, ulong places, in GroupRecords groups, int offset, ref Region region)
    {
        CountWaiting(groups, offset, ref region);
        Reserve(ref region);
        Pair* waiting = (Pair*)_waiting;
        // SAFETY: fewer than MostWaiting wait where one is written, and the caller has a place for each group that the part has a pair of.
        uint* placeOf = (uint*)places;
        for (Pair* next = (Pair*)part._waiting, end = next + part._count; next < end; next++)
            waiting[_count++] = new Pair(next->Word, (int)placeOf[next->Place]);
        for (long pair = 0; pair < part._seen.Places; pair++)
        {
            if (_count == MostWaiting)
                AskAndCount(groups, offset, ref region);
            // Which places of a set are empty cannot be foretold: no branch.
            bool isThere = part._seen.TryGet(pair, out int group, out ulong word);
            waiting[_count] = new Pair(word, (int)placeOf[Math.Max(group, 0)]);
            _count += (int)KernelMemory.ToUInt64(isThere);
        }

        AskAndCount(groups, offset, ref region);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private unsafe void AskAndCount(in GroupRecords groups, int offset, ref Region region)
    {
        for (Pair* next = (Pair*)_waiting, end = next + _count; next < end; next++) // SAFETY: so many wait.
            _seen.Ask(next->Place, next->Word);
        CountWaiting(groups, offset, ref region);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private unsafe void Reserve(ref Region region)
    {
        if (_waiting == 0)
            _waiting = region.Allocate(MostWaiting * sizeof(Pair));
    }

    private readonly record struct Pair(ulong Word, int Place);
}
