using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Smc.Memory;

namespace Micro;

/// <summary>
/// The linked list of the Nova thesis: a lock-free sorted list of 65,536 entries with keys of 512 bytes and values of 1 KB, which are slices, or arrays of the managed heap; keys come from twice as many.
/// The list is checked after each run: its keys ascend, as many as went in and not out, each with a value that belongs to it.
/// </summary>
internal static class LinkedListStudy
{
    public const string Verb = "linked-list";

    private const int Entries = 1 << 16;
    private const int KeyBytes = 512;
    private const int ValueBytes = 1024;
    private const int WordBytes = sizeof(long);

    private static readonly TimeSpan s_duration = TimeSpan.FromSeconds(4);

    public static void Run()
    {
        // Short lists, of which an operation takes little time: until all code is compiled as it stays.
        using (SliceHeap heap = new())
            Measure<SliceStore, SafePtr>(new SliceStore(heap), 64, 30, 30, 2, out _);
        Measure<ArrayStore, byte[]>(default, 64, 30, 30, 2, out _);

        Console.WriteLine("| puts, deletes, gets | threads | slices, ops/s | `byte[]`, ops/s | ratio | collections, slices | collections, `byte[]` |");
        Console.WriteLine("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
        foreach ((int puts, int deletes) in new[] { (50, 50), (25, 25), (5, 5) })
        {
            foreach (int threads in new[] { 1, 2 })
                Compare(puts, deletes, threads);
        }
    }

    private static void Compare(int puts, int deletes, int threads)
    {
        using MemoryManager manager = new();
        using SliceHeap heap = new(manager);
        (double ours, int collections) = Measure<SliceStore, SafePtr>(new SliceStore(heap), Entries, puts, deletes, threads, out long left);
        MemoryUsage usage = heap.Usage;
        double raw = left * (KeyBytes + ValueBytes), live = left * (SliceBytes(KeyBytes) + SliceBytes(ValueBytes));
        (double managed, int managedCollections) = Measure<ArrayStore, byte[]>(default, Entries, puts, deletes, threads, out _);
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {puts} %, {deletes} %, {100 - puts - deletes} % | {threads} | {ours:#,0} | {managed:#,0} | {ours / managed:0.00} | {collections} | {managedCollections} |"));
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"| bytes mapped to those of slices, to those of keys and values ({left:#,0} entries) | | {usage.Mapped / live:0.000}, {usage.Mapped / raw:0.000} | | | | |"));
    }

    private static (double OperationsPerSecond, int Collections) Measure<TStore, TBytes>(TStore store, int entries, int puts, int deletes, int threads, out long left)
        where TStore : IListStore<TBytes>
    {
        SortedLinkedList<TStore, TBytes> list = new(store, KeyBytes, ValueBytes);
        long[] keys = [.. Enumerable.Range(0, entries).Select(i => 2L * i)];
        new Random(1).Shuffle(keys);
        list.Load(keys);
        GC.Collect();
        int collectionsBefore = GC.CollectionCount(0);
        long operations = 0, added = 0;
        using ThreadTeam team = new(threads);
        long start = Stopwatch.GetTimestamp();
        team.Run(thread =>
        {
            Random random = new(thread);
            byte[] key = new byte[KeyBytes];
            long mine = 0, more = 0;
            for (; Stopwatch.GetElapsedTime(start) < s_duration; mine++)
            {
                long seed = random.Next(2 * entries);
                Fill(key, seed);
                int choice = random.Next(100);
                if (choice < puts)
                    more += list.Put(key, seed) ? 1 : 0;
                else if (choice < puts + deletes)
                    more -= list.Remove(key) ? 1 : 0;
                else if (list.TryGet(key, out long sum) && sum != SumOf(seed))
                    throw new InvalidOperationException($"the value of {seed} is another one");
            }

            Interlocked.Add(ref operations, mine);
            Interlocked.Add(ref added, more);
        });
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        int collections = GC.CollectionCount(0) - collectionsBefore;
        left = entries + added;
        Check(list.Sums(), left);
        return (operations / seconds, collections);
    }

    private static void Check(IEnumerable<long> sums, long count)
    {
        long before = -1, found = 0;
        foreach (long sum in sums)
        {
            long seed = sum / (ValueBytes / WordBytes);
            if (SumOf(seed) != sum || seed <= before)
                throw new InvalidOperationException($"the value with the sum {sum} is not where it belongs");
            (before, found) = (seed, found + 1);
        }

        if (found != count)
            throw new InvalidOperationException($"there are {found} entries, and should be {count}");
    }

    // With header and length, in steps of 16.
    private static long SliceBytes(int length) => (length + 12 + 15) / 16 * 16;


    private static long SumOf(long seed) => seed * (ValueBytes / WordBytes);

    // The same word over and over, with its highest byte first, so that bytes are in the order of the seeds.
    private static void Fill(Span<byte> bytes, long seed) => MemoryMarshal.Cast<byte, long>(bytes).Fill(BinaryPrimitives.ReverseEndianness(seed));

    private static long Sum(ReadOnlySpan<byte> bytes)
    {
        long sum = 0;
        foreach (long word in MemoryMarshal.Cast<byte, long>(bytes))
            sum += BinaryPrimitives.ReverseEndianness(word);
        return sum;
    }

    private readonly struct SliceStore(SliceHeap heap) : IListStore<SafePtr>
    {
        public SafePtr Create(int length, long seed) => heap.Allocate(length, seed, static (bytes, word) => Fill(bytes, word));

        public bool TryCompare(SafePtr bytes, byte[] key, out int order) => heap.TryRead(bytes, key, static (mine, wanted) => mine.SequenceCompareTo(wanted), out order);

        public bool TryRead(SafePtr bytes, out long sum) => heap.TryRead(bytes, 0, static (mine, _) => Sum(mine), out sum);

        public bool TryFill(SafePtr bytes, long seed) => heap.TryWrite(bytes, seed, static (mine, word) => Fill(mine, word));

        public void Delete(SafePtr bytes) => heap.TryDelete(bytes);
    }

    // A value is written anew while others read it: here they lock it, as slices do.
    private readonly struct ArrayStore : IListStore<byte[]>
    {
        public byte[] Create(int length, long seed)
        {
            byte[] bytes = new byte[length];
            Fill(bytes, seed);
            return bytes;
        }

        public bool TryCompare(byte[] bytes, byte[] key, out int order)
        {
            order = bytes.AsSpan().SequenceCompareTo(key);
            return true;
        }

        public bool TryRead(byte[] bytes, out long sum)
        {
            lock (bytes)
                sum = Sum(bytes);
            return true;
        }

        public bool TryFill(byte[] bytes, long seed)
        {
            lock (bytes)
                Fill(bytes, seed);
            return true;
        }

        public void Delete(byte[] bytes)
        {
        }
    }
}
