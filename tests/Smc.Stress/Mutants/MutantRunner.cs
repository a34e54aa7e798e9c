using System.Diagnostics;
using System.Globalization;

namespace Smc.Stress.Mutants;

/// <summary>Turns mutants on, one after the other, and waits until each is caught.</summary>
internal static class MutantRunner
{
    /// <summary>What the start of a process may take of a processor.</summary>
    private const int SecondsToStart = 20;

    /// <summary>A process that does nothing for so long waits for something that will not happen.</summary>
    private const int SecondsOfRest = 30;

    /// <summary>The same for this process, which may also wait for one of its own.</summary>
    private const int SecondsOfRestHere = 600;

    /// <summary>What the runtime's own threads use of a second in which nothing happens, at most.</summary>
    private static readonly TimeSpan s_trifle = TimeSpan.FromMilliseconds(20);

    /// <summary>What a process of its own writes before it turns its mutant on.</summary>
    private const string IsOn = "mutant on";

    /// <summary>Attempts that held without a mutant: what several mutants have in common is shown once.</summary>
    private static readonly HashSet<(Action<int> Attempt, int Schedule)> s_held = [];

    public static int Run(StressOptions options)
    {
        if (!string.Equals(options.Mutant, "all", StringComparison.Ordinal))
            return RunOne(MutantCatalog.All.First(mutant => string.Equals(mutant.Name, options.Mutant, StringComparison.Ordinal)), options);
        int missed = MutantCatalog.All.Count(mutant => RunOne(mutant, options) != ExitCode.Violated);
        Console.WriteLine($"{MutantCatalog.All.Count - missed} of {MutantCatalog.All.Count} mutants caught");
        return missed == 0 ? ExitCode.Held : ExitCode.Violated;
    }

    /// <returns><see cref="ExitCode.Violated"/> if the mutant was caught, <see cref="ExitCode.Inconclusive"/> if not.</returns>
    private static int RunOne(Mutant mutant, StressOptions options)
    {
        // All of them run on this thread: what one leaves behind in its thread, the next one closes.
        using ManualResetEventSlim hasEnded = new();
        TimeSpan before = Environment.CpuUsage.TotalTime;
        Thread watch = new(() =>
        {
            if (Ends(hasEnded.Wait, () => Environment.CpuUsage.TotalTime - before, SecondsOfRestHere, options)) return;
            // What waits cannot be ended, and may hold what the next mutant needs.
            Console.WriteLine($"{mutant.Name,-28} DOES NOT END: what comes after it was not run");
            Environment.Exit(ExitCode.Inconclusive);
        }) { IsBackground = true };
        watch.Start();
        try
        {
            return RunHere(mutant, options);
        }
        finally
        {
            hasEnded.Set();
            watch.Join();
        }
    }

    private static int RunHere(Mutant mutant, StressOptions options)
    {
        if (options.InThisProcess)
        {
            // The process that started this one has run it without the mutant.
            Console.WriteLine(IsOn);
        }
        else if (FirstViolation(mutant, options.Seed, mutant.ControlAttempts, TimeSpan.FromSeconds(options.Seconds), s_held) is { } falseAlarm)
        {
            Console.WriteLine($"{mutant.Name,-28} CONTROL FAILED: without the mutant {falseAlarm.Message}");
            return ExitCode.Inconclusive;
        }
        else if (mutant.EndsProcess)
        {
            return RunInAnother(mutant, options);
        }
        long start = Stopwatch.GetTimestamp();
        mutant.Switch(true);
        Found? found = FirstViolation(mutant, options.Seed, mutant.Attempts, TimeSpan.FromSeconds(options.Seconds), held: []);
        mutant.Switch(false);
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        Console.WriteLine(found is { } caught
            ? $"{mutant.Name,-28} caught   {seconds,6:F2} s, attempt {caught.Attempt,5}, schedule {caught.Schedule}: {caught.Message}"
            : $"{mutant.Name,-28} MISSED   {seconds,6:F2} s");
        return found is null ? ExitCode.Inconclusive : ExitCode.Violated;
    }

    /// <summary>Runs a mutant in a process of its own. That it crashes, or does not end, counts as caught if the mutant was on.</summary>
    private static int RunInAnother(Mutant mutant, StressOptions options)
    {
        using Process process = ChildProcess.Start(
        [
            "--in-this-process", "--mutant", mutant.Name,
            "--seed", options.Seed.ToString(CultureInfo.InvariantCulture), "--seconds", options.Seconds.ToString(CultureInfo.InvariantCulture),
        ]);
        Task<string> error = process.StandardError.ReadToEndAsync(), output = process.StandardOutput.ReadToEndAsync();
        bool ends = Ends(process.WaitForExit, () => UsedBy(process), SecondsOfRest, options);
        if (!ends)
        {
            process.Kill();
            process.WaitForExit();
        }
        string[] lines = output.Result.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        bool isOn = lines.Contains(IsOn, StringComparer.Ordinal);
        if (lines.FirstOrDefault(line => line.StartsWith(mutant.Name, StringComparison.Ordinal)) is { } verdict)
        {
            Console.WriteLine(verdict);
            return process.ExitCode;
        }
        string end = ends ? $"the process ends with {process.ExitCode}: {ChildProcess.Crash(error.Result)}" : "the process does not end";
        Console.WriteLine($"{mutant.Name,-28} {(isOn ? "caught  " : "NOT STARTED:")} {end}");
        return isOn ? ExitCode.Violated : ExitCode.Inconclusive;
    }

    /// <summary>Waits for a run, as long as it may use the processor: on a busy machine one that is only slow must not look like one that does not end.</summary>
    /// <param name="waits">Waits for its end for a while; true when it has ended.</param>
    /// <param name="used">What it has used of the processor.</param>
    /// <param name="secondsOfRest">How long it may use nothing.</param>
    /// <param name="options">How long a mutant may take.</param>
    private static bool Ends(Func<TimeSpan, bool> waits, Func<TimeSpan> used, int secondsOfRest, StressOptions options)
    {
        TimeSpan limit = TimeSpan.FromSeconds((2 * options.Seconds) + SecondsToStart), before = TimeSpan.Zero;
        for (int rest = 0; rest < secondsOfRest && before < limit; rest++)
        {
            if (waits(TimeSpan.FromSeconds(1))) return true;
            TimeSpan now = used();
            if (now - before > s_trifle) rest = -1;
            before = now;
        }
        return waits(TimeSpan.Zero);
    }

    private static TimeSpan UsedBy(Process process)
    {
        try
        {
            process.Refresh();
            return process.TotalProcessorTime;
        }
        catch (InvalidOperationException)
        {
            // It has ended just now.
            return TimeSpan.Zero;
        }
    }

    private sealed record Found(int Attempt, int Schedule, string Message);

    /// <param name="mutant">The mutant, on or off.</param>
    /// <param name="seed">Of the schedules.</param>
    /// <param name="attempts">How many, at most.</param>
    /// <param name="limit">How long they may use the processor.</param>
    /// <param name="held">Attempts that need not be made; those that hold join them.</param>
    private static Found? FirstViolation(Mutant mutant, int seed, int attempts, TimeSpan limit, HashSet<(Action<int>, int)> held)
    {
        // Time of the processor: on a machine that is busy with something else a mutant gets as many attempts as on an idle one.
        TimeSpan start = Environment.CpuUsage.TotalTime;
        for (int attempt = 0; attempt < attempts && Environment.CpuUsage.TotalTime - start < limit; attempt++)
        {
            int schedule = attempt switch
            {
                // Schedule 0 follows the script, if the play has one.
                0 => 0,
                1 when mutant.KnownSchedule is { } known => known,
                _ => unchecked(seed * 1_000_003 + attempt),
            };
            if (held.Contains((mutant.Attempt, schedule))) continue;
            try
            {
                mutant.Attempt(schedule);
                held.Add((mutant.Attempt, schedule));
            }
            catch (ViolationException violation)
            {
                return new Found(attempt, schedule, violation.Message.Split('\n')[0]);
            }
        }
        return null;
    }
}
