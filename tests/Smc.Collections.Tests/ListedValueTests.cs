using System.Globalization;
using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Whether a sequence has a value: the same answer as that of <see cref="Enumerable"/>, whatever the sequence is.</summary>
public sealed class ListedValueTests
{
    private static readonly string?[] s_texts = ["a", "B", "longer than a word", null, "né"];

    public static TheoryData<string> Sequences => ["array", "list", "set without case", "iterator", "nothing", "made by the compiler", "one made by the compiler", "set", "large set"];

    [Theory]
    [MemberData(nameof(Sequences))]
    public void A_text_is_listed_as_LINQ_has_it(string kind)
    {
        Region region = new(MemoryManager.Default);
        IEnumerable<string?> texts = TextsOf(kind);
        ListedTexts listed = ListedTexts.Of(texts, ref region);
        foreach (string? text in (string?[])["a", "A", "b", "B", "longer than a word", "another long text", null, "né", "", "a"])
            Assert.Equal(texts.Contains(text), listed.Contains(KeyWords.OfText(text, ref region)));
        region.Dispose();
    }

    [Fact]
    public void Every_short_text_of_a_list_of_any_length_is_found()
    {
        Region region = new(MemoryManager.Default);
        for (int count = 0; count < 14; count++)
        {
            string[] texts = [.. Enumerable.Range(0, count).Select(i => "t" + i)];
            ListedTexts listed = ListedTexts.Of(texts, ref region);
            for (int i = 0; i < 16; i++)
                Assert.Equal(i < count, listed.Contains(KeyWords.OfText("t" + i, ref region)));
        }

        region.Dispose();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_number_is_listed_as_LINQ_has_it(bool isArray)
    {
        Region region = new(MemoryManager.Default);
        IEnumerable<int> numbers = isArray ? [.. Enumerable.Range(0, 400).Select(i => i * 3)] : Enumerable.Range(0, 400).Select(i => i * 3);
        ListedNumbers<int> listed = ListedNumbers<int>.Of(isArray ? numbers.ToArray() : numbers, ref region);
        foreach (int number in Enumerable.Range(-10, 1300).Concat(Enumerable.Range(-10, 1300)))
            Assert.Equal(numbers.Contains(number), listed.Contains(number));
        region.Dispose();
    }

    // Two values that share a place would be asked again and again.
    [Fact]
    public void A_sequence_of_unknown_kind_is_asked_once_for_each_of_a_few_dozen_values()
    {
        Region region = new(MemoryManager.Default);
        int asked = 0;
        ListedTexts listed = ListedTexts.Of(Counted(), ref region);
        for (int round = 0; round < 10; round++)
        {
            for (int code = 10; code < 60; code++)
                Assert.Equal(code % 5 == 0, listed.Contains(KeyWords.OfText(code.ToString(CultureInfo.InvariantCulture), ref region)));
        }

        Assert.Equal(50, asked);
        region.Dispose();

        IEnumerable<string?> Counted()
        {
            asked++;
            for (int code = 10; code < 60; code += 5)
                yield return code.ToString(CultureInfo.InvariantCulture);
        }
    }

    [Fact]
    public void No_sequence_raises_when_it_is_asked()
    {
        Region region = new(MemoryManager.Default);
        ListedTexts listed = ListedTexts.Of(null, ref region);
        Assert.Throws<ArgumentNullException>(() => listed.Contains(StringWord.Inline("a"u8)));
        region.Dispose();
    }

    private static IEnumerable<string?> TextsOf(string kind) => kind switch
    {
        "array" => s_texts,
        "list" => new List<string?>(s_texts),
        "set without case" => new HashSet<string?>(s_texts, StringComparer.OrdinalIgnoreCase),
        "made by the compiler" => MadeByCompiler("a", "longer than a word", null),
        "one made by the compiler" => MadeByCompiler("B"),
        "set" => new HashSet<string?>(s_texts),
        "large set" => new HashSet<string?>(Enumerable.Range(0, 100).Select(i => "t" + i).Concat(s_texts)),
        "iterator" => s_texts.Where(text => text != "B"),
        _ => new List<string?>(),
    };

    private static IReadOnlyList<string?> MadeByCompiler(params string?[] texts) => texts.Length == 1 ? [texts[0]] : [.. texts];
}
