using System.Globalization;
using Smc.Memory;

namespace Reclamation;

/// <summary>
/// Processor time of an operation with and without a timeline, in turns; which of the two comes first changes with every round. It is that of the whole process, so it has
/// the thread that looks for long sections, and not the turns of other programs. The control is what the runs without a timeline differ by among themselves.
/// </summary>
internal static class TimelineCost
{
    private const int Rounds = 40;
    private const double Seconds = 0.25;

    public static void Run()
    {
        Console.WriteLine("| policy | ns an operation without a timeline | with one | ratio of medians | control | events | dropped |");
        Console.WriteLine("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
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
                if (round % 2 == 0)
                    without.Add(Nanoseconds(workload));
                using (ReclamationTimeline timeline = ReclamationTimeline.Start())
                {
                    with.Add(Nanoseconds(workload));
                    timeline.Stop();
                    events = Math.Max(events, timeline.Events);
                    dropped = Math.Max(dropped, timeline.DroppedEvents);
                }

                if (round % 2 == 1)
                    without.Add(Nanoseconds(workload));
            }

            workload.Clear();
            double before = Median(without), after = Median(with);
            double control = Median(without.Where((_, round) => round % 4 < 2)) / Median(without.Where((_, round) => round % 4 >= 2));
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {contender.Name} | {before:0.0} | {after:0.0} | {after / before:0.000} | {control:0.000} | {events:N0} | {dropped:N0} |"));
        }
    }

    private static double Nanoseconds(Workload workload)
    {
        TimeSpan before = Environment.CpuUsage.TotalTime;
        Workload.Outcome outcome = workload.Run(Seconds);
        return (Environment.CpuUsage.TotalTime - before).TotalNanoseconds / (outcome.MillionsPerSecond * 1e6 * outcome.Seconds);
    }

    private static double Median(IEnumerable<double> values) => values.Order().ElementAt(values.Count() / 2);
}
