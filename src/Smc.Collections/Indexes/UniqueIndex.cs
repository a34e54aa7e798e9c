using System.Diagnostics;
using System.Runtime.CompilerServices;
using Smc.Collections.Indexes;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>
/// An index that finds rows of a collection by key in constant time and refuses a second row with the same key. Create it with <see cref="Collection{T}.CreateUniqueIndex{TKey}"/>, or declare it with <see cref="KeyAttribute"/> or <see cref="UniqueAttribute"/>.
/// </summary>
/// <remarks>
/// <para>The collection keeps the index up to date: additions, setters of key properties, removals and compaction need no other call.</para>
/// <para>Thread safety: any number of threads may call all members at once. Look-ups take no lock. A row is found as soon as enumerations can return it, and no longer
/// once it is removed. A look-up returns a row that had the key at some moment during the call, and no row only if none had the key at some moment during the call.</para>
/// <para>A row with null in its key is not in the index; any number of rows may have null. Strings are compared by their characters (ordinal).</para>
/// </remarks>
/// <typeparam name="T">The row type.</typeparam>
/// <typeparam name="TKey">The type of the key column, or a value tuple of several.</typeparam>
[DebuggerDisplay("{DebuggerText,nq}")]
public sealed class UniqueIndex<T, TKey> : IDisposable
    where T : unmanaged
{
    private const int KeysAhead = 32;

    private readonly HashIndex _index;

    internal UniqueIndex(HashIndex index) => _index = index;

    /// <summary>The name in exception messages.</summary>
    public string Name => _index.Name;

    /// <summary>The number of rows in the index: those without a null in their key. O(rows / 2,000).</summary>
    /// <exception cref="OverflowException">There are more than <see cref="int.MaxValue"/>; see <see cref="LongCount"/>.</exception>
    /// <exception cref="ObjectDisposedException">The index or its collection has been disposed.</exception>
    public int Count => checked((int)LongCount);

    /// <summary>The number of rows in the index; approximate while other threads write.</summary>
    /// <exception cref="ObjectDisposedException">The index or its collection has been disposed.</exception>
    public long LongCount
    {
        get
        {
            using CriticalSection section = CriticalSection.Enter();
            RequireOpen();
            return _index.Count;
        }
    }

    /// <summary>Bytes that the index holds. They are part of <see cref="MemoryUsage.Indexes"/> of the collection.</summary>
    public long MemoryBytes => _index.MemoryBytes;

    /// <summary>Returns the row with a key. O(1).</summary>
    /// <param name="key">The key.</param>
    /// <returns>The row. Another thread may remove it at any time.</returns>
    /// <exception cref="KeyNotFoundException">No row has the key.</exception>
    /// <exception cref="ObjectDisposedException">The index or its collection has been disposed.</exception>
    public T Find(TKey key) => TryFind(key, out T row)
        ? row
        : throw new KeyNotFoundException($"Unique index '{Name}' has no row with the key {(key is string text ? $"\"{text}\"" : key is null ? "null" : key)}.");

    /// <summary>Finds the row with a key, if there is one. O(1).</summary>
    /// <param name="key">The key.</param>
    /// <param name="row">The row, or the null handle.</param>
    /// <returns>True if a row has the key; false if none has, or if the key is or contains null.</returns>
    /// <exception cref="ObjectDisposedException">The index or its collection has been disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFind(TKey key, out T row)
    {
        ulong handle = KeyEncoder<TKey>.IsInteger ? FindInteger(KeyEncoder<TKey>.Widen(key)) : FindEncoded(key);
        // A sequence that is being added does not see the rows that were added of it so far.
        if (BulkAddition.IsAnyRunning && BulkAddition.Hides(_index.Context, handle))
            handle = 0;
        row = RowHandle.FromBits<T>(handle);
        return handle != 0;
    }

    /// <summary>What the debugger shows, also after <see cref="Dispose"/>.</summary>
    internal string DebuggerText => _index.IsDropped || _index.Context.IsDisposed ? $"{Name}: disposed" : $"{Name}: {LongCount} rows";

    /// <summary>The names of the key's properties.</summary>
    internal string[] KeyColumns => Array.ConvertAll(_index.Parts, static part => part.Name);

    /// <summary>Finds the rows with many keys. Takes less time than a call for each, because memory is asked for in advance. No memory of removed rows can be used again while it runs.</summary>
    /// <param name="keys">The keys.</param>
    /// <param name="rows">Gets the row of each key at the key's place; the null handle for a key that no row has.</param>
    /// <exception cref="ArgumentException">There are more keys than places for rows.</exception>
    /// <exception cref="ObjectDisposedException">The index or its collection has been disposed.</exception>
    public void Find(ReadOnlySpan<TKey> keys, Span<T> rows)
    {
        if (rows.Length < keys.Length)
            throw new ArgumentException($"There are {keys.Length} keys and room for {rows.Length} rows.", nameof(rows));
        using (CriticalSection section = CriticalSection.Enter())
        {
            RequireOpen();
            for (int first = 0; first < keys.Length; first += KeysAhead)
                FindSome(keys[first..Math.Min(first + KeysAhead, keys.Length)], rows[first..]);
        }

        // After the section: what hides rows has a lock.
        if (!BulkAddition.HidesRowsOf(_index.Context))
            return;
        foreach (ref T row in rows[..keys.Length])
        {
            if (BulkAddition.Hides(_index.Context, RowHandle.ToBits(row)))
                row = default;
        }
    }

    /// <summary>Returns true if a row has the key at some moment during the call. O(1).</summary>
    /// <exception cref="ObjectDisposedException">The index or its collection has been disposed.</exception>
    public bool Contains(TKey key) => TryFind(key, out _);

    /// <summary>Drops the index. Its memory is returned when no reader can be using it. Has no effect on an index that the row type declares.</summary>
    public void Dispose()
    {
        if (!_index.Description.IsDeclared)
            _index.End();
    }

    private ulong FindInteger(ulong key)
    {
        using CriticalSection section = CriticalSection.Enter();
        RequireOpen();
        return _index.Find(key);
    }

    private ulong FindEncoded(TKey key)
    {
        using CriticalSection section = CriticalSection.Enter();
        RequireOpen();
        return _index.TryFind(key, out ulong handle) ? handle : 0;
    }

    /// <summary>Asks for the buckets of all keys before it reads the first, so that the processor waits for memory once for all of them.</summary>
    private void FindSome(ReadOnlySpan<TKey> keys, Span<T> rows)
    {
        foreach (TKey key in keys)
            _index.PrefetchKey(key);

        for (int i = 0; i < keys.Length; i++)
            rows[i] = _index.TryFind(keys[i], out ulong handle) ? RowHandle.FromBits<T>(handle) : default;
    }

    // Inside the section: what is disposed after this keeps its memory until the section ends.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void RequireOpen()
    {
        if (_index.IsDropped || _index.Context.IsDisposed)
            _index.ThrowDisposed();
    }
}
