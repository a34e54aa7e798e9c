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

    /// <summary>Adds all accumulators to the totals and zeroes them.</summary>
    /// <param name="groups">The groups.</param>
    /// <param name="firstAccumulator">The offset of the first accumulator in a group; the others follow.</param>
    /// <param name="accumulators">How many there are.</param>
    /// <param name="region">The query's region.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public unsafe void Take(in GroupRecords groups, int firstAccumulator, int accumulators, ref Region region)
    {
        if (groups.Count > _capacity)
            Grow(groups.Count, accumulators, ref region);
        for (int group = 0; group < groups.Count; group++)
        {
            // SAFETY: the group has the accumulators, and the totals have room for Capacity groups.
            long* accumulator = (long*)(groups.At((uint)group) + (ulong)firstAccumulator);
            Int128* total = (Int128*)_totals + ((long)group * accumulators);
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
        int number = groups.NumberAt(group);
        // SAFETY: as in Take; groups added since then have no total yet.
        long rest = *((long*)(group + (ulong)firstAccumulator) + index);
        return number < _capacity ? ((Int128*)_totals)[((long)number * accumulators) + index] + rest : rest;
    }

    /// <summary>Adds the totals that a group has in another table; its accumulators are added elsewhere.</summary>
    /// <param name="groups">The groups.</param>
    /// <param name="group">The number of the group.</param>
    /// <param name="accumulators">How many accumulators a group has.</param>
    /// <param name="other">The other table.</param>
    /// <param name="number">The number that the group has there.</param>
    /// <param name="region">The query's region.</param>
    public unsafe void Add(in GroupRecords groups, int group, int accumulators, in WideTotals other, int number, ref Region region)
    {
        if (number >= other._capacity)
            return;
        if (group >= _capacity)
            Grow(groups.Count, accumulators, ref region);
        // SAFETY: both tables have room for their group.
        Int128* total = (Int128*)_totals + ((long)group * accumulators), added = (Int128*)other._totals + ((long)number * accumulators);
        for (int i = 0; i < accumulators; i++)
            total[i] += added[i];
    }

    private unsafe void Grow(int groups, int accumulators, ref Region region)
    {
        int capacity = RegionGrowth.Next(groups, first: 1, groups);
        long row = (long)accumulators * sizeof(Int128);
        ulong memory = region.AllocateZeroed(capacity * row);
        Buffer.MemoryCopy((void*)_totals, (void*)memory, capacity * row, _capacity * row); // SAFETY: both ranges have the old capacity.
        _totals = memory;
        _capacity = capacity;
    }
}
