using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// Counts the distinct words of each group, in the group's record. Pairs of a group and a word are a log (<see cref="PairLog"/>), which is counted at the end, as long as few come twice; then they are a
/// set (<see cref="DistinctSet"/>). For the set a pair waits until some others have come, and the memory where it is looked for is asked for meanwhile.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct DistinctCounts
{
    /// <summary>So many pairs wait at most: their lines of memory fit into the first cache beside what else a scan reads.</summary>
    private const int MostWaiting = 128;

    private PairLog _log;
    private DistinctSet _seen;

    // Not 0: pairs go into the set.
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
    public void Add(int place, ulong word, in GroupRecords groups, int offset, ref Region region)
    {
        if (_waiting != 0)
            Wait(place, word, groups, offset, ref region);
        else if (!_log.TryAdd(place, word))
            AddFurther(place, word, groups, offset, ref region);
    }

    /// <summary>Counts the pairs that were noted and are not counted yet.</summary>
    /// <param name="groups">The groups.</param>
    /// <param name="offset">Where a group's record has the number of its words.</param>
    /// <param name="region">The query's region.</param>
    /// <exception cref="OffHeapMemoryException">There is no memory for them.</exception>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public unsafe void CountWaiting(in GroupRecords groups, int offset, ref Region region)
    {
        if (_waiting == 0)
        {
            _log.WriteCounts(groups, offset, ref region);
            return;
        }

        // SAFETY: so many wait; places are those of groups.
        for (Pair* next = (Pair*)_waiting, end = next + _count; next < end; next++)
        {
            if (_seen.Add(next->Place, next->Word, ref region))
                (*(long*)(groups.Place(next->Place) + (ulong)offset))++;
        }

        _count = 0;
    }

    /// <summary>Notes what a part of a scan has noted.</summary>
    /// <param name="part">The part.</param>
    /// <param name="places">The place that a group of the part has among the groups, 32 bits each, by its place in the part.</param>
    /// <param name="groups">The groups.</param>
    /// <param name="offset">Where a group's record has the number of its words.</param>
    /// <param name="region">The query's region.</param>
    /// <exception cref="OffHeapMemoryException">There is no memory for it.</exception>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public unsafe void Take(in DistinctCounts part, ulong places, in GroupRecords groups, int offset, ref Region region)
    {
        // SAFETY: the caller has a place for each group that the part has a pair of.
        uint* placeOf = (uint*)places;
        for (int pair = 0; pair < part._log.Count; pair++)
            Add((int)placeOf[part._log.GroupAt(pair)], part._log.WordAt(pair), groups, offset, ref region);
        if (part._waiting == 0)
            return;
        if (_waiting == 0)
            MoveToSet(groups, offset, ref region);
        for (Pair* next = (Pair*)part._waiting, end = next + part._count; next < end; next++)
            Wait((int)placeOf[next->Place], next->Word, groups, offset, ref region);
        TakeSet(part._seen, placeOf, groups, offset, ref region);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private unsafe void TakeSet(in DistinctSet seen, uint* placeOf, in GroupRecords groups, int offset, ref Region region)
    {
        CountWaiting(groups, offset, ref region);
        // SAFETY: fewer than MostWaiting wait where one is written.
        Pair* waiting = (Pair*)_waiting;
        for (long pair = 0; pair < seen.Places; pair++)
        {
            if (_count == MostWaiting)
                AskAndCount(groups, offset, ref region);
            // Which places of a set are empty cannot be foretold: no branch.
            bool isThere = seen.TryGet(pair, out int group, out ulong word);
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

    /// <summary>Lets a pair wait for the set.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private unsafe void Wait(int place, ulong word, in GroupRecords groups, int offset, ref Region region)
    {
        // SAFETY: fewer than MostWaiting wait.
        ((Pair*)_waiting)[_count] = new Pair(word, place);
        _seen.Ask(place, word);
        if (++_count == MostWaiting)
            CountWaiting(groups, offset, ref region);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AddFurther(int place, ulong word, in GroupRecords groups, int offset, ref Region region)
    {
        if (!_log.TryMakeRoom(place, word, ref region))
            MoveToSet(groups, offset, ref region);
        Add(place, word, groups, offset, ref region);
    }

    /// <summary>Moves what the log has into the set.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private unsafe void MoveToSet(in GroupRecords groups, int offset, ref Region region)
    {
        PairLog log = _log;
        _log = default;
        _waiting = region.Allocate(MostWaiting * sizeof(Pair));
        // SAFETY: who adds a pair has the group. The log may have been counted.
        for (int pair = 0; pair < log.Count; pair++)
            *(long*)(groups.Place(log.GroupAt(pair)) + (ulong)offset) = 0;
        for (int pair = 0; pair < log.Count; pair++)
            Wait(log.GroupAt(pair), log.WordAt(pair), groups, offset, ref region);
    }

    private readonly record struct Pair(ulong Word, int Place);
}
