using System.Diagnostics;
using System.Globalization;
using Smc.Collections;
using Smc.Memory;

namespace Micro;

/// <summary>
/// The two reclamation policies side by side: every operation replaces a string of some 40 bytes, so the old one is retired. Throughput, the
/// slowest operations and the most garbage that waited. The policy is one for the process, so each has a process of its own.
/// </summary>
internal static class ReclamationStudy
{
    public const string Verb = "reclamation";
    private const string AmortisedSwitch = "Smc.AmortisedReclamation";
    private const string Amortised = "amortised";
    private const string Batch = "batch";
    private const int Rows = 10_000;
    private const int Operations = 2_000_000;
    private const int Rounds = 5;

    public static void Run(string[] args)
    {
        if (args is [Amortised or Batch, ..])
        {
            AppContext.SetSwitch(AmortisedSwitch, args[0] == Amortised);
            foreach (int threads in new[] { 1, 2 })
                Measure(args[0], threads);
            return;
        }

        Console.WriteLine("| policy | threads | ns per update | 99.9 % under, µs | 99.999 % under, µs | longest, µs | most garbage, KiB |");
        Console.WriteLine("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
        foreach (string policy in new[] { Batch, Amortised })
        {
            using Process child = Process.Start(Environment.ProcessPath!, [.. Host(), Verb, policy]);
            child.WaitForExit();
        }
    }

    // Under "dotnet run" the process is the program itself; under "dotnet Micro.dll" it is dotnet.
    private static string[] Host() =>
        Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet" ? [Environment.GetCommandLineArgs()[0]] : [];

    private static void Measure(string policy, int threads)
    {
        using Collection<Note> notes = new();
        Note[] rows = [.. Enumerable.Range(0, Rows).Select(i => notes.Add(id: i, text: Text(i)))];
        using ThreadTeam team = new(threads);
        double best = double.MaxValue;
        Latencies all = new();
        long garbage = 0;
        for (int round = 0; round < Rounds; round++)
        {
            Latencies[] latencies = [.. Enumerable.Range(0, threads).Select(static _ => new Latencies())];
            long start = Stopwatch.GetTimestamp();
            team.Run(thread => garbage = Math.Max(garbage, Update(notes, rows, thread, threads, latencies[thread])));
            best = Math.Min(best, Stopwatch.GetElapsedTime(start).TotalNanoseconds / (Operations / threads));
            if (round > 0)
                Array.ForEach(latencies, all.Add);
        }

        if (garbage == 0)
            throw new InvalidOperationException("No string was retired: this measures nothing.");
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"| {policy} | {threads} | {best:0} | {all.Quantile(0.999):0.0} | {all.Quantile(0.99999):0.0} | {all.Quantile(1):0.0} | {garbage / 1024:0} |"));
    }

    /// <returns>The most garbage seen.</returns>
    private static long Update(Collection<Note> notes, Note[] rows, int thread, int threads, Latencies latencies)
    {
        long garbage = 0;
        long last = Stopwatch.GetTimestamp();
        for (int i = thread; i < Operations; i += threads)
        {
            Note row = rows[i % Rows];
            row.Text = Text(i);
            long now = Stopwatch.GetTimestamp();
            latencies.Note(now - last);
            if (i % 1024 == thread)
                garbage = Math.Max(garbage, notes.GarbageBytes);
            last = now;
        }

        return garbage;
    }

    private static string Text(int i) => s_texts[i & (s_texts.Length - 1)];

    // So many that the column does not share equal texts: shared ones are not retired.
    private static readonly string[] s_texts = [.. Enumerable.Range(0, 1 << 14).Select(static i => $"a note of some forty bytes, number {i:00000}")];

    /// <summary>How often an operation took so many ticks of the clock, up to some milliseconds.</summary>
    private sealed class Latencies
    {
        private static readonly double s_ticksPerBucket = Stopwatch.Frequency / 1e7;
        private readonly long[] _counts = new long[1 << 18];

        /// <param name="ticks">Of one operation.</param>
        public void Note(long ticks) => _counts[Math.Min((long)(ticks / s_ticksPerBucket), _counts.Length - 1)]++;

        public void Add(Latencies other)
        {
            for (int i = 0; i < _counts.Length; i++)
                _counts[i] += other._counts[i];
        }

        /// <summary>Microseconds within which that share of the operations ended.</summary>
        public double Quantile(double share)
        {
            long wanted = (long)Math.Ceiling(_counts.Sum() * share);
            int bucket = 0;
            for (long seen = _counts[0]; seen < wanted; seen += _counts[bucket])
                bucket++;
            return (bucket + 1) / 10.0;
        }
    }
}
