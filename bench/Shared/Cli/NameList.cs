namespace Bench.Shared;

/// <summary>Names separated by commas, out of a fixed set.</summary>
internal static class NameList
{
    /// <summary>The names in the order given, each once.</summary>
    /// <exception cref="UsageException">A name is not in the set, or there is none.</exception>
    public static IReadOnlyList<string> Parse(string option, string kind, string text, IReadOnlyList<string> known)
    {
        string[] names = text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        if (names.Length == 0)
            throw new UsageException($"{option} names no {kind}; there are {string.Join(", ", known)}");
        foreach (string name in names)
        {
            if (!known.Contains(name, StringComparer.Ordinal))
                throw new UsageException($"unknown {kind} '{name}'; there are {string.Join(", ", known)}");
        }
        return [.. names.Distinct(StringComparer.Ordinal)];
    }

    /// <exception cref="UsageException">It is not one name out of the set.</exception>
    public static string ParseOne(string option, string kind, string text, IReadOnlyList<string> known) =>
        Parse(option, kind, text, known) is [var name] ? name : throw new UsageException($"{option} takes one {kind}; there are {string.Join(", ", known)}");
}
