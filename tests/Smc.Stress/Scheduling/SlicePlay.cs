using Smc.Memory;
using Smc.Memory.Diagnostics;

namespace Smc.Stress.Scheduling;

/// <summary>
/// One place for a slice and everybody who uses it through pointers to its tenants: the counterpart in code of models/slices.pml, with its properties S1
/// to S5. Every tenant has four words, which all hold the number of the tenant and of the last write.
/// </summary>
internal sealed class SlicePlay(SliceCast cast) : Play
{
    private const int Words = 4;
    private const int Length = Words * sizeof(long);

    public override string Name => $"slices: {cast}";

    protected override int ExpectedSteps => 20 + 12 * (cast.Writers + cast.Readers + cast.Scopes) + 15 * cast.Lives;

    protected override Action Arrange(ControlledScheduler scheduler, TaggedTable table)
    {
        Stage stage = new(table.Context.Manager, cast);
        Tenant first = stage.FirstTenant();
        for (int i = 0; i < cast.Writers; i++) scheduler.Add(() => Write(stage, first));
        for (int i = 0; i < cast.Readers; i++) scheduler.Add(() => ReadTwice(stage, first));
        for (int i = 0; i < cast.Scopes; i++) scheduler.Add(() => LookAt(stage, first));
        for (int i = 0; i < cast.Deleters; i++) scheduler.Add(() => Delete(stage, first));
        if (cast.Stale) scheduler.Add(() => DeleteLate(stage, first));
        if (cast.Lives > 0) scheduler.Add(() => Succeed(stage));
        if (cast.Disposer) scheduler.Add(stage.Dispose);
        return stage.Check;
    }

    private static void Write(Stage stage, Tenant tenant)
    {
        stage.Heap.TryWrite(tenant.Pointer, (stage, tenant), static (bytes, at) =>
        {
            // S2: alone, and in the tenant that the pointer names.
            ViolationException.Require(++at.stage.Writers == 1 && at.stage.Scopes == 0, "a writer is not alone");
            ViolationException.Require(Word(bytes, 0) / Tenant.Writes == at.tenant.Number, "a writer is in another tenant's slice");
            long value = at.tenant.NextWrite();
            for (int word = 0; word < Words; word++)
            {
                SetWord(bytes, word, value);
                ControlledScheduler.Step();
                ViolationException.Require(Word(bytes, 0) == value, "somebody else wrote meanwhile");
            }
            at.stage.Writers--;
        });
    }

    private static void ReadTwice(Stage stage, Tenant first)
    {
        for (int turn = 0; turn < 2; turn++)
        {
            Tenant tenant = turn == 0 ? first : stage.Newest;
            bool wasGone = tenant.IsDeleted || stage.IsDisposed;
            bool isFound = stage.Heap.TryRead(tenant.Pointer, stage, static (bytes, at) => Look(bytes, at), out (long Value, bool IsWhole) found);
            if (isFound)
            {
                // S1.
                ViolationException.Require(found.IsWhole, "a read returned words of different writes");
                ViolationException.Require(found.Value / Tenant.Writes == tenant.Number, "a read returned another tenant's words");
                ViolationException.Require(!wasGone, "a read found a slice that was deleted before it began");
            }
            ControlledScheduler.Step();
        }
    }

    // May run on bytes that change, and on those of nobody.
    private static (long Value, bool IsWhole) Look(ReadOnlySpan<byte> bytes, Stage stage)
    {
        if (FreedMemory.Contains(bytes)) stage.HasSeenFreedMemory = true;
        if (bytes.Length != Length) return (0, false);
        long value = Word(bytes, 0);
        bool isWhole = true;
        for (int word = 1; word < Words; word++)
        {
            ControlledScheduler.Step();
            if (FreedMemory.Contains(bytes)) stage.HasSeenFreedMemory = true;
            isWhole &= Word(bytes, word) == value;
        }
        return (value, isWhole);
    }

    private static void LookAt(Stage stage, Tenant tenant)
    {
        using SliceScope scope = stage.Heap.OpenRead(tenant.Pointer);
        if (!scope.IsOpen) return;
        stage.Scopes++;
        for (int look = 0; look < 3; look++)
        {
            // S4.
            (long value, bool isWhole) = Look(scope.Bytes, stage);
            ViolationException.Require(isWhole && value / Tenant.Writes == tenant.Number && stage.Writers == 0, "what a scope shows changes");
        }
        stage.Scopes--;
    }

    // S3: of all calls with one pointer, one deletes.
    private static void Delete(Stage stage, Tenant tenant)
    {
        if (stage.Heap.TryDelete(tenant.Pointer)) tenant.CountDelete();
    }

    private static void DeleteLate(Stage stage, Tenant tenant)
    {
        while (!tenant.IsDeleted && !stage.IsDisposed) ProtocolSteps.Reach(ProtocolStep.Waiting);
        Delete(stage, tenant);
    }

    private static void Succeed(Stage stage)
    {
        for (int life = 0; life < stage.Cast.Lives; life++)
        {
            // The next tenant comes into the place of the one before, unless that is used up.
            while (stage.Heap.Count > 0) ProtocolSteps.Reach(ProtocolStep.Waiting);
            Tenant tenant;
            try
            {
                tenant = stage.NewTenant();
            }
            catch (ObjectDisposedException) when (stage.Cast.Disposer)
            {
                return;
            }
            ControlledScheduler.Step();
            if (!stage.Cast.Disposer) Delete(stage, tenant);
        }
    }

    private static long Word(ReadOnlySpan<byte> bytes, int word) => BitConverter.ToInt64(bytes[(word * sizeof(long))..]);

    private static void SetWord(Span<byte> bytes, int word, long value) => BitConverter.TryWriteBytes(bytes[(word * sizeof(long))..], value);

    private sealed class Tenant(int number, SafePtr pointer)
    {
        /// <summary>More than a tenant sees: its words are number * this + write.</summary>
        public const int Writes = 1000;

        private int _deletes;
        private int _writes;

        public int Number => number;

        public SafePtr Pointer => pointer;

        public int Deletes => _deletes;

        /// <summary>True once a delete has returned true.</summary>
        public bool IsDeleted => _deletes > 0;

        public long NextWrite() => number * Writes + ++_writes;

        public void CountDelete() => ViolationException.Require(++_deletes == 1, "a slice was deleted twice, or by the pointer of another");
    }

    private sealed class Stage
    {
        private readonly List<Tenant> _tenants = [];

        public Stage(MemoryManager manager, SliceCast cast)
        {
            Cast = cast;
            Heap = new SliceHeap(manager, new SliceHeapOptions { Stripes = 1, SlicesPerBlock = 1, VersionBits = cast.VersionBits });
        }

        public SliceCast Cast { get; }

        public SliceHeap Heap { get; }

        public Tenant Newest => _tenants[^1];

        public int Writers { get; set; }

        public int Scopes { get; set; }

        public bool HasSeenFreedMemory { get; set; }

        /// <summary>True once the heap's end has returned.</summary>
        public bool IsDisposed { get; private set; }

        public Tenant FirstTenant()
        {
            Tenant first = NewTenant();
            if (Cast.FormerTenants == 0) return first;
            Delete(this, first);
            for (int i = 1; i < Cast.FormerTenants; i++) Heap.TryDelete(Heap.Allocate(new byte[Length]));
            return first;
        }

        /// <summary>Fills a slice that nobody else has, word by word, and publishes it.</summary>
        public Tenant NewTenant()
        {
            int number = _tenants.Count + 1;
            long value = (long)number * Tenant.Writes;
            using PrivateSlice slice = Heap.Reserve(Length);
            for (int word = 0; word < Words; word++)
            {
                SetWord(slice.Bytes, word, value);
                ControlledScheduler.Step();
            }
            for (int word = 0; word < Words; word++) ViolationException.Require(Word(slice.Bytes, word) == value, "somebody wrote to a slice that is private");
            Tenant tenant = new(number, slice.Publish());
            _tenants.Add(tenant);
            return tenant;
        }

        public void Dispose()
        {
            Heap.Dispose();
            IsDisposed = true;
        }

        // S3 and S5.
        public void Check()
        {
            ViolationException.Require(!HasSeenFreedMemory, "a reader was in a block that was given back");
            foreach (Tenant tenant in _tenants)
            {
                ViolationException.Require(Cast.Disposer || tenant.Deletes == 1, $"tenant {tenant.Number} was deleted {tenant.Deletes} times");
                ViolationException.Require(!Heap.TryDelete(tenant.Pointer), $"tenant {tenant.Number} can be deleted once more");
            }
            ViolationException.Require(Heap.Count == 0, $"{Heap.Count} slices are not released");
            Invariants.Check(Heap);
            Heap.Dispose();
        }
    }
}
