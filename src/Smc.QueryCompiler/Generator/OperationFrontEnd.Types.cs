using Microsoft.CodeAnalysis;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Translation;

namespace Smc.QueryCompiler.Generator;

/// <summary>Types: what generated code may name, and the shapes of rows.</summary>
internal sealed partial class OperationFrontEnd
{
    /// <summary>The type of an expression, without the annotation of reference types (it is not part of a plan).</summary>
    private PlanType TypeOf(IOperation operation) =>
        operation.Type is { } type ? TypeOf(type, operation.Syntax) : throw Rejected("an expression without a type", operation.Syntax);

    private PlanType TypeOf(ITypeSymbol type, SyntaxNode where)
    {
        RequireNameable(type, where);
        return PlanTypeReader.Read(type.IsReferenceType ? type.WithNullableAnnotation(NullableAnnotation.None) : type);
    }

    private List<PlanType> TypesOf(IEnumerable<ITypeSymbol> types, SyntaxNode where) => [.. types.Select(t => TypeOf(t, where))];

    /// <summary>What a sequence has as elements; null for other types and for those that are several sequences.</summary>
    private PlanType? ElementTypeOf(ITypeSymbol type, SyntaxNode where)
    {
        if (type is IArrayTypeSymbol { Rank: 1 } array)
            return TypeOf(array.ElementType, where);
        INamedTypeSymbol[] sequences = [.. type.AllInterfaces.Concat(type is INamedTypeSymbol named ? [named] : [])
            .Where(i => i.OriginalDefinition.SpecialType == SpecialType.System_Collections_Generic_IEnumerable_T)];
        return sequences.Length == 1 ? TypeOf(sequences[0].TypeArguments[0], where) : null;
    }

    /// <summary>A node with its place in the source and, for a sequence, the type of an element.</summary>
    private T Typed<T>(T node, ITypeSymbol type, SyntaxNode where)
        where T : QueryNode
    {
        QueryNode general = node;
        return (T)(general with { ElementType = type.TypeKind == Microsoft.CodeAnalysis.TypeKind.Struct ? null : ElementTypeOf(type, where), Where = where });
    }

    /// <summary>The type of the whole result, with its annotations: stubs repeat it in a signature.</summary>
    private PlanType ResultTypeOf(ITypeSymbol type, SyntaxNode where)
    {
        RequireNameable(type, where);
        return PlanTypeReader.Read(type);
    }

    /// <summary>A type that generated code can write.</summary>
    /// <param name="type">The type.</param>
    /// <param name="where">What to blame.</param>
    /// <param name="isOpen">Whether the code that writes it declares the type parameters.</param>
    private void RequireNameable(ITypeSymbol type, SyntaxNode where, bool isOpen = false)
    {
        switch (type)
        {
            case ITypeParameterSymbol when isOpen:
                break;
            case ITypeParameterSymbol parameter:
                throw Rejected($"it depends on the type parameter {parameter.Name}", where);
            case IArrayTypeSymbol array:
                RequireNameable(array.ElementType, where, isOpen);
                break;
            case IDynamicTypeSymbol or IPointerTypeSymbol or IFunctionPointerTypeSymbol:
                throw Rejected($"it uses the type {Display(type)}", where);
            case IErrorTypeSymbol:
                throw Rejected(RejectionKind.DoesNotBind, "it has an error", where);
            case INamedTypeSymbol named:
                if (IsExtensionBlock(named))
                    throw Rejected("a member of an extension block", where);
                if (!named.IsAnonymousType)
                    RequireAccessible(named, where);
                if (named.ContainingType is { } outer)
                    RequireNameable(outer, where, isOpen);
                foreach (ITypeSymbol argument in named.TypeArguments)
                    RequireNameable(argument, where, isOpen);
                break;
        }
    }

    private static bool IsExtensionBlock(INamedTypeSymbol type) => type is { IsAnonymousType: false, IsTupleType: false, CanBeReferencedByName: false };

    private void RequireAccessible(ISymbol symbol, SyntaxNode where)
    {
        if (!IsAccessible(symbol))
            throw Rejected(RejectionKind.NotAccessible, Display(symbol), where);
    }

    private bool IsAccessible(ISymbol symbol)
    {
        ISymbol definition = symbol.OriginalDefinition;
        if (_accessible.Contains(definition))
            return true;
        bool isFileLocal = false;
        for (INamedTypeSymbol? type = definition as INamedTypeSymbol ?? definition.ContainingType; type is not null; type = type.ContainingType)
            isFileLocal |= type.IsFileLocal;
        if (isFileLocal || !_compilation.IsSymbolAccessibleWithin(definition, _within))
            return false;
        _accessible.Add(definition);
        return true;
    }

    private TabularShape RequireShape(INamedTypeSymbol type, SyntaxNode where)
    {
        string key = PlanTypeReader.Read(type).CSharp;
        if (_shapes.TryGetValue(key, out TabularShape? known))
            return known;
        if (!TabularTypeReader.TryRead(type, out TabularShape shape))
            throw Rejected($"the tabular type {Display(type)} has an error", where);
        _shapes.Add(key, shape);
        return shape;
    }

    private static string Display(ISymbol symbol) => symbol.ToDisplayString(SymbolDisplayFormat.CSharpShortErrorMessageFormat);
}
