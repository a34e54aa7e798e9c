using Smc.Memory;

namespace Smc.Stress.Scheduling;

/// <summary>A small cast of actors around one or two rows: the counterpart in code of a model. Each run is one schedule.</summary>
internal abstract class Play
{
    public abstract string Name { get; }

    /// <summary>About how many steps a run takes.</summary>
    protected virtual int ExpectedSteps => 30;

    /// <summary>The interleaving that schedule 0 follows; the others are random.</summary>
    protected virtual IReadOnlyList<Cue> Script => [];

    /// <summary>Plays one schedule.</summary>
    /// <exception cref="ViolationException">A promise was broken.</exception>
    public void Run(int seed)
    {
        using MemoryManager manager = new();
        ControlledScheduler scheduler = new(seed, ExpectedSteps);
        using TaggedTable table = new(manager, slotsPerBlock: 1);
        Action check = Arrange(scheduler, table);
        scheduler.Run(seed == 0 ? Script : []);
        check();
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
