using Smc.Memory;
using Smc.Memory.Diagnostics;

namespace Smc.Stress.Scheduling;

/// <summary>A small cast of actors around one or two rows: the counterpart in code of a model. Each run is one schedule.</summary>
internal abstract class Play
{
    public abstract string Name { get; }

    /// <summary>About how many steps a run takes.</summary>
    protected virtual int ExpectedSteps => 30;

    /// <summary>The interleaving that schedule 0 follows; the others are random.</summary>
    protected virtual IReadOnlyList<Cue> Script => [];

    /// <summary>Rows that a block has room for.</summary>
    protected virtual int SlotsOfBlock => 1;

    /// <summary>Plays one schedule.</summary>
    /// <exception cref="ViolationException">A promise was broken.</exception>
    public void Run(int seed)
    {
        using FreedMemory freed = new();
        // After a violation neither is disposed: a row may be locked for ever, by an actor that is no more.
        MemoryManager manager = new();
        TaggedTable table = new(manager, SlotsOfBlock);
        ControlledScheduler scheduler = new(seed, ExpectedSteps);
        Action check = Arrange(scheduler, table);
        scheduler.Run(seed == 0 ? Script : []);
        try
        {
            check();
        }
        catch (InvariantViolatedException violation)
        {
            throw new ViolationException(violation.Message);
        }
        table.Dispose();
        for (int i = 0; i <= Epoch.Grace; i++) Epoch.TryAdvance();
        // A thread of the pool may be about to give back a block that it made ready for a snapshot.
        SpinWait.SpinUntil(() => manager.MappedBytes == 0, TimeSpan.FromSeconds(5));
        ViolationException.Require(manager.MappedBytes == 0, $"{manager.MappedBytes:N0} bytes are mapped after everything was disposed");
        manager.Dispose();
    }

    /// <summary>Adds the actors.</summary>
    /// <returns>What is checked when all have ended.</returns>
    protected abstract Action Arrange(ControlledScheduler scheduler, TaggedTable table);

    /// <summary>An actor that advances the epoch.</summary>
    protected static void AddAdvancer(ControlledScheduler scheduler, int times) => scheduler.Add(() =>
    {
        for (int i = 0; i < times; i++)
        {
            Epoch.TryAdvance();
            ControlledScheduler.Step();
        }
    });
}
