using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;
using Smc.QueryCompiler.CodeGen;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Generates the second half of every tabular type, and reports what a type declares wrongly: analyzers do not run over a project that has errors,
/// and a wrong declaration often is one.
/// </summary>
[Generator(LanguageNames.CSharp)]
public sealed class TabularGenerator : IIncrementalGenerator
{
    /// <summary>The name of the step whose values are the declarations: tests look at what was cached.</summary>
    public const string DeclarationsStep = "Tabular.Declarations";

    /// <summary>The name of the step whose values are the broken rules.</summary>
    public const string ProblemsStep = "Tabular.Problems";

    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        IncrementalValuesProvider<TabularReading> readings = context.SyntaxProvider.ForAttributeWithMetadataName(
            TabularTypeReader.TabularAttribute,
            static (node, _) => node is StructDeclarationSyntax or RecordDeclarationSyntax,
            static (match, _) => IsFirst(match) ? TabularTypeReader.ReadDeclaration((INamedTypeSymbol)match.TargetSymbol) : TabularReading.Nothing);
        // Two outputs: an edit above a wrong declaration moves its errors and generates nothing again.
        IncrementalValuesProvider<TabularDeclaration> declarations = readings
            .Where(static reading => reading.Declaration is not null)
            .Select(static (reading, _) => reading.Declaration!)
            .WithTrackingName(DeclarationsStep);
        IncrementalValuesProvider<TabularProblem> problems = readings
            .SelectMany(static (reading, _) => reading.Problems)
            .WithTrackingName(ProblemsStep);
        context.RegisterSourceOutput(declarations, static (output, declaration) =>
            output.AddSource(FileName(declaration), SourceText.From(TabularEmitter.Emit(declaration), Encoding.UTF8)));
        context.RegisterSourceOutput(problems, static (output, problem) => output.ReportDiagnostic(problem.ToDiagnostic()));
    }

    /// <summary>Whether the attribute of this part of the type is the first one. There may be one on another part, which the compiler refuses (CS0579): the type is generated once.</summary>
    private static bool IsFirst(GeneratorAttributeSyntaxContext match)
    {
        SyntaxReference? first = match.TargetSymbol.GetAttributes()
            .FirstOrDefault(attribute => attribute.AttributeClass?.ToDisplayString() == TabularTypeReader.TabularAttribute)?.ApplicationSyntaxReference;
        return first is null || (first.SyntaxTree == match.TargetNode.SyntaxTree && match.TargetNode.Span.Contains(first.Span));
    }

    private static string FileName(TabularDeclaration declaration)
    {
        IEnumerable<string> parts = declaration.OuterNames.Append(declaration.Name);
        if (declaration.Namespace.Length > 0)
            parts = parts.Prepend(declaration.Namespace.Replace("@", ""));
        string name = string.Join(".", parts);
        // Names that differ in case only must not be one file, nor types that differ in type parameters, or in being a record, of which one at least breaks a rule.
        string identity = declaration.Stub is { } stub ? $"{name} {string.Join(" ", declaration.ContainingTypes)} {stub.Header}{stub.TypeParameters}" : name;
        return $"{name}.{GeneratedFile.Fingerprint(identity)}{TabularTypeReader.GeneratedFileEnding}";
    }
}
