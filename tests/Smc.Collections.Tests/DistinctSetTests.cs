using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Pairs of group and word, each once.</summary>
public sealed class DistinctSetTests
{
    [Fact]
    public void A_pair_is_added_once_and_found_among_all_places()
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        DistinctSet set = default;
        HashSet<(int, ulong)> expected = [];
        Random random = new(1);
        for (int i = 0; i < 20_000; i++)
        {
            (int group, ulong word) = (random.Next(100), (ulong)random.NextInt64(-50, 50));
            Assert.Equal(expected.Add((group, word)), set.Add(group, word, ref region));
        }

        Assert.Equal(expected, Pairs(set).ToHashSet());
        region.Dispose();
    }

    // Dense numbers of both kinds are what grouping by a small key and counting another gives.
    [Fact]
    public void Small_words_of_many_groups_do_not_crowd_together()
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        DistinctSet set = default;
        for (int group = 0; group < 300; group++)
        {
            for (ulong word = 0; word < 300; word++)
                Assert.True(set.Add(group, word, ref region));
        }

        int longest = 0, run = 0;
        for (long place = 0; place < set.Places; place++)
            longest = Math.Max(longest, run = set.TryGet(place, out _, out _) ? run + 1 : 0);
        Assert.InRange(longest, 1, 64);
        region.Dispose();
    }

    private static List<(int, ulong)> Pairs(DistinctSet set)
    {
        List<(int, ulong)> pairs = [];
        for (long place = 0; place < set.Places; place++)
        {
            if (set.TryGet(place, out int group, out ulong word))
                pairs.Add((group, word));
        }

        return pairs;
    }
}
