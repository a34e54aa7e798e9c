namespace Smc.Memory.Tests;

public sealed class OutOfMemoryTests
{
    /// <summary>Refuses one mapping after the other and checks that the failed operation changed nothing and that the next one works.</summary>
    [Theory]
    [InlineData(BlockLayoutKind.Columnar)]
    [InlineData(BlockLayoutKind.Row)]
    public void A_refused_mapping_leaves_the_collection_as_it_was(BlockLayoutKind layout)
    {
        bool wasRefused = true;
        int injected = 0;
        for (int refuse = 0; wasRefused; refuse++)
        {
            wasRefused = FillWithOneRefusal(layout, refuse);
            injected += wasRefused ? 1 : 0;
        }
        Assert.True(injected > 5, $"{injected} mappings");
    }

    [Fact]
    public void A_collection_at_the_limit_works_again_after_rows_were_removed()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Limit = 5 * 64 * 1024 });
        using TestTable table = new(manager: manager, slotsPerBlock: 8);
        List<ulong> rows = [];
        for (int round = 0; round < 20; round++)
        {
            Assert.Throws<OffHeapMemoryException>(() =>
            {
                for (int i = 0; i < 1_000_000; i++) rows.Add(table.Add(i));
            });
            Assert.Equal(rows.Count, table.Context.Count);
            table.Check();
            foreach (ulong handle in rows) Assert.True(table.Context.Removal.TryRemove(handle));
            rows.Clear();
            TestTable.PassGrace();
        }
    }

    [Fact]
    public void The_message_names_the_limit()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Limit = 1000 });
        using TestTable table = new(manager: manager);
        OffHeapMemoryException problem = Assert.Throws<OffHeapMemoryException>(() => table.Add(1));
        Assert.Contains("limit of 1,000 bytes", problem.Message, StringComparison.Ordinal);
        Assert.IsType<OutOfMemoryException>(problem, exactMatch: false);
    }

    [Fact]
    public void A_negative_limit_is_refused() =>
        Assert.Throws<ArgumentOutOfRangeException>(static () => new MemoryManager(new MemoryManagerOptions { Limit = -1 }));

    private static bool FillWithOneRefusal(BlockLayoutKind layout, int refuse)
    {
        using MemoryManager manager = new();
        using TestTable table = new(layout == BlockLayoutKind.Row ? TestTable.Rows : TestTable.Columnar, manager: manager);
        int charges = 0;
        bool refused = false;
        manager.Budget.Fault = _ => charges++ == refuse;
        List<(ulong Handle, int Key)> rows = [];
        for (int key = 0; key < 40; key++)
        {
            MemoryUsage before = table.Context.Usage;
            try
            {
                rows.Add((Add(table, key), key));
            }
            catch (OffHeapMemoryException)
            {
                refused = true;
                // Blocks that were mapped before the string was refused stay; the rows and strings do not.
                MemoryUsage after = table.Context.Usage;
                Assert.Equal((before.Live, before.Limbo, before.Strings), (after.Live, after.Limbo, after.Strings));
                Assert.Equal(rows.Count, table.Context.Count);
                rows.Add((Add(table, key), key));
            }
            table.Check();
        }
        foreach ((ulong handle, int key) in rows)
        {
            Assert.True(table.TryRead(handle, out long found, out _));
            Assert.Equal(key, found);
        }
        return refused;
    }

    // Every tenth row has a string with a mapping of its own.
    private static ulong Add(TestTable table, int key) => table.Add(key, new string('x', key % 10 == 0 ? 70_000 : 40));
}
