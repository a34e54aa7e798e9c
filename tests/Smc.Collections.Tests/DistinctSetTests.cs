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

    // As narrow pairs, and beyond what those hold: words that are far apart, and a group with a large number.
    [Theory]
    [InlineData(1L, 1)]
    [InlineData(1L << 20, 1)]
    [InlineData(1L << 34, 1)]
    [InlineData(long.MaxValue / 500, 1)]
    [InlineData(1L, 1 << 20)]
    [InlineData(1L << 34, 1 << 20)]
    public void Pairs_of_any_distance_are_added_once(long wordStep, int groupStep)
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        DistinctSet set = default;
        HashSet<(int, ulong)> expected = [];
        Random random = new(7);
        for (int i = 0; i < 20_000; i++)
        {
            (int group, ulong word) = (random.Next(100) * groupStep, (ulong)(random.NextInt64(-200, 200) * wordStep));
            Assert.Equal(expected.Add((group, word)), set.Add(group, word, ref region));
        }

        Assert.Equal(expected, Pairs(set).ToHashSet());
        region.Dispose();
    }

    [Fact]
    public void There_is_no_pair_behind_the_last_place()
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        DistinctSet set = default;
        Assert.False(set.TryGet(0, out _, out _));
        for (ulong word = 0; word < 100; word++)
            set.Add(0, word, ref region);
        Assert.False(set.TryGet(set.Places, out _, out _));
        region.Dispose();
    }

    [Fact]
    public void Asking_for_a_pair_adds_none()
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        DistinctSet set = default;
        set.Ask(1, 2);
        Assert.True(set.Add(1, 2, ref region));
        set.Ask(1, 3);
        set.Ask(int.MaxValue - 1, ulong.MaxValue);
        Assert.Equal([(1, 2UL)], Pairs(set));
        region.Dispose();
    }

    [Theory]
    [InlineData(ulong.MaxValue)]
    [InlineData(0UL)]
    [InlineData(1UL << 63)]
    public void The_first_word_may_be_any(ulong first)
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        DistinctSet set = default;
        HashSet<(int, ulong)> expected = [];
        foreach (ulong word in new[] { first, unchecked(first + 1), unchecked(first - 1), unchecked(first + (1UL << 39)), unchecked(first - (1UL << 39)), unchecked(first + (1UL << 39) - 1), unchecked(first - (1UL << 39) - 1), 5UL, first })
            Assert.Equal(expected.Add((0, word)), set.Add(0, word, ref region));
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
