using System.Globalization;
using Smc.QueryCompiler.Fuzz.Queries;

namespace Smc.QueryCompiler.Fuzz.Schema;

/// <summary>How far the values of a column spread.</summary>
internal enum Spread
{
    /// <summary>A handful of values: groups and joins meet.</summary>
    Few,

    /// <summary>About a hundred.</summary>
    Some,

    /// <summary>The limits of the type, NaN, negative zero, empty and odd texts among ordinary values.</summary>
    Extreme,

    /// <summary>Some thousands, where the type has so many. No column of a random schema has it: timed rows do.</summary>
    Many,
}

/// <summary>Random values of every scalar type.</summary>
internal static class RandomValues
{
    private static readonly string[] s_few = ["AIR", "MAIL", "SHIP", "a longer mode of shipment", "RAIL"];
    private static readonly string[] s_odd = ["", " ", "né", "Ünïcödé text of some length", "\uD83D\uDE00 smile", "\uD800", "seven77", "eight888", "a\0b", "AIR ", "air"];

    public static object Of(ScalarKind kind, Spread spread, Random random, int precision = 0, int scale = 0)
    {
        int few = random.Next(spread switch { Spread.Few => 5, Spread.Many => 2000, _ => 120 }) - (spread == Spread.Few ? 1 : 40);
        bool isExtreme = spread == Spread.Extreme && random.Next(12) == 0;
        return kind switch
        {
            ScalarKind.Bool => random.Next(2) == 0,
            ScalarKind.SByte => isExtreme ? Pick(random, sbyte.MinValue, sbyte.MaxValue) : (sbyte)few,
            ScalarKind.Byte => isExtreme ? byte.MaxValue : (byte)(few + 40),
            ScalarKind.Short => isExtreme ? Pick(random, short.MinValue, short.MaxValue) : (short)few,
            ScalarKind.UShort => isExtreme ? ushort.MaxValue : (ushort)(few + 40),
            ScalarKind.Int => isExtreme ? Pick(random, int.MinValue, int.MaxValue) : few,
            ScalarKind.UInt => isExtreme ? uint.MaxValue : (uint)(few + 40),
            ScalarKind.Long => isExtreme ? Pick(random, long.MinValue, long.MaxValue, 1L << 40) : (long)few,
            ScalarKind.ULong => isExtreme ? ulong.MaxValue : (ulong)(few + 40),
            ScalarKind.Int128 => isExtreme ? Pick(random, Int128.MinValue, Int128.MaxValue) : (Int128)few,
            ScalarKind.Half => isExtreme ? Pick(random, Half.NaN, Half.NegativeZero, Half.MaxValue) : (Half)(few / 4f),
            ScalarKind.Float => isExtreme ? Pick(random, float.NaN, -0f, float.PositiveInfinity, 1e30f) : few / 4f,
            ScalarKind.Double => isExtreme ? Pick(random, double.NaN, -0d, double.NegativeInfinity, 1e300) : few / 10d,
            ScalarKind.Decimal => Decimal(few, isExtreme, random, precision, scale),
            ScalarKind.Char => isExtreme ? Pick(random, '\0', '\uFFFF', '"') : (char)('A' + (few + 40) % 26),
            ScalarKind.String => Text(spread, few, random),
            ScalarKind.DateOnly => isExtreme ? Pick(random, DateOnly.MinValue, DateOnly.MaxValue) : new DateOnly(1995, 1, 1).AddDays(few * 7),
            ScalarKind.TimeOnly => new TimeOnly((few + 40) % 24, 30),
            ScalarKind.DateTime => isExtreme ? Pick(random, DateTime.MinValue, DateTime.MaxValue, new DateTime(1999, 1, 1, 0, 0, 0, DateTimeKind.Utc)) : new DateTime(1999, 1, 1).AddHours(few * 5),
            ScalarKind.DateTimeOffset => new DateTimeOffset(1999, 1, 1, 0, 0, 0, TimeSpan.FromHours(isExtreme ? 2 : 0)).AddHours(few),
            ScalarKind.TimeSpan => isExtreme ? Pick(random, TimeSpan.MinValue, TimeSpan.MaxValue) : TimeSpan.FromMinutes(few * 30),
            ScalarKind.Guid => new Guid(few, 0, 7, new byte[8]),
            ScalarKind.Enum => Pick<short>(random, -1, 1, 300, (short)(isExtreme ? 77 : 1)),
            ScalarKind.Struct => few,
            _ => throw new ArgumentOutOfRangeException(nameof(kind)),
        };
    }

    private static object Decimal(int few, bool isExtreme, Random random, int precision, int scale)
    {
        if (precision == 0)
            return decimal.Parse($"{few}.{new string('5', random.Next(1, 4))}", CultureInfo.InvariantCulture);
        decimal unit = new(1, 0, 0, false, (byte)scale);
        if (precision - scale < 5)
            few %= precision - scale < 2 ? 9 : 90;
        if (!isExtreme)
            return few * (random.Next(2) == 0 ? 1m : Math.Min(3 * unit, 1m)) + (scale > 0 ? random.Next(10) * unit : 0);
        decimal most = decimal.Parse(new string('9', Math.Min(precision, 24)), CultureInfo.InvariantCulture) * unit;
        return random.Next(2) == 0 ? most : -most;
    }

    private static string Text(Spread spread, int few, Random random) => spread switch
    {
        Spread.Few => s_few[(few + 40) % 5],
        Spread.Some or Spread.Many => "text number " + few,
        _ => random.Next(3) == 0 ? s_odd[random.Next(s_odd.Length)] : s_few[(few + 40) % 5],
    };

    private static T Pick<T>(Random random, params T[] values) => values[random.Next(values.Length)];
}
