using System.Buffers;

namespace Smc.Collections.Codecs;

/// <summary>
/// One part of a tuple. Parts of a fixed length are written as they are; others end with the bytes 0, 0, and a 0 inside is written as 0, 255, so that a shorter part comes before
/// a longer one whatever follows. A part that may be null has a byte before it: 0 for null, which comes first, 1 for a value.
/// </summary>
internal readonly struct TuplePart<T>(IKeyCodec<T> codec)
{
    private const byte Escape = 0xFF;
    private const int EndLength = 2;
    private const int StackBytes = 256;
    private static readonly bool s_mayBeNull = default(T) is null && Nullable.GetUnderlyingType(typeof(T)) is null;

    public int? FixedLength => s_mayBeNull ? null : codec.FixedLength;

    public int GetMaxLength(T value)
    {
        if (s_mayBeNull && value is null) return 1;
        int marker = s_mayBeNull ? 1 : 0;
        return marker + (codec.FixedLength ?? checked(2 * codec.GetMaxLength(value) + EndLength));
    }

    public int Encode(T value, Span<byte> destination)
    {
        int at = 0;
        if (s_mayBeNull)
        {
            destination[at++] = value is null ? (byte)0 : (byte)1;
            if (value is null) return at;
        }
        int length = codec.Encode(value, destination[at..]);
        return at + (codec.FixedLength is null ? EscapeInPlace(destination[at..], length) : length);
    }

    /// <summary>Reads the part at the beginning of the bytes.</summary>
    public T Decode(ReadOnlySpan<byte> source, out int length)
    {
        int marker = s_mayBeNull ? 1 : 0;
        length = marker;
        if (s_mayBeNull && source[0] == 0) return default!;
        if (codec.FixedLength is { } fixedLength)
        {
            length += fixedLength;
            return codec.Decode(source.Slice(marker, fixedLength));
        }
        ReadOnlySpan<byte> escaped = source[marker..];
        byte[]? rented = escaped.Length > StackBytes ? ArrayPool<byte>.Shared.Rent(escaped.Length) : null;
        Span<byte> bytes = rented ?? stackalloc byte[StackBytes];
        int from = 0, to = 0;
        while (true)
        {
            byte one = escaped[from++];
            if (one == 0 && escaped[from++] != Escape) break;
            bytes[to++] = one;
        }
        length += from;
        T value = codec.Decode(bytes[..to]);
        if (rented is not null) ArrayPool<byte>.Shared.Return(rented);
        return value;
    }

    // From the back, so that every byte is read before its place is written.
    private static int EscapeInPlace(Span<byte> bytes, int length)
    {
        int end = length + bytes[..length].Count((byte)0);
        for (int from = length, to = end; from < to;)
        {
            byte one = bytes[--from];
            if (one == 0) bytes[--to] = Escape;
            bytes[--to] = one;
        }
        bytes.Slice(end, EndLength).Clear();
        return end + EndLength;
    }
}
