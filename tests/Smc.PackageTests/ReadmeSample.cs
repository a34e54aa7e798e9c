namespace Smc.PackageTests;

/// <summary>The program on the first screen of the README.</summary>
internal static class ReadmeSample
{
    /// <summary>What it prints.</summary>
    public static string Output
    {
        get
        {
            // Since 1 July: i * 1.25 > 100 and a date of July to December, computed with plain LINQ over numbers.
            decimal revenue = Enumerable.Range(2, 999)
                .Where(i => new DateOnly(2026, 1, 1).AddDays(i % 365) >= new DateOnly(2026, 7, 1) && i * 1.25m > 100)
                .Sum(i => i * 1.25m);
            return FormattableString.Invariant($"revenue since July: {revenue}\n999 rows left, first is alive: False\n").ReplaceLineEndings();
        }
    }

    /// <summary>Its text.</summary>
    public static string Program()
    {
        string readme = File.ReadAllText(Path.Combine(PackedConsumer.RepositoryRoot, "README.md"));
        int start = readme.IndexOf("```csharp\n", StringComparison.Ordinal) + "```csharp\n".Length;
        return readme[start..readme.IndexOf("```", start, StringComparison.Ordinal)];
    }
}
