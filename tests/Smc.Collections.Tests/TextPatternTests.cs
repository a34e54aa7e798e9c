using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>A search in stored bytes finds what a search in strings finds, and raises what it raises.</summary>
public sealed class TextPatternTests
{
    private static readonly string?[] s_texts =
    [
        null, "", "a", "ab", "aba", "shipped by way 2", "PROMO BURNISHED COPPER", "Customer unhappy Complaints", "a\0b", "\0",
        "\u00e4", "\u00e4b", "b\u00e4", "stra\u00dfe", "\u20ac 5", "\ud83d\ude00", "x\ud83d\ude00y", "\ud83d", "\ude00", "x\ud83dy", "\ude00\ud83d", new string('x', 600) + "y",
    ];

    [Fact]
    public void Contains() => AssertSame(static (text, pattern) => text!.Contains(pattern!, StringComparison.Ordinal), static (word, pattern) => pattern.IsIn(word));

    [Fact]
    public void StartsWith() => AssertSame(static (text, pattern) => text!.StartsWith(pattern!, StringComparison.Ordinal), static (word, pattern) => pattern.IsPrefixOf(word));

    [Fact]
    public void EndsWith() => AssertSame(static (text, pattern) => text!.EndsWith(pattern!, StringComparison.Ordinal), static (word, pattern) => pattern.IsSuffixOf(word));

    [Fact]
    public void IndexOf() => AssertSame(static (text, pattern) => text!.IndexOf(pattern!, StringComparison.Ordinal), static (word, pattern) => pattern.IndexIn(word));

    [Theory]
    [InlineData(-1), InlineData(0), InlineData(1), InlineData(2), InlineData(17), InlineData(int.MaxValue)]
    public void IndexOf_from_a_place_on(int start) =>
        AssertSame((text, pattern) => text!.IndexOf(pattern!, start, StringComparison.Ordinal), (word, pattern) => pattern.IndexIn(word, start));

    [Fact]
    public void Texts_of_a_batch_are_searched_as_one_by_one()
    {
        using MemoryManager manager = new();
        Random random = new(6);
        int told = 0;
        for (int batch = 0; batch < 60; batch++)
        {
            Region region = new(manager);
            string pattern = Letters(random, random.Next(1, 12));
            ulong stride = batch % 2 == 0 ? 8UL : 24UL, column = region.AllocateZeroed(200 * (long)stride), selection = region.Allocate(ScanBatch.SelectionBytes);
            int count = 0;
            for (uint slot = 0; slot < 200; slot++)
            {
                string text = Letters(random, random.Next(0, 300)), placed = random.Next(4) == 0 ? text.Insert(random.Next(text.Length + 1), pattern) : text;
                KernelMemory.Write(column + (slot * stride), StringWord.EncodeInto(random.Next(8) == 0 ? "né" + placed : placed, ref region));
                if (random.Next(3) > 0)
                    KernelMemory.Write(selection + ((ulong)count++ * sizeof(uint)), slot);
            }

            TextPattern search = TextPattern.Of(pattern, ref region);
            search.FindIn(column, stride, selection, count);
            for (int i = 0; i < count; i++)
            {
                ulong next = selection + ((ulong)i * sizeof(uint)), word = KernelMemory.Read<ulong>(column + (KernelMemory.Read<uint>(next) * stride));
                Assert.Equal(search.IndexIn(word), search.IndexBeside(next, word));
                told += KernelMemory.Read<int>(next + ScanBatch.Beside) != TextPattern.NotAsked ? 1 : 0;
            }

            TextPart part = TextPart.Of(pattern, ref region);
            part.FindIn(column, stride, selection, count);
            for (int i = 0; i < count; i++)
            {
                ulong next = selection + ((ulong)i * sizeof(uint)), word = KernelMemory.Read<ulong>(column + (KernelMemory.Read<uint>(next) * stride));
                Assert.Equal(part.IsIn(word), part.IsBeside(next, word));
            }

            region.Dispose();
        }

        Assert.True(told > 1000 || !System.Runtime.Intrinsics.Vector512.IsHardwareAccelerated);
    }

    [Fact]
    public void A_pattern_is_found_wherever_it_is_in_a_text_and_wherever_the_text_ends_in_its_page()
    {
        using MemoryManager manager = new();
        Random random = new(5);
        for (int i = 0; i < 400; i++)
        {
            Region region = new(manager);
            for (int texts = 0; texts < 40; texts++)
            {
                string text = Letters(random, random.Next(8, 300)), pattern = Letters(random, random.Next(1, 9));
                ulong word = StringWord.EncodeInto(text, ref region);
                TextPattern search = TextPattern.Of(pattern, ref region);
                int start = random.Next(text.Length + 1);
                Assert.Equal(text.IndexOf(pattern, StringComparison.Ordinal), search.IndexIn(word));
                Assert.Equal(text.IndexOf(pattern, start, StringComparison.Ordinal), search.IndexIn(word, start));
                Assert.Equal(text.Contains(pattern, StringComparison.Ordinal), search.IsIn(word));
            }

            region.Dispose();
        }
    }

    [Theory]
    [InlineData(0, 0), InlineData(0, 2), InlineData(1, 1), InlineData(-1, 1), InlineData(1, -1), InlineData(2, 7), InlineData(3, int.MaxValue)]
    public void Substring(int start, int length) =>
        AssertSame((text, _) => text!.Substring(start, length), (word, _) => TextPattern.Substring(word, start, length));

    [Fact]
    public void A_part_of_a_text_is_the_same_as_a_word()
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        string?[] texts = [.. s_texts, "1234567", "12345678", "123456789", "12345\u00e489", "\u00e4234567890"];
        foreach (string? text in texts)
        {
            ulong word = text is null ? 0 : StringWord.EncodeInto(text, ref region);
            foreach (int start in (int[])[-1, 0, 1, 2, 6, 7, 8, 9, int.MaxValue])
            {
                foreach (int length in (int[])[-1, 0, 1, 2, 6, 7, 8, int.MaxValue])
                    Assert.Equal(Outcome(() => text!.Substring(start, length)), PartAsWord(word, start, length, ref region));
            }
        }

        region.Dispose();
    }

    [Fact]
    public void What_rows_share_is_searched_and_compared_once_and_the_answer_stays_that_of_its_text()
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        // More texts than answers are kept, so that they take each other's places.
        string[] texts = [.. Enumerable.Range(0, 10_000).Select(i => $"text {i * 7919 % 10_000:0000} of a column")];
        ulong[] words = new ulong[texts.Length];
        for (int i = 0; i < words.Length; i++)
            words[i] = Shared(texts[i], ref region);
        TextPart part = TextPart.Of("5 o", ref region);
        TextOrder order = TextOrder.Of(Shared("text 4000 of a column", ref region), ref region);
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < texts.Length; i++)
            {
                Assert.Equal(texts[i].Contains("5 o", StringComparison.Ordinal), part.IsIn(words[i]));
                Assert.Equal(Math.Sign(string.CompareOrdinal(texts[i], "text 4000 of a column")), Math.Sign(order.Compare(words[i])));
                Assert.Equal(part.IsIn(words[i]), part.IsIn(words[i]));
            }
        }

        // A text that nobody compares again: the kept answer is taken, whatever lies there now.
        TextOrder kept = TextOrder.Of(StringWord.Inline("m"u8), ref region);
        ulong word = Shared("a text that is replaced", ref region);
        Assert.Equal(-1, kept.Compare(word));
        Overwrite(word, "z text that is replaced");
        Assert.Equal(-1, kept.Compare(word));
        region.Dispose();
    }

    /// <summary>The word that a row of an interned column would have.</summary>
    private static ulong Shared(string text, ref Region region) => StringWord.EncodeInto(text, ref region) | 2;

    private static void Overwrite(ulong word, string text)
    {
        // SAFETY: the word is that of a longer text in a region.
        ulong bytes = (word & ((1UL << 48) - 8)) + sizeof(int);
        for (int i = 0; i < text.Length; i++)
            KernelMemory.Write(bytes + (ulong)i, (byte)text[i]);
    }

    private static void AssertSame<T>(Func<string?, string?, T> inStrings, Func<ulong, TextPattern, T> inBytes)
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        foreach (string? text in s_texts)
        {
            ulong word = text is null ? 0 : StringWord.EncodeInto(text, ref region);
            foreach (string? pattern in s_texts)
            {
                TextPattern search = TextPattern.Of(pattern, ref region);
                Assert.Equal(Outcome(() => inStrings(text, pattern)), Outcome(() => inBytes(word, search)));
            }
        }

        region.Dispose();
    }

    private static string PartAsWord(ulong word, int start, int length, ref Region region)
    {
        try
        {
            return "" + StringWord.Decode(TextPattern.SubstringWord(word, start, length, ref region));
        }
        catch (Exception failure)
        {
            return failure.GetType().Name;
        }
    }

    private static string Outcome<T>(Func<T> search)
    {
        try
        {
            return "" + search();
        }
        catch (Exception failure)
        {
            return failure.GetType().Name;
        }
    }

    private static string Letters(Random random, int length) => string.Create(length, random, static (letters, random) =>
    {
        foreach (ref char letter in letters)
            letter = "abz"[random.Next(3)];
    });
}
