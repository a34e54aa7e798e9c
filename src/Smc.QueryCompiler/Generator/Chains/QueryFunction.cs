using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Smc.QueryCompiler.Generator;

/// <summary>A method, local function or property of the project that returns a query. What it returns stands for its call.</summary>
internal static class QueryFunction
{
    /// <summary>The values that a call may return, as the function's <c>return</c> statements have them; null if the call may run another body, or one that is not in the project.</summary>
    public static IReadOnlyList<IOperation>? ValuesOf(IMethodSymbol function, IOperation call)
    {
        IMethodSymbol method = function.PartialImplementationPart ?? function;
        bool isCertain = method is { IsVirtual: false, IsAbstract: false, IsOverride: false, IsGenericMethod: false, ReturnsByRef: false, ReturnsByRefReadonly: false }
            && SymbolEqualityComparer.Default.Equals(method, method.OriginalDefinition);
        if (!isCertain || call.SemanticModel is not { Compilation: { } compilation })
            return null;
        SyntaxReference? declaration = method.DeclaringSyntaxReferences.FirstOrDefault(reference => compilation.ContainsSyntaxTree(reference.SyntaxTree));
        IOperation? body = declaration is null ? null : SemanticModels.WithoutNullableAnalysis(compilation, declaration.SyntaxTree).GetOperation(declaration.GetSyntax());
        body = body is ILocalFunctionOperation local ? local.Body : body;
        return body is null ? null : [.. Own(body).OfType<IReturnOperation>().Select(operation => operation.ReturnedValue).OfType<IOperation>()];
    }

    /// <summary>What is in a function and not in functions inside it.</summary>
    private static IEnumerable<IOperation> Own(IOperation operation) => operation.ChildOperations
        .Where(child => child is not (IAnonymousFunctionOperation or ILocalFunctionOperation))
        .SelectMany(child => Own(child).Prepend(child));
}
