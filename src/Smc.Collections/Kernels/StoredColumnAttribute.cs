using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>
/// Put by the generator on the implementation of a stored property: compilers of other assemblies tell columns from computed properties by it,
/// and take the place of the column from it instead of working it out again.
/// </summary>
/// <param name="ordinal">The position of the column in its type.</param>
/// <param name="width">Bytes in memory.</param>
/// <param name="offset">From the block's base to the value of slot 0.</param>
/// <param name="stride">Bytes from one slot's value to the next.</param>
/// <param name="nulls">From the block's base to the null bitmap, −1 without one.</param>
/// <param name="zone">From the block's base to the zone map, −1 without one.</param>
/// <param name="sketch">From the block's base to the sketch, −1 without one.</param>
[AttributeUsage(AttributeTargets.Property, Inherited = false)]
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class StoredColumnAttribute(int ordinal, int width, int offset, int stride, int nulls, int zone, int sketch) : Attribute
{
    /// <summary>The position of the column in its type.</summary>
    public int Ordinal { get; } = ordinal;

    /// <summary>Bytes in memory.</summary>
    public int Width { get; } = width;

    /// <summary>From the block's base to the value of slot 0.</summary>
    public int Offset { get; } = offset;

    /// <summary>Bytes from one slot's value to the next.</summary>
    public int Stride { get; } = stride;

    /// <summary>From the block's base to the null bitmap, −1 without one.</summary>
    public int Nulls { get; } = nulls;

    /// <summary>From the block's base to the zone map, −1 without one.</summary>
    public int Zone { get; } = zone;

    /// <summary>From the block's base to the sketch, −1 without one.</summary>
    public int Sketch { get; } = sketch;
}
