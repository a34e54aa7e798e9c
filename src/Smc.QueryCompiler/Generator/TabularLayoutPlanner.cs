using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Decides where the columns of a tabular type lie in a block, at compile time, so that accessors and kernels read at constant offsets.
/// The fixed parts mirror <c>Smc.Memory.BlockLayout</c>; a test compares both.
/// </summary>
/// <remarks>
/// <code>
/// block   header 128 | validity bitmap | slot directory u32 | back-pointers u32 | zone maps 40 each | null bitmaps | sketches | columns or rows
/// </code>
/// </remarks>
internal static class TabularLayoutPlanner
{
    /// <summary>Bytes of the fixed header of a block; the validity bitmap follows.</summary>
    public const int HeaderBytes = 128;

    /// <summary>The widest row that is accepted. Wider rows belong into strings or binary columns, which lie outside the block.</summary>
    public const int MaxRowBytes = 16 * 1024;

    private const int TargetBlockBytes = 2 * 1024 * 1024;
    private const int BlockGranularity = 64 * 1024;
    private const int MinCapacity = 1024;
    private const int MaxCapacity = 16 * 1024;
    private const int CacheLine = 64;
    private const int PageBytes = 4096;
    private const int ZoneMapBytes = 40;

    /// <summary>Bytes of a row: the values, without bitmaps and directories.</summary>
    public static int RowBytes(IEnumerable<TabularColumn> columns) => columns.Sum(c => c.Width);

    /// <summary>Lays out the columns.</summary>
    public static TabularShape Plan(string fullName, string name, LayoutKind layout, IReadOnlyList<TabularColumn> columns)
    {
        int capacity = LargestCapacity(layout, columns);
        Placement placement = Place(layout, columns, capacity);
        EquatableArray<ColumnShape> shapes = columns.Select((c, i) => placement.Shape(i, c)).ToEquatableArray();
        ulong hash = Hash(name, layout, capacity, placement, shapes);
        return new TabularShape(fullName, name, layout, capacity, placement.BlockBytes, placement.RowStride, shapes, hash);
    }

    public static int SlotDirectoryOffset(int capacity) => Align(HeaderBytes + (capacity / 8), CacheLine);

    public static int BackPointersOffset(int capacity) => Align(SlotDirectoryOffset(capacity) + (4 * capacity), CacheLine);

    public static int FirstFreeOffset(int capacity) => Align(BackPointersOffset(capacity) + (4 * capacity), CacheLine);

    private static int LargestCapacity(LayoutKind layout, IReadOnlyList<TabularColumn> columns)
    {
        long bitsPerRow = (8L * RowBytes(columns)) + 64 + 1 + columns.Count(c => c.HasNullBitmap) + (16 * columns.Count(c => c.HasSketch));
        int capacity = (int)Math.Min(MaxCapacity, TargetBlockBytes * 8L / bitsPerRow) / 64 * 64;
        while (capacity > MinCapacity && Place(layout, columns, capacity).BlockBytes > TargetBlockBytes)
            capacity -= 64;
        return Math.Max(capacity, MinCapacity);
    }

    private static Placement Place(LayoutKind layout, IReadOnlyList<TabularColumn> columns, int capacity)
    {
        Placement placement = new(columns.Count);
        int end = FirstFreeOffset(capacity);
        for (int i = 0; i < columns.Count; i++)
            placement.ZoneMaps[i] = columns[i].HasZoneMap ? Take(ref end, ZoneMapBytes) : -1;
        for (int i = 0; i < columns.Count; i++)
            placement.NullBitmaps[i] = columns[i].HasNullBitmap ? Take(ref end, capacity / 8) : -1;
        for (int i = 0; i < columns.Count; i++)
            placement.Sketches[i] = columns[i].HasSketch ? TakeLines(ref end, 2 * capacity) : -1;

        end = layout == LayoutKind.Columnar
            ? PlaceColumns(columns, capacity, end, placement)
            : PlaceRows(columns, capacity, end, placement);
        placement.BlockBytes = Align(end, BlockGranularity);
        return placement;
    }

    private static int PlaceColumns(IReadOnlyList<TabularColumn> columns, int capacity, int end, Placement placement)
    {
        for (int i = 0; i < columns.Count; i++)
        {
            int bytes = columns[i].Width * capacity;
            placement.Offsets[i] = Align(end, CacheLine);
            placement.Strides[i] = columns[i].Width;
            // Columns a multiple of the page apart would compete for one set of the first-level cache: every such column starts two lines later.
            end = placement.Offsets[i] + bytes + (bytes % PageBytes == 0 ? 2 * CacheLine : 0);
        }

        return end;
    }

    private static int PlaceRows(IReadOnlyList<TabularColumn> columns, int capacity, int end, Placement placement)
    {
        int first = Align(end, CacheLine);
        int rowBytes = 0, alignment = 8;
        // Widest alignment first, so that no value needs padding before it.
        foreach (int i in Enumerable.Range(0, columns.Count).OrderByDescending(i => columns[i].Alignment))
        {
            rowBytes = Align(rowBytes, columns[i].Alignment);
            placement.Offsets[i] = first + rowBytes;
            rowBytes += columns[i].Width;
            alignment = Math.Max(alignment, columns[i].Alignment);
        }

        placement.RowStride = Align(rowBytes, alignment);
        for (int i = 0; i < columns.Count; i++)
            placement.Strides[i] = placement.RowStride;
        return first + (placement.RowStride * capacity);
    }

    private static int Take(ref int end, int bytes)
    {
        int start = Align(end, 8);
        end = start + bytes;
        return start;
    }

    private static int TakeLines(ref int end, int bytes)
    {
        end = Align(end, CacheLine);
        return Take(ref end, bytes);
    }

    private static int Align(int value, int alignment) => (value + alignment - 1) / alignment * alignment;

    private static ulong Hash(string name, LayoutKind layout, int capacity, Placement placement, EquatableArray<ColumnShape> columns)
    {
        Fnv1a hash = new();
        hash.Add(name);
        hash.Add((int)layout);
        hash.Add(capacity);
        hash.Add(placement.BlockBytes);
        hash.Add(placement.RowStride);
        foreach (ColumnShape c in columns)
        {
            hash.Add(c.Name);
            hash.Add(c.Type.Text);
            hash.Add((int)c.Storage);
            hash.Add(c.Width);
            hash.Add(c.Offset);
            hash.Add(c.Stride);
            hash.Add(c.Precision);
            hash.Add(c.Scale);
            hash.Add(c.NullBitmapOffset);
            hash.Add(c.ZoneMapOffset);
            hash.Add(c.SketchOffset);
        }

        return hash.Value;
    }

    private sealed class Placement(int columns)
    {
        public int[] Offsets { get; } = new int[columns];

        public int[] Strides { get; } = new int[columns];

        public int[] ZoneMaps { get; } = new int[columns];

        public int[] NullBitmaps { get; } = new int[columns];

        public int[] Sketches { get; } = new int[columns];

        public int RowStride { get; set; }

        public int BlockBytes { get; set; }

        public ColumnShape Shape(int i, TabularColumn c) => new(
            c.Name, c.Type, c.Storage, c.Width, Offsets[i], Strides[i], c.Precision, c.Scale, c.Rounding is not null, NullBitmaps[i], ZoneMaps[i], Sketches[i], c.DefaultText);
    }

    /// <summary>The 64-bit FNV-1a hash: stable over processes and versions, which <see cref="object.GetHashCode"/> is not.</summary>
    private sealed class Fnv1a
    {
        public ulong Value { get; private set; } = 14695981039346656037;

        public void Add(int value)
        {
            for (int shift = 0; shift < 32; shift += 8)
                Value = unchecked((Value ^ (byte)(value >> shift)) * 1099511628211);
        }

        public void Add(string text)
        {
            Add(text.Length);
            foreach (char c in text)
                Add(c);
        }
    }
}
