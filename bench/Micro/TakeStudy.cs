using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Smc.Collections;
using Smc.Memory;

namespace Micro;

/// <summary>
/// How long it takes to begin a snapshot while writers set, add, remove and replace texts. Of each call, by the system's account, how long the calling thread or a writer could have run and another thread had
/// the processor: who begins a snapshot waits for the windows that writers are in, and a writer in one may be in that queue. Linux.
/// </summary>
internal static partial class TakeStudy
{
    public const string Verb = "take";

    private const int Rows = 200_000;
    private const int Takes = 300;
    private const int Writers = 4;
    private const double Goal = 1000;

    /// <param name="numbers">How many writers, and how many snapshots.</param>
    public static void Run(string[] numbers)
    {
        int count = numbers is [var writers, ..] ? int.Parse(writers, CultureInfo.InvariantCulture) : Writers;
        int takes = numbers is [_, var snapshots] ? int.Parse(snapshots, CultureInfo.InvariantCulture) : Takes;
        using MemoryManager manager = new();
        using Collection<Note> notes = new(new CollectionOptions { Manager = manager });
        for (int i = 0; i < Rows; i++)
            notes.Add(i, TextOf(i));
        using CancellationTokenSource end = new();
        int[] ids = new int[count];
        long operations = 0;
        Thread[] threads = [.. Enumerable.Range(0, count).Select(writer => new Thread(() => Write(writer)) { IsBackground = true })];
        Array.ForEach(threads, static thread => thread.Start());
        SpinWait.SpinUntil(() => Array.TrueForAll(ids, static id => Volatile.Read(ref id) != 0));
        int caller = CurrentThread();
        List<(double Time, double Waited, double Compiled)> calls = [];
        for (int i = 0; i < takes; i++)
        {
            Thread.Sleep(2);
            long[] before = [Waited(caller), .. ids.Select(Waited)];
            TimeSpan compiling = Runtime();
            long start = Stopwatch.GetTimestamp();
            Snapshot snapshot = Snapshot.Take(notes);
            double time = Stopwatch.GetElapsedTime(start).TotalMicroseconds;
            double compiled = (Runtime() - compiling).TotalMicroseconds;
            long[] after = [Waited(caller), .. ids.Select(Waited)];
            using (snapshot)
            {
                if (i % 50 == 0 && snapshot.Of(notes).Count() != snapshot.Of(notes).Count())
                    throw new InvalidOperationException("A snapshot has changed.");
                Thread.Sleep(1);
            }

            // The caller waits in its own queue, and for the slowest of the writers.
            double waited = (after[0] - before[0] + after.Skip(1).Zip(before.Skip(1), static (a, b) => a - b).DefaultIfEmpty().Max()) / 1000.0;
            calls.Add((time, waited, compiled));
        }

        end.Cancel();
        Array.ForEach(threads, static thread => thread.Join());
        double[] times = [.. calls.Select(static call => call.Time).Order()];
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{count} writers, {operations / 1e6:0.0} million changes, {Environment.ProcessorCount} processors, {takes} snapshots"));
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Take: median {times[takes / 2]:0} µs, 90 % {times[takes * 9 / 10]:0}, 99 % {times[takes * 99 / 100]:0}, longest {times[^1]:#,0}"));
        (double Time, double Waited, double Compiled)[] slow = [.. calls.Where(static call => call.Time > Goal)];
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"above {Goal:#,0} µs: {slow.Length}; of these without a wait for a processor of as long, and without .NET's compiler and collector: {slow.Count(static call => call.Time - call.Waited - call.Compiled > Goal)}"));
        foreach ((double time, double waited, double compiled) in slow.OrderByDescending(static call => call.Time).Take(5))
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  {time:#,0} µs, queues for a processor {waited:#,0}, compiler and collector {compiled:#,0}"));

        void Write(int writer)
        {
            Random random = new(writer);
            Queue<Note> own = new();
            for (int i = 0; i < Rows / 100; i++)
                own.Enqueue(notes.Add(-i, TextOf(i)));
            Volatile.Write(ref ids[writer], CurrentThread());
            long done = 0;
            for (; !end.IsCancellationRequested; done++)
            {
                Note note = own.Dequeue();
                switch (random.Next(4))
                {
                    case 0:
                        notes.Remove(note);
                        note = notes.Add(done, TextOf((int)done));
                        break;
                    case 1: note.Text = TextOf((int)done); break;
                    default: note.Id = done; break;
                }

                own.Enqueue(note);
            }

            Interlocked.Add(ref operations, done);
        }
    }

    private static string TextOf(int number) => string.Create(CultureInfo.InvariantCulture, $"the text of number {number}");

    // For how long .NET compiled methods of any thread, or stopped all of them to collect garbage.
    private static TimeSpan Runtime() => System.Runtime.JitInfo.GetCompilationTime() + GC.GetTotalPauseDuration();

    // Nanoseconds for which a thread could run and did not.
    private static long Waited(int thread) => long.Parse(File.ReadAllText($"/proc/self/task/{thread}/schedstat").Split(' ')[1], CultureInfo.InvariantCulture);

    [LibraryImport("libc", EntryPoint = "gettid")]
    private static partial int CurrentThread();
}
