using System.Diagnostics.Tracing;
using Smc.Memory.Diagnostics;

namespace Smc.Memory.Tests;

public sealed class EventTests
{
    [Fact]
    public void Blocks_that_come_and_go_are_told()
    {
        using HeardEvents heard = new(MemoryEventSource.Keywords.Blocks);
        using (TestTable table = new(slotsPerBlock: 4))
        {
            for (int i = 0; i < 9; i++) table.Add(i);
            Assert.Equal([1, 2, 3], heard.Of("BlockAdded").Select(static told => (int)told[2]!));
        }
        TestTable.PassGrace();
        // Blocks of tests before may be freed only now, too.
        Assert.Single(heard.Of("BlocksFreed"), static freed => freed is ["test", 3, ..]);
    }

    [Fact]
    public void The_epoch_is_told_when_it_moves_and_when_it_cannot()
    {
        using HeardEvents heard = new(MemoryEventSource.Keywords.Epochs);
        using ParkedReader reader = new();
        long epoch = Epoch.Current;
        Epoch.TryAdvance();
        Epoch.TryAdvance();
        Assert.Equal(epoch + 1, Assert.Single(heard.Of("EpochAdvanced"))[0]);
        Assert.Equal([epoch + 1, reader.ManagedThreadId], Assert.Single(heard.Of("AdvanceBlocked")));
    }

    [Fact]
    public void Compactions_are_told_step_by_step()
    {
        using HeardEvents heard = new(MemoryEventSource.Keywords.Compaction);
        using TestTable table = new();
        CompactionTelemetry.Started(table.Context, blocks: 2, groups: 1);
        CompactionTelemetry.Moved(table.Context, 42);
        CompactionTelemetry.Ended(table.Context, 42, 2, 65536, TimeSpan.FromMilliseconds(1.5), isComplete: true);
        Assert.Equal(["test", 2, 1], Assert.Single(heard.Of("CompactionStarted")));
        Assert.Equal(["test", 42L], Assert.Single(heard.Of("CompactionMoved")));
        Assert.Equal(["test", 42L, 2, 65536L, 1.5, true], Assert.Single(heard.Of("CompactionEnded")));
    }

    [Fact]
    public void A_listener_that_uses_the_collection_does_not_block()
    {
        using TestTable table = new(slotsPerBlock: 4);
        int added = 0;
        using HeardEvents heard = new(MemoryEventSource.Keywords.Blocks, name =>
        {
            if (name == "BlockAdded" && added++ < 3) table.Add(100);
        });
        for (int i = 0; i < 9; i++) table.Add(i);
        Assert.Equal(12, table.Context.Count);
    }
}
