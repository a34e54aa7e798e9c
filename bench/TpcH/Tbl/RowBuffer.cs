using System.Buffers;

namespace TpcH;

/// <summary>
/// Rows of one chunk in a pooled array: a new array for every chunk would be a large object, and make the garbage collector
/// run full collections while a table is loaded.
/// </summary>
public sealed class RowBuffer<TRow>(int capacity) : IRowChunk
{
    private TRow[] rows = ArrayPool<TRow>.Shared.Rent(capacity);

    public int Count { get; private set; }

    /// <summary>Room for further rows; <see cref="Advance"/> tells how much of it was used.</summary>
    public Span<TRow> Free => rows.AsSpan(Count);

    public ReadOnlySpan<TRow> Rows => rows.AsSpan(0, Count);

    public ref readonly TRow this[int index] => ref rows[index];

    public void Advance(int count) => Count += count;

    public void Add(TRow row)
    {
        if (Count == rows.Length)
            Grow();
        rows[Count++] = row;
    }

    public void Dispose()
    {
        Release(rows);
        rows = [];
    }

    private void Grow()
    {
        TRow[] larger = ArrayPool<TRow>.Shared.Rent(2 * rows.Length);
        Rows.CopyTo(larger);
        Release(rows);
        rows = larger;
    }

    private static void Release(TRow[] array)
    {
        if (array.Length > 0)
            ArrayPool<TRow>.Shared.Return(array, clearArray: true);
    }
}
