using Smc.Collections.Kernels;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Sums of decimals whose parts may be added in any grouping.</summary>
public sealed class DecimalSumTests
{
    private const decimal Limit = 4_722_366_482_869_645_213_696m; // 2⁷²

    [Fact]
    public void A_sum_is_that_of_decimal_addition_with_its_scale()
    {
        Random random = new(3);
        bool isInexact = false;
        decimal expected = 0, actual = 0;
        for (int i = 0; i < 10_000; i++)
        {
            decimal value = new(random.Next(), random.Next(1 << 20), 0, random.Next(3) == 0, (byte)random.Next(2, 5));
            (expected, actual) = (expected + value, DecimalSum.Add(actual, value, ref isInexact));
            Assert.Equal(decimal.GetBits(expected), decimal.GetBits(actual));
        }

        Assert.False(isInexact);
    }

    [Fact]
    public void Zeros_of_any_scale_and_sign_leave_what_decimal_addition_leaves()
    {
        decimal[] values = [0m, 0.0m, 0.000m, decimal.Negate(0.00m), 1m, -1m, 1.50m, -1.50m, 0.001m];
        foreach (decimal first in values)
        {
            foreach (decimal second in values)
            {
                foreach (decimal third in values)
                {
                    bool isInexact = false;
                    decimal sum = DecimalSum.Add(DecimalSum.Add(DecimalSum.Add(0m, first, ref isInexact), second, ref isInexact), third, ref isInexact);
                    Assert.Equal(decimal.GetBits(0m + first + second + third), decimal.GetBits(sum));
                    Assert.False(isInexact);
                }
            }
        }
    }

    [Fact]
    public void A_carry_goes_into_the_high_digits()
    {
        bool isInexact = false;
        Assert.Equal(18_446_744_073_709_551_616m, DecimalSum.Add(ulong.MaxValue, 1, ref isInexact));
        Assert.False(isInexact);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(28)]
    public void A_sum_that_may_round_says_so(byte scale)
    {
        bool isInexact = false;
        decimal value = new(1, 0, 1 << 7, false, scale);
        DecimalSum.Add(value, value, ref isInexact);
        Assert.True(isInexact);
    }

    [Fact]
    public void A_sum_that_has_rounded_says_so_although_it_is_small()
    {
        bool isInexact = false;
        DecimalSum.Add(5_000_000_000_000m, 0.0000000000000000000000000001m, ref isInexact);
        Assert.True(isInexact);
    }

    [Fact]
    public void A_part_of_a_much_smaller_scale_may_have_rounded_on_its_way()
    {
        bool near = false, far = false;
        DecimalSum.AddPart(0.000001m, 1, ref near);
        DecimalSum.AddPart(0.0000001m, 1, ref far);
        Assert.Equal((false, true), (near, far));
    }

    [Fact]
    public void A_sum_below_the_limit_is_exact()
    {
        bool isInexact = false;
        Assert.Equal(Limit - 1, DecimalSum.Add(Limit - 2, 1, ref isInexact));
        Assert.False(isInexact);
    }
}
