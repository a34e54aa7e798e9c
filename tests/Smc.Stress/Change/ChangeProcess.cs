using System.Diagnostics;
using System.Globalization;

namespace Smc.Stress.Change;

/// <summary>Runs mechanisms in a process of their own, so that a crash is a finding like any other.</summary>
internal sealed class ChangeProcess(IReadOnlyList<ChangeMechanism> mechanisms, int seed, double seconds, string? mutant)
{
    /// <summary>How long a child may take beyond its time: to start on a busy machine, and to end the world that it is in.</summary>
    private const double Grace = 120;

    public long Worlds { get; private set; }

    public long Queries { get; private set; }

    public long Writes { get; private set; }

    /// <summary>Runs until the time is up; a mechanism that was found wrong is left out of the rest.</summary>
    public IReadOnlyList<ChangeFinding> Run()
    {
        List<ChangeFinding> findings = [];
        List<ChangeMechanism> left = [.. mechanisms];
        long start = Stopwatch.GetTimestamp();
        int next = seed;
        do
        {
            double rest = Math.Max(0.1, seconds - Stopwatch.GetElapsedTime(start).TotalSeconds);
            if (RunOnce(left, next, rest, findings) is not { } crash) return findings;
            findings.Add(crash);
            next = crash.Seed + 1;
            left.RemoveAll(mechanism => findings.Exists(finding => string.Equals(finding.Mechanism, mechanism.Name, StringComparison.Ordinal)));
        }
        while (left.Count > 0 && Stopwatch.GetElapsedTime(start).TotalSeconds < seconds);
        return findings;
    }

    /// <returns>How the process ended before its time, or null.</returns>
    private ChangeFinding? RunOnce(List<ChangeMechanism> left, int first, double rest, List<ChangeFinding> findings)
    {
        using Process process = ChildProcess.Start(ArgumentsOf(left, first, rest));
        Task<string> error = process.StandardError.ReadToEndAsync();
        (string Mechanism, int Seed) world = (left[0].Name, first);
        bool isDone = false;
        Task reading = Task.Run(() =>
        {
            while (process.StandardOutput.ReadLine() is { } line)
            {
                string[] words = line.Split(' ', 4);
                switch (words[0])
                {
                    case ChangeWorlds.World:
                        world = (words[1], int.Parse(words[2], CultureInfo.InvariantCulture));
                        break;
                    case ChangeWorlds.Violated:
                        findings.Add(new ChangeFinding(words[1], int.Parse(words[2], CultureInfo.InvariantCulture), words[3]));
                        break;
                    case ChangeWorlds.Done:
                        isDone = true;
                        Worlds += long.Parse(words[1], CultureInfo.InvariantCulture);
                        Queries += long.Parse(words[2], CultureInfo.InvariantCulture);
                        Writes += long.Parse(words[3], CultureInfo.InvariantCulture);
                        break;
                }
            }
        });
        if (!process.WaitForExit(TimeSpan.FromSeconds(rest + Grace)))
        {
            process.Kill();
            process.WaitForExit();
            reading.Wait();
            return new ChangeFinding(world.Mechanism, world.Seed, $"the process does not end within {Grace:F0} s after its time");
        }
        reading.Wait();
        return isDone ? null : new ChangeFinding(world.Mechanism, world.Seed, $"the process ends with {process.ExitCode}: {ChildProcess.Crash(error.Result)}");
    }

    private List<string> ArgumentsOf(List<ChangeMechanism> left, int first, double rest)
    {
        List<string> arguments =
        [
            "--change-worlds", "--mechanism", string.Join(',', left.Select(static mechanism => mechanism.Name)),
            "--seed", first.ToString(CultureInfo.InvariantCulture), "--seconds", rest.ToString(CultureInfo.InvariantCulture),
        ];
        if (mutant is not null) arguments.AddRange(["--mutant", mutant]);
        return arguments;
    }
}

/// <summary>A mechanism that gave a wrong answer, or ended the process.</summary>
internal sealed record ChangeFinding(string Mechanism, int Seed, string Message)
{
    public override string ToString() => $"{Mechanism}: {Message} [--scenario change --mechanism {Mechanism} --seed {Seed}]";
}
