namespace Smc.Stress.Linearizability;

/// <summary>
/// Threads that add, read, write and remove the same few rows, and keep using rows that are gone, while everything they see is recorded.
/// </summary>
/// <param name="registers">The rows.</param>
/// <param name="places">How many rows are in use at one time; few make threads meet.</param>
internal sealed class RegisterWorkload(IRegisters registers, int places)
{
    private readonly HistoryRecorder<RowOperation> _recorder = new();
    private readonly ulong[] _places = new ulong[places];
    private long _lastValue;

    /// <summary>What was seen so far; only when all workers have ended.</summary>
    public IEnumerable<RowOperation> History => _recorder.History;

    /// <summary>Puts a row in every place, so that workers find something.</summary>
    public void Fill()
    {
        Worker worker = NewWorker();
        for (int place = 0; place < _places.Length; place++) worker.Add(place);
    }

    /// <summary>A worker for one thread.</summary>
    public Worker NewWorker() => new(this, _recorder.NewLog());

    internal sealed class Worker(RegisterWorkload workload, List<RowOperation> log)
    {
        private ulong _gone;

        /// <summary>Does one thing with a row chosen at random.</summary>
        public void Act(Random random)
        {
            int place = random.Next(workload._places.Length);
            ulong row = Volatile.Read(ref workload._places[place]);
            int choice = random.Next(10);
            if (row == 0) Add(place);
            else if (choice == 0) Remove(place, row);
            else if (choice < 4) Write(row);
            else if (choice < 8) Read(row);
            else if (choice == 8) IsAlive(row);
            else if (_gone != 0) Read(_gone);
        }

        public void Add(int place)
        {
            long value = Interlocked.Increment(ref workload._lastValue);
            long called = workload._recorder.Tick();
            ulong row = workload.Registers.Add(value);
            log.Add(new RowOperation(row, RowAction.Add, value, true, called, workload._recorder.Tick()));
            // A row that loses its place to another is used no more, which is allowed.
            Volatile.Write(ref workload._places[place], row);
        }

        public void Remove(int place, ulong row)
        {
            long called = workload._recorder.Tick();
            bool removed = workload.Registers.TryRemove(row);
            log.Add(new RowOperation(row, RowAction.Remove, 0, removed, called, workload._recorder.Tick()));
            Interlocked.CompareExchange(ref workload._places[place], 0, row);
            _gone = row;
        }

        public void Write(ulong row)
        {
            long value = Interlocked.Increment(ref workload._lastValue);
            long called = workload._recorder.Tick();
            bool found = workload.Registers.TryWrite(row, value);
            log.Add(new RowOperation(row, RowAction.Write, value, found, called, workload._recorder.Tick()));
        }

        public void Read(ulong row)
        {
            long called = workload._recorder.Tick();
            bool found = workload.Registers.TryRead(row, out long value);
            log.Add(new RowOperation(row, RowAction.Read, value, found, called, workload._recorder.Tick()));
        }

        private void IsAlive(ulong row)
        {
            long called = workload._recorder.Tick();
            bool found = workload.Registers.IsAlive(row);
            log.Add(new RowOperation(row, RowAction.IsAlive, 0, found, called, workload._recorder.Tick()));
        }
    }

    private IRegisters Registers => registers;
}
