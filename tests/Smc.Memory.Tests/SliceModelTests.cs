using FsCheck;
using FsCheck.Fluent;
using Smc.Memory.Diagnostics;
using Smc.Stress;
using Smc.Stress.Linearizability;

namespace Smc.Memory.Tests;

/// <summary>Random operations against a dictionary, and random histories of several threads against one thread that does the same one by one.</summary>
public sealed class SliceModelTests
{
    private enum Operation { Allocate, AllocateLarge, Write, Delete, DeleteStale, ReadStale, Abandon, DeleteInside, Trim, Advance }

    [Fact]
    public void A_heap_does_what_a_dictionary_does()
    {
        Gen<Operation> operation = Gen.Frequency(
            (12, Gen.Constant(Operation.Allocate)), (1, Gen.Constant(Operation.AllocateLarge)), (6, Gen.Constant(Operation.Write)), (9, Gen.Constant(Operation.Delete)),
            (3, Gen.Constant(Operation.DeleteStale)), (3, Gen.Constant(Operation.ReadStale)), (2, Gen.Constant(Operation.Abandon)),
            (2, Gen.Constant(Operation.DeleteInside)), (1, Gen.Constant(Operation.Trim)), (3, Gen.Constant(Operation.Advance)));
        Arbitrary<(Operation, int)[]> steps = Gen.Zip(operation, Gen.Choose(0, int.MaxValue)).ArrayOf().Resize(200).ToArbitrary();
        Prop.ForAll(steps, Run).Check(Config.QuickThrowOnFailure.WithMaxTest(80).WithReplay(1, 1));
    }

    [Theory, InlineData(1), InlineData(2), InlineData(3)]
    public void Random_histories_of_several_threads_are_linearizable(int seed)
    {
        const int Threads = 4, Operations = 300, Rounds = 25;
        using MemoryManager manager = new();
        using SliceHeap heap = new(manager, new SliceHeapOptions { Stripes = 2, VersionBits = 4, SlicesPerBlock = 4 });
        for (int round = 0; round < Rounds; round++)
        {
            RegisterWorkload workload = new(new SliceRegisters(heap), places: 3);
            workload.Fill();
            using Barrier start = new(Threads);
            Exception? failure = null;
            Thread[] threads = [.. Enumerable.Range(0, Threads).Select(number => new Thread(() =>
            {
                try
                {
                    Random random = new(unchecked(seed * 7919 + round * 31 + number));
                    RegisterWorkload.Worker worker = workload.NewWorker();
                    start.SignalAndWait();
                    for (int i = 0; i < Operations; i++) worker.Act(random);
                }
                catch (Exception caught)
                {
                    failure ??= caught;
                }
            }))];
            foreach (Thread thread in threads) thread.Start();
            foreach (Thread thread in threads) thread.Join();
            Assert.Null(failure);
            RowOperation[] history = [.. workload.History];
            Assert.Null(LinearizabilityChecker.FindViolation(history));
            foreach (ulong slice in history.Select(static operation => operation.Row).Distinct()) heap.TryDelete(SafePtr.FromUInt64(slice));
            Invariants.Check(heap);
            Assert.Equal(0, heap.Count);
        }
    }

    private static void Run((Operation Kind, int Choice)[] operations)
    {
        using MemoryManager manager = new();
        using (SliceHeap heap = new(manager, new SliceHeapOptions { Stripes = 1, VersionBits = 3, SlicesPerBlock = 3 }))
        {
            Dictionary<SafePtr, byte[]> model = [];
            HashSet<SafePtr> stale = [];
            foreach ((Operation kind, int choice) in operations)
            {
                Apply(heap, model, stale, kind, choice);
                Compare(heap, model, stale);
            }
            Invariants.Check(manager);
        }
        TestTable.PassGrace();
        Assert.Equal(0, manager.MappedBytes);
    }

    private static void Apply(SliceHeap heap, Dictionary<SafePtr, byte[]> model, HashSet<SafePtr> stale, Operation kind, int choice)
    {
        SafePtr any = model.Count > 0 ? model.Keys.ElementAt(choice % model.Count) : default;
        SafePtr gone = stale.Count > 0 ? stale.ElementAt(choice % stale.Count) : default;
        switch (kind)
        {
            case Operation.Allocate or Operation.AllocateLarge:
                byte[] content = new byte[kind == Operation.Allocate ? choice % 60 : 1_100_000];
                new Random(choice).NextBytes(content);
                SafePtr slice = heap.Allocate(content);
                Assert.DoesNotContain(slice, stale);
                model.Add(slice, content);
                break;
            case Operation.Write when !any.IsNull:
                Assert.True(heap.TryWrite(any, choice, static (bytes, seed) => new Random(seed).NextBytes(bytes)));
                new Random(choice).NextBytes(model[any]);
                break;
            case Operation.Delete when !any.IsNull:
                Assert.True(heap.TryDelete(any));
                Forget(any);
                break;
            case Operation.DeleteInside when !any.IsNull:
                using (SliceScope scope = heap.OpenRead(any))
                {
                    Assert.True(heap.TryDelete(any));
                    Assert.True(scope.Bytes.SequenceEqual(model[any]));
                }
                Forget(any);
                break;
            case Operation.DeleteStale:
                Assert.False(heap.TryDelete(gone));
                break;
            case Operation.ReadStale:
                Assert.False(heap.TryCopyTo(gone, [], out _));
                Assert.False(heap.TryWrite(gone, 0, static (_, _) => { }));
                break;
            case Operation.Abandon:
                using (PrivateSlice reserved = heap.Reserve(choice % 60)) reserved.Bytes.Fill(0xEE);
                break;
            case Operation.Trim:
                heap.TrimExcess();
                break;
            case Operation.Advance:
                Epoch.TryAdvance();
                break;
            default:
                break;
        }

        void Forget(SafePtr deleted)
        {
            model.Remove(deleted);
            stale.Add(deleted);
        }
    }

    private static void Compare(SliceHeap heap, Dictionary<SafePtr, byte[]> model, HashSet<SafePtr> stale)
    {
        Invariants.Check(heap);
        Assert.Equal(model.Count, heap.Count);
        foreach ((SafePtr slice, byte[] content) in model)
        {
            Assert.True(heap.TryRead(slice, content, static (bytes, expected) => bytes.SequenceEqual(expected), out bool isEqual));
            Assert.True(isEqual);
        }
        foreach (SafePtr slice in stale) Assert.False(heap.TryCopyTo(slice, [], out _));
    }
}
