using System.Collections.Concurrent;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Engines;
using Smc.Collections;
using Smc.Memory;

namespace Micro;

/// <summary>
/// Every thread adds rows of 64 bytes to a table of a million and removes them again. Goal: at least three times as fast as
/// <see cref="ConcurrentDictionary{TKey,TValue}"/> of the same class (DESIGN 6).
/// </summary>
/// <remarks>
/// Limbo is the share of places whose rows were removed at random before. By default new rows take these from the share of
/// <see cref="CollectionOptions.LimboThreshold"/> (20 %) on, and fresh places below; <see cref="CollectionOfEveryPlace"/> takes them at any
/// share, scattered over all blocks. One operation is one addition or one removal; the time is that of the whole team divided by what one thread does.
/// Keys of a dictionary are scattered, as order numbers or GUIDs are: each addition goes to a bucket of its own. Keys that are counted up
/// (<see cref="DictionaryOfCountedKeys"/>) fill neighbouring buckets, which is the best that can happen to a hash table.
/// </remarks>
[MinColumn]
[SimpleJob(RunStrategy.Monitoring, launchCount: 1, warmupCount: 3, iterationCount: 25, invocationCount: 1)]
public class ChurnBenchmarks
{
    private const int Rows = 1 << 20;
    private const int N = 25_000;   // additions of each thread: with two threads, together less than 5 % of the rows

    private ThreadTeam _team = null!;
    private Collection<Trade> _trades = null!;
    private readonly ConcurrentDictionary<long, ManagedTrade> _dictionary = new();
    private Trade[][] _added = [];

    [Params(1, 2)]
    public int Threads { get; set; }

    [Params(0, 5, 20, 50)]
    public int Limbo { get; set; }

    [GlobalSetup]
    public void Start()
    {
        _team = new ThreadTeam(Threads);
        _added = [.. Enumerable.Range(0, Threads).Select(static _ => new Trade[N])];
    }

    [GlobalCleanup]
    public void Stop()
    {
        _team.Dispose();
        _trades?.Dispose();
    }

    [IterationSetup(Target = nameof(Collection))]
    public void FillCollection() => Fill(new CollectionOptions());

    // Just below the share that is removed, so that every block qualifies.
    [IterationSetup(Target = nameof(CollectionOfEveryPlace))]
    public void FillCollectionOfEveryPlace() => Fill(new CollectionOptions { LimboThreshold = Limbo == 0 ? 1 : Limbo * 0.008 });

    private void Fill(CollectionOptions options)
    {
        _trades?.Dispose();
        _trades = new Collection<Trade>(options);
        List<Trade> rows = [];
        for (int i = 0; i < Rows; i++)
            rows.Add(Add(i));
        Random random = new(1);
        foreach (Trade row in rows)
        {
            if (random.Next(100) < Limbo)
                _trades.Remove(row);
        }

        for (int i = 0; i < 3; i++)
            Epoch.TryAdvance();
        GC.Collect();
    }

    [Benchmark(OperationsPerInvoke = 2 * N)]
    public void Collection() => AddAndRemove();

    [Benchmark(OperationsPerInvoke = 2 * N)]
    public void CollectionOfEveryPlace() => AddAndRemove();

    private void AddAndRemove()
    {
        _team.Run(thread =>
        {
            Trade[] added = _added[thread];
            for (int i = 0; i < N; i++)
                added[i] = Add(Rows + (thread * N) + i);
            foreach (Trade trade in added)
                _trades.Remove(trade);
        });
    }

    [GlobalSetup(Target = nameof(Dictionary))]
    public void FillDictionary() => FillDictionary(Scattered);

    [GlobalSetup(Target = nameof(DictionaryOfCountedKeys))]
    public void FillDictionaryInOrder() => FillDictionary(Counted);

    // Removed entries leave no trace, so limbo makes no difference to dictionaries.
    [Benchmark(OperationsPerInvoke = 2 * N, Baseline = true)]
    public void Dictionary() => AddAndRemove(Scattered);

    [Benchmark(OperationsPerInvoke = 2 * N)]
    public void DictionaryOfCountedKeys() => AddAndRemove(Counted);

    private static long Counted(int i) => i;

    private static long Scattered(int i) => unchecked(i * 0x1E3779B97F4A7C15);

    private void FillDictionary(Func<int, long> key)
    {
        Start();
        for (int i = 0; i < Rows; i++)
            _dictionary.TryAdd(key(i), NewManaged(i));
    }

    private void AddAndRemove(Func<int, long> key)
    {
        _team.Run(thread =>
        {
            int first = Rows + (thread * N);
            for (int i = first; i < first + N; i++)
                _dictionary.TryAdd(key(i), NewManaged(i));
            for (int i = first; i < first + N; i++)
                _dictionary.TryRemove(key(i), out _);
        });
    }

    private Trade Add(int i) =>
        _trades.Add(id: i, instrument: i, account: i, time: DateTime.UnixEpoch, price: 1.25m, quantity: 100m, weight: i);

    private static ManagedTrade NewManaged(int i) =>
        new() { Id = i, Instrument = i, Account = i, Time = DateTime.UnixEpoch, Price = 1.25m, Quantity = 100m, Weight = i };
}
