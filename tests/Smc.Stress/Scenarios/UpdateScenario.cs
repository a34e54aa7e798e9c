using Smc.Memory;

namespace Smc.Stress.Scenarios;

/// <summary>
/// Each row has one writer at a time, who counts its value up; everybody reads. No write is lost, and no reader sees a value go down or
/// fall behind one that had been written before it looked.
/// </summary>
internal sealed class UpdateScenario : Scenario
{
    private const int Rows = 48;

    public override string Name => "update";

    public override string Description => "values counted up by one writer each, read by all";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        using TaggedTable table = new(manager, slotsPerBlock: 6);
        Counter[] counters = new Counter[Rows];
        for (int i = 0; i < Rows; i++)
        {
            long tag = run.NextTag();
            counters[i] = new Counter(table.Add(tag), tag);
        }
        long writes = 0, reads = 0;
        CompactingWorker compactor = new();
        Action<Random> worker = random =>
        {
            while (run.Goes)
            {
                Counter counter = counters[random.Next(Rows)];
                if (random.Next(3) != 0)
                {
                    counter.Read(table);
                    Interlocked.Increment(ref reads);
                }
                else if (counter.TryCount(table, random))
                {
                    Interlocked.Increment(ref writes);
                }
                if (random.Next(200) == 0) Epoch.TryAdvance();
            }
        };
        run.ContinueUntil(() => Volatile.Read(ref writes) > 1000 && Volatile.Read(ref reads) > 1000);
        run.Work([compactor.For(run, table.Context), Spreader(run, table), .. Enumerable.Repeat(worker, run.Threads)]);
        foreach (Counter counter in counters) counter.Read(table);
        table.CheckInvariants();
        return Verdict.HeldIf(run.HasHappened, $"{writes:N0} writes, {reads:N0} reads; {compactor.Summary}");
    }

    // Rows that come and go make and empty blocks, so that there is always something to move.
    private static Action<Random> Spreader(ScenarioRun run, TaggedTable table) => random =>
    {
        Queue<ulong> rows = [];
        while (run.Goes)
        {
            rows.Enqueue(table.Add(run.NextTag()));
            while (rows.Count > 60) table.TryRemove(rows.Dequeue());
            if (random.Next(50) == 0) Thread.Yield();
        }
    };

    private sealed class Counter(ulong handle, long first)
    {
        private readonly Lock _writing = new();
        private long _written;

        /// <summary>Counts some times, unless another thread is at it.</summary>
        public bool TryCount(TaggedTable table, Random random)
        {
            if (!_writing.TryEnter()) return false;
            try
            {
                for (int i = random.Next(1, 20); i > 0; i--)
                {
                    ViolationException.Require(table.TryWrite(handle, first + _written + 1), $"row {first} is gone");
                    Volatile.Write(ref _written, _written + 1);
                }
            }
            finally
            {
                _writing.Exit();
            }
            return true;
        }

        public void Read(TaggedTable table)
        {
            long least = first + Volatile.Read(ref _written);
            ViolationException.Require(table.TryRead(handle, out long value), $"row {first} is gone");
            ViolationException.Require(value >= least, $"row {first} reads {value} after {least} was written");
            ViolationException.Require(table.TryRead(handle, out long again) && again >= value, $"row {first} reads {again} after {value}");
        }
    }
}
