using System.Diagnostics;
using Smc.Memory;

namespace Reclamation;

/// <summary>
/// The paper's workload: threads insert and remove random keys of a set, half and half, for a fixed time. An insertion allocates an object, a removal retires
/// one. Every object that is removed is read first: it must still have its key.
/// </summary>
internal sealed class Workload(IAllocator allocator, int threads)
{
    public const int Keys = 50_000;
    private const int OperationsBetweenLooks = 64;

    private readonly ulong[] _set = new ulong[Keys];

    /// <summary>What a run came to.</summary>
    public sealed record Outcome(double Seconds, double MillionsPerSecond, long Removed, long Freed, long PeakLimbo, Latencies Removals);

    /// <param name="seconds">How long.</param>
    /// <param name="idle">True to have a thread beside that was in a section once and does nothing.</param>
    /// <param name="stall">Time for which a reader stays in a section, in the middle.</param>
    public Outcome Run(double seconds, bool idle = false, TimeSpan? stall = null)
    {
        // The caller waits: it is no member of a ring.
        Epoch.DetachThread();
        using ManualResetEventSlim begin = new(), end = new();
        Worker[] workers = [.. Enumerable.Range(0, threads).Select(i => new Worker(i))];
        bool isOver = false;
        Exception? failure = null;
        Thread[] running =
        [
            .. workers.Select(worker => new Thread(() =>
            {
                begin.Wait();
                try
                {
                    Work(worker, ref isOver);
                }
                catch (InvalidOperationException wrong)
                {
                    failure = wrong;
                }
            }) { Name = $"worker {worker.Number}" }),
        ];
        foreach (Thread thread in running) thread.Start();
        Thread? aside = idle ? Aside(() => end.Wait()) : stall is { } time ? Aside(() => Stall(seconds, time)) : null;
        long start = Stopwatch.GetTimestamp();
        begin.Set();
        Thread.Sleep(TimeSpan.FromSeconds(seconds));
        Volatile.Write(ref isOver, true);
        foreach (Thread thread in running) thread.Join();
        double took = Stopwatch.GetElapsedTime(start).TotalSeconds;
        end.Set();
        aside?.Join();
        if (failure is not null) throw new InvalidOperationException("Something was freed too early.", failure);
        long removed = workers.Sum(static worker => worker.Removed);
        Latencies removals = new();
        foreach (Worker worker in workers) removals.Add(worker.Removals);
        long left = allocator.LimboBytes / allocator.ObjectBytes;
        return new Outcome(took, workers.Sum(static worker => worker.Operations) / took / 1e6, removed, removed - left, workers.Max(static worker => worker.PeakLimbo), removals);
    }

    private static Thread Aside(Action action)
    {
        using ManualResetEventSlim ready = new();
        Thread thread = new(() =>
        {
            CriticalSection.Enter().Dispose();
            ready.Set();
            action();
        }) { Name = "aside" };
        thread.Start();
        ready.Wait();
        return thread;
    }

    private static void Stall(double seconds, TimeSpan time)
    {
        Thread.Sleep(TimeSpan.FromSeconds(seconds * 0.35));
        using CriticalSection section = CriticalSection.Enter();
        Thread.Sleep(time);
    }

    private void Work(Worker worker, ref bool isOver)
    {
        Random random = new(worker.Number + 1);
        // On a busy machine a short run may be over before its thread has begun.
        while (!Volatile.Read(ref isOver) || worker.Removed == 0)
        {
            for (int i = 0; i < OperationsBetweenLooks; i++)
            {
                int key = random.Next(Keys);
                if (random.Next(2) == 0) Insert(key);
                else Remove(key, worker);
            }
            worker.Operations += OperationsBetweenLooks;
            worker.PeakLimbo = Math.Max(worker.PeakLimbo, allocator.LimboBytes);
        }
    }

    private void Insert(int key)
    {
        if (Volatile.Read(ref _set[key]) != 0) return;
        using CriticalSection section = CriticalSection.Enter();
        ulong made = allocator.Allocate(key);
        if (Interlocked.CompareExchange(ref _set[key], made, 0) != 0) allocator.Abandon(made);
    }

    private void Remove(int key, Worker worker)
    {
        if (Volatile.Read(ref _set[key]) == 0) return;
        long start = Stopwatch.GetTimestamp();
        ulong removed;
        using (CriticalSection.Enter())
        {
            removed = Volatile.Read(ref _set[key]);
            if (removed == 0) return;
            if (!allocator.Holds(removed, key)) throw new InvalidOperationException($"The object of key {key} has another key.");
            if (Interlocked.CompareExchange(ref _set[key], 0, removed) != removed) return;
        }
        allocator.Retire(removed);
        worker.Removals.Note(Stopwatch.GetTimestamp() - start);
        worker.Removed++;
    }

    /// <summary>Takes what is left out of the set.</summary>
    public void Clear()
    {
        for (int key = 0; key < Keys; key++)
        {
            if (Interlocked.Exchange(ref _set[key], 0) is not 0 and ulong left) allocator.Retire(left);
        }
        Epoch.DetachThread();
    }

    private sealed class Worker(int number)
    {
        public int Number => number;

        public long Operations { get; set; }

        public long Removed { get; set; }

        public long PeakLimbo { get; set; }

        public Latencies Removals { get; } = new();
    }
}
