using Xunit;

namespace Smc.PackageTests;

public sealed class ReadmeSampleTests(PackedConsumer consumer) : IClassFixture<PackedConsumer>
{
    [Fact]
    public void The_readme_sample_compiles_and_runs_in_a_project_with_only_the_package_reference()
    {
        string output = consumer.Run("ReadmeSample", ReadmeSample());

        // Since 1 July: i * 1.25 > 100 and a date of July to December, computed with plain LINQ over numbers.
        decimal revenue = Enumerable.Range(2, 999)
            .Where(i => new DateOnly(2026, 1, 1).AddDays(i % 365) >= new DateOnly(2026, 7, 1) && i * 1.25m > 100)
            .Sum(i => i * 1.25m);
        Assert.Equal(
            [FormattableString.Invariant($"revenue since July: {revenue}"), "999 rows left, first is alive: False"],
            output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries));
    }

    private static string ReadmeSample()
    {
        string readme = File.ReadAllText(Path.Combine(PackedConsumer.RepositoryRoot, "README.md"));
        int start = readme.IndexOf("```csharp\n", StringComparison.Ordinal) + "```csharp\n".Length;
        return readme[start..readme.IndexOf("```", start, StringComparison.Ordinal)];
    }
}
