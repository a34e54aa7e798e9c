using Microsoft.CodeAnalysis;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// The call that ends an inline chain, as its interceptor repeats it: with the type parameters of the operator and of its type, so that it fits
/// whatever types have no name.
/// </summary>
/// <param name="Call">The operator as it is called on <c>query</c>, up to its arguments.</param>
/// <param name="TypeParameters">All type parameters, that of the query first.</param>
/// <param name="ReceiverType">What it is called on.</param>
/// <param name="ParameterTypes">Its further parameters.</param>
/// <param name="ReturnType">What it returns.</param>
/// <param name="ReturnsOpenType">Whether a type parameter is in that.</param>
/// <param name="Operators">The operators before it, each with a space after it.</param>
/// <param name="Constraints">The constraints of the type parameters, each with a space before it.</param>
/// <param name="IsChange">Whether the call changes the rows that the kernel finds.</param>
/// <param name="Reads">How each parameter of the plan is read: see <see cref="ChainCapture"/>.</param>
internal sealed record ChainSignature(
    string Call,
    EquatableArray<string> TypeParameters,
    string ReceiverType,
    EquatableArray<string> ParameterTypes,
    string ReturnType,
    bool ReturnsOpenType,
    string Operators,
    string Constraints,
    bool IsChange,
    EquatableArray<string> Reads)
{
    private static readonly SymbolDisplayFormat s_format = SymbolDisplayFormat.FullyQualifiedFormat.WithMiscellaneousOptions(
        SymbolDisplayMiscellaneousOptions.EscapeKeywordIdentifiers
        | SymbolDisplayMiscellaneousOptions.UseSpecialTypes
        | SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    public static ChainSignature Of(IMethodSymbol method, ChainCaptures captures)
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
            captures.Operators,
            string.Concat(open.ContainingType.TypeParameters.Where(p => p.HasUnmanagedTypeConstraint).Select(p => $" where {p.Name} : unmanaged")),
            InlineChain.IsChange(method),
            captures.Captures.Select(c => c.Read).ToEquatableArray());
    }

    private static bool IsOpen(ITypeSymbol type) => type switch
    {
        ITypeParameterSymbol => true,
        IArrayTypeSymbol array => IsOpen(array.ElementType),
        INamedTypeSymbol named => named.TypeArguments.Any(IsOpen),
        _ => false,
    };
}
