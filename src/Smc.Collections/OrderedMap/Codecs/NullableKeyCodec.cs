namespace Smc.Collections.Codecs;

/// <summary>Values or null: one byte, 0 for null and 1 for a value, before the bytes of the value. Null comes first.</summary>
internal sealed class NullableKeyCodec<T>(IKeyCodec<T> inner) : IKeyCodec<T?>
    where T : struct
{
    public int? FixedLength => null;

    public int GetMaxLength(T? value) => 1 + (value is { } present ? inner.GetMaxLength(present) : 0);

    public int Encode(T? value, Span<byte> destination)
    {
        destination[0] = value.HasValue ? (byte)1 : (byte)0;
        return 1 + (value is { } present ? inner.Encode(present, destination[1..]) : 0);
    }

    public T? Decode(ReadOnlySpan<byte> source) => source[0] == 0 ? null : inner.Decode(source[1..]);
}
