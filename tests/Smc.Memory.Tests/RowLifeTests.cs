namespace Smc.Memory.Tests;

public sealed class RowLifeTests
{
    public static TheoryData<BlockLayoutKind> Layouts => [BlockLayoutKind.Columnar, BlockLayoutKind.Row];

    [Theory, MemberData(nameof(Layouts))]
    public void A_published_row_is_found_through_its_handle(BlockLayoutKind layout)
    {
        using TestTable table = Make(layout);
        ulong handle = table.Add(7, "a text that needs a chunk");
        Assert.True(table.TryRead(handle, out long key, out string? text));
        Assert.Equal((7L, "a text that needs a chunk"), (key, text));
        table.Check();
    }

    [Theory, MemberData(nameof(Layouts))]
    public void A_removed_row_is_not_found(BlockLayoutKind layout)
    {
        using TestTable table = Make(layout);
        ulong handle = table.Add(7);
        Assert.True(table.Context.TryRemove(handle));
        Assert.False(table.TryRead(handle, out _, out _));
        Assert.False(Handle.IsAlive(handle));
        Assert.False(table.Context.TryRemove(handle));
        table.Check();
    }

    [Theory, MemberData(nameof(Layouts))]
    public void A_stale_handle_does_not_find_the_next_row_in_its_place(BlockLayoutKind layout)
    {
        using TestTable table = Make(layout);
        List<ulong> first = [.. Enumerable.Range(0, 4).Select(i => table.Add(i, "the first tenant, a long text"))];
        foreach (ulong handle in first) table.Context.TryRemove(handle);
        TestTable.PassGrace();
        // The block is full, in limbo and ready: the next rows come into its slots.
        List<ulong> second = [.. Enumerable.Range(10, 4).Select(i => table.Add(i, "the second tenant, a long text"))];
        Assert.Equal(1, table.Context.Blocks.Count);
        Assert.Equal(first.Select(Handle.EntryAddress).Order(), second.Select(Handle.EntryAddress).Order());
        foreach (ulong handle in first) Assert.False(table.TryRead(handle, out _, out _));
        Assert.Equal([10L, 11, 12, 13], table.Scan().Order());
        table.Check();
    }

    private static TestTable Make(BlockLayoutKind layout) => new(layout == BlockLayoutKind.Row ? TestTable.Rows : TestTable.Columnar);
}
