using System.Diagnostics;
using Smc.Collections;
using Smc.Collections.Kernels;

namespace Smc.Stress.Change;

/// <summary>
/// The child process: builds world after world, one of each mechanism in turn, and says on the console which one it is in, what is violated, and how much it did.
/// Zone maps and sketches are sharp only until the first unusual value, so every world is thrown away after a few milliseconds.
/// </summary>
internal static class ChangeWorlds
{
    private static readonly TimeSpan s_longest = TimeSpan.FromMilliseconds(200);

    public const string World = "world", Violated = "violated", Done = "done";

    public static int Run(StressOptions options)
    {
        List<ChangeMechanism> mechanisms = [.. MechanismCatalog.Find(options.Mechanism)];
        using QueryRepeats repeats = new();
        long start = Stopwatch.GetTimestamp(), worlds = 0, queries = 0, writes = 0;
        bool isViolated = false;
        for (int seed = options.Seed; mechanisms.Count > 0; seed++)
        {
            foreach (ChangeMechanism mechanism in mechanisms.ToArray())
            {
                if (worlds > 0 && Stopwatch.GetElapsedTime(start).TotalSeconds >= options.Seconds)
                {
                    Console.WriteLine($"{Done} {worlds} {queries} {writes}");
                    return isViolated ? ExitCode.Violated : ExitCode.Held;
                }
                Console.WriteLine($"{World} {mechanism.Name} {seed}");
                try
                {
                    using ChangeSetting setting = new(seed);
                    (int asked, long written) = RunWorld(mechanism, setting, seed, repeats);
                    queries += asked;
                    writes += written;
                    worlds++;
                }
                catch (ViolationException violation)
                {
                    Console.WriteLine($"{Violated} {mechanism.Name} {seed} {violation.Message}");
                    isViolated = true;
                    mechanisms.Remove(mechanism);
                }
            }
        }
        Console.WriteLine($"{Done} {worlds} {queries} {writes}");
        return isViolated ? ExitCode.Violated : ExitCode.Held;
    }

    /// <returns>How many queries ran, and how many rows were written.</returns>
    private static (int Queries, long Writes) RunWorld(ChangeMechanism mechanism, ChangeSetting setting, int seed, QueryRepeats repeats)
    {
        ChangeWorld world = mechanism.Build(setting);
        // The first answer needs the kernel to be compiled, and shows that the world is what its mechanism says.
        Ask(world, setting, repeats, "before anything is written");
        int queries = 0, bursts = 0;
        long writes = 0;
        Random random = new(seed);
        ChangeThreads threads = new();
        threads.Start(() =>
        {
            writes += WriteBurst(world, random, threads);
            Volatile.Write(ref bursts, bursts + 1);
        });
        foreach (Action compaction in setting.Compactions) threads.Start(compaction);
        try
        {
            threads.Release();
            // On a busy machine the writer may have to wait for a processor: without it there is nothing to see.
            long start = Stopwatch.GetTimestamp();
            while (Volatile.Read(ref bursts) < (world.Bursts ?? setting.Bursts) && Stopwatch.GetElapsedTime(start) < s_longest) Ask(world, setting, repeats, $"query {++queries}");
        }
        finally
        {
            threads.End();
        }
        Ask(world, setting, repeats, "after everything was written");
        return (queries, writes);
    }

    /// <summary>Writes a run of neighbouring rows, so that it happens within one block, and waits a little.</summary>
    private static int WriteBurst(ChangeWorld world, Random random, ChangeThreads threads)
    {
        int first = random.Next(world.Rows), length = 1 << random.Next(7), written = 0;
        for (; written < length && !threads.HaveEnded; written++) world.Write(random, (first + written) % world.Rows);
        Thread.SpinWait(random.Next(400));
        return written;
    }

    private static void Ask(ChangeWorld world, ChangeSetting setting, QueryRepeats repeats, string moment)
    {
        using KernelOptions.Scope scope = Query.Use(new QueryOptions { DegreeOfParallelism = setting.Degree, MinRowsPerThread = 1, DividesAtOnce = setting.Rows % 2 == 0 });
        try
        {
            world.Ask();
            if (world.RemovesReferencedRows) repeats.Forget();
            repeats.RequireNone();
        }
        catch (RowRemovedException) when (world.RemovesReferencedRows)
        {
            repeats.Forget();
        }
        catch (Exception failure)
        {
            string message = failure is ViolationException ? failure.Message : $"the query throws {failure.GetType().Name}: {failure.Message} {failure.StackTrace?.Split('\n')[0].Trim()}";
            throw new ViolationException($"{message} ({moment}; {setting})");
        }
    }
}
