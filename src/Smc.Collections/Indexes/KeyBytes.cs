using System.Buffers;

namespace Smc.Collections.Indexes;

/// <summary>The bytes of a row's key and id, on the stack of the caller or, if they are many, in a rented array.</summary>
internal ref struct KeyBytes : IDisposable
{
    private byte[]? _rented;

    public KeyBytes(KeyPart[] parts, ref readonly KeyImage key, uint id, Span<byte> stack)
    {
        int most = KeyOrder.MaxLength(parts, in key);
        _rented = most > stack.Length ? ArrayPool<byte>.Shared.Rent(most) : null;
        Span<byte> bytes = _rented ?? stack;
        Span = bytes[..KeyOrder.Write(parts, in key, id, bytes)];
    }

    public ReadOnlySpan<byte> Span { get; private set; }

    public void Dispose()
    {
        if (_rented is not null)
            ArrayPool<byte>.Shared.Return(_rented);
        _rented = null;
        Span = default;
    }
}
