using System.Globalization;
using Smc.Memory;

namespace Reclamation;

/// <summary>Throughput with and without a timeline, in turns.</summary>
internal static class TimelineCost
{
    private const int Rounds = 15;
    private const double Seconds = 0.15;

    public static void Run()
    {
        Console.WriteLine("| policy | million operations/s without a timeline | with one | ratio of medians | events | dropped |");
        Console.WriteLine("| --- | ---: | ---: | ---: | ---: | ---: |");
        foreach (Contender contender in new[] { Contender.Batch, Contender.Amortised, Contender.TokenRing })
        {
            using MemoryManager manager = contender.MakeManager();
            using StringAllocator allocator = new(manager, 240);
            Workload workload = new(allocator, threads: 2);
            workload.Run(0.5);
            List<double> without = [], with = [];
            long events = 0, dropped = 0;
            for (int round = 0; round < Rounds; round++)
            {
                without.Add(workload.Run(Seconds).MillionsPerSecond);
                using ReclamationTimeline timeline = ReclamationTimeline.Start();
                with.Add(workload.Run(Seconds).MillionsPerSecond);
                timeline.Stop();
                events = Math.Max(events, timeline.Events);
                dropped = Math.Max(dropped, timeline.DroppedEvents);
            }
            workload.Clear();
            double before = Median(without), after = Median(with);
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {contender.Name} | {before:0.00} | {after:0.00} | {after / before:0.00} | {events:N0} | {dropped:N0} |"));
        }
    }

    private static double Median(List<double> values) => values.Order().ElementAt(values.Count / 2);
}
