using System.Collections;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>
/// A concurrent sorted map from keys to rows, which it keeps while they are retired: what many <see cref="RootHandle{T}"/> under keys would be. Sessions and their carts, customers and their last order. Keys and handles
/// are in native memory.
/// </summary>
/// <remarks>
/// <para>A retired row stays as long as a key has it, and with it what it refers to. When the key is removed, gets another row, or the map is disposed, the next scan may reclaim it
/// (<see cref="MemoryManager.CollectRetired"/>). The map does not keep a row from <see cref="Collection{T}.Remove"/>: its key then has a handle that reads as removed.</para>
/// <para>Thread safety: any thread may call any member at any time, including <see cref="Dispose"/>. Operations on single keys are linearizable. Look-ups take no lock and write no shared memory. Enumerations return
/// every key that is in the map from beginning to end, no key that is absent all the time, and no key twice; they may be kept across <c>await</c>.</para>
/// <code>
/// using RootMap&lt;string, Cart&gt; carts = new();
/// carts["anna"] = cart;
/// allCarts.Retire(cart);          // hidden from queries, there for anna
/// </code>
/// </remarks>
/// <typeparam name="TKey">The type of the keys. See <see cref="KeyCodec.For{TKey}"/> for those that need no codec of their own.</typeparam>
/// <typeparam name="T">The row type.</typeparam>
[DebuggerDisplay("{DebuggerText,nq}")]
public sealed class RootMap<TKey, T> : IReadOnlyDictionary<TKey, T>, IDisposable
    where T : unmanaged
{
    private static readonly bool s_refusesNull = default(TKey) is null && System.Nullable.GetUnderlyingType(typeof(TKey)) is null;

    private readonly RootTable _table;
    private readonly IKeyCodec<TKey> _keys;

    /// <summary>Creates an empty map.</summary>
    /// <param name="options">The defaults if null. <see cref="OrderedMapOptions.Manager"/> is that of the collections whose rows the map keeps.</param>
    /// <param name="keyCodec">That of <see cref="KeyCodec.For{TKey}"/> if null.</param>
    /// <exception cref="InvalidOperationException"><typeparamref name="T"/> is not a tabular type.</exception>
    /// <exception cref="NotSupportedException">The library has no codec for the keys.</exception>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory of the first chunk, 64 KiB.</exception>
    /// <exception cref="ObjectDisposedException">The manager was disposed.</exception>
    public RootMap(OrderedMapOptions? options = null, IKeyCodec<TKey>? keyCodec = null)
    {
        options ??= new OrderedMapOptions();
        TabularSchema.Of<T>();
        _keys = keyCodec ?? KeyCodec.For<TKey>();
        _table = new RootTable(options.Manager, new SliceHeapOptions { Name = options.Name, Limit = options.Limit }, _keys.FixedLength, options.ChunkCapacity);
    }

    /// <summary>The name in messages and metrics.</summary>
    public string Name => _table.Heap.Name;

    /// <summary>The number of keys. Exact when no thread writes; takes time by the number of chunks, of some thousand keys each.</summary>
    /// <exception cref="ObjectDisposedException">The map was disposed.</exception>
    public long LongCount => _table.Count;

    /// <inheritdoc cref="LongCount"/>
    /// <exception cref="OverflowException">There are more than <see cref="int.MaxValue"/>; see <see cref="LongCount"/>.</exception>
    public int Count => checked((int)LongCount);

    /// <summary>Bytes that the map has mapped: keys with their handles, what is free, and what waits for readers. <see cref="OrderedMapOptions.Limit"/> bounds it.</summary>
    public long MemoryBytes => Usage.Mapped;

    /// <summary>The same bytes by what they are used for.</summary>
    public MemoryUsage Usage => _table.Heap.Usage;

    /// <summary>All keys, ascending.</summary>
    public RootRange<TKey, T> All => new(this);

    /// <summary>The keys in ascending order, as copies. Reading them takes time by their number.</summary>
    public IEnumerable<TKey> Keys => All.Select(static pair => pair.Key);

    /// <summary>The rows in the order of their keys. Reading them takes time by their number.</summary>
    public IEnumerable<T> Values => All.Select(static pair => pair.Value);

    /// <summary>What the debugger shows, also after <see cref="Dispose"/>.</summary>
    internal string DebuggerText => _table.Heap.IsDisposed ? $"{Name}: disposed" : $"{Name}: {LongCount} keys";

    /// <summary>Gets the row of a key, or sets it.</summary>
    /// <param name="key">The key.</param>
    /// <exception cref="KeyNotFoundException">The key is not in the map.</exception>
    /// <inheritdoc cref="Set" path="/exception"/>
    public T this[TKey key]
    {
        get => TryGetValue(key, out T row) ? row : throw new KeyNotFoundException($"'{Name}' has no key {key}.");
        set => Set(key, value);
    }

    /// <summary>Gets the row of a key. O(log n); takes no lock and writes nothing shared.</summary>
    /// <param name="key">The key.</param>
    /// <param name="row">The row. It reads as removed if it was removed since it was set.</param>
    /// <returns>False if the key is not in the map.</returns>
    /// <exception cref="ArgumentNullException">The key is null.</exception>
    /// <exception cref="ObjectDisposedException">The map was disposed.</exception>
    [SkipLocalsInit]
    public bool TryGetValue(TKey key, out T row)
    {
        using EncodedValue bytes = Encode(key, stackalloc byte[EncodedValue.StackBytes]);
        bool isFound = _table.TryFind(bytes.Bytes, out ulong handle);
        row = RowHandle.FromBits<T>(handle);
        return isFound;
    }

    /// <summary>Returns true if the key is in the map. O(log n); takes no lock and writes nothing shared.</summary>
    /// <inheritdoc cref="TryGetValue" path="/exception"/>
    public bool ContainsKey(TKey key) => TryGetValue(key, out _);

    /// <summary>Sets the row of a key. From now on the map keeps that one, and no longer the one that the key had.</summary>
    /// <param name="key">The key.</param>
    /// <param name="row">The row, retired or not.</param>
    /// <exception cref="ArgumentNullException">The key is null.</exception>
    /// <exception cref="ArgumentException">The row belongs to a collection of another manager, whose scans do not see the map.</exception>
    /// <exception cref="RowRemovedException">The row is gone; nothing has changed.</exception>
    /// <exception cref="NullReferenceException">The handle is null.</exception>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory; nothing has changed.</exception>
    /// <exception cref="ObjectDisposedException">The map was disposed.</exception>
    [SkipLocalsInit]
    public void Set(TKey key, T row)
    {
        using EncodedValue bytes = Encode(key, stackalloc byte[EncodedValue.StackBytes]);
        if (!_table.TryPut(bytes.Bytes, RowHandle.ToBits(row), replaces: true, out _))
            RowAccess.ThrowNotReadable<T>(RowHandle.ToBits(row));
    }

    /// <summary>Adds a key that is not in the map.</summary>
    /// <returns>False, and nothing has changed, if it is.</returns>
    /// <inheritdoc cref="Set" path="/param|/exception"/>
    [SkipLocalsInit]
    public bool TryAdd(TKey key, T row)
    {
        using EncodedValue bytes = Encode(key, stackalloc byte[EncodedValue.StackBytes]);
        if (!_table.TryPut(bytes.Bytes, RowHandle.ToBits(row), replaces: false, out bool isAdded))
            RowAccess.ThrowNotReadable<T>(RowHandle.ToBits(row));
        return isAdded;
    }

    /// <summary>Sets the row of a key that has another one, if it still has that.</summary>
    /// <param name="key">The key.</param>
    /// <param name="row">The row, retired or not.</param>
    /// <param name="comparison">The row that the key has to have.</param>
    /// <returns>False, and nothing has changed, if it has not.</returns>
    /// <inheritdoc cref="Set" path="/exception"/>
    [SkipLocalsInit]
    public bool TryUpdate(TKey key, T row, T comparison)
    {
        if (RowHandle.ToBits(comparison) == 0) return false;
        using EncodedValue bytes = Encode(key, stackalloc byte[EncodedValue.StackBytes]);
        if (!_table.TryReplace(bytes.Bytes, RowHandle.ToBits(comparison), RowHandle.ToBits(row), out bool isSet))
            RowAccess.ThrowNotReadable<T>(RowHandle.ToBits(row));
        return isSet;
    }

    /// <summary>Removes a key. The map keeps its row no longer.</summary>
    /// <returns>False if it is not in the map.</returns>
    /// <inheritdoc cref="TryGetValue" path="/exception"/>
    public bool Remove(TKey key) => Remove(key, out _);

    /// <summary>Removes a key and returns the row that it had.</summary>
    /// <param name="key">The key.</param>
    /// <param name="row">The row, which the map keeps no longer: if it is retired, a scan may reclaim it at any time.</param>
    /// <inheritdoc cref="Remove(TKey)" path="/returns|/exception"/>
    [SkipLocalsInit]
    public bool Remove(TKey key, out T row)
    {
        using EncodedValue bytes = Encode(key, stackalloc byte[EncodedValue.StackBytes]);
        ulong handle = _table.Remove(bytes.Bytes);
        row = RowHandle.FromBits<T>(handle);
        return handle != 0;
    }

    /// <summary>The keys from <paramref name="key"/> on.</summary>
    public RootRange<TKey, T> From(TKey key) => All.From(key);

    /// <summary>The keys above <paramref name="key"/>.</summary>
    public RootRange<TKey, T> After(TKey key) => All.After(key);

    /// <summary>The keys up to <paramref name="key"/>, that key included.</summary>
    public RootRange<TKey, T> UpTo(TKey key) => All.UpTo(key);

    /// <summary>The keys below <paramref name="key"/>.</summary>
    public RootRange<TKey, T> Before(TKey key) => All.Before(key);

    /// <summary>The keys, the highest first.</summary>
    public RootRange<TKey, T> Descending() => All.Descending();

    /// <inheritdoc cref="RootRange{TKey, T}.GetEnumerator"/>
    public IEnumerator<KeyValuePair<TKey, T>> GetEnumerator() => All.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Gives memory that is not used back to the system, two epochs later.</summary>
    public void TrimExcess() => _table.Heap.TrimExcess();

    /// <summary>
    /// Ends the map: it keeps no row any more, and returns its memory when active readers have finished. Operations in progress complete as if they had been called earlier, or throw
    /// <see cref="ObjectDisposedException"/>, as later operations do.
    /// </summary>
    public void Dispose() => _table.Dispose();

    internal KeyBound BoundAt(TKey key, bool isIncluded)
    {
        using EncodedValue bytes = Encode(key, stackalloc byte[EncodedValue.StackBytes]);
        return new KeyBound(bytes.Bytes.ToArray(), isIncluded);
    }

    internal OrderedCursor Scan(KeyBound? from, KeyBound? to, bool isDescending) => _table.Scan(from, to, isDescending);

    internal TKey DecodeKey(ReadOnlySpan<byte> key) => _keys.Decode(key);

    private EncodedValue Encode(TKey key, Span<byte> stack)
    {
        if (s_refusesNull && key is null) throw new ArgumentNullException(nameof(key));
        return EncodedValue.Of(_keys, key, stack);
    }
}
