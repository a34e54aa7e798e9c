using System.ComponentModel;

namespace Smc.Memory;

/// <summary>How the rows of a block are arranged.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public enum BlockLayoutKind
{
    /// <summary>One array per column. For scans.</summary>
    Columnar,

    /// <summary>One record per row. For tables that are mostly read one row at a time.</summary>
    Row,
}

/// <summary>
/// The arrangement of a block of one row type: a constant of the type, worked out by the generator and checked here once.
/// </summary>
/// <remarks>
/// <code>
/// 0     header
/// 128   validity bitmap     capacity / 8
///       slot directory      4 * capacity     state and removal epoch of every slot
///       back-pointers       4 * capacity     the dense id of every slot
///       zone maps (40 bytes each), null bitmaps (capacity / 8 each), sketches (2 * capacity each)
///       columns (each a multiple of 64 bytes from the start) or rows
/// </code>
/// Every part begins at a multiple of 64. A block may use fewer slots than the capacity; the offsets are the same.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class BlockLayout
{
    /// <summary>Size of the header.</summary>
    public const int HeaderBytes = 128;

    /// <summary>Offset of the validity bitmap: 64-bit words, bit = slot.</summary>
    public const int ValidityOffset = HeaderBytes;

    /// <summary>Bytes of one zone map: least and greatest value, then the scale of the <see cref="ColumnSketch"/>.</summary>
    public const int ZoneMapBytes = 40;

    /// <summary>Slots that a block can have at most: a location keeps the slot in 16 bits.</summary>
    public const int MaxCapacity = 65_536;

    /// <summary>Blocks begin, and end, at multiples of this.</summary>
    public const int BlockAlignment = 64 * 1024;

    private const int PartAlignment = 64;
    private readonly ColumnLayout[] _columns;

    /// <summary>Takes a layout over and checks it.</summary>
    /// <param name="rowTypeName">Name of the row type, for messages.</param>
    /// <param name="kind">Columns or rows.</param>
    /// <param name="capacity">Slots: a multiple of 64, at most <see cref="MaxCapacity"/>.</param>
    /// <param name="blockBytes">Size of a block: a multiple of 64 KiB.</param>
    /// <param name="rowStride">Bytes of a row in the row layout; the sum of the widths in the columnar one is not required.</param>
    /// <param name="hash">Identifies the layout; kernels compiled against another one notice.</param>
    /// <param name="columns">The columns, in any order.</param>
    /// <exception cref="ArgumentException">A part lies outside the block, on another part or at a wrong alignment.</exception>
    public BlockLayout(string rowTypeName, BlockLayoutKind kind, int capacity, int blockBytes, int rowStride, ulong hash,
        params ColumnLayout[] columns)
    {
        ArgumentNullException.ThrowIfNull(rowTypeName);
        ArgumentNullException.ThrowIfNull(columns);
        RowTypeName = rowTypeName;
        Kind = kind;
        Capacity = capacity;
        BlockBytes = blockBytes;
        RowStride = rowStride;
        Hash = hash;
        _columns = [.. columns];
        BlockLayoutChecks.Check(this);
        DirectoryOffset = SlotDirectoryOffset(capacity);
        DenseIdsOffset = BackPointersOffset(capacity);
        BytesPerRow = kind == BlockLayoutKind.Row ? rowStride : columns.Sum(static column => column.Width);
    }

    /// <summary>Name of the row type.</summary>
    public string RowTypeName { get; }

    /// <summary>Columns or rows.</summary>
    public BlockLayoutKind Kind { get; }

    /// <summary>Slots of a block.</summary>
    public int Capacity { get; }

    /// <summary>Size of a block.</summary>
    public int BlockBytes { get; }

    /// <summary>Bytes of a row in the row layout.</summary>
    public int RowStride { get; }

    /// <summary>Identifies the layout.</summary>
    public ulong Hash { get; }

    /// <summary>The columns.</summary>
    public ReadOnlySpan<ColumnLayout> Columns => _columns;

    /// <summary>Bytes of data that a row takes, without bitmaps and directories.</summary>
    public int BytesPerRow { get; }

    internal int DirectoryOffset { get; }

    internal int DenseIdsOffset { get; }

    /// <summary>Offset of the slot directory.</summary>
    public static int SlotDirectoryOffset(int capacity) => Align(ValidityOffset + capacity / 8);

    /// <summary>Offset of the back-pointers.</summary>
    public static int BackPointersOffset(int capacity) => Align(SlotDirectoryOffset(capacity) + 4 * capacity);

    /// <summary>Offset of the first byte that zone maps, null bitmaps, sketches and data may use.</summary>
    public static int FirstFreeOffset(int capacity) => Align(BackPointersOffset(capacity) + 4 * capacity);

    private static int Align(int offset) => (offset + PartAlignment - 1) & -PartAlignment;
}
