using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Text;
using Smc.QueryCompiler.Generator;
using Xunit;

namespace Smc.QueryCompiler.Tests.CodeFixes;

/// <summary>A text before and after a code fix, in a workspace in memory.</summary>
internal static class FixedSource
{
    /// <summary>Applies the one fix that a provider offers for the one diagnostic with this id.</summary>
    public static async Task<string> Of(CodeFixProvider provider, string id, string source)
    {
        (Document document, ImmutableArray<Diagnostic> diagnostics) = await Diagnose(source);
        CodeAction action = Assert.Single(await Offered(provider, document, diagnostics.First(d => d.Id == id)));
        ImmutableArray<CodeActionOperation> operations = await action.GetOperationsAsync(TestContext.Current.CancellationToken);
        Document changed = operations.OfType<ApplyChangesOperation>().Single().ChangedSolution.GetDocument(document.Id)!;
        return (await changed.GetTextAsync(TestContext.Current.CancellationToken)).ToString();
    }

    /// <summary>The titles of the fixes that a provider offers for the first diagnostic with this id.</summary>
    public static async Task<IReadOnlyList<string>> Titles(CodeFixProvider provider, string id, string source)
    {
        (Document document, ImmutableArray<Diagnostic> diagnostics) = await Diagnose(source);
        return [.. (await Offered(provider, document, diagnostics.First(d => d.Id == id))).Select(a => a.Title)];
    }

    /// <summary>Every id that is told about a text.</summary>
    public static async Task<IReadOnlyList<string>> Ids(string source) => [.. (await Diagnose(source)).Diagnostics.Select(d => d.Id)];

    private static async Task<IReadOnlyList<CodeAction>> Offered(CodeFixProvider provider, Document document, Diagnostic diagnostic)
    {
        List<CodeAction> actions = [];
        await provider.RegisterCodeFixesAsync(new CodeFixContext(document, diagnostic, (action, _) => actions.Add(action), TestContext.Current.CancellationToken));
        return actions;
    }

    private static async Task<(Document Document, ImmutableArray<Diagnostic> Diagnostics)> Diagnose(string source)
    {
        AdhocWorkspace workspace = new();
        Document document = workspace.AddProject("Test", LanguageNames.CSharp)
            .WithParseOptions(new CSharpParseOptions(LanguageVersion.Preview))
            .WithCompilationOptions(new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable))
            .AddMetadataReferences(QueryCompilation.References)
            .AddDocument("Test.cs", SourceText.From(source));
        Compilation compilation = (await document.Project.GetCompilationAsync(TestContext.Current.CancellationToken))!;
        CSharpGeneratorDriver.Create([new TabularGenerator().AsSourceGenerator()], parseOptions: (CSharpParseOptions)document.Project.ParseOptions!)
            .RunGeneratorsAndUpdateCompilation(compilation, out Compilation generated, out ImmutableArray<Diagnostic> reported, TestContext.Current.CancellationToken);
        // An editor's document sees what is generated.
        Project project = document.Project;
        foreach (SyntaxTree tree in generated.SyntaxTrees.Except(compilation.SyntaxTrees))
            project = project.AddDocument(Path.GetFileName(tree.FilePath), tree.GetText(TestContext.Current.CancellationToken), filePath: tree.FilePath).Project;
        document = project.GetDocument(document.Id)!;
        compilation = (await project.GetCompilationAsync(TestContext.Current.CancellationToken))!;
        SyntaxTree own = (await document.GetSyntaxTreeAsync(TestContext.Current.CancellationToken))!;
        ImmutableArray<Diagnostic> found = await compilation.WithAnalyzers([new TabularAnalyzer(), new NullHandleAnalyzer(), new RowCopyAnalyzer(), new QueryAnalyzer()]).GetAllDiagnosticsAsync(TestContext.Current.CancellationToken);
        return (document, [.. reported, .. found.Where(d => d.Location.SourceTree == own && d.Severity >= DiagnosticSeverity.Info)]);
    }
}
