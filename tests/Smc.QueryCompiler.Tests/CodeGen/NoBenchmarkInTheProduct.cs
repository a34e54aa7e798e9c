using System.Text.RegularExpressions;
using Smc.QueryCompiler.Tests.Documentation;
using Xunit;

namespace Smc.QueryCompiler.Tests.CodeGen;

/// <summary>The product knows nothing of the benchmark that it is judged on.</summary>
public sealed partial class NoBenchmarkInTheProduct
{
    [Fact]
    public void No_source_names_a_table_a_column_or_the_name_of_the_benchmark()
    {
        string[] sources = [.. Directory.EnumerateFiles(Path.Combine(RepositoryFiles.Root, "src"), "*.*", SearchOption.AllDirectories)
            .Where(f => Path.GetExtension(f) is ".cs" or ".csproj" or ".targets" or ".props" && !f.Contains("/obj/", StringComparison.Ordinal) && !f.Contains("\\obj\\", StringComparison.Ordinal))];

        Assert.NotEmpty(sources);
        Assert.DoesNotContain(sources, f => Names().IsMatch(File.ReadAllText(f)));
    }

    [Theory]
    [InlineData("lineItems")]
    [InlineData("TPC-H")]
    [InlineData("order.OrderPriority")]
    public void A_name_is_found(string text) => Assert.Matches(Names(), text);

    [GeneratedRegex("tpc-?h|dbgen|line_?items?|part_?supps?|extended_?price|ship_?(date|mode|instruct|priority)|return_?flag|line_?status|mkt_?segment|order_?priority|acct_?bal|(supply|retail)_?(cost|price)|commit_?date|receipt_?date", RegexOptions.IgnoreCase)]
    private static partial Regex Names();
}
