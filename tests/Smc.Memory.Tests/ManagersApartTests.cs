using Smc.Memory.Diagnostics;

namespace Smc.Memory.Tests;

/// <summary>What one manager frees is no matter of another.</summary>
public sealed class ManagersApartTests
{
    [Fact]
    public void A_long_drain_of_one_manager_does_not_hold_up_another()
    {
        using MemoryManager slow = new(), other = new();
        TestTable held = Filled(slow), free = Filled(other);
        using ManualResetEventSlim isFreeing = new(), mayGoOn = new();
        int stops = 1;
        // A listener runs on the thread that frees, between two blocks.
        using HeardEvents heard = new(MemoryEventSource.Keywords.Blocks, name =>
        {
            if (name != "BlocksFreed" || Interlocked.Exchange(ref stops, 0) == 0) return;
            isFreeing.Set();
            mayGoOn.Wait(TimeSpan.FromSeconds(60));
        });
        Thread freeing = new(held.Dispose);
        freeing.Start();
        Assert.True(isFreeing.Wait(TimeSpan.FromSeconds(60)));
        free.Dispose();
        TestTable.PassGrace();
        long left = other.MappedBytes;
        mayGoOn.Set();
        freeing.Join();
        Assert.Equal(0, left);
    }

    private static TestTable Filled(MemoryManager manager)
    {
        TestTable table = new(manager: manager);
        for (int i = 0; i < 20; i++) table.Add(i, "a text that needs a chunk");
        return table;
    }
}
