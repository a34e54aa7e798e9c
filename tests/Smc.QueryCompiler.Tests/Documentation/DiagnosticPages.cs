using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Smc.QueryCompiler.Generator;
using Xunit;

namespace Smc.QueryCompiler.Tests.Documentation;

/// <summary>Every diagnostic has a page, every page a diagnostic.</summary>
public sealed class DiagnosticPages
{
    private static readonly Dictionary<string, DiagnosticDescriptor> s_rules =
        new DiagnosticAnalyzer[] { new TabularAnalyzer(), new HandleAnalyzer(), new NullHandleAnalyzer(), new RowCopyAnalyzer(), new SliceReaderAnalyzer(), new QueryAnalyzer(), new LinqToObjectsAnalyzer(), new ExpressionTreeAnalyzer() }
            .SelectMany(analyzer => analyzer.SupportedDiagnostics).Concat(TabularRules.Declarations).DistinctBy(rule => rule.Id).ToDictionary(rule => rule.Id);

    public static TheoryData<string> Ids => [.. s_rules.Keys];

    [Fact]
    public void There_are_as_many_pages_as_rules() =>
        Assert.Equal(s_rules.Keys.Order(StringComparer.Ordinal), Directory.GetFiles(RepositoryFiles.Docs("diagnostics"), "*.md").Select(f => Path.GetFileNameWithoutExtension(f)).Order(StringComparer.Ordinal));

    [Theory]
    [MemberData(nameof(Ids))]
    public void The_editors_link_leads_to_the_page(string id) =>
        Assert.EndsWith($"/docs/diagnostics/{id}.md", s_rules[id].HelpLinkUri, StringComparison.Ordinal);

    [Theory]
    [MemberData(nameof(Ids))]
    public void A_page_has_the_rules_number_and_an_example(string id)
    {
        string page = File.ReadAllText(RepositoryFiles.Docs("diagnostics", id + ".md"));
        Assert.StartsWith($"# {id}: ", page, StringComparison.Ordinal);
        Assert.Contains("```csharp", page, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void A_page_tells_of_the_code_fix_when_there_is_one(string id)
    {
        bool isFixed = new CodeFixes.AllFixes().Ids.Contains(id);
        string page = File.ReadAllText(RepositoryFiles.Docs("diagnostics", id + ".md"));
        Assert.Equal(isFixed, page.Contains("Code fix:", StringComparison.Ordinal));
    }
}
