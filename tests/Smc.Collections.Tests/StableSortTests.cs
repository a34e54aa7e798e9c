using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Rows of a query are sorted as LINQ sorts: equal ones keep their order.</summary>
public sealed class StableSortTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(16)]
    [InlineData(17)]
    [InlineData(48)]
    [InlineData(1000)]
    [InlineData(4099)]
    public void Rows_are_in_order_and_equal_ones_keep_theirs(int count)
    {
        foreach (int distinct in new[] { 1, 7, 100_000 })
        {
            Random random = new(count);
            Check([.. Enumerable.Range(0, count).Select(_ => random.Next(distinct))]);
        }

        Check([.. Enumerable.Range(0, count)]);
        Check([.. Enumerable.Range(0, count).Reverse()]);
    }

    // Ranges of one bit up to more than a word has, so that some are sorted by a word of all keys, and others by comparing.
    [Theory]
    [InlineData(300, 1L, 1L)]
    [InlineData(300, 2L, 100L)]
    [InlineData(5000, 10L, 1L << 20)]
    [InlineData(5000, 1L << 25, 1L << 25)]
    [InlineData(5000, 1L << 40, 1L << 40)]
    [InlineData(5000, long.MaxValue, 5L)]
    [InlineData(5000, long.MaxValue, long.MaxValue)]
    public void Rows_with_keys_that_are_whole_numbers_are_sorted_by_all_of_them(int count, long first, long second)
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        RegionList<NumberRow> rows = default;
        Random random = new(count);
        for (int i = 0; i < count; i++)
            rows.Add(ref region, new NumberRow { First = random.NextInt64(-first, first), Second = random.NextInt64(-second, second), Place = i });
        List<NumberRow> expected = [];
        for (int i = 0; i < rows.Count; i++)
            expected.Add(rows[i]);
        StableSort.Sort(ref region, ref rows, null);
        List<int> sorted = [];
        for (int i = 0; i < rows.Count; i++)
            sorted.Add(rows[i].Place);
        Assert.Equal(expected.OrderByDescending(row => row.First).ThenBy(row => row.Second).Select(row => row.Place), sorted);
        region.Dispose();
    }

    [Fact]
    public void Keys_at_both_ends_of_their_range_are_sorted()
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        RegionList<NumberRow> rows = default;
        for (int i = 0; i < 1000; i++)
            rows.Add(ref region, new NumberRow { First = 0, Second = i % 3 == 0 ? long.MinValue : i % 3 == 1 ? long.MaxValue : i, Place = i });
        StableSort.Sort(ref region, ref rows, null);
        for (int i = 1; i < rows.Count; i++)
            Assert.True(rows[i - 1].Second <= rows[i].Second);
        region.Dispose();
    }

    private static void Check(int[] keys)
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        RegionList<Row> rows = default;
        for (int i = 0; i < keys.Length; i++)
            rows.Add(ref region, new Row { Key = keys[i], Place = i });
        StableSort.Sort(ref region, ref rows, null);
        List<(int, int)> sorted = [];
        for (int i = 0; i < rows.Count; i++)
            sorted.Add((rows[i].Key, rows[i].Place));
        Assert.Equal(keys.Select((key, place) => (key, place)).OrderBy(row => row.key), sorted);
        region.Dispose();
    }

    // Answers of a comparison may be any numbers, also those that have no opposite.
    private struct Row : ISortRow<Row>
    {
        public int Key;
        public int Place;

        public static int Compare(in Row left, in Row right, SortTexts? texts) =>
            left.Key == right.Key ? 0 : left.Key < right.Key ? int.MinValue : int.MaxValue;
    }

    private struct NumberRow : ISortRow<NumberRow>
    {
        public long First;
        public long Second;
        public int Place;

        public static int WholeKeys => 2;

        public static int Compare(in NumberRow left, in NumberRow right, SortTexts? texts) =>
            left.First == right.First ? left.Second.CompareTo(right.Second) : right.First.CompareTo(left.First);

        public static long WholeKey(in NumberRow row, int key, SortTexts? texts) => key == 0 ? ~row.First : row.Second;
    }
}
