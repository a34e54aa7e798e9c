using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Smc.Collections;
using Smc.Memory;

namespace Micro;

/// <summary>
/// An <see cref="OrderedMap{TKey, TValue}"/> against the maps of .NET and a lock-free skip list: the scenarios of Oak's paper (section 5) on one thread. All do the same operations, and must
/// hold the same values afterwards, before times are printed.
/// </summary>
internal static class OrderedMapStudy
{
    public const string Verb = "ordered-map";
    private const int Operations = 200_000;
    private const int Scanned = 10_000;
    private const int Rounds = 3;
    private static readonly string[] s_operations =
        ["put", "get", "put and get, 50/50", "put, remove, get, 25/25/50", "update in place", "scan upwards, a pair", "scan downwards, a pair"];

    /// <param name="arguments">Pairs of 100 bytes; a fifth as many of a kilobyte.</param>
    public static void Run(string[] arguments)
    {
        int pairs = arguments is [var count, ..] ? int.Parse(count, CultureInfo.InvariantCulture) : 1_000_000;
        Console.WriteLine("| keys and values | operation | OrderedMap, ns | skip list | SortedDictionary, lock | ConcurrentDictionary | ImmutableSortedDictionary |");
        Console.WriteLine("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
        Compare("`long`, 100 B", pairs, 100, static number => number, Comparer<long>.Default);
        Compare("`long`, 1 KB", pairs / 5, 1024, static number => number, Comparer<long>.Default);
        Compare("100 characters, 1 KB", pairs / 5, 1024, static number => TextOf(number), StringComparer.Ordinal);
    }

    private static string TextOf(long number) => string.Create(CultureInfo.InvariantCulture, $"{number:D20}").PadLeft(100, 'k');

    private static void Compare<TKey>(string what, int pairs, int length, Func<long, TKey> keyOf, IComparer<TKey> comparer)
        where TKey : notnull
    {
        // Twice as many keys as there are pairs, so that half of the look-ups miss, as in the paper.
        TKey[] keys = [.. Enumerable.Range(0, 2 * pairs).Select(number => keyOf(number))];
        using MemoryManager manager = new();
        using OrderedMap<TKey, byte[]> ours = new(new OrderedMapOptions { Manager = manager });
        IRival<TKey>[] maps = [new Ours<TKey>(ours), new SkipList<TKey>(comparer), new Sorted<TKey>(comparer), new Concurrent<TKey>(), new Immutable<TKey>(comparer)];
        double[,] least = new double[s_operations.Length, maps.Length];
        for (int i = 0; i < least.Length; i++) least[i / maps.Length, i % maps.Length] = double.NaN;
        int[] order = [.. Enumerable.Range(0, pairs).Select(static number => 2 * number)];
        new Random(1).Shuffle(order);
        for (int map = 0; map < maps.Length; map++) Note(least, 0, map, Time(pairs, () => Fill(maps[map], keys, order, length)));
        // What was replaced while the map grew is given back first.
        ours.TrimExcess();
        for (int i = 0; i < 8; i++) Epoch.TryAdvance();
        double bytes = ours.MemoryBytes / (double)ours.Sum(pair => (pair.Key is string text ? text.Length : sizeof(long)) + (long)pair.Value.Length);
        for (int round = 0; round < Rounds; round++)
        {
            long expected = 0;
            for (int map = 0; map < maps.Length; map++)
            {
                long sum = Measure(maps[map], keys, length, round, (operation, nanoseconds) => Note(least, operation, map, nanoseconds));
                if (map == 0) expected = sum;
                if (sum != expected) throw new InvalidOperationException($"{maps[map].GetType().Name} has other values than {maps[0].GetType().Name} after round {round}.");
            }
        }
        for (int operation = 0; operation < s_operations.Length; operation++)
        {
            string cells = string.Join(" | ", Enumerable.Range(0, maps.Length).Select(map => double.IsNaN(least[operation, map]) ? "" : least[operation, map].ToString("0", CultureInfo.InvariantCulture)));
            Console.WriteLine($"| {what} | {s_operations[operation]} | {cells} |");
        }
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {what} | bytes mapped to bytes of keys and values, when filled | {bytes:0.00} | | | | |"));
    }

    private static void Fill<TKey>(IRival<TKey> map, TKey[] keys, int[] order, int length)
    {
        foreach (int number in order) map.Put(keys[number], Value(length, number));
    }

    /// <returns>A number that tells whether two maps did the same.</returns>
    private static long Measure<TKey>(IRival<TKey> map, TKey[] keys, int length, int round, Action<int, double> note)
    {
        int[] chosen = new int[Operations];
        Random random = new(round);
        for (int i = 0; i < chosen.Length; i++) chosen[i] = random.Next(keys.Length);
        byte[] value = Value(length, round);
        long sum = 0;
        note(1, Time(Operations, () =>
        {
            foreach (int number in chosen) sum += map.Get(keys[number]);
        }));
        note(2, Time(Operations, () =>
        {
            for (int i = 0; i < chosen.Length; i += 2)
            {
                map.Put(keys[chosen[i] & ~1], map.TakesArrays ? [.. value] : value);
                sum += map.Get(keys[chosen[i + 1]]);
            }
        }));
        note(3, Time(Operations, () =>
        {
            for (int i = 0; i < chosen.Length; i += 4)
            {
                map.Put(keys[chosen[i]], map.TakesArrays ? [.. value] : value);
                map.Remove(keys[chosen[i + 1]]);
                sum += map.Get(keys[chosen[i + 2]]) + map.Get(keys[chosen[i + 3]]);
            }
        }));
        note(4, Time(Operations, () =>
        {
            foreach (int number in chosen) map.Update(keys[number]);
        }));
        foreach (int number in chosen) sum = unchecked(sum * 31 + map.Get(keys[number]));
        if (!map.IsOrdered) return sum;
        TKey middle = keys[keys.Length / 2];
        long up = 0, down = 0;
        note(5, Time(Scanned, () => up = map.ScanUp(middle, Scanned)));
        if (map.ScanDown(middle, 1) is { }) note(6, Time(Scanned, () => down = map.ScanDown(middle, Scanned)!.Value));
        return sum;
    }

    private static byte[] Value(int length, long number)
    {
        byte[] value = new byte[length];
        BitConverter.TryWriteBytes(value, number);
        return value;
    }

    private static long FirstWord(ReadOnlySpan<byte> bytes) => MemoryMarshal.Read<long>(bytes);

    private static void Increment(Span<byte> bytes) => MemoryMarshal.Cast<byte, long>(bytes)[0]++;

    private static byte[] Incremented(byte[] old)
    {
        byte[] changed = [.. old];
        Increment(changed);
        return changed;
    }

    private static double Time(int operations, Action work)
    {
        long start = Stopwatch.GetTimestamp();
        work();
        return Stopwatch.GetElapsedTime(start).TotalNanoseconds / operations;
    }

    private static void Note(double[,] least, int operation, int map, double nanoseconds) =>
        least[operation, map] = double.IsNaN(least[operation, map]) ? nanoseconds : Math.Min(least[operation, map], nanoseconds);

    private interface IRival<TKey>
    {
        bool IsOrdered => true;

        /// <summary>True if the map keeps the array that it is given, so that every put needs one of its own.</summary>
        bool TakesArrays => true;

        void Put(TKey key, byte[] value);

        /// <summary>The first word of the value, 0 if there is none.</summary>
        long Get(TKey key);

        void Remove(TKey key);

        void Update(TKey key);

        long ScanUp(TKey from, int count) => 0;

        /// <summary>Null if the map cannot begin at a key and go downwards.</summary>
        long? ScanDown(TKey below, int count) => null;
    }

    private sealed class Ours<TKey>(OrderedMap<TKey, byte[]> map) : IRival<TKey>
    {
        public bool TakesArrays => false;

        public void Put(TKey key, byte[] value) => map.Set(key, value);

        public long Get(TKey key) => map.TryRead(key, 0, static (bytes, _) => FirstWord(bytes), out long word) ? word : 0;

        public void Remove(TKey key) => map.Remove(key);

        public void Update(TKey key) => map.TryUpdate(key, 0, static (bytes, _) => Increment(bytes));

        public long ScanUp(TKey from, int count) => Sum(map.From(from), count);

        public long? ScanDown(TKey below, int count) => Sum(map.Before(below).Descending(), count);

        private static long Sum(MapRange<TKey, byte[]> range, int count)
        {
            long sum = 0;
            using MapScan<TKey, byte[]> scan = range.Scan();
            while (count-- > 0 && scan.MoveNext())
            {
                if (scan.TryRead(0, static (bytes, _) => FirstWord(bytes), out long word)) sum += word;
            }
            return sum;
        }
    }

    private sealed class SkipList<TKey>(IComparer<TKey> comparer) : IRival<TKey>
    {
        private readonly SkipListMap<TKey, byte[]> _map = new(comparer);

        public void Put(TKey key, byte[] value) => _map.Set(key, value);

        public long Get(TKey key) => _map.TryGet(key, out byte[]? value) ? FirstWord(value) : 0;

        public void Remove(TKey key) => _map.Remove(key);

        // Readers hold the array, so a change that nobody sees half done needs another.
        public void Update(TKey key) => _map.TryUpdate(key, Incremented);

        public long ScanUp(TKey from, int count) => _map.Ascending(from).Take(count).Sum(static value => FirstWord(value));

        public long? ScanDown(TKey below, int count) => _map.Descending(below).Take(count).Sum(static value => FirstWord(value));
    }

    private sealed class Sorted<TKey>(IComparer<TKey> comparer) : IRival<TKey>
        where TKey : notnull
    {
        private readonly SortedDictionary<TKey, byte[]> _map = new(comparer);
        private readonly Lock _lock = new();

        public void Put(TKey key, byte[] value)
        {
            lock (_lock) _map[key] = value;
        }

        public long Get(TKey key)
        {
            lock (_lock) return _map.TryGetValue(key, out byte[]? value) ? FirstWord(value) : 0;
        }

        public void Remove(TKey key)
        {
            lock (_lock) _map.Remove(key);
        }

        public void Update(TKey key)
        {
            lock (_lock)
            {
                if (_map.TryGetValue(key, out byte[]? value)) Increment(value);
            }
        }

        // From the first key on: it cannot begin at another.
        public long ScanUp(TKey from, int count)
        {
            lock (_lock) return _map.Take(count).Sum(static pair => FirstWord(pair.Value));
        }
    }

    private sealed class Concurrent<TKey> : IRival<TKey>
        where TKey : notnull
    {
        private readonly ConcurrentDictionary<TKey, byte[]> _map = new();

        public bool IsOrdered => false;

        public void Put(TKey key, byte[] value) => _map[key] = value;

        public long Get(TKey key) => _map.TryGetValue(key, out byte[]? value) ? FirstWord(value) : 0;

        public void Remove(TKey key) => _map.TryRemove(key, out _);

        public void Update(TKey key)
        {
            while (_map.TryGetValue(key, out byte[]? value) && !_map.TryUpdate(key, Incremented(value), value))
            {
            }
        }
    }

    private sealed class Immutable<TKey>(IComparer<TKey> comparer) : IRival<TKey>
        where TKey : notnull
    {
        private ImmutableSortedDictionary<TKey, byte[]> _map = ImmutableSortedDictionary.Create<TKey, byte[]>(comparer);

        public void Put(TKey key, byte[] value) => ImmutableInterlocked.Update(ref _map, static (map, pair) => map.SetItem(pair.key, pair.value), (key, value));

        public long Get(TKey key) => _map.TryGetValue(key, out byte[]? value) ? FirstWord(value) : 0;

        public void Remove(TKey key) => ImmutableInterlocked.Update(ref _map, static (map, key) => map.Remove(key), key);

        public void Update(TKey key)
        {
            if (_map.TryGetValue(key, out byte[]? value)) Put(key, Incremented(value));
        }

        public long ScanUp(TKey from, int count) => _map.Take(count).Sum(static pair => FirstWord(pair.Value));
    }
}
