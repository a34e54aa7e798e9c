using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// The heads of the chains of a join's table. The rows lie in a list of the kernel's; number 0 stands for none. A head for each integer in the span of the keys where they lie close together;
/// else multiplicative hash, at most one row per head on average.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct JoinTable
{
    /// <summary>So many heads for a row are better than hashing: neighbours stay neighbours.</summary>
    private const ulong SparsestKeys = 8;

    /// <summary>Heads, and a row or more for most of them, beyond what the second-level cache has room for.</summary>
    private const ulong ManyHeads = 1 << 15;

    private ulong _heads;
    private ulong _least;
    private ulong _size;
    private int _shift;

    /// <summary>A table for so many rows, found by hash.</summary>
    public static JoinTable Create(ref Region region, int rows)
    {
        int bits = Math.Max(4, BitOperations.Log2((uint)Math.Max(rows, 1)) + 1);
        return new JoinTable { _heads = region.AllocateZeroed((1L << bits) * sizeof(int)), _shift = 64 - bits };
    }

    /// <summary>A table for so many rows, found by integer keys in a span.</summary>
    public static JoinTable Create(ref Region region, int rows, in KeySpan keys) => keys.Size > (ulong)rows * SparsestKeys
        ? Create(ref region, rows)
        : new JoinTable { _heads = region.AllocateZeroed((long)(keys.Size + 1) * sizeof(int)), _least = keys.Least, _size = keys.Size };

    /// <summary>A table of rows that are found by one integer, chained from the last to the first, so that chains are in order. Row 0 stands for none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static JoinTable Of<TRow>(ref Region region, in RegionList<TRow> rows)
        where TRow : unmanaged, IJoinedRow => Chained(Create(ref region, rows.Count, SpanOf(rows)), rows);

    /// <summary>As <see cref="Of{TRow}(ref Region, in RegionList{TRow})"/>, of all rows of a collection: where their keys lie is told by zone maps. One that lies elsewhere by now is found, too.</summary>
    /// <param name="region">Where the table is kept.</param>
    /// <param name="rows">The rows.</param>
    /// <param name="context">The collection.</param>
    /// <param name="zoneOffset">Where blocks have the zone map of the key.</param>
    public static JoinTable Of<TRow>(ref Region region, in RegionList<TRow> rows, MemoryContext context, ulong zoneOffset)
        where TRow : unmanaged, IJoinedRow => Chained(Create(ref region, rows.Count, KeySpan.Of(ZoneSpan.Over(context, zoneOffset))), rows);

    /// <summary>As <see cref="Of{TRow}(ref Region, in RegionList{TRow})"/>, with a filter of the keys.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static JoinTable Of<TRow>(ref Region region, in RegionList<TRow> rows, out KeyFilter filter)
        where TRow : unmanaged, IJoinedRow
    {
        KeySpan span = SpanOf(rows);
        filter = KeyFilter.Create(ref region, rows.Count, span);
        for (int i = 1; i < rows.Count; i++)
            filter.Add(rows[i].K0);
        return Chained(Create(ref region, rows.Count, span), rows);
    }

    /// <summary>What rows with a handle as their key are found by: its dense id, above bits that tell the collection.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong OfHandle(ulong handle) => handle >> TargetRows.DenseIdShift;

    /// <summary>Puts a row before the others with its hash, or key, and returns the one that was first.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly int Push(ulong key, int row)
    {
        ref int head = ref Head(key);
        int next = head;
        head = row;
        return next;
    }

    /// <summary>Whether looking up misses the caches near the processor, so that rows are worth asking for ahead.</summary>
    public readonly bool IsLarge => (_shift == 0 ? _size : 1UL << (64 - _shift)) >= ManyHeads;

    /// <summary>Asks for the head of a key's chain.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly unsafe void Ask(ulong key) => KernelMemory.Prefetch((ulong)Unsafe.AsPointer(ref Head(key))); // SAFETY: heads are not managed memory.

    /// <summary>The first row whose hash, or key, can be this one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly int First(ulong key) => Head(key);

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static KeySpan SpanOf<TRow>(in RegionList<TRow> rows)
        where TRow : unmanaged, IJoinedRow
    {
        KeySpan span = KeySpan.Empty;
        for (int i = 1; i < rows.Count; i++)
            span.Widen(rows[i].K0);
        return span;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static JoinTable Chained<TRow>(JoinTable table, in RegionList<TRow> rows)
        where TRow : unmanaged, IJoinedRow
    {
        for (int i = rows.Count - 1; i > 0; i--)
            rows[i].Next = table.Push(rows[i].K0, i);
        return table;
    }

    // SAFETY: the shift leaves as many bits as there are heads; the head behind the last stands for all keys outside of the span.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly unsafe ref int Head(ulong key) =>
        ref ((int*)_heads)[_shift == 0 ? Math.Min(key - _least, _size) : KeyWords.Spread(key) >> _shift];
}
