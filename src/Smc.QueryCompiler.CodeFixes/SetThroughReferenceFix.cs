using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Smc.QueryCompiler.CodeFixes;

/// <summary>
/// <c>line.Order.Total = 5</c> is CS1612, because <c>line.Order</c> is a value and C# does not know that it is a handle: becomes
/// <c>line.Order.Set(total: 5)</c>. <c>+=</c> and its like read the property first.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp), Shared]
public sealed class SetThroughReferenceFix() : SyntaxFix("CS1612")
{
    private const string TabularAttribute = "Smc.Collections.TabularAttribute";

    private protected override Replacement? TryFix(string id, SyntaxNode node, SemanticModel model)
    {
        if (node.FirstAncestorOrSelf<ExpressionSyntax>(e => e.Parent is AssignmentExpressionSyntax assigned && assigned.Left == e) is not MemberAccessExpressionSyntax target
            || target.Parent is not AssignmentExpressionSyntax { Parent: ExpressionStatementSyntax } assignment
            || PropertyOf(target, model) is not { } property
            || !property.ContainingType.GetAttributes().Any(a => a.AttributeClass?.ToDisplayString() == TabularAttribute)
            || ParameterOfSet(property) is not { } parameter
            || ValueOf(assignment) is not { } value)
            return null;
        InvocationExpressionSyntax call = SyntaxFactory.InvocationExpression(
            target.WithName(SyntaxFactory.IdentifierName("Set")),
            SyntaxFactory.ArgumentList(SyntaxFactory.SingletonSeparatedList(
                SyntaxFactory.Argument(SyntaxFactory.NameColon(parameter), default, value))));
        return new Replacement($"Use 'Set({parameter}: …)'", assignment, call.WithTriviaFrom(assignment));
    }

    /// <summary>The assigned property; to the compiler it is only a candidate, because it cannot be assigned here.</summary>
    private static IPropertySymbol? PropertyOf(ExpressionSyntax target, SemanticModel model)
    {
        SymbolInfo info = model.GetSymbolInfo(target);
        return (info.Symbol ?? info.CandidateSymbols.FirstOrDefault()) as IPropertySymbol;
    }

    /// <summary>The parameter of the generated <c>Set</c> that is named like the property.</summary>
    private static string? ParameterOfSet(IPropertySymbol property) => property.ContainingType.GetMembers("Set").OfType<IMethodSymbol>()
        .SelectMany(method => method.Parameters)
        .FirstOrDefault(parameter => string.Equals(parameter.Name, property.Name, StringComparison.OrdinalIgnoreCase))?.Name;

    /// <summary>What is assigned; for <c>a += b</c> it is <c>a + (b)</c>.</summary>
    private static ExpressionSyntax? ValueOf(AssignmentExpressionSyntax assignment)
    {
        ExpressionSyntax right = assignment.Right.WithoutTrivia();
        if (assignment.IsKind(SyntaxKind.SimpleAssignmentExpression))
            return right;
        if (OperatorOf(assignment.Kind()) is not { } operation)
            return null;
        ExpressionSyntax operand = right is LiteralExpressionSyntax or IdentifierNameSyntax or MemberAccessExpressionSyntax or InvocationExpressionSyntax
            ? right
            : SyntaxFactory.ParenthesizedExpression(right);
        return SyntaxFactory.BinaryExpression(operation, assignment.Left.WithoutTrivia(), operand);
    }

    private static SyntaxKind? OperatorOf(SyntaxKind assignment) => assignment switch
    {
        SyntaxKind.AddAssignmentExpression => SyntaxKind.AddExpression,
        SyntaxKind.SubtractAssignmentExpression => SyntaxKind.SubtractExpression,
        SyntaxKind.MultiplyAssignmentExpression => SyntaxKind.MultiplyExpression,
        SyntaxKind.DivideAssignmentExpression => SyntaxKind.DivideExpression,
        SyntaxKind.ModuloAssignmentExpression => SyntaxKind.ModuloExpression,
        SyntaxKind.CoalesceAssignmentExpression => SyntaxKind.CoalesceExpression,
        _ => null,
    };
}
