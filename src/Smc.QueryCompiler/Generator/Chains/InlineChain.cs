using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Ordinary LINQ on a collection, written as one expression from the collection to the call that ends it:
/// <c>orders.Where(o =&gt; o.Date &lt; cutoff).ToList()</c>. The call that ends it is intercepted; what it was called on has recorded exactly this expression.
/// </summary>
internal static class InlineChain
{
    private static readonly HashSet<string> s_ends = new(StringComparer.Ordinal)
    {
        "ToList", "ToArray", "ToHashSet", "ToDictionary", "ToLookup", "Count", "LongCount", "Any", "All", "Contains", "SequenceEqual",
        "First", "FirstOrDefault", "Last", "LastOrDefault", "Single", "SingleOrDefault", "ElementAt", "ElementAtOrDefault",
        "Min", "Max", "MinBy", "MaxBy", "Sum", "Average", "Aggregate", "Explain",
    };

    private static readonly HashSet<string> s_changes = new(StringComparer.Ordinal) { "RemoveWhere", "Update" };

    /// <summary>Whether a node may be the call that ends a chain; by its name alone.</summary>
    public static bool LooksLikeEnd(SyntaxNode node) =>
        node is InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Name: { Identifier.ValueText: var name } } } && (s_ends.Contains(name) || s_changes.Contains(name));

    /// <summary>Whether a method ends a recorded query.</summary>
    public static bool IsEnd(IMethodSymbol method) => (s_ends.Contains(method.Name) && IsOperator(method)) || IsChange(method);

    /// <summary>Whether a method changes the rows that match a recorded condition: <c>RemoveWhere</c>, <c>Update</c>. What is compiled is how they are found.</summary>
    public static bool IsChange(IMethodSymbol method) =>
        s_changes.Contains(method.Name) && RowTypeOf(method.ContainingType) is not null && method.Parameters.Length > 0 && method.Parameters[0].Type.Name == "Expression";

    /// <summary>Whether a method returns the plan of the query instead of running it.</summary>
    public static bool IsExplanation(IMethodSymbol method) => method.Name == "Explain" && IsOperator(method);

    /// <summary>Whether a method is an operator that records.</summary>
    public static bool IsOperator(IMethodSymbol method) => IsQuery(method.ContainingType) || method.ContainingType?.ToDisplayString() == "Smc.Collections.QueryAggregates";

    /// <summary>Whether a method changes only how a query runs.</summary>
    public static bool IsOption(IMethodSymbol method) => method.Name is "WithOptions" or "WithCancellation" or "WithDegreeOfParallelism" && IsOperator(method);

    /// <summary>Whether a type is a query that may have been put together elsewhere; a collection is not.</summary>
    public static bool IsQuery(ITypeSymbol? type) => IsOurs(type) && type!.Name is "Query" or "OrderedQuery";

    /// <summary>The row type of <c>Collection&lt;T&gt;</c>, else null.</summary>
    public static INamedTypeSymbol? RowTypeOf(ITypeSymbol? type) =>
        IsOurs(type) && type is INamedTypeSymbol { Name: "Collection" } collection ? collection.TypeArguments[0] as INamedTypeSymbol : null;

    /// <summary>Whether a type is a collection, also one whose rows have a type parameter as their type.</summary>
    public static bool IsCollection(ITypeSymbol? type) => IsOurs(type) && type!.Name == "Collection";

    /// <summary>The row type where an expression gives the rows of a collection: the collection, or <c>snapshot.Of(collection)</c>; else null.</summary>
    public static INamedTypeSymbol? RowTypeOf(IOperation operation) =>
        operation is IInvocationOperation { TargetMethod: { Name: "Of", ContainingType: { Name: "Snapshot", ContainingNamespace: { Name: "Collections", ContainingNamespace: { Name: "Smc", ContainingNamespace.IsGlobalNamespace: true } } } } method }
            ? method.TypeArguments[0] as INamedTypeSymbol
            : RowTypeOf(operation.Type);

    /// <summary>What an operator is called on.</summary>
    public static IOperation SourceOf(IInvocationOperation call) => Unwrap(call.Instance ?? call.Arguments[0].Value);

    /// <summary>The further arguments in the order of the parameters.</summary>
    public static IEnumerable<IArgumentOperation> ArgumentsOf(IInvocationOperation call) =>
        call.Arguments.Skip(call.Instance is null ? 1 : 0).OrderBy(a => a.Parameter?.Ordinal ?? 0);

    /// <summary>An operation without what leaves its value as it is.</summary>
    public static IOperation Unwrap(IOperation operation) => operation switch
    {
        IConversionOperation { OperatorMethod: null, Type.IsReferenceType: true, Operand: { Type.IsReferenceType: true } operand } => Unwrap(operand),
        IParenthesizedOperation parenthesized => Unwrap(parenthesized.Operand),
        ITranslatedQueryOperation query => Unwrap(query.Operation),
        _ => operation,
    };

    /// <summary>The lambda below conversions, else null.</summary>
    public static IAnonymousFunctionOperation? LambdaOf(IOperation operation) => operation switch
    {
        IAnonymousFunctionOperation lambda => lambda,
        IDelegateCreationOperation creation => LambdaOf(creation.Target),
        IConversionOperation conversion => LambdaOf(conversion.Operand),
        _ => null,
    };

    /// <summary>Whether the call is itself part of an expression tree: then it is not called but recorded.</summary>
    public static bool IsRecorded(IOperation call)
    {
        for (IOperation? around = call.Parent; around is not null; around = around.Parent)
        {
            if (around is IConversionOperation or IDelegateCreationOperation && around.Type is { Name: "Expression", ContainingNamespace.Name: "Expressions" } && LambdaOf(around) is not null)
                return true;
        }

        return false;
    }

    /// <summary>Whether the call stands in the definition of a <c>[CompiledQuery]</c>, which has a kernel already.</summary>
    public static bool IsInDefinition(SemanticModel model, SyntaxNode call, CancellationToken cancellation) =>
        model.GetEnclosingSymbol(call.SpanStart, cancellation) is IMethodSymbol { ContainingType: { } type } method
        && type.GetMembers().SelectMany(m => m.GetAttributes()).Any(a => a.AttributeClass?.ToDisplayString() == QueryDoor.CompiledQueryAttribute
            && a.ConstructorArguments.Length == 1 && method.Name.Equals(a.ConstructorArguments[0].Value));

    private static bool IsOurs(ITypeSymbol? type) =>
        type is INamedTypeSymbol { TypeArguments.Length: 1, ContainingNamespace: { Name: "Collections", ContainingNamespace: { Name: "Smc", ContainingNamespace.IsGlobalNamespace: true } } };
}
