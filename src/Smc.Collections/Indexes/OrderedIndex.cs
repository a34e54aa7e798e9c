using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>
/// Finds rows of a collection by key and by ranges of keys, in the order of the keys; any number of rows may have one key. Made by <see cref="Collection{T}.CreateIndex{TKey}"/>, or declared by
/// <see cref="IndexAttribute"/>.
/// </summary>
/// <remarks>
/// <para>The collection keeps the index right: additions, setters of key columns, removals and compactions need no other call. All members may be called from any number of
/// threads at once. Readers take no lock.</para>
/// <para>Keys are in the order of <see cref="Comparer{T}.Default"/>, texts in ordinal order, keys of several columns by the first, then by the second, and so on. Rows with one key come in an order
/// that stays the same. A row with a null in its key is not in the index.</para>
/// <para>Enumerations are not atomic. A row that is returned had its key, within the range, at a moment of the call that returned it. A row whose key does not change is returned if it is there from the
/// beginning to the end; a row that gets another key meanwhile may be missed, or returned once for each key.</para>
/// <code>
/// using OrderedIndex&lt;Order, DateOnly&gt; byDate = orders.CreateIndex(o => o.Date);
/// foreach (Order order in byDate.Range(monday, sunday).Descending()) …
/// </code>
/// </remarks>
/// <typeparam name="T">The row type.</typeparam>
/// <typeparam name="TKey">The type of the key column, or a value tuple of several.</typeparam>
[DebuggerDisplay("{DebuggerText,nq}")]
public sealed class OrderedIndex<T, TKey> : IDisposable
    where T : unmanaged
{
    private readonly SortedIndex _index;

    internal OrderedIndex(SortedIndex index) => _index = index;

    /// <summary>The name in messages.</summary>
    public string Name => _index.Name;

    /// <summary>The number of rows in the index: those without a null in their key. O(rows / 2,000).</summary>
    /// <exception cref="OverflowException">There are more than <see cref="int.MaxValue"/>; see <see cref="LongCount"/>.</exception>
    /// <exception cref="ObjectDisposedException">The index or its collection has been disposed.</exception>
    public int Count => checked((int)LongCount);

    /// <summary>The number of rows in the index; near the true number while others write.</summary>
    /// <exception cref="ObjectDisposedException">The index or its collection has been disposed.</exception>
    public long LongCount => All.LongCount();

    /// <summary>Bytes that the index holds. They are part of <see cref="MemoryUsage.Indexes"/> of the collection.</summary>
    public long MemoryBytes => _index.MemoryBytes;

    /// <summary>What the debugger shows, also after <see cref="Dispose"/>.</summary>
    internal string DebuggerText => _index.IsDropped || _index.Context.IsDisposed ? $"{Name}: disposed" : $"{Name}: {LongCount} rows";

    /// <summary>All rows of the index, ascending.</summary>
    public IndexRange<T, TKey> All => new(_index);

    /// <summary>The lowest key: a row had it at a moment during the call.</summary>
    /// <exception cref="InvalidOperationException">The index has no rows.</exception>
    /// <exception cref="ObjectDisposedException">The index or its collection has been disposed.</exception>
    public TKey Min => TryGetMin(out TKey? key) ? key : throw NoRows();

    /// <summary>The highest key: a row had it at a moment during the call.</summary>
    /// <inheritdoc cref="Min" path="/exception"/>
    public TKey Max => TryGetMax(out TKey? key) ? key : throw NoRows();

    /// <summary>The rows with a key. None if the key is null, or has a null in it.</summary>
    /// <param name="key">The key.</param>
    public IndexRange<T, TKey> FindAll(TKey key) => HasNull(key) ? All.Nothing() : Range(key, key);

    /// <summary>Whether a row has a key. O(log n).</summary>
    /// <param name="key">The key.</param>
    /// <exception cref="ObjectDisposedException">The index or its collection has been disposed.</exception>
    public bool Contains(TKey key) => FindAll(key).Any();

    /// <summary>The rows with keys from one to another, those with these two keys included. None if <paramref name="from"/> is above <paramref name="to"/>.</summary>
    /// <param name="from">The lowest key, included.</param>
    /// <param name="to">The highest key, included. For a range without it: <c>From(from).Before(to)</c>.</param>
    /// <exception cref="ArgumentException">A key is null, or has a null in it.</exception>
    public IndexRange<T, TKey> Range(TKey from, TKey to) => From(from).UpTo(to);

    /// <summary>The rows with keys from <paramref name="key"/> on, those with that key included.</summary>
    /// <exception cref="ArgumentException">The key is null, or has a null in it.</exception>
    public IndexRange<T, TKey> From(TKey key) => All.From(key);

    /// <summary>The rows with keys above <paramref name="key"/>.</summary>
    /// <inheritdoc cref="From" path="/exception"/>
    public IndexRange<T, TKey> After(TKey key) => All.After(key);

    /// <summary>The rows with keys up to <paramref name="key"/>, those with that key included.</summary>
    /// <inheritdoc cref="From" path="/exception"/>
    public IndexRange<T, TKey> UpTo(TKey key) => All.UpTo(key);

    /// <summary>The rows with keys below <paramref name="key"/>.</summary>
    /// <inheritdoc cref="From" path="/exception"/>
    public IndexRange<T, TKey> Before(TKey key) => All.Before(key);

    /// <summary>All rows, those with the highest key first.</summary>
    public IndexRange<T, TKey> Descending() => All.Descending();

    /// <summary>Gets the lowest key. O(log n), if not many rows were removed at the lower end.</summary>
    /// <returns>False if the index has no rows.</returns>
    /// <exception cref="ObjectDisposedException">The index or its collection has been disposed.</exception>
    public bool TryGetMin([MaybeNullWhen(false)] out TKey key) => All.TryGetFirstKey(out key);

    /// <summary>Gets the highest key.</summary>
    /// <inheritdoc cref="TryGetMin" path="/returns|/exception"/>
    public bool TryGetMax([MaybeNullWhen(false)] out TKey key) => All.Descending().TryGetFirstKey(out key);

    /// <summary>Drops the index: the collection no longer maintains it. Its memory is given back when no reader can be at it. Nothing if the row type declares the index.</summary>
    public void Dispose()
    {
        if (!_index.Description.IsDeclared)
            _index.End();
    }

    private static bool HasNull(TKey key)
    {
        if (key is null)
            return true;
        if (default(TKey) is not System.Runtime.CompilerServices.ITuple)
            return false;
        System.Runtime.CompilerServices.ITuple tuple = (System.Runtime.CompilerServices.ITuple)key;
        return Enumerable.Range(0, tuple.Length).Any(i => tuple[i] is null);
    }

    private InvalidOperationException NoRows() => new($"Index '{Name}' has no rows.");
}
