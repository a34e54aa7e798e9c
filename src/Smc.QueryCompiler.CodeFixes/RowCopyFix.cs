using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Smc.QueryCompiler.CodeFixes;

/// <summary>SMC0061: <c>row with { … }</c> becomes <c>row.ToData() with { … }</c>, where the record of the row's values has every property that is assigned.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class RowCopyFix() : SyntaxFix("SMC0061")
{
    private protected override Replacement? TryFix(string id, SyntaxNode node, SemanticModel model)
    {
        if (node.FirstAncestorOrSelf<WithExpressionSyntax>() is not { } with
            || model.GetTypeInfo(with.Expression).Type?.GetMembers("ToData").OfType<IMethodSymbol>().FirstOrDefault() is not { ReturnType: var data }
            || !with.Initializer.Expressions.All(e => e is AssignmentExpressionSyntax { Left: IdentifierNameSyntax name } && data.GetMembers(name.Identifier.ValueText).Length > 0))
            return null;
        return new Replacement("Copy the values of the row: 'ToData() with { … }'", with, with.WithExpression(CallOn(with.Expression, "ToData")));
    }
}
