using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;
using Microsoft.CodeAnalysis.Simplification;

namespace Smc.QueryCompiler.CodeFixes;

/// <summary>A fix that replaces one piece of syntax, and can do so everywhere at once.</summary>
public abstract class SyntaxFix : CodeFixProvider
{
    private protected SyntaxFix(params string[] ids) => FixableDiagnosticIds = [.. ids];

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; }

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        if (await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false) is not { } root
            || await context.Document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false) is not { } model)
            return;
        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            SyntaxNode node = root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true);
            if (TryFix(diagnostic.Id, node, model) is not { } fix)
                continue;
            SyntaxNode changed = root.ReplaceNode(fix.Old, fix.New.WithAdditionalAnnotations(Formatter.Annotation, Simplifier.Annotation));
            context.RegisterCodeFix(
                CodeAction.Create(fix.Title, _ => Task.FromResult(context.Document.WithSyntaxRoot(changed)), equivalenceKey: diagnostic.Id),
                diagnostic);
        }
    }

    /// <summary>What replaces what; null where nothing mechanical helps.</summary>
    private protected abstract Replacement? TryFix(string id, SyntaxNode node, SemanticModel model);

    /// <summary>The call of a method without arguments on an expression, in parentheses where it needs them.</summary>
    private protected static InvocationExpressionSyntax CallOn(ExpressionSyntax receiver, string method)
    {
        ExpressionSyntax bare = receiver.WithoutTrivia();
        bool isPostfix = bare is IdentifierNameSyntax or MemberAccessExpressionSyntax or InvocationExpressionSyntax or ElementAccessExpressionSyntax
            or ParenthesizedExpressionSyntax or ThisExpressionSyntax;
        return SyntaxFactory.InvocationExpression(SyntaxFactory.MemberAccessExpression(
            SyntaxKind.SimpleMemberAccessExpression, isPostfix ? bare : SyntaxFactory.ParenthesizedExpression(bare), SyntaxFactory.IdentifierName(method))).WithTriviaFrom(receiver);
    }

    private protected sealed class Replacement(string title, SyntaxNode old, SyntaxNode @new)
    {
        public string Title => title;

        public SyntaxNode Old => old;

        public SyntaxNode New => @new;
    }
}
