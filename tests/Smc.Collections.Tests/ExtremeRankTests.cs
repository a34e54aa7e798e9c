using Smc.Collections.Kernels;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Ranks order values as their minimum and maximum need it, and memory of zeros is the rank of none.</summary>
public sealed class ExtremeRankTests
{
    private static readonly int[] s_ints = [int.MinValue, int.MinValue + 1, -1, 0, 1, 7, int.MaxValue - 1, int.MaxValue];
    private static readonly long[] s_longs = [long.MinValue, long.MinValue + 1, int.MinValue, -1, 0, 1, uint.MaxValue, long.MaxValue - 1, long.MaxValue];

    public static TheoryData<int, int> Ints() => [.. from a in s_ints from b in s_ints select (a, b)];

    public static TheoryData<long, long> Longs() => [.. from a in s_longs from b in s_longs select (a, b)];

    [Theory]
    [MemberData(nameof(Ints))]
    public void The_greater_rank_of_two_ints_is_that_of_the_least_or_greatest(int a, int b)
    {
        Assert.Equal(Math.Min(a, b), ExtremeRank.Minimum(ExtremeRank.Greater(ExtremeRank.Greater(0U, ExtremeRank.OfMinimum(a)), ExtremeRank.OfMinimum(b))));
        Assert.Equal(Math.Max(a, b), ExtremeRank.Maximum(ExtremeRank.Greater(ExtremeRank.Greater(0U, ExtremeRank.OfMaximum(a)), ExtremeRank.OfMaximum(b))));
    }

    [Theory]
    [MemberData(nameof(Longs))]
    public void The_greater_rank_of_two_longs_is_that_of_the_least_or_greatest(long a, long b)
    {
        Assert.Equal(Math.Min(a, b), ExtremeRank.Minimum(ExtremeRank.Greater(ExtremeRank.Greater(0UL, ExtremeRank.OfMinimum(a)), ExtremeRank.OfMinimum(b))));
        Assert.Equal(Math.Max(a, b), ExtremeRank.Maximum(ExtremeRank.Greater(ExtremeRank.Greater(0UL, ExtremeRank.OfMaximum(a)), ExtremeRank.OfMaximum(b))));
    }

    [Fact]
    public void A_value_that_does_not_count_changes_nothing()
    {
        Assert.Equal(0U, ExtremeRank.If(false, ExtremeRank.OfMinimum(3)));
        Assert.Equal(0UL, ExtremeRank.If(false, ExtremeRank.OfMaximum(3L)));
        Assert.Equal(ExtremeRank.OfMinimum(3), ExtremeRank.If(true, ExtremeRank.OfMinimum(3)));
        Assert.Equal(ExtremeRank.OfMaximum(3L), ExtremeRank.If(true, ExtremeRank.OfMaximum(3L)));
    }
}
