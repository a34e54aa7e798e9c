using Smc.Memory.Compaction;

namespace Smc.Memory.Tests;

/// <summary>A compaction in the background for which there is no memory: it is tried again, and neither the program nor its thread ends.</summary>
public sealed class BackgroundCompactionTests
{
    private const int SlotsPerBlock = 4;
    private const int Blocks = 16;

    private Exception? _failure;

    [Fact]
    public void After_a_request_that_found_no_memory_for_a_thread_the_next_one_starts_it()
    {
        using MemoryManager manager = new();
        using MemoryContext context = Sparse(manager);
        int starts = 0;
        BackgroundCompaction compaction = new(run =>
        {
            if (starts++ == 0) RunOutOfMemory();
            Start(run);
        });
        compaction.Request(context);
        Assert.Equal(Blocks, context.Store.List.Count);
        compaction.Request(context);
        AssertCompacted(context);
        Assert.Equal(2, starts);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void A_compaction_that_runs_out_of_memory_on_the_managed_heap_is_tried_again(int failing)
    {
        using MemoryManager manager = new();
        using (MemoryContext context = Sparse(manager))
        {
            int requests = 0;
            manager.Budget.Fault = _ =>
            {
                if (requests++ == failing) RunOutOfMemory();
                return false;
            };
            new BackgroundCompaction(Start).Request(context);
            AssertCompacted(context);
            Assert.True(requests > failing, $"{requests} requests for memory");
            manager.Budget.Fault = null;
        }
        TestTable.PassGrace();
        Assert.Equal(0, manager.MappedBytes);
    }

    /// <summary>Blocks with one row each, which ask for no compaction themselves.</summary>
    private static MemoryContext Sparse(MemoryManager manager)
    {
        MemoryContext context = new(manager, TestTable.Columnar, "sparse", new MemoryContextOptions
        {
            BlockCapacity = SlotsPerBlock,
            CompactionOccupancy = 0.5,
            BackgroundCompactionBytes = long.MaxValue / BlockLayout.BlockAlignment,
        });
        ulong[] rows = new ulong[Blocks * SlotsPerBlock];
        for (int i = 0; i < rows.Length; i++)
        {
            using CriticalSection section = CriticalSection.Enter();
            rows[i] = context.Publisher.Publish(context.Allocator.Allocate());
        }
        foreach (ulong row in rows.Where(static (_, i) => i % SlotsPerBlock != 0)) context.Removal.TryRemove(row);
        return context;
    }

    private void AssertCompacted(MemoryContext context)
    {
        bool isCompacted = SpinWait.SpinUntil(
            () => (context.Store.List.Count <= Blocks / SlotsPerBlock + 1 && !context.CompactionGate.IsCompacting) || Volatile.Read(ref _failure) is not null, TimeSpan.FromSeconds(60));
        Assert.Null(_failure);
        Assert.True(isCompacted, $"{context.Store.List.Count} blocks");
    }

    private void Start(ThreadStart run)
    {
        Thread thread = new(() =>
        {
            try
            {
                run();
            }
            catch (Exception failure)
            {
                Volatile.Write(ref _failure, failure);
            }
        }) { IsBackground = true };
        thread.Start();
    }

    // More elements than an array can have: nothing is allocated.
    private static void RunOutOfMemory() => GC.KeepAlive(new long[int.MaxValue]);
}
