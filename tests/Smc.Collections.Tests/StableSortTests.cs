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
}
