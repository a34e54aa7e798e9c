using Smc.Collections;
using Smc.Memory;
using Smc.Memory.Diagnostics;
using Smc.Stress.Linearizability;
using Smc.Stress.Maps;

namespace Smc.Stress.Scenarios;

/// <summary>
/// Maps with chunks of eight keys, so that chunks are split and merged all the time, used in all ways by several threads: histories of four keys, counters, scans in both directions,
/// and the end of the map under everybody's hands. Short rounds with a map each.
/// </summary>
internal sealed class OrderedMapScenario : Scenario
{
    private const int Capacity = 8;
    private const int Steady = 40;
    private const int Counters = 5;
    private const int OperationsOfRound = 80;

    // Far above the keys of scans, so that their values can be anything.
    private const int FirstCounter = 100_000;
    private static readonly int[] s_registers = [1, 111, 211, 391];

    public override string Name => "ordered-map";

    public override string Description => "ordered maps used in all ways, scanned both ways, disposed; histories of keys checked";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        Tally tally = new();
        run.ContinueUntil(() => tally.Rounds > 20 && tally.Scans > 100 && tally.Disposed > 2);
        while (run.Goes)
        {
            new Round(run, manager, tally).Play((int)tally.Rounds);
            tally.Rounds++;
        }
        ScenarioRun.RequireAllGivenBack(manager);
        Invariants.Check(manager);
        return Verdict.HeldIf(
            run.HasHappened,
            $"{tally.Operations:N0} recorded operations in {tally.Rounds:N0} maps, {tally.Changes:N0} other changes, {tally.Scans:N0} scans of {tally.Keys:N0} keys, {tally.Disposed:N0} maps disposed under load");
    }

    private sealed class Tally
    {
        public long Rounds, Operations, Changes, Scans, Keys, Disposed;
    }

    private sealed class Round
    {
        private readonly ScenarioRun _run;
        private readonly Tally _tally;
        private readonly OrderedMap<int, long> _map;
        private readonly MapWorkload _workload;
        private readonly long[] _counted = new long[Counters];

        public Round(ScenarioRun run, MemoryManager manager, Tally tally)
        {
            _run = run;
            _tally = tally;
            // Every other round the keys are of two parts, too long to be their own prefix.
            IKeyCodec<int> codec = tally.Rounds % 2 == 0 ? KeyCodec.For<int>() : KeyCodec.By<int, (string, int)>(static key => ("prefix", key), static part => part.Item2);
            _map = new OrderedMap<int, long>(new OrderedMapOptions { Manager = manager, ChunkCapacity = Capacity }, codec, new CopiesCodec());
            _workload = new MapWorkload(_map, s_registers);
            for (int i = 0; i < Steady; i++) _map.Set(i * MapScans.Step, 1);
        }

        public void Play(int number)
        {
            bool isDisposed = number % 4 == 3;
            int workers = Math.Max(2, _run.Threads);
            using Barrier start = new(workers + 2 + (isDisposed ? 1 : 0));
            int left = workers;
            Action<Random> worker = random => Unless(start, () =>
            {
                MapWorkload.Worker register = _workload.NewWorker();
                Random own = new(unchecked(random.Next() + number));
                for (int i = 0; i < OperationsOfRound && _run.Goes; i++)
                {
                    register.Act(own);
                    Interlocked.Increment(ref _tally.Operations);
                    for (int change = own.Next(6); change > 0; change--) Change(own);
                }
            }, () => Interlocked.Decrement(ref left));
            Action<Random> scanner = random => Unless(start, () =>
            {
                Random own = new(unchecked(random.Next() + number));
                do Scan(own);
                while (Volatile.Read(ref left) > 0);
            });
            Action<Random> disposer = random => Unless(start, () =>
            {
                Thread.SpinWait(new Random(unchecked(random.Next() + number)).Next(200_000));
                _map.Dispose();
                _tally.Disposed++;
            });
            _run.Work([scanner, scanner, .. Enumerable.Repeat(worker, workers), .. isDisposed ? [disposer] : Array.Empty<Action<Random>>()]);
            if (LinearizabilityChecker.FindViolation<MapModel, MapOperation>(_workload.History) is { } violation) throw new ViolationException($"round {number}: not linearizable: {violation}");
            if (!isDisposed) CheckAtRest();
            _map.Dispose();
        }

        private void Change(Random random)
        {
            Interlocked.Increment(ref _tally.Changes);
            int mover = MapScans.AnyMover(random, Steady);
            switch (random.Next(8))
            {
                case 0 or 1 or 2:
                    if (!s_registers.Contains(mover)) _map.Set(mover, random.Next(1000));
                    break;
                case 3 or 4:
                    if (!s_registers.Contains(mover)) _map.Remove(mover);
                    break;
                case 5:
                    // Other lengths: the value moves, the key stays.
                    _map.Set(random.Next(Steady) * MapScans.Step, random.Next(1000));
                    break;
                case 6:
                    int counter = random.Next(Counters);
                    _map.AddOrUpdate(
                        FirstCounter + counter, (Counted: _counted, Counter: counter), static (_, at) =>
                        {
                            Interlocked.Increment(ref at.Counted[at.Counter]);
                            return CopiesCodec.Lengths;
                        }, static (ref long value, (long[] Counted, int Counter) at) =>
                        {
                            Interlocked.Increment(ref at.Counted[at.Counter]);
                            value += CopiesCodec.Lengths;
                        });
                    break;
                default:
                    using (ValueScope scope = _map.Read(random.Next(Steady) * MapScans.Step))
                    {
                        ViolationException.Require(scope.IsPresent, "a key that is always there was not found");
                        long value = new CopiesCodec().Decode(scope.Bytes);
                        Thread.SpinWait(random.Next(50));
                        ViolationException.Require(new CopiesCodec().Decode(scope.Bytes) == value, "what a scope shows changes");
                    }
                    if (random.Next(20) == 0) Epoch.TryAdvance();
                    break;
            }
        }

        private void Scan(Random random)
        {
            int from = random.Next(Steady * MapScans.Step), to = random.Next(Steady * MapScans.Step);
            bool isWhole = random.Next(2) == 0;
            int seen = MapScans.Check(_map, isWhole ? 0 : Math.Min(from, to), isWhole ? (Steady - 1) * MapScans.Step : Math.Min(Math.Max(from, to), (Steady - 1) * MapScans.Step), random.Next(2) == 0);
            Interlocked.Increment(ref _tally.Scans);
            Interlocked.Add(ref _tally.Keys, seen);
        }

        private void CheckAtRest()
        {
            int values = 0;
            Invariants.Check(_map.Table, word =>
            {
                values++;
                ViolationException.Require(_map.Table.Heap.TryCopyTo(SafePtr.FromUInt64(word), [], out _), "a key has a value that was deleted");
            });
            ViolationException.Require(values == _map.Count, $"{values} words, and a count of {_map.Count}");
            for (int counter = 0; counter < Counters; counter++)
            {
                // An addition whose key another thread added first is counted by its function and then by the update.
                long value = _map.TryGetValue(FirstCounter + counter, out long found) ? found / CopiesCodec.Lengths : 0;
                ViolationException.Require(value <= _counted[counter] && value >= _counted[counter] - _run.Threads - 2, $"{_counted[counter]} functions ran for a counter of {value}");
            }
            foreach (int key in (int[])[.. _map.Keys]) ViolationException.Require(_map.Remove(key), "a key that is there could not be removed");
            for (int i = 0; i < 3 * Epoch.Grace; i++) Epoch.TryAdvance();
            Invariants.Check(_map.Table);
            Invariants.Check(_map.Table.Heap);
            ViolationException.Require(_map.Count == 0, "a map is not empty after all keys were removed");
        }

        private void Unless(Barrier start, Action act, Action? atEnd = null)
        {
            start.SignalAndWait();
            try
            {
                act();
            }
            catch (ObjectDisposedException) when (_map.Table.Heap.IsDisposed)
            {
                // Expected: the disposer was faster.
            }
            finally
            {
                atEnd?.Invoke();
            }
        }
    }
}
