using System.Diagnostics;
using System.Globalization;

namespace Retire;

/// <summary>Each way to keep rows, on lists, trees and orders: the answer first, then throughput and what waits, then the delays of a reader and a writer.</summary>
internal static class KeepingStudy
{
    private const int CheckedChanges = 60_000;
    private const int ChangesBetweenLooks = 64;

    private static readonly (string Name, Func<Keeping, World> Make)[] s_worlds =
    [
        ("lists", static keeping => new ListWorld(keeping)),
        ("trees", static keeping => new TreeWorld(keeping)),
        ("orders, lines, customers", static keeping => new OrderWorld(keeping)),
    ];

    // What happened in the longest delays.
    private static readonly List<string> s_notes = [];

    public static void Run(double seconds)
    {
        Console.WriteLine($"one writer, one reader, one sweeper; {seconds} s for throughput, {seconds} s for delays; {Environment.ProcessorCount} processors");
        Console.WriteLine();
        Console.WriteLine("| rows | kept by | thousand changes/s of the writer's quiet time | most bytes waiting, KiB | rows that stay for ever | longest change, µs of processor time | longest change, µs quiet | longest read, µs of processor time | longest read, µs quiet |");
        Console.WriteLine("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        foreach ((string name, Func<Keeping, World> make) in s_worlds)
        {
            long reached = -1;
            foreach (Keeping keeping in Enum.GetValues<Keeping>())
            {
                long lost = Check(name, make, keeping, ref reached);
                Measure(name, make, keeping, lost, seconds);
            }
        }
        Console.WriteLine();
        foreach (string note in s_notes) Console.WriteLine(note);
    }

    /// <summary>The same changes, one after the other, leave the rows that plain mark and sweep leaves, whoever keeps them.</summary>
    /// <returns>How many rows stay that nothing leads to.</returns>
    private static long Check(string name, Func<Keeping, World> make, Keeping keeping, ref long reached)
    {
        using World world = make(keeping);
        Random random = new(1);
        for (int i = 0; i < CheckedChanges; i++)
        {
            world.Write(random);
            if (i % 1024 == 0) world.SweepAboveMark();
        }
        world.Sweep();
        long kept = world.CountReached(), lost = world.Rows - kept;
        if (reached >= 0 && kept != reached) throw new InvalidOperationException($"{name}: {keeping} keeps {kept} rows, and {reached} are kept otherwise");
        reached = kept;
        if (lost != 0 && keeping != Keeping.Counts) throw new InvalidOperationException($"{name}: {keeping} leaves {lost} rows that nothing leads to");
        return lost;
    }

    private static void Measure(string name, Func<Keeping, World> make, Keeping keeping, long lost, double seconds)
    {
        using World world = make(keeping);
        // Compiled, and the rows of the beginning are there.
        Run(world, seconds / 2, isTimed: false);
        Run(world, seconds / 4, isTimed: true);
        Figures free = Run(world, seconds, isTimed: false), timed = Run(world, seconds, isTimed: true);
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {name} | {keeping} | {free.ChangesPerSecond / 1e3:0} | {free.MostWaiting / 1024.0:0} | {lost:N0} | {Micro(timed.Writer.LongestProcessor)} | {Micro(timed.Writer.LongestQuiet)} | {Micro(timed.Reader.LongestProcessor)} | {Micro(timed.Reader.LongestQuiet)} |"));
        foreach ((string what, Longest longest) in new[] { ("change", timed.Writer), ("read", timed.Reader) })
        {
            s_notes.Add($"{name}, {keeping}: longest {what} of {Micro(longest.LongestProcessor)} µs of processor time: {longest.InProcessor}");
            s_notes.Add($"{name}, {keeping}: longest {what} of {Micro(longest.LongestQuiet)} µs quiet: {longest.InQuiet}; longest compiling: {Micro(longest.Compiled)} µs");
        }
    }

    private static Figures Run(World world, double seconds, bool isTimed)
    {
        bool isOver = false;
        Figures figures = new();
        Exception? failure = null;
        Thread[] threads =
        [
            Start(() =>
            {
                Random random = new(2);
                using ThreadClock? clock = isTimed ? new ThreadClock() : null;
                using ThreadClock whole = new();
                whole.Begin();
                long changes = 0, most = 0;
                while (!Volatile.Read(ref isOver))
                {
                    for (int i = 0; i < ChangesBetweenLooks; i++, changes++)
                    {
                        clock?.Begin();
                        world.Write(random);
                        clock?.End();
                    }
                    most = Math.Max(most, world.Waiting);
                }
                whole.End();
                figures.ChangesPerSecond = changes * 1e9 / whole.LongestQuiet;
                figures.MostWaiting = most;
                figures.Writer = Longest.Of(clock);
            }),
            Start(() =>
            {
                Random random = new(3);
                using ThreadClock? clock = isTimed ? new ThreadClock() : null;
                while (!Volatile.Read(ref isOver))
                {
                    clock?.Begin();
                    world.Read(random);
                    clock?.End();
                }
                figures.Reader = Longest.Of(clock);
            }),
            Start(() =>
            {
                while (!Volatile.Read(ref isOver))
                {
                    world.SweepAboveMark();
                    Thread.Sleep(1);
                }
            }),
        ];
        Thread.Sleep(TimeSpan.FromSeconds(seconds));
        Volatile.Write(ref isOver, true);
        foreach (Thread thread in threads) thread.Join();
        return failure is null ? figures : throw new InvalidOperationException("A thread failed.", failure);

        Thread Start(Action work)
        {
            Thread thread = new(() =>
            {
                try
                {
                    work();
                }
                catch (Exception wrong)
                {
                    failure = wrong;
                }
            });
            thread.Start();
            return thread;
        }
    }

    private static string Micro(long nanoseconds) => (nanoseconds / 1e3).ToString("0", CultureInfo.InvariantCulture);

    private sealed class Figures
    {
        public double ChangesPerSecond { get; set; }

        public long MostWaiting { get; set; }

        public Longest Writer { get; set; }

        public Longest Reader { get; set; }
    }

    private readonly record struct Longest(long LongestProcessor, long LongestQuiet, long Compiled, ThreadClock.Happened InProcessor, ThreadClock.Happened InQuiet)
    {
        public static Longest Of(ThreadClock? clock) =>
            clock is null ? default : new Longest(clock.LongestProcessor, clock.LongestQuiet, clock.LongestCompiled, clock.InLongestProcessor, clock.InLongestQuiet);
    }
}
