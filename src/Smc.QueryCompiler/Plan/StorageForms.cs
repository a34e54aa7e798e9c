namespace Smc.QueryCompiler.Plan;

/// <summary>The form in which a column of a type is stored (DESIGN 3 and 4.1), for all but structs of the user's, whose size only a host knows.</summary>
public static class StorageForms
{
    /// <summary>The form in memory and its width; width 0 when the type cannot be a column.</summary>
    /// <param name="type">The type of the column.</param>
    /// <param name="precision">Digits of a scaled decimal, else 0.</param>
    public static (StorageKind Storage, int Width) Of(PlanType type, int precision) => type.Kind switch
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
        TypeKind.Enum => Of(type with { Kind = type.EnumUnderlying }, 0),
        TypeKind.String => (StorageKind.String, 8),
        TypeKind.Binary => (StorageKind.Binary, 8),
        TypeKind.Tabular => (StorageKind.Reference, 8),
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
