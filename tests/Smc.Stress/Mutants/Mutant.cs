using Smc.Stress.Scenarios;

namespace Smc.Stress.Mutants;

/// <summary>A deliberate mistake and what must catch it.</summary>
/// <param name="Name">As the command line takes it.</param>
/// <param name="Description">What is done wrong.</param>
/// <param name="Switch">Turns the mistake on or off.</param>
/// <param name="Attempt">One attempt to see its effect, from a seed; throws <see cref="ViolationException"/> when it does.</param>
internal sealed record Mutant(string Name, string Description, Action<bool> Switch, Action<int> Attempt)
{
    /// <summary>Attempts made with the mutant off, none of which may find anything.</summary>
    public int ControlAttempts { get; init; } = 25;

    /// <summary>Attempts to catch it at most; those of other processes take no processor time of this one.</summary>
    public int Attempts { get; private init; } = int.MaxValue;

    /// <summary>A schedule that showed it before, tried first: where the code has not changed it shows it again, however slow the machine is.</summary>
    public int? KnownSchedule { get; init; }

    /// <summary>True for a mistake that may end the process, make it spin for ever, or leave snapshots open, which are the process's: it is looked for in a process of its own.</summary>
    public bool EndsProcess { get; init; }

    /// <summary>A mutant of what kernels do, which the scenario <c>change</c> catches with one of its mechanisms: in a process of its own, which it may crash.</summary>
    public static Mutant CaughtByChange(string mechanism, string name, string description, Action<bool> @switch)
    {
        bool isOn = false;
        return new(
            name,
            description,
            on =>
            {
                isOn = on;
                @switch(on);
            },
            seed => ChangeScenario.Attempt(mechanism, seed, isOn ? name : null))
        {
            ControlAttempts = 1,
            // Twelve were seen to be too few for a rare one.
            Attempts = 60,
        };
    }
}
