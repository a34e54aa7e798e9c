using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Elements that are looked up by an exact key and a key between bounds.</summary>
public sealed class ElementsByKeyTests
{
    [Theory]
    [InlineData(0, 1, 10, false)]
    [InlineData(1, 1, 10, false)]
    [InlineData(1_000, 1, 400, true)]
    [InlineData(1_000, 1, 400, false)]
    [InlineData(1_000, 7, 40, true)]
    [InlineData(1_000, 7, 40, false)]
    [InlineData(1_000, 400, 3, false)]
    [InlineData(10_000, 1, 4_000, false)]
    [InlineData(10_000, 8, 1_000_000_000, false)]
    [InlineData(10_000, 3_000, 1, false)]
    public void A_look_up_gives_the_elements_with_the_exact_key_and_a_key_between_the_bounds_in_their_order(int count, int exactKeys, int keys, bool comesInOrder)
    {
        Random random = new(count + keys);
        (ulong Exact, long Key)[] elements = [.. Enumerable.Range(0, count).Select(_ => ((ulong)random.Next(exactKeys) << 52, random.Next(keys) - (keys / 2L)))];
        if (comesInOrder)
            Array.Sort(elements);
        using MemoryManager manager = new();
        Region region = new(manager);
        ElementsByKey byKey = Of(elements, ref region);
        RegionList<int> scratch = default;

        for (int i = 0; i < 300; i++)
        {
            ulong exact = (ulong)random.Next(exactKeys + 1) << 52;
            long low = random.Next(keys) - (keys / 2L), high = low + random.Next(-1, keys / 4);
            int[] expected = [.. Enumerable.Range(0, count).Where(n => elements[n].Exact == exact && elements[n].Key >= low && elements[n].Key <= high)];
            Assert.Equal(expected, Numbers(byKey.Find(exact, new ValueRange(low, high), ref scratch, ref region)));
            Assert.Equal(expected, Numbers(byKey.FindInAnyOrder(exact, new ValueRange(low, high))).Order());
        }

        region.Dispose();
    }

    [Fact]
    public void The_least_and_the_greatest_number_are_keys_like_others()
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        ElementsByKey byKey = Of([(0, long.MaxValue), (0, 0), (0, long.MinValue)], ref region);
        RegionList<int> scratch = default;

        Assert.Equal([0, 1, 2], Numbers(byKey.Find(0, ValueRange.All, ref scratch, ref region)));
        Assert.Equal([0], Numbers(byKey.Find(0, ValueRange.All.Above(0), ref scratch, ref region)));
        Assert.Equal([2], Numbers(byKey.Find(0, ValueRange.All.Below(0), ref scratch, ref region)));
        Assert.Equal([], Numbers(byKey.Find(0, ValueRange.All.Above(long.MaxValue), ref scratch, ref region)));
        Assert.Equal([], Numbers(byKey.Find(1, ValueRange.All, ref scratch, ref region)));
        region.Dispose();
    }

    [Theory]
    [InlineData(100)]
    [InlineData(10_000)]
    public void Keys_of_all_64_bits_are_sorted(int count)
    {
        Random random = new(count);
        (ulong Exact, long Key)[] elements = [.. Enumerable.Range(0, count).Select(i => (i % 2 == 0 ? 0 : ulong.MaxValue, i < 2 ? long.MinValue : i < 4 ? long.MaxValue : random.NextInt64(long.MinValue, long.MaxValue)))];
        using MemoryManager manager = new();
        Region region = new(manager);
        ElementsByKey byKey = Of(elements, ref region);
        RegionList<int> scratch = default;

        Assert.Equal(Enumerable.Range(0, count).Where(i => i % 2 == 1 && elements[i].Key >= 0), Numbers(byKey.Find(ulong.MaxValue, ValueRange.All.AtLeast(0), ref scratch, ref region)));
        Assert.Equal(Enumerable.Range(0, count).Where(i => i % 2 == 0 && elements[i].Key < 0), Numbers(byKey.Find(0, ValueRange.All.Below(0), ref scratch, ref region)));
        region.Dispose();
    }

    [Fact]
    public void Two_look_ups_at_a_time_do_not_disturb_each_other()
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        ElementsByKey byKey = Of([(0, 3), (0, 2), (0, 1)], ref region);
        RegionList<int> outer = default, inner = default;

        FoundElements all = byKey.Find(0, ValueRange.All, ref outer, ref region);
        Assert.True(all.Next(out int first));
        Assert.Equal([1, 2], Numbers(byKey.Find(0, ValueRange.All.Below(3), ref inner, ref region)));
        Assert.Equal([0, 1, 2], [first, .. Numbers(all)]);
        region.Dispose();
    }

    private static ElementsByKey Of((ulong Exact, long Key)[] elements, ref Region region)
    {
        ElementsByKey byKey = default;
        foreach ((ulong exact, long key) in elements)
            byKey.Add(exact, key, ref region);
        byKey.Sort(ref region);
        return byKey;
    }

    private static List<int> Numbers(FoundElements found)
    {
        List<int> numbers = [];
        while (found.Next(out int number))
            numbers.Add(number);
        return numbers;
    }
}
