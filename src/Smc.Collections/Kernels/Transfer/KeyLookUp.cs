using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>Looks many keys up at once, for bulk loads.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class KeyLookUp
{
    /// <summary>Finds the row of each key, in one critical section. A key that no row has gets the null handle.</summary>
    /// <param name="index">The index.</param>
    /// <param name="keys">The keys.</param>
    /// <param name="rows">Takes the rows; at least as long as <paramref name="keys"/>.</param>
    /// <exception cref="ObjectDisposedException">The index or its collection has been disposed.</exception>
    public static void Find<T, TKey>(UniqueIndex<T, TKey> index, ReadOnlySpan<TKey> keys, Span<T> rows)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(index);
        index.Find(keys, rows);
    }

    /// <summary>Whether a handle is null.</summary>
    public static bool IsNull<T>(T row)
        where T : unmanaged => RowHandle.ToBits(row) == 0;
}
