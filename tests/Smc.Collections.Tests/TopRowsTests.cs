using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>A range of an order is what a sort of everything gives there.</summary>
public sealed class TopRowsTests
{
    private static readonly (int Skip, int Count)[] s_ranges =
    [
        (0, 0), (0, 1), (0, 7), (0, 100), (0, 5_000), (0, int.MaxValue), (-3, 4), (3, -1), (1, 1), (10, 20), (999, 1), (2_500, 1), (4_990, 100), (5_000, 1), (int.MaxValue, 1), (int.MaxValue, int.MaxValue),
    ];

    [Theory]
    [InlineData("ascending"), InlineData("descending"), InlineData("equal"), InlineData("few values"), InlineData("random"), InlineData("organ pipe")]
    public void A_range_is_that_of_the_sorted_rows(string order)
    {
        Random random = new(5);
        int[] keys = [.. Enumerable.Range(0, 5_000).Select(i => order switch
        {
            "ascending" => i,
            "descending" => -i,
            "equal" => 7,
            "few values" => i % 5,
            "organ pipe" => Math.Min(i, 5_000 - i),
            _ => random.Next(),
        })];
        using MemoryManager manager = new();
        foreach ((int skip, int count) in s_ranges)
        {
            Region region = new(manager);
            TopRows<SortedNumber> top = new(skip, count, areComparable: true);
            for (int i = 0; i < keys.Length; i++)
                top.Offer(ref region, new SortedNumber { Key = keys[i], Sequence = i });
            top.Finish(ref region, null);

            int[] expected = [.. Enumerable.Range(0, keys.Length).OrderBy(i => keys[i]).Skip(skip).Take(count)];
            Assert.Equal(expected, Enumerable.Range(0, top.Rows.Count).Select(i => SequenceAt(top, i)).ToArray());
            region.Dispose();
        }
    }

    [Fact]
    public void Rows_that_compare_by_texts_are_compared_at_the_end()
    {
        string[] texts = [.. Enumerable.Range(0, 1_000).Select(i => "text " + (i * 7919 % 1_000))];
        using MemoryManager manager = new();
        Region region = new(manager);
        SortTexts sorted = new(StringComparer.Ordinal);
        TopRows<SortedText> top = new(100, 5, areComparable: false);
        for (int i = 0; i < texts.Length; i++)
            top.Offer(ref region, new SortedText { Key = sorted.Add(texts[i]), Sequence = i });
        top.Finish(ref region, sorted);

        Assert.Equal(texts.Order(StringComparer.Ordinal).Skip(100).Take(5), Enumerable.Range(0, top.Rows.Count).Select(i => texts[TextAt(top, i)]).ToArray());
        region.Dispose();
    }

    [Fact]
    public void A_short_range_of_many_rows_takes_little_memory()
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        TopRows<SortedNumber> top = new(0, 100, areComparable: true);
        for (int i = 0; i < 1_000_000; i++)
        {
            top.Offer(ref region, new SortedNumber { Key = -i, Sequence = i });
            Assert.InRange(top.Rows.Count, 0, 200);
        }

        region.Dispose();
    }

    private static int SequenceAt(TopRows<SortedNumber> top, int index) => (int)top.Rows[index].Sequence;

    private static int TextAt(TopRows<SortedText> top, int index) => (int)top.Rows[index].Sequence;

    private struct SortedNumber : ISortRow<SortedNumber>
    {
        public int Key;
        public long Sequence;

        public static int Compare(in SortedNumber left, in SortedNumber right, SortTexts? texts) =>
            left.Key != right.Key ? left.Key.CompareTo(right.Key) : left.Sequence.CompareTo(right.Sequence);
    }

    private struct SortedText : ISortRow<SortedText>
    {
        public int Key;
        public long Sequence;

        public static int Compare(in SortedText left, in SortedText right, SortTexts? texts) =>
            texts!.Compare(left.Key, right.Key) is not 0 and int order ? order : left.Sequence.CompareTo(right.Sequence);
    }
}
