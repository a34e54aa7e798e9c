extern alias quickstart;
extern alias rollup;

using System.Globalization;
using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using rollup::RollUp;
using Xunit;

namespace Guide.Tests;

/// <summary>The samples run, and print what they should.</summary>
public sealed class SampleTests
{
    [Fact]
    public void The_quickstart_prints_what_the_readme_says() =>
        Assert.Equal(string.Concat(Page.Read("README.md").Samples.Select(sample => sample.Output)), ConsoleOutput.Of(typeof(quickstart::Order).Assembly));

    [Fact]
    public void The_quickstart_is_the_code_of_the_readme()
    {
        string program = File.ReadAllText(Path.Combine(Repository.Root, "samples/Quickstart/Program.cs"));

        Assert.Equal(Members(Page.Read("README.md").Samples.Select(sample => sample.Code)), Members([program]));
    }

    [Fact]
    public void The_roll_up_counts_every_sale_once()
    {
        const int Sales = 20_000;
        Sale[] expected = [.. Enumerable.Range(0, 4)
            .SelectMany(thread => Sale.Stream(thread, Sales / 4))
            .Where(sale => sale.Country == "PT" && sale.Day.Month == 1)];

        string output = ConsoleOutput.Of(typeof(Totals).Assembly, Sales.ToString(CultureInfo.InvariantCulture));

        foreach (IGrouping<string, Sale> product in expected.GroupBy(sale => sale.Product))
            Assert.Contains(string.Create(CultureInfo.InvariantCulture, $"  {product.Key,-8}{product.Count(),10:N0} sales{product.Sum(sale => sale.Units * sale.Price),16:N2}\n"), output, StringComparison.Ordinal);
        Assert.Contains("228 cells removed, 480 left", output, StringComparison.Ordinal);
    }

    /// <summary>Statements and types, each without its layout; a program has the types last.</summary>
    private static IEnumerable<string> Members(IEnumerable<string> code) => code
        .SelectMany(text => CSharpSyntaxTree.ParseText(text).GetCompilationUnitRoot().Members)
        .Select(member => member.NormalizeWhitespace().ToFullString())
        .Order(StringComparer.Ordinal);
}
