namespace Smc.Memory;

/// <summary>What must hold of a layout, checked part by part so that a mistake of the generator shows before it corrupts memory.</summary>
internal static class BlockLayoutChecks
{
    private readonly record struct Part(string Name, long Start, long End);

    public static void Check(BlockLayout layout)
    {
        Require(layout, layout.Capacity is > 0 and <= BlockLayout.MaxCapacity && layout.Capacity % 64 == 0,
            $"capacity {layout.Capacity} is not a multiple of 64 up to {BlockLayout.MaxCapacity}");
        Require(layout, layout.BlockBytes > 0 && layout.BlockBytes % BlockLayout.BlockAlignment == 0,
            $"block size {layout.BlockBytes} is not a multiple of {BlockLayout.BlockAlignment}");
        List<Part> parts = [new("header", 0, BlockLayout.FirstFreeOffset(layout.Capacity))];
        foreach (ColumnLayout column in layout.Columns)
        {
            CheckColumn(layout, column);
            AddBitmaps(layout, column, parts);
            if (layout.Kind == BlockLayoutKind.Columnar)
                parts.Add(new(column.Name, column.Offset, column.Offset + (long)layout.Capacity * column.Stride));
        }
        if (layout.Kind == BlockLayoutKind.Row && layout.Columns.Length > 0) AddRows(layout, parts);
        CheckOverlap(layout, parts);
    }

    private static void CheckColumn(BlockLayout layout, ColumnLayout column)
    {
        Require(layout, column.Width > 0 && column.Stride >= column.Width, $"column {column.Name} is {column.Width} wide, {column.Stride} apart");
        bool isWord = column.Storage != ColumnStorage.Plain;
        Require(layout, !isWord || column.Width == 8, $"column {column.Name} holds words of 8 bytes but is {column.Width} wide");
        if (column.Width is 2 or 4 or 8 or 16)
            Require(layout, column.Offset % column.Width == 0 && column.Stride % column.Width == 0, $"column {column.Name} is not aligned");
        if (layout.Kind != BlockLayoutKind.Columnar) return;
        Require(layout, column.Offset % 64 == 0, $"column {column.Name} does not begin at a multiple of 64");
        Require(layout, column.Stride == column.Width, $"column {column.Name} has gaps");
    }

    private static void AddBitmaps(BlockLayout layout, ColumnLayout column, List<Part> parts)
    {
        if (column.NullBitmapOffset >= 0)
        {
            Require(layout, column.NullBitmapOffset % 8 == 0, $"null bitmap of {column.Name} is not aligned");
            parts.Add(new(column.Name + " (nulls)", column.NullBitmapOffset, column.NullBitmapOffset + layout.Capacity / 8));
        }
        if (column.SketchOffset >= 0)
        {
            Require(layout, column.ZoneMapOffset >= 0, $"column {column.Name} has a sketch without a zone map");
            Require(layout, column.SketchOffset % 64 == 0, $"the sketch of {column.Name} does not begin at a multiple of 64");
            parts.Add(new(column.Name + " (sketch)", column.SketchOffset, column.SketchOffset + (2L * layout.Capacity)));
        }
        if (column.ZoneMapOffset < 0) return;
        Require(layout, column.ZoneMapOffset % 8 == 0, $"zone map of {column.Name} is not aligned");
        parts.Add(new(column.Name + " (zone map)", column.ZoneMapOffset, column.ZoneMapOffset + BlockLayout.ZoneMapBytes));
    }

    private static void AddRows(BlockLayout layout, List<Part> parts)
    {
        List<Part> fields = [];
        foreach (ColumnLayout column in layout.Columns)
        {
            Require(layout, column.Stride == layout.RowStride, $"column {column.Name} does not have the row's stride");
            fields.Add(new(column.Name, column.Offset, column.Offset + (long)column.Width));
        }
        CheckOverlap(layout, fields, layout.BlockBytes);
        long start = fields.Min(static field => field.Start);
        long end = fields.Max(static field => field.End);
        Require(layout, end - start <= layout.RowStride, $"fields span {end - start} bytes, the row has {layout.RowStride}");
        parts.Add(new("rows", start, end + (layout.Capacity - 1L) * layout.RowStride));
    }

    private static void CheckOverlap(BlockLayout layout, List<Part> parts, long? limit = null)
    {
        parts.Sort(static (a, b) => a.Start.CompareTo(b.Start));
        for (int i = 1; i < parts.Count; i++)
            Require(layout, parts[i].Start >= parts[i - 1].End, $"{parts[i].Name} lies on {parts[i - 1].Name}");
        long end = parts.Max(static part => part.End);
        Require(layout, end <= (limit ?? layout.BlockBytes), $"the parts take {end} bytes, the block has {layout.BlockBytes}");
    }

    private static void Require(BlockLayout layout, bool condition, string problem)
    {
        if (!condition) throw new ArgumentException($"The block layout of {layout.RowTypeName} is wrong: {problem}.", nameof(layout));
    }
}
