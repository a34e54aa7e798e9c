using Smc.Collections.Kernels;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>64-bit arithmetic that tells where a result does not fit.</summary>
public sealed class ScaledArithmeticTests
{
    private static readonly long[] s_numbers =
        [0, 1, -1, 2, 3_037_000_499, 3_037_000_500, -3_037_000_500, 4_611_686_018_427_387_904, long.MaxValue - 1, long.MaxValue, long.MinValue, long.MinValue + 1];

    [Fact]
    public void Every_result_is_right_or_told_to_be_too_large()
    {
        foreach (long left in s_numbers)
        {
            foreach (long right in s_numbers)
            {
                AssertRight((Int128)left + right, (ref bool isTooLarge) => ScaledArithmetic.Add(left, right, ref isTooLarge));
                AssertRight((Int128)left - right, (ref bool isTooLarge) => ScaledArithmetic.Subtract(left, right, ref isTooLarge));
                AssertRight((Int128)left * right, (ref bool isTooLarge) => ScaledArithmetic.Multiply(left, right, ref isTooLarge));
            }
        }
    }

    [Theory]
    [InlineData(5_000_000_000, 2, 0, 0), InlineData(5_000_000_000, 2, 0, 2), InlineData(4_294_967_295, 2, 0, 2), InlineData(0, 4, 100, 2), InlineData(0, 2, -4_294_967_296, 2), InlineData(0, 0, 0, 0)]
    public void A_product_that_is_zero_has_the_scale_of_decimals_or_is_left_to_them(long left, int leftScale, long right, int rightScale)
    {
        bool isLeft = false;
        decimal product = ScaledDecimal.ToDecimal(ScaledArithmetic.Multiply(left, right, ref isLeft), leftScale + rightScale);
        decimal expected = ScaledDecimal.ToDecimal(left, leftScale) * ScaledDecimal.ToDecimal(right, rightScale);
        Assert.True(isLeft || product.Scale == expected.Scale);
        Assert.Equal(expected, product);
    }

    [Theory]
    [InlineData(0, 4_294_967_296, true), InlineData(0, 4_294_967_294, false), InlineData(-4_294_967_296, 0, true), InlineData(1, 4_294_967_296, false), InlineData(0, 0, false)]
    public void A_product_of_two_numbers_may_be_a_zero_without_digits(long left, long right, bool expected) =>
        Assert.Equal(expected, UnitsRange.ProductMayLoseScale(UnitsRange.Of(left), UnitsRange.Of(right)));

    [Fact]
    public void A_range_tells_which_factors_are_never_zero()
    {
        UnitsRange wide = UnitsRange.Of(1L << 40), small = UnitsRange.Of(10), large = UnitsRange.Of(100);
        Assert.False(UnitsRange.ProductMayLoseScale(UnitsRange.Subtract(large, small), wide));
        Assert.True(UnitsRange.ProductMayLoseScale(UnitsRange.Subtract(large, UnitsRange.Multiply(small, small)), wide));
        Assert.False(UnitsRange.ProductMayLoseScale(UnitsRange.Multiply(UnitsRange.Of(-3), UnitsRange.Add(small, large)), wide));
        Assert.True(UnitsRange.ProductMayLoseScale(wide, UnitsRange.Add(small, UnitsRange.Of(-10))));
    }

    [Fact]
    public void What_was_too_large_stays_so()
    {
        bool isTooLarge = true;
        ScaledArithmetic.Add(1, 1, ref isTooLarge);
        Assert.True(isTooLarge);
    }

    [Theory]
    [InlineData(0, 0), InlineData(0, 28), InlineData(12_345, 2), InlineData(-12_345, 2), InlineData(long.MaxValue, 4), InlineData(long.MinValue, 4)]
    public void Units_become_the_decimal_that_has_them(long units, int scale)
    {
        decimal expected = units == long.MinValue ? new decimal(0, int.MinValue, 0, true, (byte)scale) : new decimal((int)Math.Abs(units), (int)(Math.Abs(units) >> 32), 0, units < 0, (byte)scale);
        Assert.Equal(decimal.GetBits(expected), decimal.GetBits(ScaledDecimal.ToDecimal(units, scale)));
    }

    private delegate long Operation(ref bool isTooLarge);

    private static void AssertRight(Int128 exact, Operation operation)
    {
        bool isTooLarge = false;
        long result = operation(ref isTooLarge);
        if (exact != 0)
            Assert.Equal(exact < long.MinValue || exact > long.MaxValue, isTooLarge);
        if (!isTooLarge)
            Assert.Equal(exact, result);
    }
}
