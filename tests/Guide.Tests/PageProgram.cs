extern alias generator;

using System.Collections.Immutable;
using System.Globalization;
using System.Reflection;
using System.Runtime.Loader;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Guide.Tests;

/// <summary>The C# of a page compiled as one program, with generators and analyzers, as a project that references the packages would be.</summary>
internal sealed partial class PageProgram
{
    // Printed before the output of each block.
    private const char BlockMark = '\u001E';

    private const string ImplicitUsings = """
        global using System;
        global using System.Collections.Generic;
        global using System.IO;
        global using System.Linq;
        global using System.Threading;
        global using System.Threading.Tasks;
        """;

    private static readonly CSharpParseOptions s_parseOptions = new CSharpParseOptions(LanguageVersion.CSharp14)
        .WithFeatures([new("InterceptorsNamespaces", "Smc.Generated")]);

    private static readonly ImmutableArray<MetadataReference> s_references = [.. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
        .Split(Path.PathSeparator)
        .Where(path => Path.GetFileNameWithoutExtension(path) is not ("Smc.QueryCompiler" or "Guide.Tests" or "Quickstart" or "RollUp"))
        .Select(path => MetadataReference.CreateFromFile(path))];

    private static readonly Assembly s_generator = typeof(generator::Smc.QueryCompiler.Generator.QueryGenerator).Assembly;

    private readonly Page _page;
    private readonly Compilation _compilation;
    private readonly byte[] _image;

    public PageProgram(Page page)
    {
        _page = page;
        CSharpCompilationOptions options = new(
            OutputKind.ConsoleApplication,
            optimizationLevel: OptimizationLevel.Release,
            nullableContextOptions: NullableContextOptions.Enable,
            // As the SDK does: packages may have been built against an older platform.
            specificDiagnosticOptions: [new("CS1701", ReportDiagnostic.Suppress), new("CS1702", ReportDiagnostic.Suppress)]);
        CSharpCompilation source = CSharpCompilation.Create(
            "Page",
            [CSharpSyntaxTree.ParseText(ImplicitUsings, s_parseOptions, "Usings.cs", Encoding.UTF8), CSharpSyntaxTree.ParseText(Source(page), s_parseOptions, "/Program.cs", Encoding.UTF8)],
            s_references,
            options);
        CSharpGeneratorDriver.Create(Instances<IIncrementalGenerator>().Select(GeneratorExtensions.AsSourceGenerator), parseOptions: s_parseOptions)
            .RunGeneratorsAndUpdateCompilation(source, out _compilation, out ImmutableArray<Diagnostic> diagnostics);
        using MemoryStream image = new();
        ImmutableArray<Diagnostic> found = _compilation.Emit(image).Diagnostics;
        _image = image.ToArray();
        Problems = [.. diagnostics.Concat(found).Where(d => d.Severity >= DiagnosticSeverity.Warning).Select(Text)];
    }

    /// <summary>Errors and warnings of the compiler.</summary>
    public IReadOnlyList<string> Problems { get; }

    /// <summary>Our diagnostics that differ from those the page names in a comment on the line, <c>// SMC1001: …</c>.</summary>
    public async Task<IReadOnlyList<string>> WrongDiagnostics(CancellationToken cancellationToken)
    {
        ImmutableArray<Diagnostic> found = await _compilation.WithAnalyzers([.. Instances<DiagnosticAnalyzer>()]).GetAnalyzerDiagnosticsAsync(cancellationToken);
        string[] lines = File.ReadAllLines(Path.Combine(Repository.Root, _page.Name));
        HashSet<(int Line, string Id)> reported = [.. found.Where(d => d.Location.IsInSource).Select(d => (LineOf(d), d.Id))];
        HashSet<(int Line, string Id)> named = [.. _page.Samples
            .SelectMany(sample => Enumerable.Range(sample.Line, sample.Code.AsSpan().Count('\n')))
            .Select(line => (line, DiagnosticComment().Match(lines[line - 1]).Groups["id"].Value))
            .Where(comment => comment.Value.Length > 0)];
        return [.. reported.Except(named).Select(d => $"{_page.Name}({d.Line}): {d.Id} is reported, and the page does not say so."),
            .. named.Except(reported).Select(d => $"{_page.Name}({d.Line}): {d.Id} is not reported.")];
    }

    /// <summary>Runs the program, if it has no problems.</summary>
    /// <returns>What each block printed.</returns>
    public IReadOnlyList<string> Run()
    {
        using MemoryStream image = new(_image);
        Assembly program = new AssemblyLoadContext(_page.Name, isCollectible: true).LoadFromStream(image);
        try
        {
            return ConsoleOutput.Of(program).Split(BlockMark)[1..];
        }
        finally
        {
            // A page may have enabled them, and the next one must not depend on it.
            Smc.QueryCompiler.RuntimeQueries.Disable();
        }
    }

    /// <summary>Using directives first, then statements, then types, as C# requires; each with the line that it has on the page.</summary>
    private static string Source(Page page)
    {
        StringBuilder usings = new(), statements = new(), types = new();
        foreach (Sample sample in page.Samples)
        {
            CompilationUnitSyntax unit = CSharpSyntaxTree.ParseText(sample.Code, s_parseOptions).GetCompilationUnitRoot();
            foreach (UsingDirectiveSyntax directive in unit.Usings)
                usings.Append(Located(directive));
            statements.Append(CultureInfo.InvariantCulture, $"Console.Write('\\u{(int)BlockMark:X4}');\n");
            foreach (MemberDeclarationSyntax member in unit.Members)
                (member is GlobalStatementSyntax ? statements : types).Append(Located(member));

            string Located(SyntaxNode node)
            {
                int line = node.SyntaxTree.GetLineSpan(node.FullSpan).StartLinePosition.Line + sample.Line;
                return $"#line {line} \"{page.Name}\"\n{node.ToFullString().TrimEnd()}\n";
            }
        }

        return $"{usings}{statements}{types}";
    }

    private static int LineOf(Diagnostic diagnostic) => diagnostic.Location.GetMappedLineSpan().StartLinePosition.Line + 1;

    private static string Text(Diagnostic diagnostic) =>
        $"{diagnostic.Location.GetMappedLineSpan().Path}({LineOf(diagnostic)}): {diagnostic.Id}: {diagnostic.GetMessage(CultureInfo.InvariantCulture)}";

    private static IEnumerable<T> Instances<T>() =>
        s_generator.GetTypes().Where(type => typeof(T).IsAssignableFrom(type) && !type.IsAbstract).Select(type => (T)Activator.CreateInstance(type)!);

    [GeneratedRegex(@"// (?<id>SMC\d{4})\b", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex DiagnosticComment();
}
