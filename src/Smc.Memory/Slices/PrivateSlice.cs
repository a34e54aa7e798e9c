using Smc.Memory.Slices;

namespace Smc.Memory;

/// <summary>
/// A slice that only its owner knows: written and read by plain accesses until <see cref="Publish"/> makes a pointer to it, or given back by
/// <see cref="Dispose"/>. Made by <see cref="SliceHeap.Reserve"/>. (SOMAR, chapter 2, privatization: <c>writePrivate</c> and <c>deletePrivate</c>.)
/// </summary>
/// <remarks>
/// It must not be copied. As a ref struct it cannot be kept across <c>await</c>.
/// <code>
/// using PrivateSlice slice = heap.Reserve(100);
/// Fill(slice.Bytes);
/// SafePtr pointer = slice.Publish();
/// </code>
/// </remarks>
public ref struct PrivateSlice : IDisposable
{
    private readonly uint _version;
    private SlicePlace _place;

    internal PrivateSlice(SlicePlace place, uint version, int length)
    {
        _place = place;
        _version = version;
        Bytes = place.Bytes((uint)length);
    }

    /// <summary>The bytes of the slice. What they hold at first is undefined. Not to be used after <see cref="Publish"/> or <see cref="Dispose"/>.</summary>
    public Span<byte> Bytes { get; private set; }

    /// <summary>Lets others have the slice.</summary>
    /// <returns>The pointer to it.</returns>
    /// <exception cref="InvalidOperationException">The slice was published or given back before.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed. The slice is given back.</exception>
    public SafePtr Publish()
    {
        if (_place.Block is null) throw new InvalidOperationException("The slice was published or given back before.");
        SlicePlace place = _place;
        _place = default;
        Bytes = default;
        return SliceAccess.Publish(place, _version);
    }

    /// <summary>Gives the slice back, unless it was published.</summary>
    public void Dispose()
    {
        if (_place.Block is null) return;
        SlicePlace place = _place;
        _place = default;
        Bytes = default;
        SlicePlaces.Abandon(place, _version);
    }
}
