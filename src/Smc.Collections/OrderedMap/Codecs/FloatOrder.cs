namespace Smc.Collections.Codecs;

/// <summary>
/// The bits of floating-point numbers as unsigned integers in the order of <see cref="double.CompareTo(double)"/>: not-a-number first, negative numbers by inverted bits,
/// the others behind them. Both zeros are one key, and so are all values that are not numbers.
/// </summary>
internal static class FloatOrder
{
    private const ulong Sign64 = 1UL << 63;
    private const uint Sign32 = 1U << 31;
    private const ushort Sign16 = 1 << 15;

    public static ulong Of(double value)
    {
        if (double.IsNaN(value)) return 0;
        ulong bits = BitConverter.DoubleToUInt64Bits(value == 0 ? 0 : value);
        return (bits & Sign64) != 0 ? ~bits : bits | Sign64;
    }

    public static double ToDouble(ulong order) =>
        order == 0 ? double.NaN : BitConverter.UInt64BitsToDouble((order & Sign64) != 0 ? order & ~Sign64 : ~order);

    public static uint Of(float value)
    {
        if (float.IsNaN(value)) return 0;
        uint bits = BitConverter.SingleToUInt32Bits(value == 0 ? 0 : value);
        return (bits & Sign32) != 0 ? ~bits : bits | Sign32;
    }

    public static float ToSingle(uint order) =>
        order == 0 ? float.NaN : BitConverter.UInt32BitsToSingle((order & Sign32) != 0 ? order & ~Sign32 : ~order);

    public static ushort Of(Half value)
    {
        if (Half.IsNaN(value)) return 0;
        ushort bits = BitConverter.HalfToUInt16Bits(value == Half.Zero ? Half.Zero : value);
        return (ushort)((bits & Sign16) != 0 ? ~bits : bits | Sign16);
    }

    public static Half ToHalf(ushort order) =>
        order == 0 ? Half.NaN : BitConverter.UInt16BitsToHalf((ushort)((order & Sign16) != 0 ? order & ~Sign16 : ~order));
}
