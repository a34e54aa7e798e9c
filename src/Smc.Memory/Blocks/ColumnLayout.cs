using System.ComponentModel;

namespace Smc.Memory;

/// <summary>What the 8 bytes (or the plain value) of a column are to the memory manager.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public enum ColumnStorage
{
    /// <summary>A value without anything behind it.</summary>
    Plain,

    /// <summary>A string word: inline text or the address of a chunk that dies with the row.</summary>
    String,

    /// <summary>Bytes, stored like a string.</summary>
    Binary,

    /// <summary>A handle to another row.</summary>
    Reference,

    /// <summary>The place of another row, see <see cref="DirectWord"/>.</summary>
    DirectReference,
}

/// <summary>How the signed 64-bit number of a zone map is computed from a stored value.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public enum ZoneKey
{
    /// <summary>The value with its sign.</summary>
    Signed,

    /// <summary>The value without sign; of 8 bytes (references too) with the top bit flipped.</summary>
    Unsigned,
}

/// <summary>Where a column's values are: value of slot s at <c>block + Offset + s * Stride</c>, in both layouts.</summary>
/// <param name="Name">The property's name, for messages.</param>
/// <param name="Offset">Bytes from the start of the block to the value of slot 0.</param>
/// <param name="Width">Bytes of a value.</param>
/// <param name="Stride">Bytes from one slot's value to the next: the width (columnar) or the row's size (row layout).</param>
/// <param name="Storage">What the value is.</param>
/// <param name="NullBitmapOffset">Offset of one bit per slot, cleared in a newly allocated row; -1 for none.</param>
/// <param name="ZoneMapOffset">Offset of the column's zone map (<see cref="ZoneView"/>), or -1.</param>
/// <param name="Key">How the zone map orders values.</param>
/// <param name="SketchOffset">Offset of the column's <see cref="ColumnSketch"/>, 16 bits per slot; -1 for none. Only with a zone map.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed record ColumnLayout(
    string Name, int Offset, int Width, int Stride, ColumnStorage Storage, int NullBitmapOffset = -1, int ZoneMapOffset = -1,
    ZoneKey Key = ZoneKey.Signed, int SketchOffset = -1);
