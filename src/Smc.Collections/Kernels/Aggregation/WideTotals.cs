using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// 128-bit totals of groups whose 64-bit accumulators may overflow next. Most queries never need them: kernels bound their sums by zone maps,
/// and move accumulators here only when the bound is used up.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct WideTotals
{
    private ulong _totals;
    private int _capacity;

    /// <summary>Whether accumulators are all there is of the totals.</summary>
    public readonly bool IsEmpty => _capacity == 0;

    /// <summary>Adds all accumulators to the totals and zeroes them.</summary>
    /// <param name="groups">The groups.</param>
    /// <param name="firstAccumulator">The offset of the first accumulator in a group; the others follow.</param>
    /// <param name="accumulators">How many there are.</param>
    /// <param name="region">The query's region.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public unsafe void Take(in GroupRecords groups, int firstAccumulator, int accumulators, ref Region region)
    {
        if (groups.NextPlace > _capacity)
            Grow(groups.NextPlace, accumulators, ref region);
        for (int group = 0; group < groups.Count; group++)
        {
            ulong record = groups.At((uint)group);
            // SAFETY: the group has the accumulators, and there are totals for its place.
            long* accumulator = (long*)(record + (ulong)firstAccumulator);
            Int128* total = (Int128*)_totals + ((long)groups.PlaceAt(record) * accumulators);
            for (int i = 0; i < accumulators; i++)
            {
                total[i] += accumulator[i];
                accumulator[i] = 0;
            }
        }
    }

    /// <summary>The total of an accumulator of a group, with what the accumulator holds now.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly unsafe Int128 Total(in GroupRecords groups, ulong group, int firstAccumulator, int accumulators, int index)
    {
        // SAFETY: as in Take; groups added since then have no total yet.
        long rest = *((long*)(group + (ulong)firstAccumulator) + index);
        if (IsEmpty)
            return rest;
        int place = groups.PlaceAt(group);
        return place < _capacity ? ((Int128*)_totals)[((long)place * accumulators) + index] + rest : rest;
    }

    /// <summary>Whether a group has a total of zero.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly bool HasZero(in GroupRecords groups, int firstAccumulator, int accumulators, int index)
    {
        for (int group = 0; group < groups.Count; group++)
        {
            if (Total(groups, groups.At((uint)group), firstAccumulator, accumulators, index) == 0)
                return true;
        }

        return false;
    }

    /// <summary>Adds the totals that a group has in another table; its accumulators are added elsewhere.</summary>
    /// <param name="groups">The groups.</param>
    /// <param name="group">The place of the group.</param>
    /// <param name="accumulators">How many accumulators a group has.</param>
    /// <param name="other">The other table.</param>
    /// <param name="added">The place that the group has there.</param>
    /// <param name="region">The query's region.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public unsafe void Add(in GroupRecords groups, int group, int accumulators, in WideTotals other, int added, ref Region region)
    {
        if (added >= other._capacity)
            return;
        if (group >= _capacity)
            Grow(groups.NextPlace, accumulators, ref region);
        // SAFETY: both tables have room for their group.
        Int128* total = (Int128*)_totals + ((long)group * accumulators), part = (Int128*)other._totals + ((long)added * accumulators);
        for (int i = 0; i < accumulators; i++)
            total[i] += part[i];
    }

    private unsafe void Grow(int places, int accumulators, ref Region region)
    {
        int capacity = RegionGrowth.Next(places, first: 1, places);
        long row = (long)accumulators * sizeof(Int128);
        ulong memory = region.AllocateZeroed(capacity * row);
        Buffer.MemoryCopy((void*)_totals, (void*)memory, capacity * row, _capacity * row); // SAFETY: both ranges have the old capacity.
        _totals = memory;
        _capacity = capacity;
    }
}
