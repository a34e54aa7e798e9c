using System.Numerics;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// Which row of a small collection lies at the end of a path of references, for each row that a scan's reference leads to: a byte by dense id, numbered from 1. So a scan knows the nation of an order's
/// customer without a look at order and customer.
/// </summary>
/// <remarks>
/// <para>Made from the end of the path to its beginning, by one pass over each collection on the way and no jumps but into the bytes before.</para>
/// <para>
/// A row has no number (0) where the path from it leads nowhere, or through a block with rows whose dense id an older row had: a stale handle would pass for a living one. A path is as it was when
/// the number was made, and good for one critical section, in which no dense id is given to another row.
/// </para>
/// </remarks>
internal struct PathEnds
{
    /// <summary>Rows at the end that have numbers.</summary>
    internal const ulong MostEnds = 254;

    /// <summary>The numbers of a step of a path: from a block to a reference column's zone map and values, from one value to the next, and the layout of the rows that it leads to.</summary>
    private const int NumbersOfStep = 4;

    private ulong _handles;

    /// <summary>A byte by dense id, and one more, which is 0.</summary>
    internal ulong Numbers { get; private set; }

    /// <summary>What is taken from a handle's upper bits to give the dense id.</summary>
    internal ulong Origin { get; private set; }

    /// <summary>The number of dense ids.</summary>
    internal ulong Limit { get; private set; }

    /// <summary>Numbers are below this.</summary>
    internal ulong Count { get; private set; }

    /// <summary>The handle of the row with a number.</summary>
    internal readonly ulong HandleOf(ulong number) => KernelMemory.Read<ulong>(_handles + (number * sizeof(ulong)));

    /// <summary>The collections on the way from rows that are marked as true; none where one of them cannot be read, or the last has too many rows.</summary>
    /// <param name="target">The rows, once their condition was asked.</param>
    /// <param name="path">See <see cref="EndPairs.Create"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    internal static TargetRows[] StepsOf(in TargetRows target, ReadOnlySpan<ulong> path)
    {
        TargetRows[] steps = new TargetRows[1 + (path.Length / NumbersOfStep)];
        steps[0] = target;
        for (int step = 1; step < steps.Length; step++)
        {
            ReadOnlySpan<ulong> column = path.Slice((step - 1) * NumbersOfStep, NumbersOfStep);
            steps[step] = TargetRows.LocateBlocks(steps[step - 1].Context, column[0], column[3]);
        }

        return Array.TrueForAll(steps, static step => step.Blocks is not null) && steps[^1].Limit <= MostEnds ? steps : [];
    }

    /// <summary>The ends of a path.</summary>
    /// <param name="steps">The collections on the way.</param>
    /// <param name="path">The path.</param>
    /// <param name="region">The query's region.</param>
    /// <safety>As <see cref="EndPairs.Create"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    internal static PathEnds Of(TargetRows[] steps, ReadOnlySpan<ulong> path, ref Region region)
    {
        PathEnds ends = Itself(steps[^1], ref region);
        for (int step = steps.Length - 2; step >= 0; step--)
        {
            ReadOnlySpan<ulong> column = path.Slice(step * NumbersOfStep, NumbersOfStep);
            ends = ends.Before(steps[step], column[0], column[1], column[2], onlyTrue: step == 0, ref region);
        }

        return ends;
    }

    /// <summary>Each row is its own end.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static PathEnds Itself(in TargetRows target, ref Region region)
    {
        PathEnds ends = Empty(target, ref region);
        ends.Count = target.Limit + 1;
        ends._handles = region.AllocateZeroed((long)ends.Count * sizeof(ulong));
        BlockList blocks = target.Blocks!;
        for (int i = 0; i < blocks.Count; i++)
        {
            ulong block = blocks[i].Address;
            if (BlockHeader.HasReusedEntries(block))
                continue;
            int slots = BlockHeader.SlotCount(block);
            for (int first = 0; first < slots; first += RowsOfWord)
            {
                for (ulong left = ValidRows(block, first, slots); left != 0; left &= left - 1)
                {
                    int slot = first + BitOperations.TrailingZeroCount(left);
                    ulong id = BlockHeader.DenseIdAt(block, slot);
                    if (id >= ends.Limit)
                        continue;
                    KernelMemory.Write(ends._handles + ((id + 1) * sizeof(ulong)), BlockHeader.HandleOfSeen(block, slot));
                    KernelMemory.Write(ends.Numbers + id, (byte)(id + 1));
                }
            }

            ends.ForgetIfReused(block, slots);
        }

        return ends;
    }

    /// <summary>The ends of the path that begins one step before.</summary>
    private readonly PathEnds Before(in TargetRows target, ulong zoneOffset, ulong offset, ulong stride, bool onlyTrue, ref Region region)
    {
        PathEnds ends = Empty(target, ref region);
        (ends.Count, ends._handles) = (Count, _handles);
        PathStep step = new(ends, this, onlyTrue ? target.Flags : 0, (zoneOffset, offset, stride));
        ParallelScan.ScanTargets<PathStep.Blocks, PathStep>(ref step, target);
        return ends;
    }

    private static PathEnds Empty(in TargetRows target, ref Region region) =>
        new() { Origin = target.Origin, Limit = target.Limit, Numbers = region.AllocateZeroed((long)target.Limit + 1) };

    /// <summary>Takes the numbers of a block's rows back, if the block has got a row with a reused entry since they were made.</summary>
    /// <safety>The block is one of the rows'.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    internal readonly void ForgetIfReused(ulong block, int slots)
    {
        // The rows were read before this; partner: the block knows of a reused entry before its row is published.
        Interlocked.MemoryBarrier();
        if (!BlockHeader.HasReusedEntries(block))
            return;
        for (int slot = 0; slot < slots; slot++)
        {
            ulong id = BlockHeader.DenseIdAt(block, slot);
            if (id < Limit)
                KernelMemory.Write<byte>(Numbers + id, 0);
        }
    }

    internal const int RowsOfWord = 64;

    /// <summary>The rows that 64 slots of a block hold.</summary>
    /// <safety>The block was reached in the caller's critical section.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe ulong ValidRows(ulong block, int first, int slots)
    {
        // SAFETY: blocks have a bit for each slot, in whole words.
        ulong valid = Volatile.Read(ref ((ulong*)BlockHeader.Validity(block))[first / RowsOfWord]);
        return slots - first < RowsOfWord ? valid & ((1UL << (slots - first)) - 1) : valid;
    }
}
