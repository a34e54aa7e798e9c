using System.Globalization;
using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>What was computed of texts, of which rows with equal words share one result.</summary>
public sealed class TextResultsTests
{
    [Fact]
    public void A_result_is_found_for_its_text_only()
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        TextResults<int> results = default;
        ulong oslo = KeyWords.OfText("Oslo", ref region), rome = KeyWords.OfText("Rome", ref region);

        Assert.False(results.TryFind(oslo, out _));
        Assert.Equal(4, results.Keep(oslo, 4));
        Assert.True(results.TryFind(oslo, out int found));
        Assert.Equal(4, found);
        Assert.False(results.TryFind(rome, out _));
        region.Dispose();
    }

    [Fact]
    public void Null_has_no_result()
    {
        TextResults<int> results = default;
        Assert.False(results.TryFind(0, out _));
        Assert.Equal(7, results.Keep(0, 7));
        Assert.False(results.TryFind(0, out _));
    }

    [Fact]
    public void A_text_that_no_other_row_can_share_is_not_kept()
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        TextResults<int> results = default;
        ulong own = KeyWords.OfText("a text of a row of its own", ref region);

        Assert.Equal(3, results.Keep(own, 3));

        Assert.False(results.TryFind(own, out _));
        region.Dispose();
    }

    [Theory]
    [InlineData(7)]
    [InlineData(9)]
    [InlineData(2_000)]
    [InlineData(8_193)]
    [InlineData(40_000)]
    public void What_is_found_is_right_however_many_texts_there_are(int different)
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        TextResults<int> results = default;
        ulong[] words = new ulong[different];
        for (int i = 0; i < different; i++)
            words[i] = KeyWords.OfText(i.ToString(CultureInfo.InvariantCulture), ref region);

        int found = 0;
        for (int round = 0; round < 5; round++)
        {
            for (int i = 0; i < different; i++)
            {
                if (results.TryFind(words[i], out int result))
                    found++;
                else
                    result = results.Keep(words[i], i);
                Assert.Equal(i, result);
            }
        }

        // Few texts are computed again only while the table grows.
        if (different <= 2_000)
            Assert.InRange(found, 3 * different, 4 * different);
        region.Dispose();
    }
}
