using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;
using Smc.QueryCompiler.CodeGen;

namespace Smc.QueryCompiler.Generator;

/// <summary>Generates the second half of every tabular type. What a type declares wrongly is told by <see cref="TabularAnalyzer"/>.</summary>
[Generator(LanguageNames.CSharp)]
public sealed class TabularGenerator : IIncrementalGenerator
{
    /// <summary>The name of the step whose values are the declarations: tests look at what was cached.</summary>
    public const string DeclarationsStep = "Tabular.Declarations";

    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        IncrementalValuesProvider<TabularDeclaration> declarations = context.SyntaxProvider
            .ForAttributeWithMetadataName(
                TabularTypeReader.TabularAttribute,
                static (node, _) => node is StructDeclarationSyntax,
                static (match, _) => TabularTypeReader.ReadDeclaration((INamedTypeSymbol)match.TargetSymbol))
            .Where(static declaration => declaration is not null)
            .Select(static (declaration, _) => declaration!)
            .WithTrackingName(DeclarationsStep);
        context.RegisterSourceOutput(declarations, static (output, declaration) =>
            output.AddSource(FileName(declaration), SourceText.From(TabularEmitter.Emit(declaration), Encoding.UTF8)));
    }

    private static string FileName(TabularDeclaration declaration)
    {
        IEnumerable<string> parts = declaration.OuterNames.Append(declaration.Name);
        if (declaration.Namespace.Length > 0)
            parts = parts.Prepend(declaration.Namespace.Replace("@", ""));
        string name = string.Join(".", parts);
        // Names that differ in case only must not be one file.
        return $"{name}.{GeneratedFile.Fingerprint(name)}{TabularTypeReader.GeneratedFileEnding}";
    }
}
