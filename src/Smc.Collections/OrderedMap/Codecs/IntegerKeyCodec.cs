using System.Numerics;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Codecs;

/// <summary>Integers: big-endian, with the sign bit inverted.</summary>
internal sealed class IntegerKeyCodec<T> : IKeyCodec<T>
    where T : unmanaged, IBinaryInteger<T>, IMinMaxValue<T>
{
    private static readonly byte s_sign = T.IsNegative(T.MinValue) ? (byte)0x80 : (byte)0;

    public int? FixedLength => Unsafe.SizeOf<T>();

    public int GetMaxLength(T value) => Unsafe.SizeOf<T>();

    public int Encode(T value, Span<byte> destination)
    {
        int written = value.WriteBigEndian(destination);
        destination[0] ^= s_sign;
        return written;
    }

    public T Decode(ReadOnlySpan<byte> source)
    {
        Span<byte> bytes = stackalloc byte[Unsafe.SizeOf<T>()];
        source.CopyTo(bytes);
        bytes[0] ^= s_sign;
        return T.ReadBigEndian(bytes, isUnsigned: s_sign == 0);
    }
}
