using Smc.Memory.Epochs;

namespace Smc.Memory.Tests;

public sealed class EpochTests
{
    [Fact]
    public void The_epoch_advances_when_nobody_is_inside()
    {
        long before = Epoch.Current;
        Assert.True(Epoch.TryAdvance());
        Assert.Equal(before + 1, Epoch.Current);
    }

    [Fact]
    public void A_reader_inside_lets_the_epoch_move_once_and_no_more()
    {
        using ParkedReader reader = new();
        Assert.True(Epoch.TryAdvance());
        Assert.False(Epoch.TryAdvance());
        reader.Release();
        Assert.True(Epoch.TryAdvance());
    }

    [Fact]
    public void Sections_nest_and_the_inner_one_ends_nothing()
    {
        using (CriticalSection.Enter())
        {
            using (CriticalSection.Enter()) Assert.True(Epoch.IsInsideSection);
            Assert.True(Epoch.IsInsideSection);
        }
        Assert.False(Epoch.IsInsideSection);
    }

    [Fact]
    public void A_renewed_section_lets_the_epoch_move_on()
    {
        using CriticalSection section = CriticalSection.Enter();
        Assert.True(Epoch.TryAdvance());
        Assert.False(Epoch.TryAdvance());
        Assert.True(section.Renew());
        Assert.True(Epoch.TryAdvance());
    }

    [Fact]
    public void A_nested_section_cannot_be_renewed()
    {
        using CriticalSection outer = CriticalSection.Enter();
        using CriticalSection inner = CriticalSection.Enter();
        Assert.False(inner.Renew());
        Assert.True(Epoch.IsInsideSection);
    }

    [Fact]
    public void The_oldest_reader_is_named()
    {
        Assert.Null(Epoch.OldestReader);
        using ParkedReader reader = new();
        Epoch.TryAdvance();
        Epoch.TryAdvance();
        StalledReader oldest = Assert.NotNull(Epoch.OldestReader);
        Assert.Equal(reader.ManagedThreadId, oldest.ManagedThreadId);
        Assert.Equal("parked reader", oldest.ThreadName);
        Assert.Equal(1, oldest.EpochsBehind);
        Assert.True(oldest.AtLeast > TimeSpan.Zero);
    }

    [Fact]
    public void A_thread_that_dies_inside_a_section_does_not_hold_the_epoch_back()
    {
        long leaked = Epoch.LeakedSections;
        Thread thread = new(static () => _ = CriticalSection.Enter());
        thread.Start();
        thread.Join();
        for (int i = 0; i < 3; i++) Assert.True(Epoch.TryAdvance());
        Assert.Equal(leaked + 1, Epoch.LeakedSections);
    }

    [Fact]
    public void The_slot_of_a_dead_thread_is_used_again()
    {
        // Slots that no thread has had yet may come first: those of the last chunk, and of one more if all are owned.
        const int TwoChunks = 128;
        int before = ThreadSlots.Used;
        Assert.InRange(SlotsAfter(threads: 10 * TwoChunks), before, before + TwoChunks);
    }

    [Fact]
    public void More_threads_than_a_chunk_has_slots_are_inside_at_once()
    {
        List<ParkedReader> readers = [];
        for (int i = 0; i < 150; i++) readers.Add(new ParkedReader());
        Assert.True(Epoch.TryAdvance());
        Assert.False(Epoch.TryAdvance());
        foreach (ParkedReader reader in readers) reader.Release();
        Assert.True(Epoch.TryAdvance());
    }

    [Fact]
    public void A_thread_can_give_its_slot_back_early()
    {
        using (CriticalSection.Enter()) Assert.False(Epoch.DetachThread());
        Assert.True(Epoch.DetachThread());
        Assert.True(Epoch.DetachThread());
        using (CriticalSection.Enter()) Assert.True(Epoch.IsInsideSection);
    }

    [Fact]
    public void Entering_and_leaving_allocates_nothing()
    {
        using (CriticalSection.Enter()) { }
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++)
        {
            using CriticalSection section = CriticalSection.Enter();
        }
        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
    }

    private static int SlotsAfter(int threads)
    {
        for (int i = 0; i < threads; i++)
        {
            Thread thread = new(static () =>
            {
                using CriticalSection section = CriticalSection.Enter();
            });
            thread.Start();
            thread.Join();
        }
        return ThreadSlots.Used;
    }
}
