namespace Smc.Collections.Codecs;

/// <summary>Pairs: the parts one after the other.</summary>
internal sealed class TupleKeyCodec<T1, T2>(IKeyCodec<T1> first, IKeyCodec<T2> second) : IKeyCodec<(T1, T2)>
{
    private readonly TuplePart<T1> _first = new(first);
    private readonly TuplePart<T2> _second = new(second);

    public int? FixedLength => _first.FixedLength + _second.FixedLength;

    public int GetMaxLength((T1, T2) value) => checked(_first.GetMaxLength(value.Item1) + _second.GetMaxLength(value.Item2));

    public int Encode((T1, T2) value, Span<byte> destination)
    {
        int length = _first.Encode(value.Item1, destination);
        return length + _second.Encode(value.Item2, destination[length..]);
    }

    public (T1, T2) Decode(ReadOnlySpan<byte> source)
    {
        T1 first = _first.Decode(source, out int length);
        return (first, _second.Decode(source[length..], out _));
    }
}

/// <summary>Triples: the parts one after the other.</summary>
internal sealed class TupleKeyCodec<T1, T2, T3>(IKeyCodec<T1> first, IKeyCodec<T2> second, IKeyCodec<T3> third) : IKeyCodec<(T1, T2, T3)>
{
    private readonly TuplePart<T1> _first = new(first);
    private readonly TuplePart<T2> _second = new(second);
    private readonly TuplePart<T3> _third = new(third);

    public int? FixedLength => _first.FixedLength + _second.FixedLength + _third.FixedLength;

    public int GetMaxLength((T1, T2, T3) value) =>
        checked(_first.GetMaxLength(value.Item1) + _second.GetMaxLength(value.Item2) + _third.GetMaxLength(value.Item3));

    public int Encode((T1, T2, T3) value, Span<byte> destination)
    {
        int length = _first.Encode(value.Item1, destination);
        length += _second.Encode(value.Item2, destination[length..]);
        return length + _third.Encode(value.Item3, destination[length..]);
    }

    public (T1, T2, T3) Decode(ReadOnlySpan<byte> source)
    {
        T1 first = _first.Decode(source, out int length);
        source = source[length..];
        T2 second = _second.Decode(source, out length);
        return (first, second, _third.Decode(source[length..], out _));
    }
}
