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
    public void Results_are_kept_by_what_they_depend_on()
    {
        SharedResults<string?> known = default;
        List<int> sequence = [1, 2];

        known.Keep(null, sequence);
        known.Keep("no text", null);

        Assert.True(known.TryFind(null, out object? kept));
        Assert.Same(sequence, kept);
        Assert.True(known.TryFind("no text", out kept));
        Assert.Null(kept);
        Assert.False(known.TryFind("other", out _));
    }

    [Fact]
    public void Of_many_keys_only_long_sequences_are_kept()
    {
        SharedResults<int> known = default;
        for (int key = 0; key < 16; key++)
            known.Keep(key, new List<int>());

        known.Keep(16, new List<int>(Enumerable.Range(0, 15)));
        known.Keep(17, new List<int>(Enumerable.Range(0, 16)));

        Assert.False(known.TryFind(16, out _));
        Assert.True(known.TryFind(17, out _));
    }
}
