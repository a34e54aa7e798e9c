using System.Runtime.CompilerServices;

namespace Smc.Collections.Codecs;

/// <summary>Values without references: their bytes as they are in memory.</summary>
internal sealed class BlittableValueCodec<T> : IValueCodec<T>
{
    public int GetMaxLength(T value) => Unsafe.SizeOf<T>();

    public int Encode(T value, Span<byte> destination)
    {
        Unsafe.WriteUnaligned(ref destination[..Unsafe.SizeOf<T>()][0], value);
        return Unsafe.SizeOf<T>();
    }

    public T Decode(ReadOnlySpan<byte> source) => Unsafe.ReadUnaligned<T>(in source[..Unsafe.SizeOf<T>()][0]);
}
