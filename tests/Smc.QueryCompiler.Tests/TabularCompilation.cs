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

    private TabularCompilation(CSharpCompilation before, CSharpCompilation after, GeneratorDriver driver)
    {
        Before = before;
        Output = after;
        Driver = driver;
    }

    /// <summary>The compilation without generated code: what analyzers in an editor and the generator see.</summary>
    public CSharpCompilation Before { get; }

    public CSharpCompilation Output { get; }

    public GeneratorDriver Driver { get; }

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
        driver = driver.RunGeneratorsAndUpdateCompilation(before, out Compilation after, out _, CancellationToken.None);
        return new TabularCompilation(before, (CSharpCompilation)after, driver);
    }

    /// <summary>Everything that the compiler says about the result, generated code included.</summary>
    public IReadOnlyList<Diagnostic> CompilerDiagnostics => [.. Output.GetDiagnostics(CancellationToken.None).Where(d => d.Severity != DiagnosticSeverity.Hidden && !IsUndocumentedTestCode(d))];

    /// <summary>What the analyzer says.</summary>
    public async Task<IReadOnlyList<Diagnostic>> AnalyzeAsync() =>
        await Output.WithAnalyzers([new TabularAnalyzer()]).GetAnalyzerDiagnosticsAsync(CancellationToken.None);

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
