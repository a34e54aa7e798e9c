using Smc.Collections;

namespace Smc.Stress.Maps;

/// <summary>Numbers written one to three times over, by their remainder: values of different lengths, and a torn one is noticed.</summary>
internal sealed class CopiesCodec : IValueCodec<long>
{
    public const int Lengths = 3;

    public int GetMaxLength(long value) => sizeof(long) * (1 + (int)(value % Lengths));

    public int Encode(long value, Span<byte> destination)
    {
        int length = GetMaxLength(value);
        for (int at = 0; at < length; at += sizeof(long)) BitConverter.TryWriteBytes(destination[at..], value);
        return length;
    }

    public long Decode(ReadOnlySpan<byte> source)
    {
        long value = BitConverter.ToInt64(source);
        ViolationException.Require(source.Length == GetMaxLength(value), "a value has the length of another");
        for (int at = sizeof(long); at < source.Length; at += sizeof(long)) ViolationException.Require(BitConverter.ToInt64(source[at..]) == value, "a value is torn");
        return value;
    }
}
