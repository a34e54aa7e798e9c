using Microsoft.CodeAnalysis;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Members that kernels cannot name (private and protected ones): how a method with <c>[UnsafeAccessor]</c> reaches them. What it does not reach is refused: members of types that a kernel
/// cannot write, unless they are static; references to what a struct holds; methods that may change a struct, which a kernel has only a copy of.
/// </summary>
internal sealed partial class OperationFrontEnd
{
    /// <summary>How a kernel reaches a field, a property that is read, or a method; null where it can name it.</summary>
    private MemberAccess? AccessTo(ISymbol member, SyntaxNode where)
    {
        INamedTypeSymbol owner = member.ContainingType;
        ISymbol read = (member as IPropertySymbol)?.GetMethod ?? member;
        bool isByName = IsReachedByName(read);
        if (!isByName)
            RequireNameable(owner, where);
        if (IsAccessible(member) && IsAccessible(read))
            return null;
        if (!CanBeReached(read))
            throw Rejected(RejectionKind.NotAccessible, Display(member), where);
        return new MemberAccess(HiddenMemberOf(read.OriginalDefinition, isByName, where), Arguments(AllArguments(owner), where), Arguments((read as IMethodSymbol)?.TypeArguments ?? [], where));
    }

    /// <summary>Whether no parameter of an accessor can have the type that a static member is of: then its name in metadata says which it is, for which .NET 10 is needed.</summary>
    private bool IsReachedByName(ISymbol member)
    {
        INamedTypeSymbol owner = member.ContainingType;
        return member.IsStatic && owner.CanBeReferencedByName && (owner.IsStatic || !IsAccessible(owner)) && !IsAccessible(member) && !AllArguments(owner).Any()
            && RunTimeReadsNames;
    }

    /// <summary>Of an attribute that somebody else declares the run-time knows nothing.</summary>
    private bool RunTimeReadsNames => _compilation.ObjectType.ContainingAssembly.GetTypeByMetadataName("System.Runtime.CompilerServices.UnsafeAccessorTypeAttribute") is not null;

    private bool CanBeReached(ISymbol member)
    {
        INamedTypeSymbol owner = member.ContainingType;
        bool hasOwner = !owner.IsRefLikeType && (!owner.IsStatic || IsReachedByName(member));
        return hasOwner && CanBeDeclaredAgain(AllParameters(member)) && AllArguments(owner).All(PlanTypeReader.IsSpeakable) && member switch
        {
            IFieldSymbol field => field is { IsVolatile: false, RefKind: RefKind.None },
            IMethodSymbol method => method.RefKind == RefKind.None && method.TypeArguments.All(PlanTypeReader.IsSpeakable)
                && (method.IsStatic || !owner.IsValueType || method.IsReadOnly || method.MethodKind == MethodKind.PropertyGet)
                && !method.ReturnType.IsRefLikeType && !method.Parameters.Any(p => p.RefKind != RefKind.None && p.Type.IsRefLikeType),
            _ => false,
        };
    }

    /// <summary>Whether an accessor can have all these type parameters: none hides another, or stands for a <c>ref struct</c>.</summary>
    private static bool CanBeDeclaredAgain(IReadOnlyList<ITypeParameterSymbol> parameters) =>
        parameters.Select(p => p.Name).Distinct(StringComparer.Ordinal).Count() == parameters.Count && !parameters.Any(p => p.AllowsRefLikeType);

    /// <summary>The declaration of a member, with its types as generated code writes them.</summary>
    private HiddenMember HiddenMemberOf(ISymbol member, bool isByName, SyntaxNode where)
    {
        INamedTypeSymbol owner = member.ContainingType;
        IMethodSymbol? method = member as IMethodSymbol;
        OwnerForm form = isByName ? OwnerForm.Name : owner.IsValueType && !member.IsStatic ? OwnerForm.Reference : OwnerForm.Value;
        return new HiddenMember(
            (method is null, member.IsStatic) switch
            {
                (true, true) => HiddenMemberKind.StaticField,
                (true, false) => HiddenMemberKind.Field,
                (false, true) => HiddenMemberKind.StaticMethod,
                (false, false) => HiddenMemberKind.Method,
            },
            member.MetadataName,
            isByName ? MetadataNameOf(owner) : OpenText(owner, where),
            form,
            GenericsOf(TypesFromOutside(owner).SelectMany(t => t.TypeParameters), where),
            GenericsOf(method?.TypeParameters ?? [], where),
            OpenText(method?.ReturnType ?? ((IFieldSymbol)member).Type, where),
            (method?.Parameters ?? []).Select(p => new HiddenParameter(ModifierOf(p), OpenText(p.Type, where))).ToEquatableArray());
    }

    /// <summary>A type in the declaration of a member, which may have type parameters.</summary>
    private string OpenText(ITypeSymbol type, SyntaxNode where)
    {
        RequireNameable(type, where, isOpen: true);
        return PlanTypeReader.Read(type.IsReferenceType ? type.WithNullableAnnotation(NullableAnnotation.None) : type).Text;
    }

    private static string ModifierOf(IParameterSymbol parameter) => parameter.RefKind switch
    {
        RefKind.None => parameter.IsParams ? "params" : "",
        RefKind.Out => "out",
        _ => "in",
    };

    private Generics GenericsOf(IEnumerable<ITypeParameterSymbol> parameters, SyntaxNode where)
    {
        ITypeParameterSymbol[] all = [.. parameters];
        return new Generics(Bracketed(all.Select(p => PlanTypeReader.Read(p).CSharp)), string.Concat(all.Select(p => ConstraintsOf(p, where))));
    }

    /// <summary>The constraints as the run-time compares them.</summary>
    private string ConstraintsOf(ITypeParameterSymbol parameter, SyntaxNode where)
    {
        List<string> constraints = parameter switch
        {
            { HasUnmanagedTypeConstraint: true } => ["unmanaged"],
            { HasValueTypeConstraint: true } => ["struct"],
            { HasReferenceTypeConstraint: true } => ["class"],
            _ => [],
        };
        constraints.AddRange(parameter.ConstraintTypes.Select(type => OpenText(type, where)));
        if (parameter.HasConstructorConstraint)
            constraints.Add("new()");
        return constraints.Count == 0 ? "" : $" where {PlanTypeReader.Read(parameter).CSharp} : {string.Join(", ", constraints)}";
    }

    private static IEnumerable<INamedTypeSymbol> TypesFromOutside(INamedTypeSymbol type) => type.ContainingType is { } outer ? TypesFromOutside(outer).Append(type) : [type];

    private static IEnumerable<ITypeSymbol> AllArguments(INamedTypeSymbol type) => TypesFromOutside(type).SelectMany(t => t.TypeArguments);

    private static IReadOnlyList<ITypeParameterSymbol> AllParameters(ISymbol member) =>
        [.. TypesFromOutside(member.ContainingType).SelectMany(t => t.TypeParameters), .. (member as IMethodSymbol)?.TypeParameters ?? []];

    /// <summary>Type arguments in brackets; nothing for none.</summary>
    private string Arguments(IEnumerable<ITypeSymbol> arguments, SyntaxNode where) => Bracketed(TypesOf(arguments, where).Select(t => t.Text));

    private static string Bracketed(IEnumerable<string> types) => types.Any() ? $"<{string.Join(", ", types)}>" : "";

    private static string MetadataNameOf(INamedTypeSymbol type)
    {
        if (type.ContainingType is { } outer)
            return $"{MetadataNameOf(outer)}+{type.MetadataName}";
        string name = type.MetadataName;
        for (INamespaceSymbol space = type.ContainingNamespace; !space.IsGlobalNamespace; space = space.ContainingNamespace)
            name = $"{space.MetadataName}.{name}";
        return name;
    }
}
