using Microsoft.CodeAnalysis;
using Smc.QueryCompiler.Plan;
using PlanTypeKind = Smc.QueryCompiler.Plan.TypeKind;
using SymbolTypeKind = Microsoft.CodeAnalysis.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>Turns Roslyn's type symbols into the plan's types, which hold no symbol.</summary>
internal static class PlanTypeReader
{
    private const string TabularAttribute = "Smc.Collections.TabularAttribute";

    private static readonly SymbolDisplayFormat FullyQualified = SymbolDisplayFormat.FullyQualifiedFormat
        .WithMiscellaneousOptions(
            SymbolDisplayMiscellaneousOptions.EscapeKeywordIdentifiers
            | SymbolDisplayMiscellaneousOptions.UseSpecialTypes
            | SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    /// <summary>The plan's view of a type. A type that contains an anonymous one has no text.</summary>
    public static PlanType Read(ITypeSymbol type)
    {
        if (NullableUnderlying(type) is { } underlying)
            return Read(underlying).AsNullable();

        ITypeSymbol bare = type.WithNullableAnnotation(NullableAnnotation.None);
        PlanTypeKind kind = KindOf(bare);
        bool isNullable = type.IsReferenceType && type.NullableAnnotation == NullableAnnotation.Annotated;
        PlanTypeKind enumUnderlying = bare is INamedTypeSymbol { EnumUnderlyingType: { } integer } ? KindOf(integer) : PlanTypeKind.Other;
        return new PlanType(kind, IsSpeakable(bare) ? bare.ToDisplayString(FullyQualified) : "", isNullable, enumUnderlying);
    }

    /// <summary>T of <c>Nullable&lt;T&gt;</c>, else null.</summary>
    public static ITypeSymbol? NullableUnderlying(ITypeSymbol type) =>
        type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable ? nullable.TypeArguments[0] : null;

    /// <summary>Whether the type is a struct with <c>[Tabular]</c>.</summary>
    public static bool IsTabular(ITypeSymbol type) =>
        type.TypeKind == SymbolTypeKind.Struct
        && type.GetAttributes().Any(a => a.AttributeClass?.ToDisplayString() == TabularAttribute);

    /// <summary>Whether the type can be written in source: no anonymous type anywhere in it.</summary>
    public static bool IsSpeakable(ITypeSymbol type) => type switch
    {
        { IsAnonymousType: true } => false,
        IArrayTypeSymbol array => IsSpeakable(array.ElementType),
        INamedTypeSymbol named => named.TypeArguments.All(IsSpeakable) && (named.ContainingType is null || IsSpeakable(named.ContainingType)),
        _ => true,
    };

    private static PlanTypeKind KindOf(ITypeSymbol type) => type.SpecialType switch
    {
        SpecialType.System_Boolean => PlanTypeKind.Boolean,
        SpecialType.System_Char => PlanTypeKind.Char,
        SpecialType.System_SByte => PlanTypeKind.SByte,
        SpecialType.System_Byte => PlanTypeKind.Byte,
        SpecialType.System_Int16 => PlanTypeKind.Int16,
        SpecialType.System_UInt16 => PlanTypeKind.UInt16,
        SpecialType.System_Int32 => PlanTypeKind.Int32,
        SpecialType.System_UInt32 => PlanTypeKind.UInt32,
        SpecialType.System_Int64 => PlanTypeKind.Int64,
        SpecialType.System_UInt64 => PlanTypeKind.UInt64,
        SpecialType.System_Single => PlanTypeKind.Single,
        SpecialType.System_Double => PlanTypeKind.Double,
        SpecialType.System_Decimal => PlanTypeKind.Decimal,
        SpecialType.System_DateTime => PlanTypeKind.DateTime,
        SpecialType.System_String => PlanTypeKind.String,
        _ => KindOfOther(type),
    };

    private static PlanTypeKind KindOfOther(ITypeSymbol type) => type switch
    {
        { IsAnonymousType: true } => PlanTypeKind.Anonymous,
        { IsTupleType: true } => PlanTypeKind.Tuple,
        { TypeKind: SymbolTypeKind.Enum } => PlanTypeKind.Enum,
        { IsReferenceType: true } => PlanTypeKind.Class,
        { TypeKind: SymbolTypeKind.Struct } => KindOfStruct(type),
        _ => PlanTypeKind.Other,
    };

    private static PlanTypeKind KindOfStruct(ITypeSymbol type)
    {
        if (type.ContainingNamespace is { Name: "System", ContainingNamespace.IsGlobalNamespace: true })
        {
            switch (type.MetadataName)
            {
                case "Int128": return PlanTypeKind.Int128;
                case "UInt128": return PlanTypeKind.UInt128;
                case "Half": return PlanTypeKind.Half;
                case "DateOnly": return PlanTypeKind.DateOnly;
                case "TimeOnly": return PlanTypeKind.TimeOnly;
                case "DateTimeOffset": return PlanTypeKind.DateTimeOffset;
                case "TimeSpan": return PlanTypeKind.TimeSpan;
                case "Guid": return PlanTypeKind.Guid;
                case "ReadOnlyMemory`1" when ((INamedTypeSymbol)type).TypeArguments[0].SpecialType == SpecialType.System_Byte:
                    return PlanTypeKind.Binary;
            }
        }

        return IsTabular(type) ? PlanTypeKind.Tabular : PlanTypeKind.Struct;
    }
}
