using System.Globalization;
using Smc.Memory;

namespace Reclamation;

/// <summary>The paper's tables 2 and 4 at our size: every policy over every allocator, in turns, several rounds, of which the first does not count.</summary>
internal static class Study
{
    private const int Rounds = 6;
    private const double Seconds = 0.4;

    private static readonly (string Name, Func<MemoryManager, IAllocator> Make)[] s_allocators =
    [
        ("row slots, 16 bytes", static manager => new RowAllocator(manager)),
        ("string chunks, 240 bytes", static manager => new StringAllocator(manager, 240)),
        ("string chunks, 2,048 bytes", static manager => new StringAllocator(manager, 2048)),
        ("NativeMemory, 240 bytes", static manager => new NativeAllocator(manager, 240)),
        ("NativeMemory, 2,048 bytes", static manager => new NativeAllocator(manager, 2048)),
    ];

    public static void Run(int threads)
    {
        Console.WriteLine($"{threads} threads, {Rounds - 1} rounds of {Seconds} s in turns, medians; {Environment.ProcessorCount} processors");
        foreach ((string name, Func<MemoryManager, IAllocator> make) in s_allocators)
        {
            Console.WriteLine();
            Console.WriteLine($"| {name} | million operations/s | time in free | million freed | peak limbo, KiB | P99.9 of Remove, µs | P99.99, µs | longest, µs |");
            Console.WriteLine("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
            Dictionary<Contender, List<(Workload.Outcome Outcome, double Freeing)>> all = Contender.All.ToDictionary(static contender => contender, static _ => new List<(Workload.Outcome, double)>());
            for (int round = 0; round < Rounds; round++)
            {
                foreach (Contender contender in Contender.All) all[contender].Add(Once(contender, make, threads));
            }
            foreach (Contender contender in Contender.All) Print(contender.Name, all[contender].Skip(1).ToArray());
        }
    }

    private static (Workload.Outcome, double) Once(Contender contender, Func<MemoryManager, IAllocator> make, int threads)
    {
        using MemoryManager manager = contender.MakeManager();
        using IAllocator allocator = make(manager);
        Workload workload = new(allocator, threads);
        workload.Run(Seconds / 4, contender.HasIdleThread);
        Workload.Outcome outcome = workload.Run(Seconds, contender.HasIdleThread);
        // Time in free, from a run of its own: looking at the clock twice for every piece is most of what freeing one costs.
        using ReclamationTimeline timeline = ReclamationTimeline.Start(threads: 4);
        const double Recorded = Seconds / 8;
        double took = workload.Run(Recorded, contender.HasIdleThread).Seconds;
        timeline.Stop();
        workload.Clear();
        return (outcome, timeline.TimeFreeing.TotalSeconds / (took * threads));
    }

    private static void Print(string name, (Workload.Outcome Outcome, double Freeing)[] rounds)
    {
        double Median(Func<(Workload.Outcome Outcome, double Freeing), double> of) => rounds.Select(of).Order().ElementAt(rounds.Length / 2);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"| {name} | {Median(static r => r.Outcome.MillionsPerSecond):0.00} | {Median(static r => r.Freeing):0.0%} | {Median(static r => r.Outcome.Freed / 1e6):0.00} | {Median(static r => r.Outcome.PeakLimbo / 1024.0):0} | {Median(static r => r.Outcome.Removals.Quantile(0.999)):0.0} | {Median(static r => r.Outcome.Removals.Quantile(0.9999)):0.0} | {Median(static r => r.Outcome.Removals.Longest):0} |"));
    }
}
