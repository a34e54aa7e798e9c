using Smc.Memory.Diagnostics;

namespace Smc.Memory.Tests;

/// <summary>Entries of a collection that shrank: their memory goes back, and handles work as before.</summary>
public sealed class PackedEntryTests
{
    private const int Rows = 20_000;
    private const int Seed = 11;

    [Fact]
    public void The_entries_of_a_collection_that_shrank_give_their_memory_back()
    {
        using MemoryManager manager = new();
        using TestTable table = Shrunk(out _, out _, manager);
        long before = table.Context.Usage.Indirection;
        table.Context.Compaction.Run();
        Assert.InRange(table.Context.Usage.Indirection, 1, before - 100_000);
        table.Check();
    }

    [Fact]
    public void Handles_of_packed_entries_find_their_rows_and_those_of_removed_rows_do_not()
    {
        using TestTable table = Shrunk(out Dictionary<ulong, long> alive, out List<ulong> dead);
        table.Context.Compaction.Run();
        AssertRows(table, alive, dead);
        Assert.Equal(alive.Keys.Order(), HandlesOfScan(table).Order());
        table.Check();
    }

    [Fact]
    public void Rows_with_packed_entries_can_be_written_removed_and_moved()
    {
        using TestTable table = Shrunk(out Dictionary<ulong, long> alive, out List<ulong> dead);
        table.Context.Compaction.Run();
        foreach (ulong handle in alive.Keys.ToArray())
        {
            table.SetKey(handle, alive[handle] += 100_000);
            table.SetText(handle, "a text that needs a chunk");
        }
        foreach (ulong handle in alive.Keys.Where((_, i) => i % 3 > 0).ToArray())
        {
            Assert.True(table.TryRemove(handle));
            Assert.False(table.TryRemove(handle));
            alive.Remove(handle);
            dead.Add(handle);
        }
        TestTable.PassGrace();
        Assert.True(table.Context.Compaction.Run(new CompactionOptions { Occupancy = 0.5 }).RowsMoved > 0);
        AssertRows(table, alive, dead);
        table.Check();
    }

    [Fact]
    public void Ids_of_packed_pages_serve_later_rows_whose_handles_are_new()
    {
        using TestTable table = Shrunk(out Dictionary<ulong, long> alive, out List<ulong> dead);
        long ids = table.Context.EntryLimit;
        table.Context.Compaction.Run();
        HashSet<ulong> known = [.. alive.Keys, .. dead];
        for (int round = 0; round < 3; round++)
        {
            ulong[] added = [.. Enumerable.Range(0, Rows - alive.Count).Select(i => table.Add(i))];
            Assert.All(added, handle => Assert.True(known.Add(handle)));
            AssertRows(table, alive, dead);
            foreach (ulong handle in added) Assert.True(table.TryRemove(handle));
            dead.AddRange(added);
            TestTable.PassGrace();
            table.Context.Compaction.Run();
            table.Check();
        }
        AssertRows(table, alive, dead);
        Assert.InRange(table.Context.EntryLimit, 1, ids + Rows / 10);
    }

    [Fact]
    public void A_row_that_is_added_where_a_packed_row_was_gets_another_entry()
    {
        using TestTable table = Shrunk(out Dictionary<ulong, long> alive, out _);
        table.Context.Compaction.Run();
        List<ulong> gone = [.. alive.Keys.Take(alive.Count / 2)];
        foreach (ulong handle in gone) table.TryRemove(handle);
        TestTable.PassGrace();
        ulong[] added = [.. Enumerable.Range(0, alive.Count).Select(i => table.Add(i))];
        Assert.Empty(added.Intersect(gone));
        Assert.All(gone, handle => Assert.False(table.TryRead(handle, out long _, out _)));
        table.Check();
    }

    [Fact]
    public void Everything_goes_back_when_the_collection_is_disposed()
    {
        using MemoryManager manager = new();
        using (TestTable table = Shrunk(out _, out _, manager))
        {
            table.Context.Compaction.Run();
            for (int i = 0; i < Rows / 2; i++) table.Add(i);
        }
        TestTable.PassGrace();
        Assert.Equal(0, manager.MappedBytes);
    }

    [Fact]
    public void The_entries_of_blocks_that_are_empty_go_back_and_come_again()
    {
        using TestTable table = new(slotsPerBlock: 64);
        ulong[] first = [.. Enumerable.Range(0, Rows).Select(i => table.Add(i))];
        table.Context.Clearing.Clear();
        TestTable.PassGrace();
        long before = table.Context.Usage.Indirection;
        table.Context.Compaction.Run();
        Assert.InRange(table.Context.Usage.Indirection, 0, before - 150_000);
        ulong[] second = [.. Enumerable.Range(0, Rows).Select(i => table.Add(i))];
        Assert.Empty(first.Intersect(second));
        Assert.All(first, static handle => Assert.False(Handle.IsAlive(handle)));
        Assert.All(second, static handle => Assert.True(Handle.IsAlive(handle)));
        Assert.InRange(table.Context.EntryLimit, Rows, Rows * 11 / 10);
        table.Check();
    }

    [Fact]
    public void A_limit_that_leaves_nothing_for_restoring_refuses_rows_and_keeps_the_others()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Limit = 64L << 20 });
        using TestTable table = Shrunk(out Dictionary<ulong, long> alive, out List<ulong> dead, manager);
        table.Context.Compaction.Run();
        List<ulong> added = [];
        Assert.Throws<OffHeapMemoryException>(() =>
        {
            for (int i = 0; i < 10 * Rows; i++) added.Add(table.Add(i));
        });
        AssertRows(table, alive, dead);
        foreach (ulong handle in added) Assert.True(table.TryRemove(handle));
        TestTable.PassGrace();
        table.Add(2);
        table.Check();
    }

    [Fact]
    public void Entries_stay_in_their_places_if_the_collection_says_so()
    {
        using TestTable table = Shrunk(out Dictionary<ulong, long> alive, out List<ulong> dead, packs: false);
        long before = table.Context.Usage.Indirection;
        table.Context.Compaction.Run();
        Assert.Equal(before, table.Context.Usage.Indirection);
        AssertRows(table, alive, dead);
    }

    [Fact]
    public void A_collection_that_lost_few_rows_packs_nothing()
    {
        using TestTable table = new(slotsPerBlock: 64);
        ulong[] rows = [.. Enumerable.Range(0, Rows).Select(i => table.Add(i))];
        foreach (ulong handle in rows.Where((_, i) => i % 4 == 0)) table.TryRemove(handle);
        TestTable.PassGrace();
        table.Context.Compaction.Run(new CompactionOptions { Occupancy = 1 });
        Assert.Equal(0, table.Context.Entries.Packed.PagesPacked);
    }

    [Fact]
    public void A_collection_that_direct_references_lead_to_packs_nothing()
    {
        using TestTable table = Shrunk(out Dictionary<ulong, long> alive, out _);
        using TestTable referrer = new(manager: table.Manager);
        using (CriticalSection.Enter()) Assert.NotEqual(0UL, referrer.Context.DirectTargets.WordOf(alive.Keys.First()));
        table.Context.Compaction.Run();
        Assert.Equal(0, table.Context.Entries.Packed.PagesPacked);
    }

    [Fact]
    public void A_collection_that_is_disposed_while_its_entries_are_packed_gives_everything_back()
    {
        using MemoryManager manager = new();
        TestTable table = Shrunk(out Dictionary<ulong, long> alive, out _, manager);
        table.Context.Compaction.Run(new CompactionOptions { Observer = step => { if (step == ProtocolStep.EntriesPacked) table.Dispose(); } });
        Assert.All(alive.Keys, static handle => Assert.False(Handle.IsAlive(handle)));
        TestTable.PassGrace();
        Assert.Equal(0, manager.MappedBytes);
    }

    [Fact]
    public void A_compaction_that_is_cancelled_while_entries_are_packed_leaves_a_whole_collection()
    {
        using TestTable table = Shrunk(out Dictionary<ulong, long> alive, out List<ulong> dead);
        table.Context.Compaction.Run(new CompactionOptions { LeastPagesToPack = int.MaxValue });
        using CancellationTokenSource cancellation = new();
        // The reader keeps the pages from being given back, and so from being restored.
        using (new ParkedReader())
        {
            table.Context.Compaction.Run(new CompactionOptions { Observer = step => { if (step == ProtocolStep.EntriesPacked) cancellation.Cancel(); } }, cancellation.Token);
            Assert.True(table.Context.Entries.Packed.PagesPacked > 0);
            AssertRows(table, alive, dead);
            for (int i = 0; i < 1000; i++) table.Add(i);
            Assert.Equal(0, table.Context.Entries.Packed.PagesRestored);
        }
        AssertRows(table, alive, dead);
        for (int i = 0; i < Rows; i++) table.Add(i);
        table.Context.Compaction.Run();
        AssertRows(table, alive, dead);
        table.Check();
    }

    [Theory, InlineData(0), InlineData(1)]
    public void Without_memory_for_packed_entries_they_stay_where_they_are(int refused)
    {
        using TestTable table = Shrunk(out Dictionary<ulong, long> alive, out List<ulong> dead);
        // The rows move first, which takes memory, too.
        table.Context.Compaction.Run(new CompactionOptions { LeastPagesToPack = int.MaxValue });
        using (RefusingProbe probe = new(refused, lasting: true))
        {
            table.Context.Compaction.Run();
            Assert.True(probe.HasRefused);
            Assert.Equal(0, table.Context.Entries.Packed.PagesPacked);
        }
        AssertRows(table, alive, dead);
        table.Context.Compaction.Run();
        Assert.True(table.Context.Entries.Packed.PagesPacked > 0);
        AssertRows(table, alive, dead);
        table.Check();
    }

    [Fact]
    public void Random_operations_with_compactions_agree_with_a_dictionary()
    {
        using TestTable table = new(slotsPerBlock: 48);
        Random random = new(Seed);
        Dictionary<ulong, long> alive = [];
        List<ulong> dead = [];
        for (int wave = 0; wave < 12; wave++)
        {
            for (int i = random.Next(6000); i > 0; i--)
            {
                ulong handle = table.Add(wave * 10_000 + i);
                Assert.True(alive.TryAdd(handle, wave * 10_000 + i));
            }
            int left = random.Next(2, 30);
            foreach (ulong handle in alive.Keys.ToArray())
            {
                if (random.Next(left) == 0) continue;
                Assert.True(table.TryRemove(handle));
                alive.Remove(handle);
                dead.Add(handle);
            }
            TestTable.PassGrace();
            table.Context.Compaction.Run(new CompactionOptions { LeastPagesToPack = 1, Occupancy = 0.1 + 0.9 * random.NextDouble() });
            Assert.Equal(alive.Values.Order(), table.Scan().Order());
            AssertRows(table, alive, dead);
            table.Check();
        }
        Assert.True(table.Context.Entries.Packed.PagesRestored > 0);
    }

    /// <summary>A collection of which a twentieth is left, at random.</summary>
    private static TestTable Shrunk(out Dictionary<ulong, long> alive, out List<ulong> dead, MemoryManager? manager = null, bool packs = true)
    {
        TestTable table = new(slotsPerBlock: 64, manager: manager, packs: packs);
        Random random = new(Seed);
        alive = [];
        dead = [];
        for (int key = 0; key < Rows; key++) alive.Add(table.Add(key), key);
        foreach (ulong handle in alive.Keys.ToArray())
        {
            if (random.Next(20) == 0) continue;
            Assert.True(table.TryRemove(handle));
            alive.Remove(handle);
            dead.Add(handle);
        }
        TestTable.PassGrace();
        return table;
    }

    private static void AssertRows(TestTable table, Dictionary<ulong, long> alive, List<ulong> dead)
    {
        foreach ((ulong handle, long key) in alive)
        {
            Assert.True(Handle.IsAlive(handle));
            Assert.True(table.TryRead(handle, out long found, out _));
            Assert.Equal(key, found);
        }
        foreach (ulong handle in dead)
        {
            Assert.False(Handle.IsAlive(handle));
            Assert.False(table.TryRead(handle, out long _, out _));
        }
    }

    private static List<ulong> HandlesOfScan(TestTable table)
    {
        using CriticalSection section = CriticalSection.Enter();
        List<ulong> handles = [];
        BlockList blocks = table.Context.Blocks;
        for (int i = 0; i < blocks.Count; i++)
        {
            for (int slot = 0; slot < blocks[i].SlotCount; slot++)
            {
                if (TestTable.IsValid(blocks[i], slot)) handles.Add(blocks[i].HandleAt(slot));
            }
        }
        return handles;
    }
}
