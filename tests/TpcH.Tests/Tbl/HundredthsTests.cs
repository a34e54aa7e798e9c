using Xunit;

namespace TpcH.Tests.Tbl;

public sealed class HundredthsTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(123_456_789_012_345)]
    [InlineData(-999_999_999_999_999)]
    public void Hundredths_survive_as_a_decimal_of_scale_two(long hundredths)
    {
        decimal value = Hundredths.ToDecimal(hundredths);

        Assert.Equal((2, hundredths), (value.Scale, Hundredths.FromDecimal(value)));
    }

    [Theory]
    [InlineData("1.5", 150)]
    [InlineData("-7", -700)]
    [InlineData("1.230", 123)]
    public void Decimals_of_another_scale_count_by_value(string text, long hundredths) =>
        Assert.Equal(hundredths, Hundredths.FromDecimal(decimal.Parse(text, System.Globalization.CultureInfo.InvariantCulture)));

    [Fact]
    public void A_third_digit_is_refused() => Assert.Throws<OverflowException>(() => Hundredths.FromDecimal(0.001m));
}
