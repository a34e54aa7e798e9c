using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>What is asked of stored texts without making strings, against what strings answer.</summary>
public sealed class StoredTextTests
{
    private static readonly string?[] s_texts =
    [
        null, "", " ", "\t\u00A0", "a", "A", "abc", "ABC", "abcdefg", "abcdefgh", "ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz", "Straße", "STRASSE", "ſtar", "star", "\u212Aelvin", "kelvin",
        "i\u0307", "İ", "ı", "co\u00ADop", "coop", "é", "e\u0301", "日本語", "\uD83D\uDE00 smile", "\uD83D", "x\uDE00", "\0", "a\0b", new string('x', 600), new string('é', 300), new string('A', 512), new string('a', 512),
    ];

    private static readonly string?[] s_sought =
        [null, "", "a", "A", "ab", "C", "abcdefg", "XYZ", "s", "S", "ſ", "k", "K", "\u212A", "i", "I", "ss", "coop", "\u00AD", "é", "e", "\u0301", "本", "\uD83D\uDE00", "\uD83D", "\uDE00", "\0", "b", new string('x', 600), new string('a', 512)];

    public static TheoryData<StringComparison> Comparisons => [.. Enum.GetValues<StringComparison>(), (StringComparison)77];

    [Theory]
    [MemberData(nameof(Comparisons))]
    public void Searches_and_comparisons_answer_as_strings_do(StringComparison comparison) => ForEach((text, word) =>
    {
        foreach (string? sought in s_sought)
        {
            Same(() => text!.StartsWith(sought!, comparison), () => StoredText.StartsWith(word, sought, comparison));
            Same(() => text!.EndsWith(sought!, comparison), () => StoredText.EndsWith(word, sought, comparison));
            Same(() => text!.Contains(sought!, comparison), () => StoredText.Contains(word, sought, comparison));
            Same(() => text!.Equals(sought, comparison), () => StoredText.Equals(word, sought, comparison));
            Same(() => string.Equals(text, sought, comparison), () => StoredText.AreEqual(word, sought, comparison));
        }
    });

    [Fact]
    public void Lengths_and_characters_are_those_of_strings() => ForEach((text, word) =>
    {
        Same(() => text!.Length, () => StoredText.Length(word));
        Same(() => string.IsNullOrEmpty(text), () => StoredText.IsNullOrEmpty(word));
        Same(() => string.IsNullOrWhiteSpace(text), () => StoredText.IsNullOrWhiteSpace(word));
        foreach (int index in new[] { -1, 0, 1, 2, 7, 299, 599, 600, int.MaxValue })
            Same(() => text![index], () => StoredText.CharAt(word, index));
    });

    private static void ForEach(Action<string?, ulong> check)
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        foreach (string? text in s_texts)
            check(text, KeyWords.OfText(text, ref region));
        region.Dispose();
    }

    private static void Same<T>(Func<T> expected, Func<T> actual)
    {
        if (Record.Exception(() => expected()) is { } exception)
            Assert.Equal(exception.GetType(), Record.Exception(() => actual())?.GetType());
        else
            Assert.Equal(expected(), actual());
    }
}
