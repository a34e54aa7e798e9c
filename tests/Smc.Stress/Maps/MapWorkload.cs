using Smc.Collections;
using Smc.Stress.Linearizability;

namespace Smc.Stress.Maps;

/// <summary>Threads that use the same few keys of a map in all ways that there are, while everything they see is recorded.</summary>
/// <param name="map">The map, with the values of a <see cref="CopiesCodec"/>.</param>
/// <param name="keys">The keys; absent at first.</param>
internal sealed class MapWorkload(OrderedMap<int, long> map, int[] keys)
{
    private readonly HistoryRecorder<MapOperation> _recorder = new();
    private long _lastValue;

    /// <summary>What was seen so far; only when all workers have ended.</summary>
    public IEnumerable<MapOperation> History => _recorder.History;

    /// <summary>A worker for one thread.</summary>
    public Worker NewWorker() => new(this, _recorder.NewLog());

    // Of a length that is drawn with it; adding multiples of the number of lengths keeps the length.
    private long NextValue() => Interlocked.Increment(ref _lastValue);

    private long NextStep() => CopiesCodec.Lengths * 1_000_000L * Interlocked.Increment(ref _lastValue);

    internal sealed class Worker(MapWorkload workload, List<MapOperation> log)
    {
        /// <summary>Does one thing with a key chosen at random.</summary>
        public void Act(Random random)
        {
            int key = workload.Keys[random.Next(workload.Keys.Length)];
            MapAction action = (MapAction)random.Next(6);
            long called = workload.Recorder.Tick();
            (bool wasThere, long before, long after) = action switch
            {
                MapAction.Get => Get(key),
                MapAction.Set => Set(key),
                MapAction.Add => Add(key),
                MapAction.Remove => Remove(key),
                MapAction.Update => Update(key),
                _ => AddOrUpdate(key),
            };
            log.Add(new MapOperation(key, action, wasThere, before, after, called, workload.Recorder.Tick()));
        }

        private (bool, long, long) Get(int key) => (workload.Map.TryGetValue(key, out long value), value, 0);

        private (bool, long, long) Set(int key)
        {
            long value = workload.NextValue();
            workload.Map.Set(key, value);
            return (false, 0, value);
        }

        private (bool, long, long) Add(int key)
        {
            long value = workload.NextValue();
            return (!workload.Map.TryAdd(key, value), 0, value);
        }

        private (bool, long, long) Remove(int key) => (workload.Map.Remove(key, out long last), last, 0);

        private (bool, long, long) Update(int key)
        {
            Change change = new(workload.NextStep());
            bool wasThere = workload.Map.TryUpdate(key, change, static (ref long value, Change change) => change.Apply(ref value));
            ViolationException.Require(change.Runs == (wasThere ? 1 : 0), $"an update ran {change.Runs} times");
            return (wasThere, change.Before, change.After);
        }

        private (bool, long, long) AddOrUpdate(int key)
        {
            Change change = new(workload.NextStep()) { Added = workload.NextValue() };
            bool isAdded = workload.Map.AddOrUpdate(key, change, static (_, change) => change.Add(), static (ref long value, Change change) => change.Apply(ref value));
            ViolationException.Require(change.Runs == (isAdded ? 0 : 1) && change.Additions <= 1, $"an addition ran {change.Additions} times and its update {change.Runs} times");
            return (!isAdded, change.Before, isAdded ? change.Added : change.After);
        }
    }

    private OrderedMap<int, long> Map => map;

    private int[] Keys => keys;

    private HistoryRecorder<MapOperation> Recorder => _recorder;

    /// <summary>What a function that changes a value saw, and how often it ran.</summary>
    private sealed class Change(long step)
    {
        public long Added { get; init; }

        public long Before { get; private set; }

        public long After { get; private set; }

        public int Runs { get; private set; }

        public int Additions { get; private set; }

        public long Add()
        {
            Additions++;
            return Added;
        }

        public void Apply(ref long value)
        {
            Runs++;
            Before = value;
            value += step;
            After = value;
        }
    }
}
