using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>A stored property as it was declared, before it has a place in a block.</summary>
/// <param name="Name">The property.</param>
/// <param name="Type">Its C# type.</param>
/// <param name="Storage">The form in memory.</param>
/// <param name="Width">Bytes in memory.</param>
/// <param name="Precision">Decimal digits of a scaled decimal, else 0.</param>
/// <param name="Scale">Digits after the point of a scaled decimal, else 0.</param>
/// <param name="Rounding">The <c>System.MidpointRounding</c> member that <c>[Precision]</c> asks for, or null: refuse what is not exact.</param>
/// <param name="DefaultText">The value of <c>[Default]</c> as C# text, or null.</param>
/// <param name="OnRemove">The <c>RemoveBehavior</c> member of <c>[OnRemove]</c>, or null.</param>
internal sealed record TabularColumn(
    string Name, PlanType Type, StorageKind Storage, int Width, int Precision, int Scale, string? Rounding, string? DefaultText, string? OnRemove = null)
{
    /// <summary>Whether nulls of the column are kept in a bitmap: references, strings and binary values keep theirs in the word.</summary>
    public bool HasNullBitmap => Type.IsNullable && Storage is not (StorageKind.String or StorageKind.Binary or StorageKind.Reference or StorageKind.DirectReference);

    /// <summary>Whether blocks keep the minimum and maximum of the column.</summary>
    public bool HasZoneMap => Storage is StorageKind.I8 or StorageKind.I16 or StorageKind.I32 or StorageKind.I64
        or StorageKind.U8 or StorageKind.U16 or StorageKind.U32 or StorageKind.U64 or StorageKind.Reference;

    /// <summary>Whether blocks keep 16 bits per row that tell its value, exactly or roughly: for filters, where the value itself is wider.</summary>
    public bool HasSketch => Storage is StorageKind.Reference || (Storage is StorageKind.I32 or StorageKind.U32 or StorageKind.I64 && !Type.IsNullable);

    /// <summary>The alignment of a value within a row: its size, if the processor can access that at once, else that of its words.</summary>
    public int Alignment => Width == 16 ? 16 : Width % 8 == 0 ? 8 : Width % 4 == 0 ? 4 : Width % 2 == 0 ? 2 : 1;
}
