using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// Sums of several values for a few groups, four rows at a time: the values of four rows are transposed so that each row's values lie side by side,
/// and added to the lanes of its group by one vector addition. Four copies of the lanes, one per row of a step, keep the additions independent.
/// Measured over six million rows in four groups with seven sums: 17 ms against 32 for a scalar loop and 25 for masked sums per group, at 14 ms for reading the columns.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct LaneSums
{
    /// <summary>The most groups for which lanes are used; with more, copies fall out of the first-level cache.</summary>
    public const int MaxGroups = 62;

    /// <summary>The most bytes of a group's lanes: where a row's lanes are is kept in 16 bits. A multiple of a vector's 32.</summary>
    public const int MaxLaneBytes = ushort.MaxValue / (MaxGroups + (int)GroupNumbers.FirstGroup - 1) & ~31;

    private const int Copies = 4;

    private ulong _lanes;
    private int _laneBytes;

    /// <summary>Where the lanes of the first copy begin.</summary>
    public readonly ulong Address => _lanes;

    /// <summary>From one copy to the next.</summary>
    public readonly ulong CopyBytes => (ulong)((MaxGroups + GroupNumbers.FirstGroup) * _laneBytes);

    /// <summary>Makes zeroed lanes of so many bytes per group.</summary>
    /// <exception cref="ArgumentOutOfRangeException">These are more than <see cref="MaxLaneBytes"/>.</exception>
    public static LaneSums Create(ref Region region, int laneBytes)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(laneBytes, MaxLaneBytes);
        LaneSums sums = new() { _laneBytes = laneBytes };
        sums._lanes = region.AllocateZeroed((long)sums.CopyBytes * Copies);
        return sums;
    }

    /// <summary>Adds four values of four rows to the lanes of the rows' groups.</summary>
    /// <safety>The addresses are lanes of this table, one in each copy.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Add(ulong row0, ulong row1, ulong row2, ulong row3, Vector256<long> a, Vector256<long> b, Vector256<long> c, Vector256<long> d)
    {
        if (Avx2.IsSupported)
        {
            Vector256<long> abLow = Avx2.UnpackLow(a, b), abHigh = Avx2.UnpackHigh(a, b), cdLow = Avx2.UnpackLow(c, d), cdHigh = Avx2.UnpackHigh(c, d);
            Add(row0, Avx2.Permute2x128(abLow, cdLow, 0x20));
            Add(row1, Avx2.Permute2x128(abHigh, cdHigh, 0x20));
            Add(row2, Avx2.Permute2x128(abLow, cdLow, 0x31));
            Add(row3, Avx2.Permute2x128(abHigh, cdHigh, 0x31));
        }
        else
        {
            Add(row0, Vector256.Create(a[0], b[0], c[0], d[0]));
            Add(row1, Vector256.Create(a[1], b[1], c[1], d[1]));
            Add(row2, Vector256.Create(a[2], b[2], c[2], d[2]));
            Add(row3, Vector256.Create(a[3], b[3], c[3], d[3]));
        }
    }

    /// <summary>Adds two values of four rows.</summary>
    /// <safety>As for four values.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Add(ulong row0, ulong row1, ulong row2, ulong row3, Vector256<long> a, Vector256<long> b)
    {
        if (Avx2.IsSupported)
        {
            Vector256<long> low = Avx2.UnpackLow(a, b), high = Avx2.UnpackHigh(a, b);
            Add(row0, low.GetLower());
            Add(row1, high.GetLower());
            Add(row2, low.GetUpper());
            Add(row3, high.GetUpper());
        }
        else
        {
            Add(row0, Vector128.Create(a[0], b[0]));
            Add(row1, Vector128.Create(a[1], b[1]));
            Add(row2, Vector128.Create(a[2], b[2]));
            Add(row3, Vector128.Create(a[3], b[3]));
        }
    }

    /// <summary>Moves all sums into the accumulators of the groups, lane i to the i-th, and zeroes the lanes.</summary>
    /// <param name="groups">The groups.</param>
    /// <param name="firstAccumulator">The offset of the first accumulator in a group; the others follow.</param>
    /// <param name="accumulators">How many there are.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly unsafe void MoveTo(in GroupRecords groups, int firstAccumulator, int accumulators)
    {
        for (uint group = 0; group < (uint)Math.Min(groups.Count, MaxGroups); group++)
        {
            // SAFETY: lanes exist for the first MaxGroups groups.
            long* target = (long*)(groups.At(group) + (ulong)firstAccumulator);
            for (uint copy = 0; copy < Copies; copy++)
            {
                long* lane = (long*)(_lanes + (copy * CopyBytes) + ((group + GroupNumbers.FirstGroup) * (ulong)_laneBytes));
                for (int i = 0; i < accumulators; i++)
                {
                    target[i] += lane[i];
                    lane[i] = 0;
                }
            }
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe void Add(ulong lanes, Vector256<long> values) =>
        Vector256.Store(Vector256.Load((long*)lanes) + values, (long*)lanes); // SAFETY: the caller's promise.

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe void Add(ulong lanes, Vector128<long> values) =>
        Vector128.Store(Vector128.Load((long*)lanes) + values, (long*)lanes); // SAFETY: the caller's promise.
}
