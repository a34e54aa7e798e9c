using System.Numerics;
using Smc.Collections.Kernels;
using Xunit;

namespace Smc.Collections.Tests;

public sealed class DecimalTests
{
    [Theory]
    [InlineData("99.505")]
    [InlineData("0.001")]
    [InlineData("-0.0100000000000000000000000001")]
    public void More_digits_than_the_scale_are_refused_by_name_and_change_nothing(string text)
    {
        using Collection<ColumnValues> rows = new();
        ColumnValues row = rows.AddNew(r => r.Decimal18 = 1.23m);

        ArgumentException error = Assert.Throws<ArgumentException>(() => row.Decimal18 = decimal.Parse(text, System.Globalization.CultureInfo.InvariantCulture));

        Assert.Equal("Decimal18", error.ParamName);
        Assert.Contains(text, error.Message);
        Assert.Equal(1.23m, row.Decimal18);
    }

    [Theory]
    [InlineData("10000000000000000")]
    [InlineData("-10000000000000000.00")]
    [InlineData("79228162514264337593543950335")]
    public void Values_out_of_range_are_refused_by_name_and_change_nothing(string text)
    {
        using Collection<ColumnValues> rows = new();
        ColumnValues row = rows.AddNew(r => r.Decimal18 = 1.23m);

        OverflowException error = Assert.Throws<OverflowException>(() => row.Decimal18 = decimal.Parse(text, System.Globalization.CultureInfo.InvariantCulture));

        Assert.Contains("Decimal18", error.Message);
        Assert.Equal(1.23m, row.Decimal18);
    }

    [Fact]
    public void Trailing_zeros_beyond_the_scale_are_no_digits()
    {
        using Collection<ColumnValues> rows = new();
        ColumnValues row = rows.AddNew(r => r.Decimal18 = 1.2300000000000000000m);

        Assert.Equal("1.23", row.Decimal18.ToString(System.Globalization.CultureInfo.InvariantCulture));
        row.Decimal18 = 5;
        Assert.Equal("5.00", row.Decimal18.ToString(System.Globalization.CultureInfo.InvariantCulture));
    }

    [Theory]
    [InlineData("0.005", "0.01")]
    [InlineData("-0.005", "-0.01")]
    [InlineData("1.234999", "1.23")]
    public void Rounding_columns_round_as_they_were_told(string value, string expected)
    {
        using Collection<ColumnValues> rows = new();
        ColumnValues row = rows.AddNew(r => r.Rounded = decimal.Parse(value, System.Globalization.CultureInfo.InvariantCulture));

        Assert.Equal(expected, row.Rounded.ToString(System.Globalization.CultureInfo.InvariantCulture));
        Assert.Throws<OverflowException>(() => row.Rounded = 9999999999.995m);
    }

    [Fact]
    public void Random_values_are_stored_exactly_or_refused()
    {
        Random random = new(20240601);
        for (int i = 0; i < 200_000; i++)
        {
            decimal value = RandomDecimal(random);
            int precision = random.Next(1, 29);
            int scale = random.Next(0, precision + 1);
            BigInteger scaled = Mantissa(value) * BigInteger.Pow(10, scale);
            BigInteger divisor = BigInteger.Pow(10, value.Scale);
            bool fits = scaled % divisor == 0 && BigInteger.Abs(scaled / divisor) < BigInteger.Pow(10, precision);
            if (fits)
            {
                Int128 units = precision <= 18 ? ScaledDecimal.ToUnits64(value, precision, scale, "P") : ScaledDecimal.ToUnits128(value, precision, scale, "P");
                Assert.Equal(scaled / divisor, (BigInteger)units);
                decimal back = precision <= 18 ? ScaledDecimal.ToDecimal((long)units, scale) : ScaledDecimal.ToDecimal(units, scale);
                Assert.Equal(value, back);
                Assert.Equal(scale, back.Scale);
            }
            else
            {
                Assert.ThrowsAny<Exception>(() => precision <= 18 ? ScaledDecimal.ToUnits64(value, precision, scale, "P") : ScaledDecimal.ToUnits128(value, precision, scale, "P"));
            }
        }
    }

    [Fact]
    public void Units_of_a_parameter_are_exact_or_not_there()
    {
        Random random = new(7);
        for (int i = 0; i < 100_000; i++)
        {
            decimal value = RandomDecimal(random);
            int scale = random.Next(0, 29);
            BigInteger scaled = Mantissa(value) * BigInteger.Pow(10, scale);
            BigInteger divisor = BigInteger.Pow(10, value.Scale);
            bool fits = scaled % divisor == 0 && BigInteger.Abs(scaled / divisor) <= (BigInteger)Int128.MaxValue;

            Assert.Equal(fits, ScaledDecimal.TryToUnits(value, scale, out Int128 units));
            if (fits)
                Assert.Equal(scaled / divisor, (BigInteger)units);
            Assert.Equal(fits && scaled / divisor <= long.MaxValue && scaled / divisor >= long.MinValue, ScaledDecimal.TryToUnits(value, scale, out long _));
        }
    }

    private static decimal RandomDecimal(Random random)
    {
        int bits = random.Next(0, 97);
        BigInteger mantissa = 0;
        for (int i = 0; i < 3; i++)
            mantissa = (mantissa << 32) | (uint)random.NextInt64(0, 1L << 32);
        mantissa &= (BigInteger.One << bits) - 1;
        if (random.Next(3) == 0)
            mantissa = BigInteger.Min(BigInteger.Pow(10, random.Next(0, 29)), (BigInteger.One << 96) - 1);
        return new decimal((int)(uint)(mantissa & uint.MaxValue), (int)(uint)((mantissa >> 32) & uint.MaxValue), (int)(uint)(mantissa >> 64), random.Next(2) == 0, (byte)random.Next(0, 29));
    }

    private static BigInteger Mantissa(decimal value)
    {
        int[] bits = decimal.GetBits(value);
        BigInteger mantissa = (new BigInteger((uint)bits[2]) << 64) | (new BigInteger((uint)bits[1]) << 32) | (uint)bits[0];
        return bits[3] < 0 ? -mantissa : mantissa;
    }
}
