using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Reads of stored properties: the value in memory, and its C# form.</summary>
internal sealed class ColumnEmitter(KernelScope scope)
{
    /// <summary>The shape and the column that a read names.</summary>
    public (TabularShape Shape, ColumnShape Column) Find(ColumnRead read)
    {
        TabularShape shape = scope.Plan.Shape(read.Row.Type.CSharp);
        return (shape, shape.Column(read.Column));
    }

    /// <summary>The arguments that say where a block has a column and what it knows of it.</summary>
    public string InBlock(TabularShape shape, ColumnShape column) =>
        $"{SlotPlace.BlockName}, {InZone(shape, column)}";

    /// <summary>As <see cref="InBlock"/>, of a block that is known.</summary>
    public string InZone(TabularShape shape, ColumnShape column) => $"{scope.Layout.Zone(shape, column)}, {scope.Layout.Offset(shape, column)}, {scope.Layout.Stride(shape, column)}";

    /// <summary>Whether the column holds places of rows instead of handles.</summary>
    public bool IsDirect(ColumnRead read) => Find(read).Column.Storage == StorageKind.DirectReference;

    /// <summary>The stored value, a C# nullable when the column has a null bitmap; of a reference the handle, however it is stored.</summary>
    /// <param name="read">The read.</param>
    /// <param name="place">Where the row is.</param>
    public string Raw(ColumnRead read, RowPlace place) =>
        IsDirect(read) ? $"{KernelApi.DirectWord}.ToHandle({Word(read, place)})" : Word(read, place);

    /// <summary>As <see cref="Raw"/>, but of a direct reference the word as it is: only to follow it at once.</summary>
    public string Word(ColumnRead read, RowPlace place)
    {
        (TabularShape shape, ColumnShape column) = Find(read);
        string offset = scope.Layout.Offset(shape, column), stride = scope.Layout.Stride(shape, column), type = StorageType(column);
        string load = $"{(IsOneWord(column) ? KernelApi.KernelMemory : KernelApi.ColumnValue)}.Read<{type}>";
        if (place is SlotPlace at)
        {
            string address = $"{at.Block} + {offset} + ({at.Slot} * {stride})";
            return column.NullBitmapOffset < 0
                ? $"{load}({address})"
                : $"{KernelApi.ColumnValue}.ReadNullable<{type}>({address}, {at.Block} + {scope.Layout.Nulls(shape, column)}, {at.Slot})";
        }

        string location = place is LocationPlace { CanBeNull: true } ? $"{KernelApi.RowAccess}.Existing<{read.Row.Type.CSharp}>({place.Location})" : place.Location;
        return column.NullBitmapOffset < 0
            ? $"{load}({KernelApi.KernelMemory}.AddressAt({location}, {offset}, {stride}))"
            : $"{KernelApi.ColumnValue}.ReadNullableAt<{type}>({location}, {offset}, {stride}, {scope.Layout.Nulls(shape, column)})";
    }

    /// <summary>The C# value of what <see cref="Raw"/> reads.</summary>
    public string Decode(ColumnRead read, string raw)
    {
        (_, ColumnShape column) = Find(read);
        return Decode(column, raw);
    }

    /// <summary>How the stored integers of a column compare: two columns of one form compare as they are. Null when they do not.</summary>
    public string? StoredForm(ColumnRead read)
    {
        (_, ColumnShape column) = Find(read);
        if (column.NullBitmapOffset >= 0 || !IsStoredInteger(column))
            return null;
        return column.Type.Kind switch
        {
            TypeKind.DateOnly => "date",
            TypeKind.TimeOnly or TypeKind.TimeSpan => "ticks",
            TypeKind.Enum => "enum " + column.Type.CSharp,
            TypeKind.Decimal => "scale " + column.Scale,
            _ => null,
        };
    }

    /// <summary>Whether the column is stored as an integer whose order is that of its values, of at most 64 signed bits.</summary>
    public static bool IsStoredInteger(ColumnShape column) => column.Storage is StorageKind.I8 or StorageKind.I16 or StorageKind.I32 or StorageKind.I64
        or StorageKind.U8 or StorageKind.U16 or StorageKind.U32;

    /// <summary>Whether every access to a stored value is one of the processor. Others are read whole by the run-time: a struct of two words, or of several fields.</summary>
    private static bool IsOneWord(ColumnShape column) => column.Storage is not (StorageKind.Raw or StorageKind.I128);

    public static string StorageType(ColumnShape column) => column.Storage switch
    {
        StorageKind.I8 => "sbyte",
        StorageKind.I16 => "short",
        StorageKind.I32 => "int",
        StorageKind.I64 => "long",
        StorageKind.U8 => "byte",
        StorageKind.U16 => "ushort",
        StorageKind.U32 => "uint",
        StorageKind.F16 => "global::System.Half",
        StorageKind.F32 => "float",
        StorageKind.F64 => "double",
        StorageKind.I128 => "global::System.Int128",
        StorageKind.Raw => column.Type.CSharp,
        _ => "ulong",
    };

    public static string Decode(ColumnShape column, string raw)
    {
        string type = column.NullBitmapOffset >= 0 ? column.Type.CSharp + "?" : column.Type.CSharp;
        return column.Type.Kind switch
        {
            TypeKind.String => $"{KernelApi.StringWord}.Decode({raw})",
            TypeKind.Boolean => $"{KernelApi.ColumnValue}.Boolean({raw})",
            TypeKind.DateOnly => $"{KernelApi.ColumnValue}.DateOnly({raw})",
            TypeKind.TimeOnly => $"{KernelApi.ColumnValue}.TimeOnly({raw})",
            TypeKind.TimeSpan => $"{KernelApi.ColumnValue}.TimeSpan({raw})",
            TypeKind.Decimal when column.Storage != StorageKind.Raw => $"{KernelApi.ColumnValue}.Decimal({raw}, {column.Scale})",
            TypeKind.Char or TypeKind.Enum => $"(({type}){raw})",
            _ => raw,
        };
    }
}
