namespace Bench.Shared;

/// <summary>
/// TPC-H's DECIMAL(15,2) as a <see cref="decimal"/> whose scale is exactly 2, and as the integer number of hundredths.
/// </summary>
public static class Hundredths
{
    private const byte Scale = 2;

    public static decimal ToDecimal(long hundredths)
    {
        ulong magnitude = (ulong)Math.Abs(hundredths);
        return new decimal((int)magnitude, (int)(magnitude >> 32), 0, hundredths < 0, Scale);
    }

    /// <exception cref="OverflowException">The value has more than two digits after the point, or more than 64 bits.</exception>
    public static long FromDecimal(decimal value)
    {
        Span<int> parts = stackalloc int[4];
        decimal.GetBits(value, parts);
        return value.Scale == Scale && parts[1] >= 0 && parts[2] == 0
            ? WithSign((long)(((ulong)(uint)parts[1] << 32) | (uint)parts[0]), negative: parts[3] < 0)
            : FromOtherScale(value);
    }

    private static long WithSign(long magnitude, bool negative) => negative ? -magnitude : magnitude;

    private static long FromOtherScale(decimal value)
    {
        decimal hundredths = value * 100;
        return hundredths == decimal.Truncate(hundredths)
            ? (long)hundredths
            : throw new OverflowException($"{value} has more than two digits after the point.");
    }
}
