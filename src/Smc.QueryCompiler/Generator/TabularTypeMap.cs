using Microsoft.CodeAnalysis;
using Smc.QueryCompiler.Plan;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>Which C# types a column may have, and the form in which each is stored (DESIGN 3 and 4.1).</summary>
internal static class TabularTypeMap
{
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
        TypeKind.Struct => (StorageKind.Raw, type.IsUnmanagedType && type.SpecialType == SpecialType.None ? TabularStructSize.Measure(type) : 0),
        _ => (StorageKind.Raw, 0),
    };

    private static (StorageKind Storage, int Width) Decimal(int precision) => precision switch
    {
        0 => (StorageKind.Raw, 16),
        <= 9 => (StorageKind.I32, 4),
        <= 18 => (StorageKind.I64, 8),
        _ => (StorageKind.I128, 16),
    };
}
