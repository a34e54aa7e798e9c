using System.Diagnostics.Tracing;
using Smc.Memory;
using Smc.Memory.Diagnostics;

namespace Smc.Stress.Scenarios;

/// <summary>
/// A reader stays inside for half of the run while others churn. It is named, garbage stays at the hard mark because additions wait, and
/// when the reader leaves everything goes on and memory falls back.
/// </summary>
internal sealed class GarbageBudgetScenario : Scenario
{
    private const string ReaderName = "the stalled reader";
    private const long SoftMark = 64 << 10;
    private const long ReportMark = 128 << 10;
    private const long HardMark = 512 << 10;

    public override string Name => "garbage-budget";

    public override string Description => "a reader inside for half of the run, under churn, with marks for what may wait for it";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new(new MemoryManagerOptions
        {
            Garbage = new GarbageBudget
            {
                SoftMark = SoftMark, ReportMark = ReportMark, HardMark = HardMark,
                OverHardMark = HardMarkAction.Wait, HardMarkTimeout = TimeSpan.FromHours(1),
            },
        });
        using TaggedTable table = new(manager, slotsPerBlock: 64);
        using StallListener heard = new();
        long most = 0, mostMapped = 0, before = 0, after = 0;
        bool isStalled = true, wasNamed = false;
        Action<Random> reader = _ =>
        {
            Thread.CurrentThread.Name = ReaderName;
            long tag = run.NextTag();
            ulong handle = table.Add(tag);
            table.Verify(handle, tag, () =>
            {
                // On a busy machine garbage may take longer than half of the run to reach the hard mark.
                while (run.Goes && !(run.IsHalfOver && HasStalled()))
                {
                    Thread.Sleep(1);
                    if (MemoryManager.OldestReader?.ThreadName == ReaderName) Volatile.Write(ref wasNamed, true);
                    Volatile.Write(ref most, Math.Max(most, manager.GarbageBytes));
                    mostMapped = Math.Max(mostMapped, manager.MappedBytes);
                }
            });
            Volatile.Write(ref before, table.Context.Removals);
            Volatile.Write(ref isStalled, false);
        };
        Action<Random> churner = random =>
        {
            Queue<ulong> rows = new();
            while (run.Goes)
            {
                rows.Enqueue(table.Add(run.NextTag()));
                if (rows.Count > 100) ViolationException.Require(table.Context.Removal.TryRemove(rows.Dequeue()), "a row was removed by nobody and is gone");
                if (!Volatile.Read(ref isStalled)) Volatile.Write(ref after, Math.Max(after, table.Context.Removals));
            }
        };
        run.ContinueUntil(() => HasStalled() && Volatile.Read(ref after) > Volatile.Read(ref before));
        run.Work([reader, .. Enumerable.Repeat(churner, Math.Max(1, run.Threads - 1))]);
        for (int i = 0; i < 4; i++) Epoch.TryAdvance();
        // Each thread may be one look, a quarter of the lowest mark, late.
        long limit = HardMark + run.Threads * SoftMark;
        ViolationException.Require(most <= limit, $"{most:N0} bytes waited for the reader, {limit:N0} are allowed");
        ViolationException.Require(manager.GarbageBytes == 0, $"{manager.GarbageBytes:N0} bytes wait when nobody is inside");
        ViolationException.Require(!Epoch.IsUnderPressure, "readers are asked to renew when nothing waits");
        table.CheckInvariants();
        return Verdict.HeldIf(run.HasHappened,
            $"{table.Context.Removals:N0} removals, {after - before:N0} after the stall; at most {most:N0} bytes waited, {mostMapped:N0} were mapped");

        // Additions wait at the hard mark, and the reader is named, by who asks and by an event.
        bool HasStalled() => Volatile.Read(ref most) > HardMark && Volatile.Read(ref wasNamed) && heard.Told.Contains(ReaderName);
    }

    /// <summary>Hears which readers are told.</summary>
    private sealed class StallListener : EventListener
    {
        private readonly List<string> _told = [];

        public StallListener() => EnableEvents(MemoryEventSource.Log, EventLevel.Warning, MemoryEventSource.Keywords.Readers);

        public List<string> Told
        {
            get
            {
                lock (_told) return [.. _told];
            }
        }

        protected override void OnEventWritten(EventWrittenEventArgs told)
        {
            if (told.EventName != nameof(MemoryEventSource.ReaderStalled)) return;
            lock (_told) _told.Add((string)told.Payload![1]!);
        }
    }
}
