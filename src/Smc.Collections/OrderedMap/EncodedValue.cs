using System.Buffers;

namespace Smc.Collections;

/// <summary>The bytes of a key or value, on the stack of the caller or, if they are many, in a rented array.</summary>
internal ref struct EncodedValue : IDisposable
{
    /// <summary>Bytes that callers have on their stacks.</summary>
    public const int StackBytes = 512;

    private byte[]? _rented;

    private EncodedValue(ReadOnlySpan<byte> bytes, byte[]? rented)
    {
        Bytes = bytes;
        _rented = rented;
    }

    public ReadOnlySpan<byte> Bytes { get; private set; }

    public static EncodedValue Of<T>(IValueCodec<T> codec, T value, Span<byte> stack)
    {
        int most = codec.GetMaxLength(value);
        byte[]? rented = most > stack.Length ? ArrayPool<byte>.Shared.Rent(most) : null;
        Span<byte> bytes = rented ?? stack;
        return new EncodedValue(bytes[..codec.Encode(value, bytes)], rented);
    }

    public void Dispose()
    {
        if (_rented is not null) ArrayPool<byte>.Shared.Return(_rented);
        _rented = null;
        Bytes = default;
    }
}
