using Smc.Stress.Scheduling;

namespace Smc.Stress.Scenarios;

/// <summary>The plays that catch mutants, without a mutant: under a controlled scheduler all of them hold.</summary>
internal sealed class ScheduleScenario : Scenario
{
    public override string Name => "schedules";

    public override string Description => "protocol steps in orders that a scheduler chooses, store buffers included";

    public override Verdict Run(ScenarioRun run)
    {
        int schedules = 0;
        // Each play a few times, however little time there is.
        for (; run.Goes || schedules < PlayCatalog.All.Count * 3; schedules++)
        {
            Play play = PlayCatalog.All[schedules % PlayCatalog.All.Count];
            int seed = schedules < PlayCatalog.All.Count ? 0 : unchecked(run.Seed * 1_000_003 + schedules);
            try
            {
                play.Run(seed);
            }
            catch (ViolationException violation)
            {
                throw new ViolationException($"{play.Name}, schedule {seed}: {violation.Message}");
            }
        }
        return Verdict.Held($"{schedules:N0} schedules of {PlayCatalog.All.Count} plays");
    }
}
