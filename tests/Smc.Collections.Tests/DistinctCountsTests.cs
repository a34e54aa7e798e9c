using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Numbers of distinct words of groups, of one scan and of parts of one.</summary>
public sealed class DistinctCountsTests
{
    private const int RecordBytes = 24;
    private const int CountOffset = 16;

    private readonly Random _random = new(3);
    private readonly Dictionary<ulong, HashSet<ulong>> _expected = [];

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(127)]
    [InlineData(128)]
    [InlineData(129)]
    [InlineData(20_000)]
    public void A_group_has_the_number_of_its_distinct_words(int words)
    {
        using MemoryManager manager = new();
        Scan scan = new(manager);
        Fill(ref scan, words);
        AssertCounts(ref scan);
        scan.Region.Dispose();
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(0, 1)]
    [InlineData(5, 0)]
    [InlineData(100, 100)]
    [InlineData(128, 127)]
    [InlineData(300, 20_000)]
    [InlineData(20_000, 300)]
    [InlineData(20_000, 20_000)]
    public void Words_that_parts_have_in_common_count_once(int words, int wordsOfPart)
    {
        using MemoryManager manager = new();
        Scan scan = new(manager), part = new(manager);
        Fill(ref scan, words);
        Fill(ref part, wordsOfPart);
        Take(ref scan, ref part);
        AssertCounts(ref scan);
        part.Region.Dispose();
        scan.Region.Dispose();
    }

    [Theory]
    [InlineData(255)]
    [InlineData(256)]
    [InlineData(257)]
    [InlineData(40_000)]
    public void Words_of_which_few_come_twice_are_counted(int words)
    {
        using MemoryManager manager = new();
        Scan scan = new(manager);
        FillWithDifferent(ref scan, words, shift: 22);
        AssertCounts(ref scan);
        scan.Region.Dispose();
    }

    [Fact]
    public void Words_that_come_after_a_count_are_counted_with_the_others()
    {
        using MemoryManager manager = new();
        Scan scan = new(manager);
        for (int round = 0; round < 3; round++)
        {
            FillWithDifferent(ref scan, 700, shift: 0);
            AssertCounts(ref scan);
        }

        // Words that do not fit with the others: all become a set.
        FillWithDifferent(ref scan, 10, shift: 45);
        AssertCounts(ref scan);
        scan.Region.Dispose();
    }

    [Fact]
    public void A_word_that_is_far_from_the_others_is_counted_with_them()
    {
        using MemoryManager manager = new();
        Scan scan = new(manager);
        FillWithDifferent(ref scan, 1_000, shift: 0);
        FillWithDifferent(ref scan, 1_000, shift: 45);
        AssertCounts(ref scan);
        scan.Region.Dispose();
    }

    [Theory]
    [InlineData(10_000, 0)]
    [InlineData(0, 10_000)]
    [InlineData(10_000, 10_000)]
    public void Words_of_which_few_come_twice_count_once_in_parts(int words, int wordsOfPart)
    {
        using MemoryManager manager = new();
        Scan scan = new(manager), part = new(manager);
        FillWithDifferent(ref scan, words, shift: 0);
        FillWithDifferent(ref part, wordsOfPart, shift: 0);
        Take(ref scan, ref part);
        AssertCounts(ref scan);
        part.Region.Dispose();
        scan.Region.Dispose();
    }

    [Theory]
    [InlineData(10_000, 20_000, true)]
    [InlineData(10_000, 20_000, false)]
    [InlineData(300, 20_000, true)]
    [InlineData(300, 20_000, false)]
    public void A_log_and_a_set_come_together(int different, int repeated, bool isPartDifferent)
    {
        using MemoryManager manager = new();
        Scan scan = new(manager), part = new(manager);
        FillWithDifferent(ref isPartDifferent ? ref part : ref scan, different, shift: 0);
        Fill(ref isPartDifferent ? ref scan : ref part, repeated);
        Take(ref scan, ref part);
        AssertCounts(ref scan);
        part.Region.Dispose();
        scan.Region.Dispose();
    }

    private static void Take(ref Scan scan, ref Scan part)
    {
        ulong places = part.Region.Allocate((part.Groups.NextPlace + 1) * sizeof(int));
        for (int number = 0; number < part.Groups.Count; number++)
            KernelMemory.Write(places + ((ulong)number * sizeof(int)), scan.PlaceOf(KernelMemory.Read<ulong>(part.Groups.At((uint)number))));
        scan.Counts.Take(part.Counts, places, scan.Groups, CountOffset, ref scan.Region);
    }

    // As handles are, or numbers: the lower bits of all are the same.
    private void FillWithDifferent(ref Scan scan, int words, int shift)
    {
        for (int i = 0; i < words; i++)
            Add(ref scan, (ulong)_random.Next(1, 2_000), ((ulong)_random.Next(60_000) << shift) + 5);
    }

    private void Add(ref Scan scan, ulong key, ulong word)
    {
        scan.Counts.Add(scan.PlaceOf(key), word, scan.Groups, CountOffset, ref scan.Region);
        if (!_expected.TryGetValue(key, out HashSet<ulong>? known))
            _expected.Add(key, known = []);
        known.Add(word);
    }

    // Few words of many groups and many of few; some far away, so that pairs become wide on the way.
    private void Fill(ref Scan scan, int words)
    {
        for (int i = 0; i < words; i++)
        {
            ulong key = (ulong)_random.Next(1, i % 2 == 0 ? 4 : 500), word = (ulong)_random.Next(i % 3 == 0 ? 3 : 200) << (i > 10_000 ? 50 : 0);
            Add(ref scan, key, word);
        }
    }

    private void AssertCounts(ref Scan scan)
    {
        scan.Counts.CountWaiting(scan.Groups, CountOffset, ref scan.Region);
        Dictionary<ulong, long> found = [];
        for (int number = 0; number < scan.Groups.Count; number++)
        {
            ulong group = scan.Groups.At((uint)number);
            found.Add(KernelMemory.Read<ulong>(group), KernelMemory.Read<long>(group + CountOffset));
        }

        Assert.Equal(_expected.ToDictionary(pair => pair.Key, pair => (long)pair.Value.Count), found);
    }

    private ref struct Scan(MemoryManager manager)
    {
        public Region Region = new(manager);
        public GroupRecords Groups = new(RecordBytes);
        public DistinctCounts Counts;
        private readonly Dictionary<ulong, int> _places = [];

        public int PlaceOf(ulong key)
        {
            if (_places.TryGetValue(key, out int place))
                return place;
            ulong group = Groups.Add(ref Region);
            KernelMemory.Write(group, key);
            _places.Add(key, place = Groups.PlaceAt(group));
            return place;
        }
    }
}
