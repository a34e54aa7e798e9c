using System.Buffers;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>
/// A concurrent sorted map in native memory. Keys, values and the chunks that keep them in order are outside the heap, so the garbage collector does not scan them.
/// (Oak: A Scalable Off-Heap Allocated Key-Value Map, PPoPP 2020.)
/// </summary>
/// <remarks>
/// <para>Thread safety: any thread may call any member at any time, including <see cref="Dispose"/>. Operations on single keys are linearizable. Look-ups take no lock and
/// write no shared memory. A function that changes a value runs exactly once, with no other reader or writer of that value, and in place.</para>
/// <para>Keys and values are copied in and out by an <see cref="IKeyCodec{TKey}"/> and an <see cref="IValueCodec{T}"/>. <see cref="Read"/> and
/// <see cref="MapRange{TKey, TValue}.Scan"/> give access to the bytes in place.</para>
/// <para>Enumerations and scans are not atomic. They return every key that is in the map from beginning to end, no key that is absent all the time, and no key
/// twice. They may be kept across <c>await</c>.</para>
/// <code>
/// using OrderedMap&lt;string, long&gt; visits = new();
/// visits.AddOrUpdate("/home", 1, static (_, n) => n, static (ref long count, long n) => count += n);
/// foreach ((string path, long count) in visits.From("/a").Before("/b").Descending()) Show(path, count);
/// </code>
/// </remarks>
/// <typeparam name="TKey">The type of the keys. See <see cref="KeyCodec.For{TKey}"/> for those that need no codec of their own.</typeparam>
/// <typeparam name="TValue">The type of the values: a struct without references, <see cref="string"/>, an array of bytes, or what a codec of your own writes.</typeparam>
[DebuggerDisplay("{DebuggerText,nq}")]
[DebuggerTypeProxy(typeof(OrderedMapDebugView<,>))]
public sealed partial class OrderedMap<TKey, TValue> : IReadOnlyDictionary<TKey, TValue>, IDisposable
{
    private static readonly bool s_refusesNull = default(TKey) is null && System.Nullable.GetUnderlyingType(typeof(TKey)) is null;

    private static readonly bool s_refusesNullValue = default(TValue) is null && System.Nullable.GetUnderlyingType(typeof(TValue)) is null;

    private readonly OrderedTable _table;
    private readonly IKeyCodec<TKey> _keys;
    private readonly IValueCodec<TValue> _values;

    /// <summary>Creates an empty map.</summary>
    /// <param name="options">The defaults if null.</param>
    /// <param name="keyCodec">That of <see cref="KeyCodec.For{TKey}"/> if null.</param>
    /// <param name="valueCodec">That of <see cref="ValueCodec.For{TValue}"/> if null.</param>
    /// <exception cref="NotSupportedException">The library has no codec for one of the types.</exception>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory of the first chunk, 64 KiB.</exception>
    /// <exception cref="ObjectDisposedException">The manager was disposed.</exception>
    public OrderedMap(OrderedMapOptions? options = null, IKeyCodec<TKey>? keyCodec = null, IValueCodec<TValue>? valueCodec = null)
    {
        options ??= new OrderedMapOptions();
        _keys = keyCodec ?? KeyCodec.For<TKey>();
        _values = valueCodec ?? ValueCodec.For<TValue>();
        _table = new OrderedTable(options.Manager, new SliceHeapOptions { Name = options.Name, Limit = options.Limit }, _keys.FixedLength, options.ChunkCapacity);
    }

    /// <summary>The name in messages and metrics.</summary>
    public string Name => _table.Heap.Name;

    /// <summary>The number of keys. Exact when no thread writes; takes time by the number of chunks, of some thousand keys each.</summary>
    /// <exception cref="ObjectDisposedException">The map was disposed.</exception>
    public long LongCount => _table.Count;

    /// <inheritdoc cref="LongCount"/>
    /// <exception cref="OverflowException">There are more than <see cref="int.MaxValue"/>; see <see cref="LongCount"/>.</exception>
    public int Count => checked((int)LongCount);

    /// <summary>Bytes that the map has mapped: keys, values, chunks, what is free, and what waits for readers. <see cref="OrderedMapOptions.Limit"/> bounds it.</summary>
    public long MemoryBytes => Usage.Mapped;

    /// <summary>The same bytes by what they are used for: <see cref="MemoryUsage.Slices"/> are keys, values and chunks.</summary>
    public MemoryUsage Usage => _table.Heap.Usage;

    /// <summary>True if <see cref="Dispose"/> was called.</summary>
    internal bool IsDisposed => Heap.IsDisposed;

    /// <summary>What the debugger shows, also after <see cref="Dispose"/>.</summary>
    internal string DebuggerText => IsDisposed ? $"{Name}: disposed" : $"{Name}: {LongCount} keys";

    /// <summary>The structure below, for tests.</summary>
    internal OrderedTable Table => _table;

    private SliceHeap Heap => _table.Heap;

    /// <summary>Gets a copy of the value of a key, or sets it.</summary>
    /// <param name="key">The key.</param>
    /// <exception cref="KeyNotFoundException">The key is not in the map.</exception>
    /// <inheritdoc cref="Set" path="/exception"/>
    public TValue this[TKey key]
    {
        get => TryGetValue(key, out TValue? value) ? value : throw new KeyNotFoundException($"'{Name}' has no key {key}.");
        set => Set(key, value);
    }

    /// <summary>Gets a copy of the value of a key. O(log n); takes no lock and writes nothing shared.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value as one write left it.</param>
    /// <returns>False if the key is not in the map.</returns>
    /// <exception cref="ArgumentNullException">The key is null.</exception>
    /// <exception cref="ObjectDisposedException">The map was disposed.</exception>
    [SkipLocalsInit]
    public bool TryGetValue(TKey key, [MaybeNullWhen(false)] out TValue value)
    {
        using EncodedValue bytes = Encode(key, stackalloc byte[EncodedValue.StackBytes]);
        return TryFindValue(bytes.Bytes, out value);
    }

    /// <summary>Returns true if the key is in the map. O(log n); takes no lock and writes nothing shared.</summary>
    /// <inheritdoc cref="TryGetValue" path="/exception"/>
    [SkipLocalsInit]
    public bool ContainsKey(TKey key)
    {
        using EncodedValue bytes = Encode(key, stackalloc byte[EncodedValue.StackBytes]);
        return _table.TryFind(bytes.Bytes, out _);
    }

    /// <summary>Computes something from the bytes of a value where they are, without a copy, a lock or a store.</summary>
    /// <param name="key">The key.</param>
    /// <param name="state">What the function gets.</param>
    /// <param name="reader">
    /// The function. It may run several times, and on bytes that change; only a run that saw them at rest counts. See <see cref="SliceReader{TState, TResult}"/>.
    /// </param>
    /// <param name="result">What the function returned.</param>
    /// <returns>False if the key is not in the map.</returns>
    /// <inheritdoc cref="TryGetValue" path="/exception"/>
    [SkipLocalsInit]
    public bool TryRead<TState, TResult>(TKey key, TState state, SliceReader<TState, TResult> reader, out TResult? result)
        where TState : allows ref struct
    {
        ArgumentNullException.ThrowIfNull(reader);
        using EncodedValue bytes = Encode(key, stackalloc byte[EncodedValue.StackBytes]);
        return TryReadBytes(bytes.Bytes, state, reader, out result);
    }

    /// <summary>Shows the bytes of a value where they are. Until the scope is disposed they do not change, and threads that want to write the value wait.</summary>
    /// <param name="key">The key.</param>
    /// <returns>The scope; its <see cref="ValueScope.IsPresent"/> is false if the key is not in the map.</returns>
    /// <remarks>Setting or updating the value inside its own scope waits for ever; removing it is allowed.</remarks>
    /// <inheritdoc cref="TryGetValue" path="/exception"/>
    [SkipLocalsInit]
    public ValueScope Read(TKey key)
    {
        using EncodedValue bytes = Encode(key, stackalloc byte[EncodedValue.StackBytes]);
        return OpenValue(bytes.Bytes);
    }

    /// <summary>Gives memory that is not used back to the system, two epochs later.</summary>
    public void TrimExcess() => Heap.TrimExcess();

    /// <summary>
    /// Ends the map and returns its memory when active readers have finished. Does not wait for them; open scopes keep their bytes. Operations in
    /// progress complete as if they had been called earlier, or throw <see cref="ObjectDisposedException"/>, as later operations do. An operation that throws may have taken effect.
    /// </summary>
    /// <remarks>O(values).</remarks>
    public void Dispose() => _table.Dispose();

    internal bool TryFindValue(scoped ReadOnlySpan<byte> key, [MaybeNullWhen(false)] out TValue value)
    {
        // A slice is deleted only after its word has left the table, so who finds it deleted finds another word, or none, the next time.
        while (_table.TryFind(key, out ulong word))
        {
            if (TryDecode(SafePtr.FromUInt64(word), out value)) return true;
        }
        value = default;
        return false;
    }

    /// <summary>Copies and decodes a value.</summary>
    /// <returns>False if its slice was deleted.</returns>
    [SkipLocalsInit]
    internal bool TryDecode(SafePtr slice, [MaybeNullWhen(false)] out TValue value)
    {
        // Copied first: a reader of a slice may see bytes that change, a codec may not.
        Span<byte> copy = stackalloc byte[EncodedValue.StackBytes];
        byte[]? rented = null;
        try
        {
            bool isFound = Heap.TryCopyTo(slice, copy, out int length);
            if (isFound && length > copy.Length)
            {
                // The length of a slice never changes.
                copy = rented = ArrayPool<byte>.Shared.Rent(length);
                isFound = Heap.TryCopyTo(slice, copy, out length);
            }
            value = isFound ? _values.Decode(copy[..length]) : default;
            return isFound;
        }
        finally
        {
            if (rented is not null) ArrayPool<byte>.Shared.Return(rented);
        }
    }

    internal bool TryReadBytes<TState, TResult>(scoped ReadOnlySpan<byte> key, TState state, SliceReader<TState, TResult> reader, out TResult? result)
        where TState : allows ref struct
    {
        while (_table.TryFind(key, out ulong word))
        {
            if (Heap.TryRead(SafePtr.FromUInt64(word), state, reader, out result)) return true;
        }
        result = default;
        return false;
    }

    internal bool TryReadSlice<TState, TResult>(SafePtr slice, TState state, SliceReader<TState, TResult> reader, out TResult? result)
        where TState : allows ref struct => Heap.TryRead(slice, state, reader, out result);

    internal ValueScope OpenValue(scoped ReadOnlySpan<byte> key)
    {
        while (_table.TryFind(key, out ulong word))
        {
            SliceScope scope = Heap.OpenRead(SafePtr.FromUInt64(word));
            if (scope.IsOpen) return new ValueScope(scope);
        }
        return default;
    }

    internal TKey DecodeKey(ReadOnlySpan<byte> key) => _keys.Decode(key);

    private EncodedValue Encode(TKey key, Span<byte> stack)
    {
        if (s_refusesNull && key is null) throw new ArgumentNullException(nameof(key));
        return EncodedValue.Of(_keys, key, stack);
    }
}
