using System.Numerics;

namespace Smc.Collections.Codecs;

/// <summary>Decimals as integers of 24 bytes in units of 10^-28, with the sign bit inverted. 1.0 and 1.00 are one key, which is read as 1.</summary>
internal sealed class DecimalKeyCodec : IKeyCodec<decimal>
{
    // 96 bits of digits times 10^28 (94 bits) is 190 bits.
    private const int Bytes = 24;
    private const int MaxScale = 28;
    private const byte Sign = 0x80;
    private static readonly BigInteger s_unit = BigInteger.Pow(10, MaxScale);

    public int? FixedLength => Bytes;

    public int GetMaxLength(decimal value) => Bytes;

    public int Encode(decimal value, Span<byte> destination)
    {
        Span<int> parts = stackalloc int[4];
        decimal.GetBits(value, parts);
        BigInteger digits = (new BigInteger((uint)parts[2]) << 64) + (new BigInteger((uint)parts[1]) << 32) + (uint)parts[0];
        BigInteger units = digits * BigInteger.Pow(10, MaxScale - value.Scale);
        if (value < 0) units = -units;
        Span<byte> number = stackalloc byte[Bytes];
        units.TryWriteBytes(number, out int written, isBigEndian: true);
        // Sign extension in front of the bytes that the number takes.
        destination[..(Bytes - written)].Fill(units.Sign < 0 ? (byte)0xFF : (byte)0);
        number[..written].CopyTo(destination[(Bytes - written)..]);
        destination[0] ^= Sign;
        return Bytes;
    }

    public decimal Decode(ReadOnlySpan<byte> source)
    {
        Span<byte> number = stackalloc byte[Bytes];
        source.CopyTo(number);
        number[0] ^= Sign;
        BigInteger units = new(number, isBigEndian: true);
        BigInteger whole = BigInteger.DivRem(units, s_unit, out BigInteger rest);
        return (decimal)whole + Fraction(rest);
    }

    // The shortest form: without zeros at the end, the digits fit into a decimal whenever they came from one.
    private static decimal Fraction(BigInteger rest)
    {
        int scale = MaxScale;
        for (; scale > 0 && rest % 10 == 0; scale--) rest /= 10;
        BigInteger digits = BigInteger.Abs(rest);
        uint Part(int index) => (uint)(digits >> (32 * index) & uint.MaxValue);
        return new decimal((int)Part(0), (int)Part(1), (int)Part(2), rest.Sign < 0, (byte)scale);
    }
}
