using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>One step of <see cref="PathEnds"/>: rows get the number of the row that their reference leads to. Threads share the blocks.</summary>
/// <param name="ends">The rows' numbers.</param>
/// <param name="next">Those of the rows that the references lead to.</param>
/// <param name="flags">What a condition says of the rows, by dense id: only those with <see cref="TargetRows.True"/> are of interest. 0 when all are.</param>
/// <param name="column">Where blocks have the references' zone map, the reference of slot 0, and from one to the next.</param>
internal struct PathStep(PathEnds ends, PathEnds next, ulong flags, (ulong Zone, ulong Offset, ulong Stride) column) : IKernelState<PathStep>
{
    // A row that gets no number is kept, so there is nothing to give up.
    public readonly bool HasGivenUp => false;

    public readonly void GiveUp()
    {
    }

    public readonly void Begin()
    {
    }

    public readonly void Adopt(ref PathStep part)
    {
    }

    public readonly void End()
    {
    }

    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private readonly unsafe void Number(ulong block, int slots)
    {
        if (BlockHeader.HasReusedEntries(block))
            return;
        BlockNumbers references = BlockNumbers.Of(block, column.Zone, column.Offset, column.Stride, next.Origin, next.Limit, TargetRows.DenseIdShift);
        bool areInOrder = BlockHeader.TryFirstId(block, out uint firstId);
        // SAFETY: as large as the selection of a batch, or its bitmap, has to be.
        byte* bitmap = stackalloc byte[ScanBatch.BitmapBytes], selection = stackalloc byte[ScanBatch.Beside];
        for (int first = 0; first < slots; first += ScanBatch.Rows)
        {
            int rows = Math.Min(ScanBatch.Rows, slots - first);
            for (int word = 0; word < rows; word += PathEnds.RowsOfWord)
            {
                ulong wanted = PathEnds.ValidRows(block, first + word, slots);
                if (flags != 0 && areInOrder && firstId + (ulong)(first + word + PathEnds.RowsOfWord) <= ends.Limit)
                    wanted &= TrueOf(flags + firstId + (uint)(first + word));
                *(ulong*)(bitmap + (word / 8)) = wanted;
            }

            int count = RowBitmap.AppendTo((ulong)selection, 0, (ulong)bitmap, first, rows);
            references.Ask((ulong)selection, count);
            for (uint* slot = (uint*)selection, end = slot + count; slot < end; slot++)
            {
                ulong id = BlockHeader.DenseIdAt(block, (int)*slot);
                if (id < ends.Limit && (flags == 0 || KernelMemory.Read<byte>(flags + id) == TargetRows.True))
                    KernelMemory.Write(ends.Numbers + id, KernelMemory.Read<byte>(next.Numbers + references.NumberAt<ulong>(*slot, next.Origin, next.Limit, TargetRows.DenseIdShift)));
            }
        }

        ends.ForgetIfReused(block, slots);
    }

    /// <summary>A bit for each of 64 flags that is true.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe ulong TrueOf(ulong flags) =>
        Vector512.Equals(Vector512.Load((byte*)flags), Vector512.Create(TargetRows.True)).ExtractMostSignificantBits(); // SAFETY: the caller has 64 flags there.

    /// <summary>The blocks of the rows.</summary>
    public readonly struct Blocks : IParallelScan<PathStep>
    {
        public static void Scan(ref PathStep state, int number, ulong block, int slots, ulong validity, int from) => state.Number(block, slots);
    }
}
