using Microsoft.CodeAnalysis;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// A call on a query (the one that ends it, or a part that is marked), as its interceptor repeats it: with the type parameters of the operator and of its type, so that it fits
/// whatever types have no name.
/// </summary>
/// <param name="Call">The operator as it is called on <c>query</c>, up to its arguments.</param>
/// <param name="TypeParameters">All type parameters, that of the query first.</param>
/// <param name="ReceiverType">What it is called on.</param>
/// <param name="ParameterTypes">Its further parameters.</param>
/// <param name="ReturnType">What it returns.</param>
/// <param name="ReturnsOpenType">Whether a type parameter is in that.</param>
/// <param name="Constraints">The constraints of the type parameters, each with a space before it.</param>
/// <param name="IsChange">Whether the call changes the rows that the kernel finds.</param>
/// <param name="IsExplanation">Whether the call asks for the text of the kernel.</param>
internal sealed record ChainSignature(
    string Call,
    EquatableArray<string> TypeParameters,
    string ReceiverType,
    EquatableArray<string> ParameterTypes,
    string ReturnType,
    bool ReturnsOpenType,
    string Constraints,
    bool IsChange,
    bool IsExplanation)
{
    private static readonly SymbolDisplayFormat s_format = SymbolDisplayFormat.FullyQualifiedFormat.WithMiscellaneousOptions(
        SymbolDisplayMiscellaneousOptions.EscapeKeywordIdentifiers
        | SymbolDisplayMiscellaneousOptions.UseSpecialTypes
        | SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    public static ChainSignature Of(IMethodSymbol method)
    {
        IMethodSymbol open = method.OriginalDefinition;
        IEnumerable<IParameterSymbol> parameters = open.IsStatic ? open.Parameters.Skip(1) : open.Parameters;
        ITypeSymbol receiver = open.IsStatic ? open.Parameters[0].Type : open.ContainingType;
        return new ChainSignature(
            open.IsStatic ? $"{open.ContainingType.ToDisplayString(s_format)}.{open.Name}(query" : $"query.{open.Name}(",
            open.ContainingType.TypeParameters.Concat(open.TypeParameters).Select(p => p.Name).ToEquatableArray(),
            receiver.ToDisplayString(s_format),
            parameters.Select(p => p.Type.ToDisplayString(s_format)).ToEquatableArray(),
            open.ReturnType.ToDisplayString(s_format),
            IsOpen(open.ReturnType),
            string.Concat(open.ContainingType.TypeParameters.Where(p => p.HasUnmanagedTypeConstraint).Select(p => $" where {p.Name} : unmanaged")),
            InlineChain.IsChange(method),
            InlineChain.IsExplanation(method));
    }

    private static bool IsOpen(ITypeSymbol type) => type switch
    {
        ITypeParameterSymbol => true,
        IArrayTypeSymbol array => IsOpen(array.ElementType),
        INamedTypeSymbol named => named.TypeArguments.Any(IsOpen),
        _ => false,
    };
}
