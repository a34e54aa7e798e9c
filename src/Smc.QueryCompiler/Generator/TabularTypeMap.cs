using Microsoft.CodeAnalysis;
using Smc.QueryCompiler.Plan;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>Which C# types a column may have, and the form in which each is stored (DESIGN 3 and 4.1).</summary>
internal static class TabularTypeMap
{
    public const string TabularAttribute = "Smc.Collections.TabularAttribute";

    /// <summary>The kind of a type; of the underlying type for <c>Nullable&lt;T&gt;</c>. Never fails: unknown types are <see cref="TypeKind.Other"/>.</summary>
    public static PlanType PlanTypeOf(ITypeSymbol type)
    {
        if (type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable)
            return PlanTypeOf(nullable.TypeArguments[0]).AsNullable();
        TypeKind kind = KindOf(type);
        string text = type.WithNullableAnnotation(NullableAnnotation.NotAnnotated).ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat);
        bool isNullable = type.IsReferenceType && type.NullableAnnotation != NullableAnnotation.NotAnnotated;
        TypeKind underlying = type is INamedTypeSymbol { EnumUnderlyingType: { } u } ? KindOf(u) : TypeKind.Other;
        return new PlanType(kind, text, isNullable, underlying);
    }

    /// <summary>The simple name of a type that is declared directly in namespace <c>System</c>, else null.</summary>
    public static string? SystemName(ITypeSymbol type) =>
        type.ContainingType is null && type.ContainingNamespace is { Name: "System", ContainingNamespace.IsGlobalNamespace: true } ? type.MetadataName : null;

    /// <summary>Whether the type carries <c>[Tabular]</c>.</summary>
    public static bool IsTabular(ITypeSymbol type) =>
        type.IsValueType && type.GetAttributes().Any(a => a.AttributeClass?.ToDisplayString() == TabularAttribute);

    /// <summary>The form in memory and its width; width 0 when the type cannot be a column.</summary>
    public static (StorageKind Storage, int Width) StorageOf(ITypeSymbol type, PlanType plan, int precision) => plan.Kind switch
    {
        TypeKind.Boolean or TypeKind.Byte => (StorageKind.U8, 1),
        TypeKind.SByte => (StorageKind.I8, 1),
        TypeKind.Char or TypeKind.UInt16 => (StorageKind.U16, 2),
        TypeKind.Int16 => (StorageKind.I16, 2),
        TypeKind.Int32 or TypeKind.DateOnly => (StorageKind.I32, 4),
        TypeKind.UInt32 => (StorageKind.U32, 4),
        TypeKind.Int64 or TypeKind.TimeOnly or TypeKind.TimeSpan => (StorageKind.I64, 8),
        TypeKind.UInt64 => (StorageKind.U64, 8),
        TypeKind.Half => (StorageKind.F16, 2),
        TypeKind.Single => (StorageKind.F32, 4),
        TypeKind.Double => (StorageKind.F64, 8),
        TypeKind.Decimal => Decimal(precision),
        TypeKind.DateTime => (StorageKind.Raw, 8),
        TypeKind.DateTimeOffset or TypeKind.Guid or TypeKind.Int128 or TypeKind.UInt128 => (StorageKind.Raw, 16),
        TypeKind.Enum => StorageOf(type, plan with { Kind = plan.EnumUnderlying }, 0),
        TypeKind.String => (StorageKind.String, 8),
        TypeKind.Binary => (StorageKind.Binary, 8),
        TypeKind.Tabular => (StorageKind.Reference, 8),
        TypeKind.Struct => (StorageKind.Raw, type.IsUnmanagedType ? TabularStructSize.Measure(type) : 0),
        _ => (StorageKind.Raw, 0),
    };

    private static (StorageKind Storage, int Width) Decimal(int precision) => precision switch
    {
        0 => (StorageKind.Raw, 16),
        <= 9 => (StorageKind.I32, 4),
        <= 18 => (StorageKind.I64, 8),
        _ => (StorageKind.I128, 16),
    };

    private static TypeKind KindOf(ITypeSymbol type) => type.SpecialType switch
    {
        SpecialType.System_Boolean => TypeKind.Boolean,
        SpecialType.System_Char => TypeKind.Char,
        SpecialType.System_SByte => TypeKind.SByte,
        SpecialType.System_Byte => TypeKind.Byte,
        SpecialType.System_Int16 => TypeKind.Int16,
        SpecialType.System_UInt16 => TypeKind.UInt16,
        SpecialType.System_Int32 => TypeKind.Int32,
        SpecialType.System_UInt32 => TypeKind.UInt32,
        SpecialType.System_Int64 => TypeKind.Int64,
        SpecialType.System_UInt64 => TypeKind.UInt64,
        SpecialType.System_Single => TypeKind.Single,
        SpecialType.System_Double => TypeKind.Double,
        SpecialType.System_Decimal => TypeKind.Decimal,
        SpecialType.System_DateTime => TypeKind.DateTime,
        SpecialType.System_String => TypeKind.String,
        SpecialType.None => OtherKind(type),
        _ => TypeKind.Other,
    };

    private static TypeKind OtherKind(ITypeSymbol type)
    {
        if (type.TypeKind == Microsoft.CodeAnalysis.TypeKind.Enum)
            return TypeKind.Enum;
        if (type.IsTupleType)
            return TypeKind.Tuple;
        if (type.IsAnonymousType)
            return TypeKind.Anonymous;
        if (type.TypeKind is Microsoft.CodeAnalysis.TypeKind.Class or Microsoft.CodeAnalysis.TypeKind.Interface)
            return TypeKind.Class;
        if (type.TypeKind != Microsoft.CodeAnalysis.TypeKind.Struct)
            return TypeKind.Other;
        return SystemName(type) switch
        {
            "Int128" => TypeKind.Int128,
            "UInt128" => TypeKind.UInt128,
            "Half" => TypeKind.Half,
            "DateOnly" => TypeKind.DateOnly,
            "TimeOnly" => TypeKind.TimeOnly,
            "DateTimeOffset" => TypeKind.DateTimeOffset,
            "TimeSpan" => TypeKind.TimeSpan,
            "Guid" => TypeKind.Guid,
            "ReadOnlyMemory`1" when ((INamedTypeSymbol)type).TypeArguments[0].SpecialType == SpecialType.System_Byte => TypeKind.Binary,
            _ => IsTabular(type) ? TypeKind.Tabular : type.IsRefLikeType ? TypeKind.Other : TypeKind.Struct,
        };
    }
}
