using System.Diagnostics;

namespace Smc.Stress.Scenarios;

/// <summary>Runs the chosen scenarios one after the other and prints a line for each.</summary>
internal static class ScenarioRunner
{
    public static int Run(StressOptions options)
    {
        Scenario[] chosen =
        [
            .. ScenarioCatalog.All.Where(scenario =>
                string.Equals(options.Scenario, "all", StringComparison.Ordinal) || string.Equals(options.Scenario, scenario.Name, StringComparison.Ordinal)),
        ];
        TimeSpan each = TimeSpan.FromSeconds(options.Seconds / chosen.Length);
        int exitCode = ExitCode.Held;
        foreach (Scenario scenario in chosen)
        {
            int code = RunOne(scenario, new ScenarioRun(each, options));
            // A violation outweighs an inconclusive run.
            if (code == ExitCode.Violated || exitCode == ExitCode.Held) exitCode = code;
        }
        return exitCode;
    }

    private static int RunOne(Scenario scenario, ScenarioRun run)
    {
        long start = Stopwatch.GetTimestamp();
        try
        {
            Verdict verdict = scenario.Run(run);
            Report(scenario, verdict.IsConclusive ? "held" : "INCONCLUSIVE", start, verdict.Summary);
            return verdict.IsConclusive ? ExitCode.Held : ExitCode.Inconclusive;
        }
        catch (ViolationException violation)
        {
            Report(scenario, "VIOLATED", start, $"seed {run.Seed}: {violation.Message}");
            return ExitCode.Violated;
        }
    }

    private static void Report(Scenario scenario, string result, long start, string summary) =>
        Console.WriteLine($"{scenario.Name,-16} {result,-12} {Stopwatch.GetElapsedTime(start).TotalSeconds,7:F1} s  {summary}");
}
