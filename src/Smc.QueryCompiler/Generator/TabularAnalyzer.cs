using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using SymbolTypeKind = Microsoft.CodeAnalysis.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>Reports collections of types that are not tabular. <see cref="TabularGenerator"/> reports what tabular types declare wrongly.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class TabularAnalyzer : DiagnosticAnalyzer
{
    private const string CollectionType = "Smc.Collections.Collection<T>";

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [TabularRules.NotTabular];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterSyntaxNodeAction(CheckCollection, SyntaxKind.GenericName);
    }

    private static void CheckCollection(SyntaxNodeAnalysisContext context)
    {
        GenericNameSyntax name = (GenericNameSyntax)context.Node;
        if (name.Identifier.ValueText != "Collection" || name.TypeArgumentList.Arguments.Count != 1)
            return;
        if (context.SemanticModel.GetSymbolInfo(name, context.CancellationToken).Symbol is not INamedTypeSymbol { TypeArguments.Length: 1 } type
            || type.OriginalDefinition.ToDisplayString() != CollectionType
            || type.TypeArguments[0] is not { } row
            || row.TypeKind is SymbolTypeKind.TypeParameter or SymbolTypeKind.Error
            || PlanTypeReader.IsTabular(row))
        {
            return;
        }

        context.ReportDiagnostic(Diagnostic.Create(
            TabularRules.NotTabular, name.TypeArgumentList.Arguments[0].GetLocation(), row.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat)));
    }
}
