using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Smc.Collections;
using Smc.QueryCompiler.Generator;
using Xunit;

namespace Smc.QueryCompiler.Tests;

/// <summary>Compiles a text in memory with the tabular generator and its analyzer, as a project that references the package would.</summary>
internal sealed class TabularCompilation
{
    private static readonly ImmutableArray<MetadataReference> References =
        [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(path => IsReferenced(Path.GetFileNameWithoutExtension(path)))
            .Append(typeof(Collection<>).Assembly.Location)
            .Append(typeof(Smc.Memory.MemoryManager).Assembly.Location)
            .Distinct()
            .Select(path => MetadataReference.CreateFromFile(path))];

    private TabularCompilation(CSharpCompilation before, CSharpCompilation after, GeneratorDriver driver, ImmutableArray<Diagnostic> reported)
    {
        Reported = reported;
        Before = before;
        Output = after;
        Driver = driver;
    }

    /// <summary>The compilation without generated code: what analyzers in an editor and the generator see.</summary>
    public CSharpCompilation Before { get; }

    public CSharpCompilation Output { get; }

    public GeneratorDriver Driver { get; }

    /// <summary>What the generator reports.</summary>
    public IReadOnlyList<Diagnostic> Reported { get; }

    public string GeneratedText => string.Join("\n", Driver.GetRunResult().GeneratedTrees.Select(t => t.GetText(CancellationToken.None).ToString()));

    public static TabularCompilation Of(string source, bool isChecked = false, NullableContextOptions nullable = NullableContextOptions.Enable, params MetadataReference[] more)
    {
        CSharpParseOptions parse = new(LanguageVersion.Preview, DocumentationMode.Diagnose);
        CSharpCompilation before = CSharpCompilation.Create(
            "Test",
            [CSharpSyntaxTree.ParseText(source, parse, "Test.cs", cancellationToken: CancellationToken.None)],
            [.. References, .. more],
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, checkOverflow: isChecked, nullableContextOptions: nullable, warningLevel: 9999));
        GeneratorDriver driver = CSharpGeneratorDriver.Create(
            [new TabularGenerator().AsSourceGenerator()],
            parseOptions: parse,
            driverOptions: new GeneratorDriverOptions(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: true));
        driver = driver.RunGeneratorsAndUpdateCompilation(before, out Compilation after, out ImmutableArray<Diagnostic> reported, CancellationToken.None);
        return new TabularCompilation(before, (CSharpCompilation)after, driver, reported);
    }

    /// <summary>Everything that the compiler says about the result, generated code included.</summary>
    public IReadOnlyList<Diagnostic> CompilerDiagnostics => [.. Output.GetDiagnostics(CancellationToken.None).Where(d => d.Severity != DiagnosticSeverity.Hidden && !IsUndocumentedTestCode(d))];

    /// <summary>What the generator and the analyzers report.</summary>
    public async Task<IReadOnlyList<Diagnostic>> AnalyzeAsync() =>
        [.. Reported, .. await Output.WithAnalyzers([new TabularAnalyzer(), new HandleAnalyzer(), new NullHandleAnalyzer(), new RowCopyAnalyzer(), new SliceReaderAnalyzer()]).GetAnalyzerDiagnosticsAsync(CancellationToken.None)];

    /// <summary>
    /// What a build on the command line prints: the generator's diagnostics and those of declarations, and only when there is no error those of method
    /// bodies and of analyzers.
    /// </summary>
    public async Task<IReadOnlyList<Diagnostic>> BuildAsync()
    {
        Diagnostic[] declarations = [.. Reported, .. Output.GetDeclarationDiagnostics(CancellationToken.None).Where(d => d.Severity != DiagnosticSeverity.Hidden && !IsUndocumentedTestCode(d))];
        return declarations.Any(d => d.Severity == DiagnosticSeverity.Error) ? declarations : [.. CompilerDiagnostics, .. await AnalyzeAsync()];
    }

    /// <summary>The text of the test's source at a place.</summary>
    public string TextOf(Location location) => Before.SyntaxTrees[0].GetText(CancellationToken.None).ToString(location.SourceSpan);

    public MetadataReference ToReference()
    {
        using MemoryStream stream = new();
        Microsoft.CodeAnalysis.Emit.EmitResult result = Output.Emit(stream, cancellationToken: CancellationToken.None);
        Assert.True(result.Success, string.Join("\n", result.Diagnostics));
        return MetadataReference.CreateFromImage(stream.ToArray());
    }

    private static bool IsUndocumentedTestCode(Diagnostic diagnostic) => diagnostic.Id == "CS1591" && diagnostic.Location.SourceTree?.FilePath == "Test.cs";

    private static bool IsReferenced(string assembly) => assembly is "System.Private.CoreLib" or "System.Runtime" or "System.Collections" or "System.Linq"
        or "System.Text.Json" or "System.Memory" or "netstandard" or "System.ComponentModel" or "System.ComponentModel.Primitives"
        or "System.Diagnostics.Tools" or "System.Linq.Expressions" or "System.Runtime.InteropServices" or "System.Console" or "System.Runtime.Extensions" or "System.Numerics.Vectors" or "System.ObjectModel";
}
