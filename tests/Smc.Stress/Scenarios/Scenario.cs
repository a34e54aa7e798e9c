namespace Smc.Stress.Scenarios;

/// <summary>Something to do from several threads at once, with a way to tell whether it went right.</summary>
internal abstract class Scenario
{
    public abstract string Name { get; }

    public abstract string Description { get; }

    /// <summary>Runs until the time is up.</summary>
    /// <exception cref="ViolationException">A promise was broken.</exception>
    public abstract Verdict Run(ScenarioRun run);
}

/// <summary>What a run of a scenario showed when no promise was broken.</summary>
/// <param name="IsConclusive">False if what the scenario is about did not happen.</param>
/// <param name="Summary">What happened, in numbers.</param>
internal readonly record struct Verdict(bool IsConclusive, string Summary)
{
    public static Verdict Held(string summary) => new(true, summary);

    public static Verdict HeldIf(bool conclusive, string summary) => new(conclusive, summary);
}
