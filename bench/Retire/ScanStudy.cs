using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Smc.Collections;
using Smc.Memory;

namespace Retire;

/// <summary>At which bandwidth a scan reads reference columns, beside that of a plain sum over as many bytes that no cache has, both by the processor time of one thread. The best of some rounds, in turns.</summary>
internal static class ScanStudy
{
    private const int Lines = 8_000_000;
    private const int LinesOfOrder = 4;
    private const int Rounds = 7;

    public static void Run()
    {
        Console.WriteLine();
        Console.WriteLine($"{Lines:N0} references of 8 bytes, best of {Rounds} rounds, processor time of one thread");
        Console.WriteLine();
        Console.WriteLine("| line items refer to | orders | retired | scan, GB/s | sum, GB/s | ratio |");
        Console.WriteLine("| --- | ---: | ---: | ---: | ---: | ---: |");
        using PlainSum plain = new();
        foreach (int orders in new[] { Lines / LinesOfOrder, 200_000 })
        {
            foreach (bool isRandom in new[] { false, true })
            {
                using MemoryManager manager = new(new MemoryManagerOptions { Retired = RetireBudget.OnDemand });
                foreach (double share in new[] { 0.001, 0.01, 0.1 }) Measure(plain, manager, orders, isRandom, share);
            }
        }
    }

    private static void Measure(PlainSum plain, MemoryManager manager, int orderCount, bool isRandom, double share)
    {
        CollectionOptions options = new() { Manager = manager };
        using Collection<Customer> customers = new(options);
        using Collection<Order> orders = new(options);
        using Collection<Line> lines = new(options);
        Customer customer = customers.Add(number: 0, lastOrder: null, references: 0, isDone: false);
        Order[] all = [.. Enumerable.Range(0, orderCount).Select(i => orders.Add(number: i, customer: customer, references: 0, isDone: false))];
        Random random = new(4);
        bool[] isReferredTo = new bool[orderCount];
        for (int i = 0; i < Lines; i++)
        {
            int order = isRandom ? random.Next(orderCount) : (int)((long)i * orderCount / Lines);
            isReferredTo[order] = true;
            lines.Add(number: i, order: all[order]);
        }
        int retired = 0, kept = 0;
        for (int i = 0; i < orderCount; i++)
        {
            if (random.NextDouble() >= share || !orders.Retire(all[i])) continue;
            retired++;
            kept += isReferredTo[i] ? 1 : 0;
        }
        double scan = 0, sum = 0;
        for (int round = 0; round < Rounds; round++)
        {
            scan = Math.Max(scan, Scan(manager, retired, round == 0 ? retired - kept : 0));
            if (round == 0) retired = kept;
            sum = Math.Max(sum, plain.Run());
        }
        string to = isRandom ? "any order" : "orders in turn";
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {to} | {orderCount:N0} | {share:0.0%} | {scan:0.0} | {sum:0.0} | {scan / sum:0.00} |"));
    }

    /// <summary>Scans, and says how fast the references were read between the first sixteenth and the last.</summary>
    private static double Scan(MemoryManager manager, long candidates, long removed)
    {
        Pace pace = new();
        ScanResult result = manager.CollectRetired(progress: pace);
        if (!result.IsComplete || result.Candidates != candidates || result.Removed != removed)
            throw new InvalidOperationException($"{result.Removed:N0} of {result.Candidates:N0} retired rows were reclaimed; {removed:N0} of {candidates:N0} have no reference");
        return pace.BytesPerNanosecond;
    }

    /// <summary>Reads memory that no cache has: the caches are smaller than what was read since.</summary>
    private sealed unsafe class PlainSum : IDisposable
    {
        private const int Parts = 8;
        private readonly ulong* _values = (ulong*)NativeMemory.AlignedAlloc((nuint)Parts * Lines * sizeof(ulong), 64);
        private int _part;

        public PlainSum() => NativeMemory.Fill(_values, (nuint)Parts * Lines * sizeof(ulong), 1);

        /// <summary>Adds up the next part.</summary>
        /// <returns>Bytes in a nanosecond.</returns>
        [MethodImpl(MethodImplOptions.AggressiveOptimization)]
        public double Run()
        {
            ulong* values = _values + ((long)_part * Lines);
            _part = (_part + 1) % Parts;
            long start = ThreadClock.Processor();
            Vector256<ulong> a = default, b = default, c = default, d = default;
            for (ulong* next = values; next < values + Lines; next += 16)
            {
                a += Vector256.Load(next);
                b += Vector256.Load(next + 4);
                c += Vector256.Load(next + 8);
                d += Vector256.Load(next + 12);
            }
            long took = ThreadClock.Processor() - start;
            ulong sum = Vector256.Sum(a + b + c + d);
            return sum == unchecked(Lines * 0x0101010101010101UL) ? (double)Lines * sizeof(ulong) / took : throw new InvalidOperationException("The sum is wrong.");
        }

        public void Dispose() => NativeMemory.AlignedFree(_values);
    }

    private sealed class Pace : IProgress<ScanProgress>
    {
        private long _next;
        private long _firstBytes;
        private long _firstTime;

        /// <summary>Of what was read between the first report and the last one that was looked at.</summary>
        public double BytesPerNanosecond { get; private set; }

        public void Report(ScanProgress value)
        {
            if (value.Removed > 0 || value.BytesScanned < _next) return;
            long now = ThreadClock.Processor();
            _next = value.BytesScanned + (value.BytesToScan / 16);
            if (_firstTime == 0) (_firstBytes, _firstTime) = (value.BytesScanned, now);
            else BytesPerNanosecond = (value.BytesScanned - _firstBytes) / (double)(now - _firstTime);
        }
    }
}
