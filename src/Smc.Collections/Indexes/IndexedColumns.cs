using System.Runtime.CompilerServices;

namespace Smc.Collections.Indexes;

/// <summary>Which columns of a row type are key columns of an index of any collection: what a setter asks first.</summary>
/// <remarks>
/// A bit for each of 64 groups of columns, so a setter of another column may be told yes; it then asks its collection. Setters read it inside their
/// critical section: who creates an index waits for those that may have read it before.
/// </remarks>
/// <typeparam name="TRow">The row type.</typeparam>
internal static class IndexedColumns<TRow>
{
    // Alone in its class, which so needs no static constructor that a setter would have to check.
#pragma warning disable S2743 // One for each row type is what is meant.
    private static ulong s_mask;
#pragma warning restore S2743

    /// <summary>Whether any column is a key column.</summary>
    public static bool Any => Volatile.Read(ref s_mask) != 0;

    /// <summary>Whether the column at an offset may be a key column.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Includes(int offset) => (Volatile.Read(ref s_mask) >> BitOf(offset) & 1) != 0;

    /// <summary>Counts the columns of an index that is about to be built.</summary>
    public static void Add(KeyPart[] parts) => Change(parts, 1);

    /// <summary>Takes them back.</summary>
    public static void Remove(KeyPart[] parts) => Change(parts, -1);

    // The offset is a constant of the setter's, and so is this.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int BitOf(int offset) => (int)((uint)offset * 0x9E3779B1 >> 26);

    private static void Change(KeyPart[] parts, int by)
    {
        int[] counts = IndexedColumnCounts<TRow>.Counts;
        lock (counts)
        {
            foreach (KeyPart part in parts)
            {
                int bit = BitOf(part.Offset);
                counts[bit] += by;
                ulong mask = counts[bit] > 0 ? s_mask | (1UL << bit) : s_mask & ~(1UL << bit);
                Volatile.Write(ref s_mask, mask);
            }
        }
    }

    private static class IndexedColumnCounts<T>
    {
        public static readonly int[] Counts = new int[64];
    }
}
