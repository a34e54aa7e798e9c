using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Smc.QueryCompiler.Plan;
using static Smc.QueryCompiler.Generator.TabularNames;

namespace Smc.QueryCompiler.Generator;

/// <summary>The verdict on a <c>[CompiledQuery]</c> method: what to generate, and why it is less than a kernel.</summary>
internal sealed record CompiledQueryReading(CompiledQueryDeclaration? Declaration, QueryRejection? Rejection);

/// <summary>Reads a partial method with <c>[CompiledQuery]</c> and the definition that it names.</summary>
internal static class CompiledQueryReader
{
    public static CompiledQueryReading Read(IMethodSymbol method, Compilation compilation, CancellationToken cancellation)
    {
        MethodDeclarationSyntax syntax = (MethodDeclarationSyntax)method.DeclaringSyntaxReferences[0].GetSyntax(cancellation);
        string name = DefinitionName(method);
        if (DeclarationError(method, syntax) is { } error)
            return new(Declaration: null, new QueryRejection(RejectionKind.BadDeclaration, error, syntax.Identifier.GetLocation()));
        if (FindDefinition(method, name) is not { } definition)
        {
            string wanted = $"'{method.ContainingType.Name}' has no static method '{name}' with the parameters and the result of '{method.Name}'";
            return new(Declaration: null, new QueryRejection(RejectionKind.BadDeclaration, wanted, syntax.Identifier.GetLocation()));
        }

        QueryReading reading = QueryReader.ReadDefinition(compilation, definition, cancellation);
        return new(Declare(method, syntax, name, reading.Plan), reading.Rejection);
    }

    private static string DefinitionName(IMethodSymbol method) => method.GetAttributes()
        .Where(a => a.AttributeClass?.ToDisplayString() == QueryDoor.CompiledQueryAttribute && a.ConstructorArguments.Length == 1)
        .Select(a => a.ConstructorArguments[0].Value as string)
        .FirstOrDefault() ?? "";

    private static string? DeclarationError(IMethodSymbol method, MethodDeclarationSyntax syntax)
    {
        if (!method.IsPartialDefinition || !method.IsStatic)
            return $"'{method.Name}' must be 'static partial' and have no body";
        if (method.IsGenericMethod || method.ContainingType.IsGenericType)
            return $"'{method.Name}' depends on type parameters";
        if (method.Parameters.Any(p => p.RefKind != RefKind.None))
            return $"'{method.Name}' has a parameter by reference";
        INamedTypeSymbol? notPartial = ContainingTypes(method).FirstOrDefault(t => !IsPartial(t));
        return notPartial is null ? null : $"the type '{notPartial.Name}' around '{method.Name}' must be partial";
    }

    private static IMethodSymbol? FindDefinition(IMethodSymbol method, string name) => method.ContainingType.GetMembers(name).OfType<IMethodSymbol>()
        .FirstOrDefault(candidate => candidate.IsStatic && !SymbolEqualityComparer.Default.Equals(candidate, method) && !candidate.IsGenericMethod
            && SymbolEqualityComparer.Default.Equals(candidate.ReturnType, method.ReturnType)
            && candidate.DeclaringSyntaxReferences.Length > 0
            && candidate.Parameters.Select(p => p.Type).SequenceEqual(method.Parameters.Select(p => p.Type), SymbolEqualityComparer.Default));

    private static CompiledQueryDeclaration Declare(IMethodSymbol method, MethodDeclarationSyntax syntax, string definition, QueryPlan? plan)
    {
        string modifiers = string.Join(" ", syntax.Modifiers.Select(m => m.Text));
        string parameters = string.Join(", ", method.Parameters.Select(p => $"{Modifier(p)}{PlanTypeReader.Read(p.Type).Text} {Escape(p.Name)}"));
        return new CompiledQueryDeclaration(
            method.ContainingNamespace.IsGlobalNamespace ? "" : method.ContainingNamespace.ToDisplayString(),
            ContainingTypes(method).Reverse().Select(Header).ToEquatableArray(),
            $"{modifiers} {PlanTypeReader.Read(method.ReturnType).Text} {Escape(method.Name)}({parameters})",
            method.Name,
            Escape(definition),
            method.Parameters.Select(p => Escape(p.Name)).ToEquatableArray(),
            plan);
    }

    /// <summary>What both halves of a partial method have to say of a parameter.</summary>
    private static string Modifier(IParameterSymbol parameter) =>
        parameter is { Ordinal: 0, ContainingSymbol: IMethodSymbol { IsExtensionMethod: true } } ? "this " : parameter.IsParams ? "params " : "";

    private static IEnumerable<INamedTypeSymbol> ContainingTypes(IMethodSymbol method)
    {
        for (INamedTypeSymbol? type = method.ContainingType; type is not null; type = type.ContainingType)
            yield return type;
    }

    private static bool IsPartial(INamedTypeSymbol type) =>
        type.DeclaringSyntaxReferences.All(r => r.GetSyntax() is TypeDeclarationSyntax declaration && declaration.Modifiers.Any(SyntaxKind.PartialKeyword));

    private static string Header(INamedTypeSymbol type)
    {
        string kind = (type.TypeKind, type.IsRecord) switch
        {
            (Microsoft.CodeAnalysis.TypeKind.Struct, true) => "record struct",
            (Microsoft.CodeAnalysis.TypeKind.Struct, _) => "struct",
            (Microsoft.CodeAnalysis.TypeKind.Interface, _) => "interface",
            (_, true) => "record",
            _ => "class",
        };
        return $"partial {kind} {Escape(type.Name)}";
    }
}
