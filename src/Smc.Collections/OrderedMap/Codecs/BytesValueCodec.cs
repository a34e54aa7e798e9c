namespace Smc.Collections.Codecs;

/// <summary>Byte arrays, copied.</summary>
internal sealed class BytesValueCodec : IValueCodec<byte[]>
{
    public int GetMaxLength(byte[] value) => value.Length;

    public int Encode(byte[] value, Span<byte> destination)
    {
        value.CopyTo(destination);
        return value.Length;
    }

    public byte[] Decode(ReadOnlySpan<byte> source) => source.ToArray();
}
