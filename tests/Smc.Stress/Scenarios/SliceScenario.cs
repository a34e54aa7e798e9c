using Smc.Memory;
using Smc.Memory.Diagnostics;

namespace Smc.Stress.Scenarios;

/// <summary>
/// Slices of all sizes are allocated, read in three ways, written and deleted through pointers that several threads share, dead ones among them; heaps
/// end under everybody's hands. Versions of four bits are used up all the time.
/// </summary>
internal sealed class SliceScenario : Scenario
{
    private const int Places = 24;
    private const int RoundsOfHeap = 20_000;

    public override string Name => "slices";

    public override string Description => "slices allocated, read, written and deleted through shared pointers, heaps disposed";

    public override Verdict Run(ScenarioRun run)
    {
        using MemoryManager manager = new();
        World current = new(run, manager, isSmall: true);
        Tally tally = new();
        long heaps = 0;
        run.ContinueUntil(() => Volatile.Read(ref tally.Deletes) > 5_000 && Volatile.Read(ref heaps) > 4);
        Action<Random> keeper = random =>
        {
            for (; run.Goes; heaps++)
            {
                World old = current;
                long until = Volatile.Read(ref tally.Operations) + random.Next(RoundsOfHeap);
                while (run.Goes && Volatile.Read(ref tally.Operations) < until)
                {
                    old.Heap.TrimExcess();
                    Thread.Sleep(1);
                }
                Volatile.Write(ref current, new World(run, manager, isSmall: random.Next(3) > 0));
                old.End();
                tally.Exhausted += old.Heap.ExhaustedSlices;
            }
        };
        Action<Random> worker = random =>
        {
            for (; run.Goes; Interlocked.Increment(ref tally.Operations)) Volatile.Read(ref current).Act(random, tally);
        };
        run.Work([keeper, .. Enumerable.Repeat(worker, Math.Max(2, run.Threads))]);
        // What is left when everybody has gone is what is in the places, and nothing when they are empty.
        ViolationException.Require(current.Heap.Count == current.Filled, $"{current.Heap.Count} slices in use, {current.Filled} in places");
        Invariants.Check(current.Heap);
        current.DeleteAll(tally);
        ViolationException.Require(current.Heap.Count == 0, $"{current.Heap.Count} slices are not released");
        Invariants.Check(current.Heap);
        current.Heap.TrimExcess();
        ScenarioRun.RequireAllGivenBack(manager);
        Invariants.Check(manager);
        current.Heap.Dispose();
        return Verdict.HeldIf(
            run.HasHappened,
            $"{tally.Operations:N0} operations, {tally.Reads:N0} reads, {tally.Torn:N0} of torn bytes repeated, {tally.Writes:N0} writes, {tally.Deletes:N0} deletes, " +
            $"{tally.Exhausted:N0} slices used up, {heaps:N0} heaps");
    }

    private sealed class Tally
    {
        public long Operations, Reads, Torn, Writes, Deletes, Exhausted;
    }

    /// <summary>One slice and what is known of it. Its content is its tag and the number of the last write, again and again.</summary>
    private sealed class Tenant(SafePtr pointer, long tag, int length)
    {
        private int _deletes;

        public SafePtr Pointer => pointer;

        public long Tag => tag;

        public int Length => length;

        /// <summary>True once a delete has returned true.</summary>
        public bool IsDeleted => Volatile.Read(ref _deletes) > 0;

        /// <summary>Writers inside.</summary>
        public int Writers;

        public void CountDelete() => ViolationException.Require(Interlocked.Increment(ref _deletes) == 1, "a slice was deleted twice, or by the pointer of another");
    }

    private sealed class World(ScenarioRun run, MemoryManager manager, bool isSmall)
    {
        private readonly Tenant?[] _places = new Tenant?[Places];
        private readonly Tenant?[] _gone = new Tenant?[Places];

        public SliceHeap Heap { get; } = new(manager, new SliceHeapOptions { VersionBits = 4, SlicesPerBlock = isSmall ? 4 : SafePtr.MaxSlicesPerBlock, Stripes = 2 });

        public int Filled => _places.Count(static tenant => tenant is not null);

        public void Act(Random random, Tally tally)
        {
            int place = random.Next(Places);
            Tenant? tenant = Volatile.Read(ref _places[place]);
            if (tenant is null || random.Next(12) == 0) tenant = Volatile.Read(ref _gone[place]) ?? tenant;
            switch (random.Next(12))
            {
                case 0 or 1:
                    Allocate(place, random);
                    break;
                case 2 when tenant is not null:
                    Delete(place, tenant, tally);
                    break;
                case 3 or 4 when tenant is not null:
                    Write(tenant, tally);
                    break;
                case 5 when tenant is not null:
                    LookAt(tenant, random);
                    break;
                default:
                    if (tenant is not null) Read(tenant, tally);
                    break;
            }
        }

        /// <summary>The heap ends while others work; its pointers are dead, and those who are inside leave in peace.</summary>
        public void End()
        {
            Tenant?[] tenants = [.. _places];
            Heap.Dispose();
            foreach (Tenant? tenant in tenants)
            {
                if (tenant is not null) ViolationException.Require(!Heap.TryCopyTo(tenant.Pointer, [], out _), "a slice is alive after its heap was disposed");
            }
        }

        public void DeleteAll(Tally tally)
        {
            for (int place = 0; place < Places; place++)
            {
                if (_places[place] is { } tenant) Delete(place, tenant, tally);
            }
        }

        private void Allocate(int place, Random random)
        {
            long tag = run.NextTag();
            // Mostly of a few sizes, so that places change hands.
            int length = (random.Next(40) == 0 ? random.Next(100, 20_000) : random.Next(2, 5)) * 16;
            try
            {
                using PrivateSlice slice = Heap.Reserve(length);
                Fill(slice.Bytes, tag, 0);
                if (random.Next(8) == 0) return;
                ViolationException.Require(Look(slice.Bytes, tag), "somebody wrote to a slice that is private");
                Tenant tenant = new(slice.Publish(), tag, length);
                // Who finds the place taken has made a slice that nobody else knows.
                if (Interlocked.CompareExchange(ref _places[place], tenant, null) is not null && Heap.TryDelete(tenant.Pointer)) tenant.CountDelete();
            }
            catch (ObjectDisposedException) when (Heap.IsDisposed)
            {
                // Expected: the keeper was faster.
            }
        }

        private void Delete(int place, Tenant tenant, Tally tally)
        {
            if (!Heap.TryDelete(tenant.Pointer)) return;
            tenant.CountDelete();
            Interlocked.Increment(ref tally.Deletes);
            Volatile.Write(ref _gone[place], tenant);
            Interlocked.CompareExchange(ref _places[place], null, tenant);
        }

        private void Write(Tenant tenant, Tally tally)
        {
            if (Heap.TryWrite(tenant.Pointer, tenant, static (bytes, at) =>
            {
                ViolationException.Require(Interlocked.Increment(ref at.Writers) == 1, "a writer is not alone");
                ViolationException.Require(bytes.Length == at.Length && Look(bytes, at.Tag), "a writer is in another tenant's slice");
                long write = BitConverter.ToInt64(bytes[sizeof(long)..]) + 1;
                Fill(bytes, at.Tag, write);
                Thread.SpinWait((int)(write & 63));
                ViolationException.Require(Look(bytes, at.Tag) && BitConverter.ToInt64(bytes[sizeof(long)..]) == write, "somebody else wrote meanwhile");
                Interlocked.Decrement(ref at.Writers);
            })) Interlocked.Increment(ref tally.Writes);
        }

        private void LookAt(Tenant tenant, Random random)
        {
            bool wasDeleted = tenant.IsDeleted;
            using SliceScope scope = Heap.OpenRead(tenant.Pointer);
            if (!scope.IsOpen) return;
            ViolationException.Require(!wasDeleted, "a scope of a deleted slice was opened");
            ViolationException.Require(Look(scope.Bytes, tenant.Tag), "a scope shows another tenant's slice");
            long write = BitConverter.ToInt64(scope.Bytes[sizeof(long)..]);
            Thread.SpinWait(random.Next(200));
            if (random.Next(50) == 0) Thread.Sleep(0);
            ViolationException.Require(
                Look(scope.Bytes, tenant.Tag) && BitConverter.ToInt64(scope.Bytes[sizeof(long)..]) == write && Volatile.Read(ref tenant.Writers) == 0, "what a scope shows changes");
        }

        private void Read(Tenant tenant, Tally tally)
        {
            bool wasDeleted = tenant.IsDeleted;
            bool isFound = Heap.TryRead(
                tenant.Pointer, (tenant, tally), static (bytes, at) => bytes.Length == at.tenant.Length && (Look(bytes, at.tenant.Tag) || CountTorn(at.tally)), out bool isWhole);
            if (!isFound) return;
            ViolationException.Require(!wasDeleted, "a read found a slice that was deleted before it began");
            ViolationException.Require(isWhole, "a read returned torn or foreign bytes");
            Interlocked.Increment(ref tally.Reads);
        }

        // A look that does not count, unless the library is wrong.
        private static bool CountTorn(Tally tally)
        {
            Interlocked.Increment(ref tally.Torn);
            return false;
        }

        private static void Fill(Span<byte> bytes, long tag, long write)
        {
            for (int at = 0; at < bytes.Length; at += 2 * sizeof(long))
            {
                BitConverter.TryWriteBytes(bytes[at..], tag);
                BitConverter.TryWriteBytes(bytes[(at + sizeof(long))..], write);
            }
        }

        // Any bytes of any length may come.
        private static bool Look(ReadOnlySpan<byte> bytes, long tag)
        {
            if (bytes.Length < 2 * sizeof(long) || bytes.Length % (2 * sizeof(long)) != 0) return false;
            long write = BitConverter.ToInt64(bytes[sizeof(long)..]);
            for (int at = 0; at < bytes.Length; at += 2 * sizeof(long))
            {
                if (BitConverter.ToInt64(bytes[at..]) != tag || BitConverter.ToInt64(bytes[(at + sizeof(long))..]) != write) return false;
            }
            return true;
        }
    }
}
