using System.Globalization;

namespace TpcH.Cli;

/// <summary>One seed, or the first and the last of several.</summary>
internal static class SeedRange
{
    /// <exception cref="UsageException">The text is neither a whole number from 1 on nor a range of them.</exception>
    public static IReadOnlyList<int> Parse(string option, string text)
    {
        string[] ends = text.Split('-');
        return ends.Length <= 2 && TryParse(ends[0], out int first) && TryParse(ends[^1], out int last) && first <= last
            ? [.. Enumerable.Range(first, last - first + 1)]
            : throw new UsageException($"{option} takes a whole number from 1 on or a range such as 1-20, not '{text}'");
    }

    private static bool TryParse(string text, out int value) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value) && value > 0;
}
