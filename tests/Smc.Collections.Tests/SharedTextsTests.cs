using System.Globalization;
using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>The strings of a result, of which rows with equal words share one.</summary>
public sealed class SharedTextsTests
{
    [Fact]
    public void Rows_with_equal_short_texts_share_the_string()
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        SharedTexts texts = default;

        string? first = texts.Decode(KeyWords.OfText("Oslo", ref region)), other = texts.Decode(KeyWords.OfText("Rome", ref region));

        Assert.Equal(("Oslo", "Rome"), (first, other));
        Assert.Same(first, texts.Decode(KeyWords.OfText("Oslo", ref region)));
        Assert.Null(texts.Decode(0));
        region.Dispose();
    }

    /// <summary>At most 8,192 texts are kept at once; above half as many that were made in vain nothing is kept any more.</summary>
    [Theory]
    [InlineData(3)]
    [InlineData(300)]
    [InlineData(5_000)]
    [InlineData(50_000)]
    public void A_text_is_itself_however_many_others_there_are(int different)
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        SharedTexts texts = default;
        ulong[] words = new ulong[different];
        for (int i = 0; i < different; i++)
            words[i] = KeyWords.OfText(TextOf(i), ref region);

        for (int i = 0; i < 60_000; i++)
        {
            int number = (int)(i * 7919L % different);
            Assert.Equal(TextOf(number), texts.Decode(words[number]));
        }

        region.Dispose();
    }

    [Fact]
    public void Few_texts_stay_shared_after_many_others()
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        SharedTexts texts = default;
        ulong often = KeyWords.OfText("often", ref region);

        for (int i = 0; i < 20_000; i++)
        {
            texts.Decode(KeyWords.OfText(TextOf(i), ref region));
            for (int k = 0; k < 3; k++)
                texts.Decode(often);
        }

        Assert.Same(texts.Decode(often), texts.Decode(often));
        region.Dispose();
    }

    // Some of them too long for a word.
    private static string TextOf(int number) => (number % 3 == 0 ? "a long text " : "t") + number.ToString(CultureInfo.InvariantCulture);
}
