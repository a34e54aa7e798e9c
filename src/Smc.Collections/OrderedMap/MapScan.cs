using System.Diagnostics.CodeAnalysis;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>
/// Reads the keys of a range one after the other, and values where they are: Oak's stream scans. Holds no lock and no critical section between calls, so it may be kept across
/// <c>await</c>.
/// </summary>
/// <remarks>
/// Used by one thread at a time, and disposed once.
/// <code>
/// using MapScan&lt;long, Order&gt; scan = map.From(first).Scan();
/// while (scan.MoveNext())
/// {
///     using ValueScope value = scan.Read();
///     if (value.IsPresent) Send(scan.Key, value.Bytes);
/// }
/// </code>
/// </remarks>
public sealed class MapScan<TKey, TValue> : IDisposable
{
    private readonly OrderedMap<TKey, TValue> _map;
    private readonly OrderedCursor _cursor;

    internal MapScan(OrderedMap<TKey, TValue> map, OrderedCursor cursor)
    {
        _map = map;
        _cursor = cursor;
    }

    /// <summary>The key.</summary>
    public TKey Key => _map.DecodeKey(_cursor.Key);

    /// <summary>The bytes of the key as the codec wrote them. Good until the next call.</summary>
    public ReadOnlySpan<byte> KeyBytes => _cursor.Key;

    private SafePtr Slice => SafePtr.FromUInt64(_cursor.Word);

    /// <summary>Goes to the next key.</summary>
    /// <returns>False if there is none.</returns>
    /// <exception cref="ObjectDisposedException">The map was disposed.</exception>
    public bool MoveNext() => _cursor.MoveNext();

    /// <summary>Gets a copy of the value as it is now.</summary>
    /// <returns>False if the key was removed since <see cref="MoveNext"/>, or before it while the scan had it in its batch.</returns>
    /// <exception cref="ObjectDisposedException">The map was disposed.</exception>
    public bool TryGetValue([MaybeNullWhen(false)] out TValue value) => _map.TryDecode(Slice, out value) || _map.TryFindValue(_cursor.Key, out value);

    /// <summary>Computes something from the bytes of the value as it is now, without a copy; see <see cref="OrderedMap{TKey, TValue}.TryRead"/>.</summary>
    /// <returns>False as <see cref="TryGetValue"/>.</returns>
    /// <exception cref="ObjectDisposedException">The map was disposed.</exception>
    public bool TryRead<TState, TResult>(TState state, SliceReader<TState, TResult> reader, out TResult? result)
        where TState : allows ref struct
    {
        ArgumentNullException.ThrowIfNull(reader);
        return _map.TryReadSlice(Slice, state, reader, out result) || _map.TryReadBytes(_cursor.Key, state, reader, out result);
    }

    /// <summary>Shows the bytes of the value as it is now; see <see cref="OrderedMap{TKey, TValue}.Read"/>.</summary>
    /// <exception cref="ObjectDisposedException">The map was disposed.</exception>
    public ValueScope Read()
    {
        SliceScope scope = _map.OpenRead(Slice);
        return scope.IsOpen ? new ValueScope(scope) : _map.OpenValue(_cursor.Key);
    }

    /// <summary>Ends the scan.</summary>
    public void Dispose() => _cursor.Dispose();
}
