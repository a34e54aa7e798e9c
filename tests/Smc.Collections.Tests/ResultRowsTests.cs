using Smc.Collections.Kernels;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Groups and sequences of results.</summary>
public sealed class ResultRowsTests
{
    [Fact]
    public void A_group_of_a_result_is_a_list_that_nobody_can_change_as_that_of_LINQ_is()
    {
        IGrouping<string?, int> group = ResultRows.Group<string?, int>(null, [3, 1, 2]);

        Assert.Null(group.Key);
        Assert.Equal([3, 1, 2], group);
        Assert.Equal(2, ((IList<int>)group)[2]);
        Assert.Throws<NotSupportedException>(() => ((IList<int>)group).Add(4));
    }

    [Fact]
    public void Long_sequences_are_kept_by_their_key_and_short_ones_are_made_again()
    {
        SharedSequences<string?> known = default;
        List<int> many = [.. Enumerable.Range(0, 16)], few = [1, 2];

        known.Keep(null, many);
        known.Keep("few", few);

        Assert.Same(many, known.Find(null));
        Assert.Null(known.Find("few"));
        Assert.Null(known.Find("other"));
    }
}
