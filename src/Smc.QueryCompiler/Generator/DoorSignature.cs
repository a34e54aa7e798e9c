using Microsoft.CodeAnalysis;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>The called overload of <c>Query.Run</c> or <c>Query.Compile</c>, as its interceptor repeats it.</summary>
/// <param name="IsCompile">Whether it is <c>Compile</c>.</param>
/// <param name="TypeParameters">The type parameters of the interceptor: none if all types can be written, else those of the overload.</param>
/// <param name="Constraints">Their constraints, each with a space before it.</param>
/// <param name="ParameterTypes">The types of the parameters before the query; of <c>Compile</c> those of the query.</param>
/// <param name="QueryTypes">The type arguments of the query's <c>Func</c>, result last.</param>
internal sealed record DoorSignature(
    bool IsCompile,
    EquatableArray<string> TypeParameters,
    string Constraints,
    EquatableArray<string> ParameterTypes,
    EquatableArray<string> QueryTypes)
{
    /// <summary>Whether every type can be written, so that the stub needs no type parameters.</summary>
    public bool IsSpeakable => TypeParameters.Count == 0;

    /// <summary>What the query returns.</summary>
    public string ResultType => QueryTypes[QueryTypes.Count - 1];

    public static DoorSignature Of(IMethodSymbol door)
    {
        bool isSpeakable = door.TypeArguments.All(PlanTypeReader.IsSpeakable);
        IMethodSymbol method = isSpeakable ? door : door.OriginalDefinition;
        EquatableArray<string> queryTypes = ((INamedTypeSymbol)method.Parameters[method.Parameters.Length - 1].Type).TypeArguments.Select(TextOf).ToEquatableArray();
        bool isCompile = method.Name == QueryDoor.Compile;
        return new DoorSignature(
            isCompile,
            isSpeakable ? EquatableArray<string>.Empty : method.TypeParameters.Select(p => p.Name).ToEquatableArray(),
            isSpeakable ? "" : string.Concat(method.TypeParameters.Where(p => p.HasUnmanagedTypeConstraint).Select(p => $" where {p.Name} : unmanaged")),
            isCompile ? queryTypes.Take(queryTypes.Count - 1).ToEquatableArray() : method.Parameters.Take(method.Parameters.Length - 1).Select(p => TextOf(p.Type)).ToEquatableArray(),
            queryTypes);

        string TextOf(ITypeSymbol type) => isSpeakable ? PlanTypeReader.Read(type).Text : type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat);
    }
}
