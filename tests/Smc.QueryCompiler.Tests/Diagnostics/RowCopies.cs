using Microsoft.CodeAnalysis;
using Smc.QueryCompiler.CodeFixes;
using Smc.QueryCompiler.Tests.CodeFixes;
using Xunit;

namespace Smc.QueryCompiler.Tests.Diagnostics;

/// <summary>SMC0061: <c>with</c> on a row writes to the row.</summary>
public sealed class RowCopies
{
    private const string Usings = "using System.Linq;\nusing Smc.Collections;\n";

    private const string Order = "[Tabular] public readonly partial struct Order { public partial int Id { get; set; } public partial Order Next { get; set; } public int Twice { get => Id * 2; set => Id = value / 2; } }\n";

    [Theory]
    [InlineData("var copy = row with { Id = 6 };", "row")]
    [InlineData("var copies = orders.AsEnumerable().Select(o => o with { Id = 6 }).ToList();", "o")]
    [InlineData("var copies = (from o in orders.AsEnumerable() select o.Next with { Id = 6 }).ToList();", "o.Next")]
    [InlineData("row = row with { };", "row")]
    public async Task A_row_with_other_values_is_an_error(string statement, string row)
    {
        TabularCompilation compilation = TabularCompilation.Of(Program(statement));

        Diagnostic diagnostic = Assert.Single(await compilation.BuildAsync());

        Assert.Equal("SMC0061", diagnostic.Id);
        Assert.Equal(DiagnosticSeverity.Error, diagnostic.Severity);
        Assert.StartsWith(row + " with", compilation.TextOf(diagnostic.Location), StringComparison.Ordinal);
        Assert.Contains($"'{row}.ToData() with", diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Other_structs_and_the_record_of_a_row_are_copied() =>
        Assert.Empty(await TabularCompilation.Of(Program("var a = row.ToData() with { Id = 6 }; var b = (X: 1, Y: 2) with { X = 3 };")).BuildAsync());

    [Theory]
    [InlineData("var copy = row with { Id = 6 };", "var copy = row.ToData() with { Id = 6 };")]
    [InlineData("var copy = orders.First() with { Id = 6, Next = row };", "var copy = orders.First().ToData() with { Id = 6, Next = row };")]
    [InlineData("var copies = orders.AsEnumerable().Select(o => o with { Id = 6 }).ToList();", "var copies = orders.AsEnumerable().Select(o => o.ToData() with { Id = 6 }).ToList();")]
    [InlineData("var copy = (orders.First()) with { Id = 6 };", "var copy = (orders.First()).ToData() with { Id = 6 };")]
    public async Task The_fix_copies_the_values(string before, string after)
    {
        string fixedText = await FixedSource.Of(new RowCopyFix(), "SMC0061", Program(before));

        Assert.Equal(Program(after), fixedText);
        Assert.Empty(await FixedSource.Ids(fixedText));
    }

    [Fact]
    public async Task No_fix_is_offered_for_a_property_that_the_record_does_not_have() =>
        Assert.Empty(await FixedSource.Titles(new RowCopyFix(), "SMC0061", Program("var copy = row with { Twice = 6 };")));

    private static string Program(string statement) => Usings + Order + "public class C { public void M(Collection<Order> orders, Order row) { " + statement + " } }";
}
