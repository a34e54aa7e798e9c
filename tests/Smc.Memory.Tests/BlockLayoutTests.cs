namespace Smc.Memory.Tests;

public sealed class BlockLayoutTests
{
    private const int Capacity = 1024;

    private static int Data => BlockLayout.FirstFreeOffset(Capacity);

    [Theory]
    [InlineData(64, 192, 448, 704)]
    [InlineData(1024, 256, 4352, 8448)]
    [InlineData(16384, 2176, 67712, 133248)]
    public void The_fixed_parts_follow_from_the_capacity(int capacity, int directory, int backPointers, int firstFree)
    {
        Assert.Equal(directory, BlockLayout.SlotDirectoryOffset(capacity));
        Assert.Equal(backPointers, BlockLayout.BackPointersOffset(capacity));
        Assert.Equal(firstFree, BlockLayout.FirstFreeOffset(capacity));
    }

    [Fact]
    public void A_row_counts_its_data()
    {
        Assert.Equal(24, TestTable.Columnar.BytesPerRow);
        Assert.Equal(24, TestTable.Rows.BytesPerRow);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(131072)]
    public void A_wrong_capacity_is_refused(int capacity) => AssertRefused(() => Columnar(capacity: capacity), "capacity");

    [Fact]
    public void A_wrong_block_size_is_refused() => AssertRefused(static () => Columnar(blockBytes: 100_000), "block size");

    [Fact]
    public void Columns_that_overlap_are_refused() => AssertRefused(static () => Columnar(Column("A", Data), Column("B", Data + 64)), "B lies on A");

    [Fact]
    public void A_column_on_the_header_is_refused() => AssertRefused(static () => Columnar(Column("A", 64)), "lies on");

    [Fact]
    public void A_column_beyond_the_block_is_refused() => AssertRefused(static () => Columnar(Column("A", 131072 - 64)), "the block has");

    [Fact]
    public void A_column_that_is_not_aligned_is_refused() => AssertRefused(static () => Columnar(Column("A", Data + 8)), "multiple of 64");

    [Fact]
    public void A_narrow_string_column_is_refused() => AssertRefused(
        static () => Columnar(new ColumnLayout("A", Data, 4, 4, ColumnStorage.String)), "words of 8 bytes");

    [Fact]
    public void A_zone_map_on_a_column_is_refused() => AssertRefused(
        static () => Columnar(new ColumnLayout("A", Data, 8, 8, ColumnStorage.Plain, ZoneMapOffset: Data + 16)), "zone map");

    [Fact]
    public void A_null_bitmap_on_a_column_is_refused() => AssertRefused(
        static () => Columnar(new ColumnLayout("A", Data, 8, 8, ColumnStorage.Plain, NullBitmapOffset: Data)), "nulls");

    [Fact]
    public void Fields_wider_than_the_row_are_refused() => AssertRefused(
        static () => new BlockLayout("R", BlockLayoutKind.Row, Capacity, 131072, 8, 0,
            new ColumnLayout("A", Data, 8, 8, ColumnStorage.Plain), new ColumnLayout("B", Data + 8, 8, 8, ColumnStorage.Plain)),
        "span");

    [Theory]
    [InlineData(8, 32)]
    [InlineData(0, 24)]
    public void Fields_of_16_bytes_that_are_not_aligned_are_refused(int offset, int stride) => AssertRefused(
        () => new BlockLayout("R", BlockLayoutKind.Row, Capacity, 131072, stride, 0, new ColumnLayout("A", Data + offset, 16, stride, ColumnStorage.Plain)), "not aligned");

    [Fact]
    public void Bad_options_are_refused()
    {
        using MemoryManager manager = new();
        foreach (MemoryContextOptions options in (MemoryContextOptions[])
            [new() { BlockCapacity = 0 }, new() { BlockCapacity = 65 }, new() { MaxRows = 0 }, new() { LimboThreshold = 0 }, new() { LimboThreshold = 1.5 }])
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => new MemoryContext(manager, TestTable.Columnar, "bad", options));
        }
    }

    private static ColumnLayout Column(string name, int offset) => new(name, offset, 8, 8, ColumnStorage.Plain);

    private static BlockLayout Columnar(params ColumnLayout[] columns) => new("R", BlockLayoutKind.Columnar, Capacity, 131072, 0, 0, columns);

    private static BlockLayout Columnar(int capacity = Capacity, int blockBytes = 131072) => new("R", BlockLayoutKind.Columnar, capacity, blockBytes, 0, 0);

    private static void AssertRefused(Action make, string problem) =>
        Assert.Contains(problem, Assert.Throws<ArgumentException>(make).Message, StringComparison.Ordinal);
}
