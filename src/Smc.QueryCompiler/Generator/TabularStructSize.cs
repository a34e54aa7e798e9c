using Microsoft.CodeAnalysis;
using PlanTypeKind = Smc.QueryCompiler.Plan.TypeKind;
using TypeKind = Microsoft.CodeAnalysis.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// The size of an unmanaged struct as the runtime will lay it out on a 64-bit system, worked out from its fields.
/// It is an upper bound where the runtime reorders fields (<c>LayoutKind.Auto</c>); the run-time schema checks it once.
/// </summary>
internal static class TabularStructSize
{
    /// <summary>Bytes of a value of the type; 0 when its fields are not known (a reference assembly leaves them out).</summary>
    public static int Measure(ITypeSymbol type) => SizeAndAlignment(type).Size;

    private static (int Size, int Alignment) SizeAndAlignment(ITypeSymbol type) => type.SpecialType switch
    {
        SpecialType.System_Boolean or SpecialType.System_SByte or SpecialType.System_Byte => (1, 1),
        SpecialType.System_Char or SpecialType.System_Int16 or SpecialType.System_UInt16 => (2, 2),
        SpecialType.System_Int32 or SpecialType.System_UInt32 or SpecialType.System_Single => (4, 4),
        SpecialType.System_Int64 or SpecialType.System_UInt64 or SpecialType.System_Double => (8, 8),
        SpecialType.System_IntPtr or SpecialType.System_UIntPtr or SpecialType.System_DateTime => (8, 8),
        SpecialType.System_Decimal => (16, 8),
        _ => Other(type),
    };

    private static (int Size, int Alignment) Other(ITypeSymbol type)
    {
        if (type.TypeKind is TypeKind.Pointer or TypeKind.FunctionPointer)
            return (8, 8);
        if (type is not INamedTypeSymbol named || named.TypeKind == TypeKind.Error)
            return (0, 1);
        if (named.EnumUnderlyingType is { } underlying)
            return SizeAndAlignment(underlying);
        return WellKnown(named) ?? Fields(named);
    }

    private static (int Size, int Alignment)? WellKnown(INamedTypeSymbol type) => PlanTypeReader.Read(type).Kind switch
    {
        PlanTypeKind.Int128 or PlanTypeKind.UInt128 => (16, 16),
        PlanTypeKind.Half => (2, 2),
        PlanTypeKind.Guid => (16, 4),
        PlanTypeKind.DateOnly => (4, 4),
        PlanTypeKind.TimeOnly or PlanTypeKind.TimeSpan => (8, 8),
        PlanTypeKind.DateTimeOffset => (16, 8),
        _ => null,
    };

    private static (int Size, int Alignment) Fields(INamedTypeSymbol type)
    {
        AttributeData? layout = Attribute(type, "System.Runtime.InteropServices.StructLayoutAttribute");
        int pack = NamedInt(layout, "Pack") is int p and > 0 ? p : 16;
        bool isExplicit = layout?.ConstructorArguments.FirstOrDefault().Value is 2 or (short)2;
        int size = 0;
        int alignment = 1;
        foreach (IFieldSymbol field in type.GetMembers().OfType<IFieldSymbol>().Where(f => !f.IsStatic && !f.IsConst))
        {
            (int fieldSize, int fieldAlignment) = SizeOf(field);
            if (fieldSize == 0 || field.Name.StartsWith("_dummy", StringComparison.Ordinal))
                return (0, 1);
            fieldAlignment = Math.Min(fieldAlignment, pack);
            alignment = Math.Max(alignment, fieldAlignment);
            int offset = isExplicit ? ExplicitOffset(field) : Align(size, fieldAlignment);
            size = Math.Max(size, offset + fieldSize);
        }

        size *= InlineArrayLength(type);
        size = Math.Max(Align(size, alignment), NamedInt(layout, "Size"));
        return (Math.Max(size, 1), alignment);
    }

    private static (int Size, int Alignment) SizeOf(IFieldSymbol field)
    {
        if (!field.IsFixedSizeBuffer)
            return SizeAndAlignment(field.Type);
        (int size, int alignment) = SizeAndAlignment(((IPointerTypeSymbol)field.Type).PointedAtType);
        return (size * field.FixedSize, alignment);
    }

    private static int ExplicitOffset(IFieldSymbol field) =>
        Attribute(field, "System.Runtime.InteropServices.FieldOffsetAttribute")?.ConstructorArguments[0].Value as int? ?? 0;

    private static int InlineArrayLength(INamedTypeSymbol type) =>
        Attribute(type, "System.Runtime.CompilerServices.InlineArrayAttribute")?.ConstructorArguments[0].Value as int? ?? 1;

    private static int NamedInt(AttributeData? attribute, string name) =>
        attribute?.NamedArguments.FirstOrDefault(a => a.Key == name).Value.Value as int? ?? 0;

    private static AttributeData? Attribute(ISymbol symbol, string fullName) =>
        symbol.GetAttributes().FirstOrDefault(a => a.AttributeClass?.ToDisplayString() == fullName);

    private static int Align(int value, int alignment) => (value + alignment - 1) / alignment * alignment;
}
