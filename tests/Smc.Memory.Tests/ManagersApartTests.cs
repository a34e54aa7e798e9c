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

    [Fact]
    public void A_manager_that_nobody_works_with_any_more_is_freed_by_those_who_work_with_another()
    {
        using MemoryManager left = new(), busy = new();
        TestTable gone = Filled(left);
        using (ParkedReader reader = new()) gone.Dispose();
        Assert.True(left.MappedBytes > 0);
        using TestTable table = new(manager: busy);
        ulong row = table.Add(1, "a text that needs a chunk");
        // Nobody calls TryAdvance: the garbage of one manager moves the epoch on for both.
        Assert.True(SpinWait.SpinUntil(
            () =>
            {
                for (int i = 0; i < 10_000; i++) table.SetText(row, "another text that needs a chunk");
                return left.MappedBytes == 0;
            },
            TimeSpan.FromSeconds(60)));
    }

    [Fact]
    public void What_waits_keeps_its_manager_alive_and_what_is_freed_does_not()
    {
        (WeakReference waiting, ParkedReader reader) = DisposeWithReader();
        using (reader)
        {
            GC.Collect();
            Assert.True(waiting.IsAlive);
        }
        // Freed, and after some epochs forgotten.
        Assert.True(SpinWait.SpinUntil(
            () =>
            {
                Epoch.TryAdvance();
                GC.Collect();
                return !waiting.IsAlive;
            },
            TimeSpan.FromSeconds(60)));
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static (WeakReference Manager, ParkedReader Reader) DisposeWithReader()
    {
        MemoryManager manager = new();
        TestTable table = Filled(manager);
        ParkedReader reader = new();
        table.Dispose();
        return (new WeakReference(manager), reader);
    }

    private static TestTable Filled(MemoryManager manager)
    {
        TestTable table = new(manager: manager);
        for (int i = 0; i < 20; i++) table.Add(i, "a text that needs a chunk");
        return table;
    }
}
