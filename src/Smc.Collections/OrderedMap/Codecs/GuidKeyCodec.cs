namespace Smc.Collections.Codecs;

/// <summary>Guids: big-endian, which is the order of <see cref="Guid.CompareTo(Guid)"/>.</summary>
internal sealed class GuidKeyCodec : IKeyCodec<Guid>
{
    private const int Bytes = 16;

    public int? FixedLength => Bytes;

    public int GetMaxLength(Guid value) => Bytes;

    public int Encode(Guid value, Span<byte> destination)
    {
        value.TryWriteBytes(destination, bigEndian: true, out int written);
        return written;
    }

    public Guid Decode(ReadOnlySpan<byte> source) => new(source, bigEndian: true);
}
