using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections;

/// <content>
/// Adding, changing and removing. A change of a word in the table is the linearization point of what adds, replaces and removes; what changes a value in place counts at that moment,
/// or, if its word has left the table by then, directly before it left.
/// </content>
public sealed partial class OrderedMap<TKey, TValue>
{
    /// <summary>Sets the value of a key, in place if the new value has as many bytes as the present one.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="ArgumentNullException">The key or the value is null.</exception>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory; nothing has changed.</exception>
    /// <exception cref="ObjectDisposedException">The map was disposed.</exception>
    [SkipLocalsInit]
    public void Set(TKey key, TValue value)
    {
        using EncodedValue keyBytes = Encode(key, stackalloc byte[EncodedValue.StackBytes]);
        using EncodedValue valueBytes = EncodeValue(value, stackalloc byte[EncodedValue.StackBytes]);
        while (_table.TryFind(keyBytes.Bytes, out ulong word))
        {
            bool hasSameLength = false;
            if (!Heap.TryWrite(SafePtr.FromUInt64(word), new Overwrite(valueBytes.Bytes, ref hasSameLength), static (bytes, overwrite) => overwrite.Run(bytes))) continue;
            if (hasSameLength) return;
            break;
        }
        Put(keyBytes.Bytes, valueBytes.Bytes, replaces: true);
    }

    /// <summary>Adds a key that is not in the map.</summary>
    /// <returns>False, and nothing has changed, if it is.</returns>
    /// <inheritdoc cref="Set" path="/param|/exception"/>
    [SkipLocalsInit]
    public bool TryAdd(TKey key, TValue value)
    {
        using EncodedValue keyBytes = Encode(key, stackalloc byte[EncodedValue.StackBytes]);
        if (_table.TryFind(keyBytes.Bytes, out _)) return false;
        using EncodedValue valueBytes = EncodeValue(value, stackalloc byte[EncodedValue.StackBytes]);
        return Put(keyBytes.Bytes, valueBytes.Bytes, replaces: false);
    }

    /// <summary>Removes a key.</summary>
    /// <returns>False if it is not in the map.</returns>
    /// <inheritdoc cref="TryGetValue" path="/exception"/>
    [SkipLocalsInit]
    public bool Remove(TKey key)
    {
        using EncodedValue bytes = Encode(key, stackalloc byte[EncodedValue.StackBytes]);
        ulong word = _table.Remove(bytes.Bytes);
        if (word == 0) return false;
        Heap.TryDelete(SafePtr.FromUInt64(word));
        return true;
    }

    /// <summary>Removes a key and returns its last value.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value. Waits for a thread that is changing it.</param>
    /// <inheritdoc cref="Remove(TKey)" path="/returns|/exception"/>
    [SkipLocalsInit]
    public bool Remove(TKey key, [MaybeNullWhen(false)] out TValue value)
    {
        using EncodedValue bytes = Encode(key, stackalloc byte[EncodedValue.StackBytes]);
        ulong word = _table.Remove(bytes.Bytes);
        value = default;
        if (word == 0) return false;
        SafePtr slice = SafePtr.FromUInt64(word);
        // Deleted inside the scope: nobody changes the value after it was read.
        using SliceScope scope = Heap.OpenRead(slice);
        ObjectDisposedException.ThrowIf(!scope.IsOpen, this);
        Heap.TryDelete(slice);
        value = _values.Decode(scope.Bytes);
        return true;
    }

    /// <summary>Runs a function on the value of a key: exactly once, alone, atomically.</summary>
    /// <param name="key">The key.</param>
    /// <param name="state">What the function gets.</param>
    /// <param name="update">
    /// The function. Its new value must have as many bytes as the old one, as all values of a type without references have. If it throws, the value stays as it was. It must not use
    /// the same key of the map.
    /// </param>
    /// <returns>False if the key is not in the map; the function has not run.</returns>
    /// <exception cref="InvalidOperationException">The new value has another number of bytes; the value stays as it was.</exception>
    /// <inheritdoc cref="TryGetValue" path="/exception"/>
    public bool TryUpdate<TState>(TKey key, TState state, ValueUpdate<TValue, TState> update)
        where TState : allows ref struct
    {
        ArgumentNullException.ThrowIfNull(update);
        return UpdatePresent(key, new TypedUpdate<TState>(this, state, update), static (bytes, typed) => typed.Run(bytes));
    }

    /// <summary>Runs a function on the bytes of the value of a key, where they are: exactly once, alone, atomically.</summary>
    /// <param name="key">The key.</param>
    /// <param name="state">What the function gets.</param>
    /// <param name="update">The function. If it throws, the bytes become what they were. It must not use the same key of the map.</param>
    /// <returns>False if the key is not in the map; the function has not run.</returns>
    /// <inheritdoc cref="TryGetValue" path="/exception"/>
    public bool TryUpdate<TState>(TKey key, TState state, SliceWriter<TState> update)
        where TState : allows ref struct
    {
        ArgumentNullException.ThrowIfNull(update);
        return UpdatePresent(key, new BytesUpdate<TState>(state, update), static (bytes, restoring) => restoring.Run(bytes));
    }

    /// <summary>Adds a key, or runs a function on its value if it is in the map. Exactly one of the two happens, atomically.</summary>
    /// <param name="key">The key.</param>
    /// <param name="state">What the functions get.</param>
    /// <param name="add">Makes the value to add. Runs at most once: another thread may add the key meanwhile, and then the update runs.</param>
    /// <param name="update">As in <see cref="TryUpdate{TState}(TKey, TState, ValueUpdate{TValue, TState})"/>.</param>
    /// <returns>True if the key was added, false if its value was updated.</returns>
    /// <exception cref="InvalidOperationException">The updated value has another number of bytes; the value stays as it was.</exception>
    /// <inheritdoc cref="Set" path="/exception"/>
    public bool AddOrUpdate<TState>(TKey key, TState state, Func<TKey, TState, TValue> add, ValueUpdate<TValue, TState> update)
        where TState : allows ref struct
    {
        ArgumentNullException.ThrowIfNull(add);
        ArgumentNullException.ThrowIfNull(update);
        return AddOrUpdatePresent(
            key, new TypedUpdate<TState>(this, state, update, add), static (key, typed) => typed.Make(key), static (bytes, typed) => typed.Run(bytes));
    }

    /// <param name="key">The key.</param>
    /// <param name="state">What the functions get.</param>
    /// <param name="add">Makes the value to add. Runs at most once: another thread may add the key meanwhile, and then the update runs.</param>
    /// <param name="update">As in <see cref="TryUpdate{TState}(TKey, TState, SliceWriter{TState})"/>.</param>
    /// <inheritdoc cref="AddOrUpdate{TState}(TKey, TState, Func{TKey, TState, TValue}, ValueUpdate{TValue, TState})" path="/summary|/returns"/>
    /// <inheritdoc cref="Set" path="/exception"/>
    public bool AddOrUpdate<TState>(TKey key, TState state, Func<TKey, TState, TValue> add, SliceWriter<TState> update)
        where TState : allows ref struct
    {
        ArgumentNullException.ThrowIfNull(add);
        ArgumentNullException.ThrowIfNull(update);
        return AddOrUpdatePresent(
            key, new BytesUpdate<TState>(state, update, add), static (key, restoring) => restoring.Make(key), static (bytes, restoring) => restoring.Run(bytes));
    }

    [SkipLocalsInit]
    private bool UpdatePresent<TUpdate>(TKey key, TUpdate update, SliceWriter<TUpdate> run)
        where TUpdate : allows ref struct
    {
        using EncodedValue bytes = Encode(key, stackalloc byte[EncodedValue.StackBytes]);
        while (_table.TryFind(bytes.Bytes, out ulong word))
        {
            if (Heap.TryWrite(SafePtr.FromUInt64(word), update, run)) return true;
        }
        return false;
    }

    [SkipLocalsInit]
    private bool AddOrUpdatePresent<TUpdate>(TKey key, TUpdate update, Func<TKey, TUpdate, TValue> make, SliceWriter<TUpdate> run)
        where TUpdate : allows ref struct
    {
        using EncodedValue bytes = Encode(key, stackalloc byte[EncodedValue.StackBytes]);
        SafePtr made = default;
        try
        {
            while (true)
            {
                if (_table.TryFind(bytes.Bytes, out ulong word))
                {
                    if (Heap.TryWrite(SafePtr.FromUInt64(word), update, run)) return false;
                    continue;
                }
                if (made.IsNull) made = Allocate(make(key, update));
                if (_table.Put(bytes.Bytes, made.ToUInt64(), replaces: false) != 0) continue;
                made = default;
                return true;
            }
        }
        finally
        {
            // Another thread added the key, or there was no memory for it.
            if (!made.IsNull) Heap.TryDelete(made);
        }
    }

    /// <returns>False if the key is there and is not replaced.</returns>
    private bool Put(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, bool replaces)
    {
        SafePtr unused = Heap.Allocate(value);
        try
        {
            ulong before = _table.Put(key, unused.ToUInt64(), replaces);
            if (before != 0 && !replaces) return false;
            unused = SafePtr.FromUInt64(before);
            return true;
        }
        finally
        {
            if (!unused.IsNull) Heap.TryDelete(unused);
        }
    }

    [SkipLocalsInit]
    private SafePtr Allocate(TValue value)
    {
        using EncodedValue bytes = EncodeValue(value, stackalloc byte[EncodedValue.StackBytes]);
        return Heap.Allocate(bytes.Bytes);
    }

    private EncodedValue EncodeValue(TValue value, Span<byte> stack)
    {
        if (s_refusesNullValue && value is null) throw new ArgumentNullException(nameof(value));
        return EncodedValue.Of(_values, value, stack);
    }

    /// <summary>Replaces all bytes of a value, if they are as many.</summary>
    private readonly ref struct Overwrite(ReadOnlySpan<byte> value, ref bool hasSameLength)
    {
        private readonly ReadOnlySpan<byte> _value = value;
        private readonly ref bool _hasSameLength = ref hasSameLength;

        public void Run(Span<byte> bytes)
        {
            _hasSameLength = bytes.Length == _value.Length;
            if (_hasSameLength) _value.CopyTo(bytes);
        }
    }

    /// <summary>A function on the bytes themselves. While it runs, and until the bytes are restored if it throws, no other thread reads them.</summary>
    private readonly ref struct BytesUpdate<TState>(TState state, SliceWriter<TState> update, Func<TKey, TState, TValue>? add = null)
        where TState : allows ref struct
    {
        private readonly TState _state = state;

        public TValue Make(TKey key) => add!(key, _state);

        [SkipLocalsInit]
        public void Run(Span<byte> bytes)
        {
            byte[]? rented = bytes.Length > EncodedValue.StackBytes ? ArrayPool<byte>.Shared.Rent(bytes.Length) : null;
            Span<byte> old = rented ?? stackalloc byte[EncodedValue.StackBytes];
            bytes.CopyTo(old);
            try
            {
                update(bytes, _state);
            }
            catch
            {
                old[..bytes.Length].CopyTo(bytes);
                throw;
            }
            finally
            {
                if (rented is not null) ArrayPool<byte>.Shared.Return(rented);
            }
        }
    }

    /// <summary>A function on a copy of the value, which is written back when it has returned.</summary>
    private readonly ref struct TypedUpdate<TState>(OrderedMap<TKey, TValue> map, TState state, ValueUpdate<TValue, TState> update, Func<TKey, TState, TValue>? add = null)
        where TState : allows ref struct
    {
        private readonly TState _state = state;

        public TValue Make(TKey key) => add!(key, _state);

        [SkipLocalsInit]
        public void Run(Span<byte> bytes)
        {
            TValue value = map._values.Decode(bytes);
            update(ref value, _state);
            using EncodedValue encoded = map.EncodeValue(value, stackalloc byte[EncodedValue.StackBytes]);
            if (encoded.Bytes.Length != bytes.Length)
            {
                throw new InvalidOperationException(
                    $"The updated value of '{map.Name}' has {encoded.Bytes.Length} bytes and the old one {bytes.Length}. An update keeps the length; use Set for values whose length changes.");
            }
            encoded.Bytes.CopyTo(bytes);
        }
    }
}
