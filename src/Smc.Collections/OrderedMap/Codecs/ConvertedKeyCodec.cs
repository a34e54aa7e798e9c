namespace Smc.Collections.Codecs;

/// <summary>Keys that are converted to another type, which has a codec.</summary>
internal sealed class ConvertedKeyCodec<TKey, TPart>(IKeyCodec<TPart> inner, Func<TKey, TPart> toPart, Func<TPart, TKey> fromPart) : IKeyCodec<TKey>
{
    public int? FixedLength => inner.FixedLength;

    public int GetMaxLength(TKey value) => inner.FixedLength ?? inner.GetMaxLength(toPart(value));

    public int Encode(TKey value, Span<byte> destination) => inner.Encode(toPart(value), destination);

    public TKey Decode(ReadOnlySpan<byte> source) => fromPart(inner.Decode(source));
}
