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
        scan.Counts.CountWaiting(scan.Groups, CountOffset, ref scan.Region);
        AssertCounts(scan);
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
        ulong places = part.Region.Allocate((part.Groups.NextPlace + 1) * sizeof(int));
        for (int number = 0; number < part.Groups.Count; number++)
            KernelMemory.Write(places + ((ulong)number * sizeof(int)), scan.PlaceOf(KernelMemory.Read<ulong>(part.Groups.At((uint)number))));
        scan.Counts.Take(part.Counts, places, scan.Groups, CountOffset, ref scan.Region);
        AssertCounts(scan);
        part.Region.Dispose();
        scan.Region.Dispose();
    }

    // Few words of many groups and many of few; some far away, so that pairs become wide on the way.
    private void Fill(ref Scan scan, int words)
    {
        for (int i = 0; i < words; i++)
        {
            ulong key = (ulong)_random.Next(1, i % 2 == 0 ? 4 : 500), word = (ulong)_random.Next(i % 3 == 0 ? 3 : 200) << (i > 10_000 ? 50 : 0);
            int place = scan.PlaceOf(key);
            scan.Counts.Add(place, word, scan.Groups, CountOffset, ref scan.Region);
            if (!_expected.TryGetValue(key, out HashSet<ulong>? known))
                _expected.Add(key, known = []);
            known.Add(word);
        }
    }

    private void AssertCounts(in Scan scan)
    {
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
