using Smc.Memory.Epochs;
using Smc.Memory.Reclamation;

namespace Smc.Memory.Tests;

/// <summary>The token goes round: who passes it, who is passed over, and when the epoch moves on.</summary>
public sealed class TokenRingTests
{
    private readonly TokenRing _ring = new();

    [Fact]
    public void Nobody_holds_the_token_before_the_first_round()
    {
        Assert.Equal(-1, _ring.Holder);
        Assert.False(Pass());
        Assert.False(_ring.TryTakeOver());
    }

    [Fact]
    public void A_round_begins_with_the_first_thread()
    {
        Assert.False(_ring.BeginOrFindStuck());
        Assert.Equal(0, _ring.Holder);
    }

    [Fact]
    public void A_token_that_has_not_moved_is_stuck_and_one_that_was_just_passed_is_not()
    {
        _ring.BeginOrFindStuck();
        Assert.True(_ring.BeginOrFindStuck());
        PassOn();
        Assert.False(_ring.BeginOrFindStuck());
        Assert.True(_ring.BeginOrFindStuck());
    }

    [Fact]
    public void Threads_that_do_nothing_are_passed_over_and_the_epoch_moves_on()
    {
        using Threads idle = new(3);
        long epoch = Epoch.Current;
        _ring.BeginOrFindStuck();
        Assert.True(_ring.TryTakeOver());
        Assert.Equal((epoch + 1, -1), (Epoch.Current, _ring.Holder));
    }

    [Fact]
    public void A_thread_passes_the_token_that_it_holds()
    {
        long epoch = Epoch.Current;
        _ring.BeginOrFindStuck();
        PassTo(Own);
        bool hasMoved = Pass();
        Assert.NotEqual(Own, _ring.Holder);
        Assert.Equal(hasMoved, Epoch.Current == epoch + 1);
    }

    [Fact]
    public void A_thread_inside_a_section_keeps_the_token()
    {
        _ring.BeginOrFindStuck();
        PassTo(Own);
        using CriticalSection section = CriticalSection.Enter();
        Assert.False(Pass());
        Assert.Equal(Own, _ring.Holder);
    }

    [Fact]
    public void The_token_is_not_taken_from_a_reader_of_an_older_epoch()
    {
        using ParkedReader reader = new();
        // Its epoch passes once; the next one it holds up.
        Assert.True(Epoch.TryMove());
        _ring.BeginOrFindStuck();
        Assert.False(_ring.TryTakeOver());
        Assert.NotEqual(-1, _ring.Holder);
        reader.Release();
        Assert.True(_ring.TryTakeOver());
    }

    [Fact]
    public void A_thread_that_died_inside_a_section_is_passed_over()
    {
        Thread dying = new(static () => _ = CriticalSection.Enter());
        dying.Start();
        dying.Join();
        Assert.True(SpinWait.SpinUntil(() => !dying.IsAlive, TimeSpan.FromSeconds(20)));
        Assert.True(Epoch.TryMove());
        _ring.BeginOrFindStuck();
        Assert.True(_ring.TryTakeOver());
    }

    [Fact]
    public void Places_of_threads_that_left_are_skipped_by_those_who_pass()
    {
        using (Threads gone = new(3, detach: true))
        {
        }
        _ring.BeginOrFindStuck();
        PassTo(Own);
        Pass();
        Assert.True(_ring.Holder == -1 || ThreadSlots.OwnerOf(_ring.Holder) is not null);
    }

    [Fact]
    public void A_round_ends_when_somebody_else_moves_the_epoch()
    {
        _ring.BeginOrFindStuck();
        PassTo(Own);
        Assert.True(Epoch.TryMove());
        Assert.False(_ring.BeginOrFindStuck());
        Assert.Equal(0, _ring.Holder);
    }

    [Fact]
    public void A_manager_frees_without_anybody_who_looks_at_all_threads()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Reclamation = ReclamationMethod.TokenRing });
        using TestTable table = new(manager: manager, interns: false);
        using Threads idle = new(2);
        ulong row = table.Add(1, "a text that needs a chunk");
        long most = 0, epoch = Epoch.Current;
        for (int i = 0; i < 50_000; i++)
        {
            table.SetText(row, "another text that needs a chunk");
            most = Math.Max(most, table.Context.GarbageBytes);
        }
        Assert.True(Epoch.Current > epoch + 10, $"{Epoch.Current - epoch} epochs");
        Assert.InRange(most, 1, 50_000 * 8);
    }

    private static unsafe int Own => ThreadSlots.Current->Index;

    // As all threads before the holder do, one by one.
    private unsafe void PassTo(int index)
    {
        while (_ring.Holder != index) PassOn();
    }

    private unsafe void PassOn() => _ring.TryPass(ThreadSlots.At(_ring.Holder));

    private unsafe bool Pass() => _ring.TryPass(ThreadSlots.Current);

    /// <summary>Threads that have been in a section once, and do nothing.</summary>
    private sealed class Threads : IDisposable
    {
        private readonly ManualResetEventSlim _end = new();
        private readonly List<Thread> _threads = [];

        public Threads(int count, bool detach = false)
        {
            using CountdownEvent begun = new(count);
            for (int i = 0; i < count; i++)
            {
                Thread thread = new(() =>
                {
                    CriticalSection.Enter().Dispose();
                    begun.Signal();
                    _end.Wait();
                    if (detach) Epoch.DetachThread();
                });
                thread.Start();
                _threads.Add(thread);
            }
            begun.Wait();
        }

        public void Dispose()
        {
            _end.Set();
            foreach (Thread thread in _threads) thread.Join();
        }
    }
}
