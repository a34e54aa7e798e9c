using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>Put by the generator on a tabular type: the layout of its blocks, for compilers of other assemblies. See <see cref="StoredColumnAttribute"/>.</summary>
/// <param name="capacity">Slots of a full block.</param>
/// <param name="blockBytes">Bytes of a block.</param>
/// <param name="rowStride">Bytes of a row in row layout, else 0.</param>
/// <param name="hash">Identifies the layout.</param>
[AttributeUsage(AttributeTargets.Struct, Inherited = false)]
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class StoredLayoutAttribute(int capacity, int blockBytes, int rowStride, ulong hash) : Attribute
{
    /// <summary>Slots of a full block.</summary>
    public int Capacity { get; } = capacity;

    /// <summary>Bytes of a block.</summary>
    public int BlockBytes { get; } = blockBytes;

    /// <summary>Bytes of a row in row layout, else 0.</summary>
    public int RowStride { get; } = rowStride;

    /// <summary>Identifies the layout.</summary>
    public ulong Hash { get; } = hash;
}
