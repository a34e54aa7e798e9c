using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>The codes of a batch that tell numbers of a table of bits: from the lowest to the highest.</summary>
internal readonly struct CodeWindow
{
    // Up to here the time to find out which codes a batch has is longer than what it saves.
    private const int FewCodes = 2048;

    private const int RowsOfStep = 64;

    private CodeWindow(ushort lowest, ushort highest) => (Lowest, Span) = (lowest, (ushort)(highest - lowest));

    /// <summary>The lowest code.</summary>
    public ushort Lowest { get; }

    /// <summary>How far the highest is above it.</summary>
    public ushort Span { get; }

    /// <summary>Whether <see cref="BitPages"/> are a good way to look the numbers up. If not, there may be no code at all.</summary>
    public bool IsNarrow => Lowest >= ColumnSketch.First && Span < BitPages.MostBits;

    /// <summary>The codes of a batch that tell numbers.</summary>
    /// <param name="numbers">The column, with codes.</param>
    /// <param name="size">The number of numbers.</param>
    /// <param name="first">The batch's first slot, a multiple of 64.</param>
    /// <param name="rows">The batch's rows.</param>
    /// <safety><see cref="BitPages.AreSupported"/>. The column is that of a block, in whose critical section the caller is, and the batch lies in the block.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static CodeWindow Of(in BlockNumbers numbers, ulong size, int first, int rows) =>
        TryTell(numbers, size, out ushort lowest, out ushort highest) && highest - lowest >= FewCodes ? OfBatch(numbers.Codes + ((ulong)first * sizeof(ushort)), rows, lowest, highest) : new CodeWindow(lowest, highest);

    /// <summary>The least and the greatest code of a block that tells a number. If none does, both are <see cref="ColumnSketch.Unknown"/>, and the answer is false.</summary>
    public static bool TryTell(in BlockNumbers numbers, ulong size, out ushort lowest, out ushort highest)
    {
        long low = Math.Max(ColumnSketch.First, (long)ColumnSketch.First - numbers.First), high = Math.Min(ColumnSketch.Above - 1L, ColumnSketch.First + (long)size - 1 - numbers.First);
        (lowest, highest) = low <= high ? ((ushort)low, (ushort)high) : (ColumnSketch.Unknown, ColumnSketch.Unknown);
        return low <= high;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static unsafe CodeWindow OfBatch(ulong codes, int rows, ushort lowest, ushort highest)
    {
        // SAFETY: blocks have capacity for a multiple of 64 rows, so the codes of a whole step exist.
        ushort* next = (ushort*)codes, end = next + rows;
        Vector512<ushort> low = Vector512.Create(lowest), span = Vector512.Create((ushort)(highest - lowest)), least = span, greatest = Vector512<ushort>.Zero;
        for (; next < end; next += RowsOfStep)
        {
            KernelMemory.PrefetchPageLater<ushort>((ulong)next);
            Vector512<ushort> left = Vector512.Load(next) - low, right = Vector512.Load(next + Vector512<ushort>.Count) - low;
            // What is below the lowest has wrapped around, so all codes that tell no number are above the span.
            least = Vector512.Min(least, Vector512.Min(left, right));
            greatest = Vector512.Max(greatest, Vector512.Max(InSpan(left, span), InSpan(right, span)));
        }

        int from = Lowest16(least), to = ushort.MaxValue - Lowest16(~greatest);
        return new CodeWindow((ushort)(lowest + from), (ushort)(lowest + Math.Max(from, to)));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector512<ushort> InSpan(Vector512<ushort> distances, Vector512<ushort> span) =>
        Vector512.ConditionalSelect(Vector512.LessThanOrEqual(distances, span), distances, Vector512<ushort>.Zero);

    private static ushort Lowest16(Vector512<ushort> lanes)
    {
        Vector256<ushort> half = Vector256.Min(lanes.GetLower(), lanes.GetUpper());
        return Sse41.MinHorizontal(Vector128.Min(half.GetLower(), half.GetUpper())).ToScalar();
    }
}
