namespace Smc.QueryCompiler.Plan;

/// <summary>How a tabular type lies in a block: DESIGN 4.1. Offsets are from the block's base and constant for the type.</summary>
/// <param name="FullName">The struct in C# text, with <c>global::</c>; the key under which plans name the shape.</param>
/// <param name="Name">The simple name.</param>
/// <param name="Layout">Columnar or row.</param>
/// <param name="Capacity">Slots of a full block, a multiple of 64, at most 65,536.</param>
/// <param name="BlockBytes">Bytes of a block, a multiple of 64 KiB.</param>
/// <param name="RowStride">Bytes of a row in row layout, 0 in columnar layout.</param>
/// <param name="Columns">The stored properties in declaration order.</param>
/// <param name="LayoutHash">A hash of everything above; kernels compare it with the run-time layout before they use offsets.</param>
public sealed record TabularShape(
    string FullName,
    string Name,
    LayoutKind Layout,
    int Capacity,
    int BlockBytes,
    int RowStride,
    EquatableArray<ColumnShape> Columns,
    ulong LayoutHash)
{
    public ColumnShape Column(string name) => Columns.First(c => c.Name == name);
}

/// <summary>One stored property. Its value in slot s is at <c>block + Offset + s * Stride</c> in both layouts.</summary>
/// <param name="Name">The property.</param>
/// <param name="Type">Its C# type.</param>
/// <param name="Storage">The form in memory.</param>
/// <param name="Width">Bytes in memory.</param>
/// <param name="Offset">From the block's base to the value of slot 0.</param>
/// <param name="Stride">Bytes from one slot's value to the next: <paramref name="Width"/> in columnar layout, the row stride in row layout.</param>
/// <param name="Precision">Decimal digits of a scaled decimal, else 0.</param>
/// <param name="Scale">Digits after the point of a scaled decimal, else 0.</param>
/// <param name="Rounds">Whether assignment rounds instead of refusing (<c>[Precision(…, Rounding = …)]</c>).</param>
/// <param name="NullBitmapOffset">From the block's base to the null bitmap (bit set = null), −1 when the column has none. References and strings hold null in their word.</param>
/// <param name="ZoneMapOffset">From the block's base to two signed 64-bit numbers, minimum and maximum (unsigned 64-bit values and handles with their top bit flipped), and the scale of the sketch; −1 when the column has none.</param>
/// <param name="SketchOffset">From the block's base to the sketch of the column, 16 bits per slot; −1 when it has none.</param>
/// <param name="DefaultText">The value of <c>[Default(…)]</c> as C# text, or null.</param>
public sealed record ColumnShape(
    string Name,
    PlanType Type,
    StorageKind Storage,
    int Width,
    int Offset,
    int Stride,
    int Precision,
    int Scale,
    bool Rounds,
    int NullBitmapOffset,
    int ZoneMapOffset,
    int SketchOffset,
    string? DefaultText)
{
    public bool HasZoneMap => ZoneMapOffset >= 0;

    /// <summary>Whether the column refers to rows, by handle or by place.</summary>
    public bool IsReference => Storage is StorageKind.Reference or StorageKind.DirectReference;

    /// <summary>Whether the column can be one of an index's key.</summary>
    public bool CanBeKey => KeyColumns.Allow(Type, Storage);

    /// <summary>Whether the column is a contiguous array within a block.</summary>
    public bool IsContiguous => Stride == Width;
}

/// <summary>Where the values of a row lie.</summary>
public enum LayoutKind
{
    /// <summary>One array per column and block.</summary>
    Columnar,

    /// <summary>All values of a row side by side.</summary>
    Row,
}

/// <summary>Forms in which a value lies in memory.</summary>
public enum StorageKind
{
    /// <summary>Signed integers; also dates (day number), times and spans (ticks), scaled decimals of up to 18 digits, enums.</summary>
    I8, I16, I32, I64,

    /// <summary>Unsigned integers; also <c>bool</c> (U8, 0 or 1) and <c>char</c> (U16).</summary>
    U8, U16, U32, U64,

    /// <summary>Floating point.</summary>
    F16, F32, F64,

    /// <summary>A scaled decimal of more than 18 digits, as a signed 128-bit integer.</summary>
    I128,

    /// <summary>The bytes of the C# value: Guid, unscaled decimal, DateTime, DateTimeOffset, Int128, unmanaged structs.</summary>
    Raw,

    /// <summary>A string word: inline or a chunk (DESIGN 4.1).</summary>
    String,

    /// <summary>A chunk word of binary data.</summary>
    Binary,

    /// <summary>A handle to a row of another collection, 0 for null.</summary>
    Reference,

    /// <summary>The place of a row of another collection (<c>Smc.Memory.DirectWord</c>), 0 for null.</summary>
    DirectReference,
}
