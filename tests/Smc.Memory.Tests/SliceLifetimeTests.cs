using System.Diagnostics.Metrics;
using Smc.Memory.Diagnostics;
using Smc.Memory.Platform;
using Smc.Memory.Slices;

namespace Smc.Memory.Tests;

/// <summary>Versions, blocks and heaps that come to their ends, and where the bytes are meanwhile.</summary>
public sealed class SliceLifetimeTests : IDisposable
{
    private const int Length = 1000;
    private readonly MemoryManager _manager = new();

    public void Dispose()
    {
        Invariants.Check(_manager);
        _manager.Dispose();
        TestTable.PassGrace();
        Assert.Equal(0, _manager.MappedBytes);
        Assert.Empty(_manager.SliceHeaps);
    }

    [Fact]
    public void A_slice_whose_versions_are_used_up_is_not_used_again()
    {
        using SliceHeap heap = NewHeap(versionBits: 4);
        HashSet<SafePtr> seen = [];
        for (int i = 0; i < 100; i++)
        {
            SafePtr slice = heap.Allocate(new byte[Length]);
            Assert.True(seen.Add(slice), "a pointer was given out twice");
            Assert.True(heap.TryDelete(slice));
            Invariants.Check(heap);
        }
        Assert.Equal(100 / 15, heap.ExhaustedSlices);
        foreach (SafePtr old in seen) Assert.False(heap.TryDelete(old));
    }

    [Fact]
    public void A_block_of_used_up_slices_goes_back_and_its_number_begins_above_their_versions()
    {
        using SliceHeap heap = NewHeap(versionBits: 2, slicesPerBlock: 2);
        HashSet<SafePtr> seen = [];
        HashSet<int> numbers = [];
        for (int i = 0; i < 600; i++)
        {
            SafePtr slice = heap.Allocate(new byte[Length]);
            Assert.True(seen.Add(slice), "a pointer was given out twice");
            numbers.Add(slice.Block);
            heap.TryDelete(slice);
            if (i % 10 == 0) TestTable.PassGrace();
        }
        TestTable.PassGrace();
        // A hundred blocks came and went.
        Assert.True(numbers.Count < 10, $"{numbers.Count} numbers");
        Assert.True(_manager.MappedBytes <= VirtualMemory.Granularity, $"{_manager.MappedBytes} bytes");
        foreach (SafePtr old in seen) Assert.False(heap.TryCopyTo(old, [], out _));
    }

    [Fact]
    public void After_the_last_version_of_a_number_the_number_is_not_given_out_again()
    {
        using SliceHeap heap = NewHeap();
        SafePtr slice = heap.Allocate(new byte[Length]);
        heap.TryDelete(slice);
        heap.TrimExcess();
        TestTable.PassGrace();
        // The number that came back last is given out next.
        Assert.Equal(slice.Block, SliceBlockTable.Take(out _));
        SliceBlockTable.Return(slice.Block, SafePtr.MaxVersion);
        SafePtr last = heap.Allocate(new byte[Length]);
        Assert.Equal((slice.Block, SafePtr.MaxVersion), (last.Block, last.Version));
        heap.TryDelete(last);
        Assert.Equal(1, heap.ExhaustedSlices);
        heap.TrimExcess();
        TestTable.PassGrace();
        Assert.NotEqual(slice.Block, heap.Allocate(new byte[Length]).Block);
    }

    [Fact]
    public void A_block_that_left_without_ever_having_a_slice_keeps_the_versions_of_the_blocks_before()
    {
        SliceBlock block = new()
        {
            Heap = null!,
            Stripe = null,
            Number = 0,
            Address = 0,
            Bytes = 0,
            SizeClass = 0,
            SliceBytes = 16,
            Count = 0,
            FirstVersion = 7,
            LastVersion = 9,
        };
        Assert.Equal(7u, block.NextVersion);
    }

    [Fact]
    public void Blocks_without_slices_go_back_and_the_last_small_one_of_a_size_stays_until_it_is_trimmed()
    {
        using SliceHeap heap = NewHeap(slicesPerBlock: 4);
        SafePtr[] slices = [.. Enumerable.Range(0, 40).Select(_ => heap.Allocate(new byte[Length]))];
        Assert.Equal(10, heap.Blocks.Length);
        foreach (SafePtr slice in slices.AsSpan(0, 36)) heap.TryDelete(slice);
        TestTable.PassGrace();
        Assert.Single(heap.Blocks);
        Assert.Equal(VirtualMemory.Granularity, _manager.MappedBytes);
        foreach (SafePtr slice in slices.AsSpan(36)) heap.TryDelete(slice);
        TestTable.PassGrace();
        Assert.Equal(VirtualMemory.Granularity, _manager.MappedBytes);
        heap.TrimExcess();
        Assert.Empty(heap.Blocks);
        Assert.Equal(0, _manager.MappedBytes);
        Assert.Equal(default, heap.Usage);
    }

    [Fact]
    public void A_block_that_a_reader_may_be_at_waits_for_it_and_is_garbage_meanwhile()
    {
        using SliceHeap heap = NewHeap();
        SafePtr slice = heap.Allocate(new byte[Length]);
        using ParkedReader reader = new();
        heap.TryDelete(slice);
        heap.TrimExcess();
        Assert.Equal((VirtualMemory.Granularity, VirtualMemory.Granularity), (heap.Usage.RetiredBlocks, heap.GarbageBytes));
        Assert.Equal(heap.GarbageBytes, _manager.GarbageBytes);
        Invariants.Check(_manager);
        reader.Release();
        TestTable.PassGrace();
        Assert.Equal(0, heap.GarbageBytes);
        Assert.Equal(0, _manager.MappedBytes);
    }

    [Fact]
    public void Deleted_slices_are_used_again_although_a_reader_sleeps()
    {
        using SliceHeap heap = NewHeap(slicesPerBlock: 8);
        using ParkedReader reader = new();
        for (int i = 0; i < 10_000; i++) Assert.True(heap.TryDelete(heap.Allocate(new byte[Length])));
        Assert.Single(heap.Blocks);
        Assert.Equal(0, heap.GarbageBytes);
    }

    [Fact]
    public void Stalled_writers_keep_their_slices_and_nothing_else()
    {
        const int Writers = 40, Others = 2_000;
        using SliceHeap heap = NewHeap(slicesPerBlock: 64);
        SafePtr[] slices = [.. Enumerable.Range(0, Writers).Select(_ => heap.Allocate(new byte[Length]))];
        using CountdownEvent inside = new(Writers);
        using ManualResetEventSlim leave = new();
        Thread[] threads = [.. slices.Select(slice => new Thread(() => heap.TryWrite(slice, 0, (bytes, _) =>
        {
            inside.Signal();
            leave.Wait();
            bytes.Fill(0xFF);
        }), 256 * 1024))];
        foreach (Thread thread in threads) thread.Start();
        inside.Wait();
        long epoch = Epoch.Current;
        foreach (SafePtr slice in slices) Assert.True(heap.TryDelete(slice));
        SafePtr[] others = [.. Enumerable.Range(0, Others).Select(_ => heap.Allocate(new byte[Length]))];
        foreach (SafePtr other in others) Assert.True(heap.TryDelete(other));
        heap.TrimExcess();
        TestTable.PassGrace();
        // Nobody holds the epoch back, and what is mapped is the block that the stalled writers are in.
        Assert.True(Epoch.Current >= epoch + 3);
        Assert.Equal(Writers, heap.Count);
        Assert.Equal(VirtualMemory.Granularity, _manager.MappedBytes);
        leave.Set();
        foreach (Thread thread in threads) thread.Join();
        Assert.Equal(0, heap.Count);
        heap.TrimExcess();
        Assert.Equal(0, _manager.MappedBytes);
    }

    [Fact]
    public void The_parts_of_all_heaps_and_collections_add_up_to_what_is_mapped()
    {
        using TestTable table = new(manager: _manager);
        using SliceHeap first = NewHeap(), second = NewHeap(versionBits: 2);
        List<SafePtr> slices = [];
        Random random = new(1);
        for (int i = 0; i < 2_000; i++)
        {
            table.Add(i);
            slices.Add(first.Allocate(new byte[random.Next(3_000)]));
            if (i % 3 == 0) first.TryDelete(slices[random.Next(slices.Count)]);
            second.TryDelete(second.Allocate(new byte[random.Next(100)]));
        }
        slices.Add(first.Allocate(new byte[3_000_000]));
        foreach (SliceHeap heap in new[] { first, second }) Invariants.Check(heap);
        Invariants.Check(_manager);
        Assert.True(first.Usage.Slices > 0 && second.ExhaustedSlices > 0);
        Assert.Equal(_manager.MappedBytes, table.Context.Usage.Mapped + first.Usage.Mapped + second.Usage.Mapped + _manager.SharedUsage.Mapped);
    }

    [Fact]
    public void Meters_show_heaps_beside_collections()
    {
        using SliceHeap heap = new(_manager, new SliceHeapOptions { Name = "values" });
        for (int i = 0; i < 10; i++) heap.Allocate(new byte[Length]);
        Dictionary<string, long> readings = [];
        using MeterListener listener = new();
        listener.InstrumentPublished = (instrument, self) =>
        {
            if (instrument.Meter.Name == MemoryMeter.MeterName) self.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            foreach (KeyValuePair<string, object?> tag in tags)
            {
                if (tag.Key == MemoryMeter.HeapTag && (string?)tag.Value == "values") readings[instrument.Name] = value;
            }
        });
        listener.Start();
        listener.RecordObservableInstruments();
        Assert.Equal((10, 0), (readings["smc.heap.slices"], readings["smc.heap.exhausted_slices"]));
        Assert.Equal(heap.Usage.Slices, readings["smc.memory.slices"]);
        Assert.Equal(heap.Usage.Mapped, readings["smc.memory.mapped"]);
    }

    [Fact]
    public void Beyond_the_limit_nothing_is_allocated_and_nothing_changes()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Limit = 4 * VirtualMemory.Granularity });
        using SliceHeap heap = new(manager, new SliceHeapOptions { Stripes = 1 });
        List<SafePtr> slices = [];
        Assert.Throws<OffHeapMemoryException>(() =>
        {
            for (int i = 0; i < 1_000; i++) slices.Add(heap.Allocate(new byte[Length]));
        });
        Assert.Equal(4 * (VirtualMemory.Granularity / 1024), slices.Count);
        Assert.Throws<OffHeapMemoryException>(() => heap.Allocate(new byte[2_000_000]));
        Invariants.Check(heap);
        Invariants.Check(manager);
        Assert.True(heap.TryDelete(slices[7]));
        Assert.True(heap.TryCopyTo(heap.Allocate(new byte[Length]), [], out _));
    }

    [Fact]
    public void Blocks_that_wait_for_nobody_are_freed_before_an_allocation_fails()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Limit = 8 << 20 });
        using SliceHeap heap = new(manager);
        for (int i = 0; i < 50; i++) Assert.True(heap.TryDelete(heap.Allocate(new byte[3_000_000])));
        using ParkedReader reader = new();
        Assert.Throws<OffHeapMemoryException>(() =>
        {
            for (int i = 0; i < 50; i++) Assert.True(heap.TryDelete(heap.Allocate(new byte[3_000_000])));
        });
        Invariants.Check(manager);
    }

    [Theory, InlineData(false), InlineData(true)]
    public void Whatever_request_the_system_refuses_the_call_changes_nothing_and_works_afterwards(bool lasting)
    {
        for (int refused = 0; ; refused++)
        {
            using RefusingProbe probe = new(refused, lasting);
            using (SliceHeap heap = NewHeap(slicesPerBlock: 2))
            {
                List<SafePtr> slices = [];
                foreach (int length in new[] { 10, 10, 10, 5_000, 3_000_000, 10 })
                {
                    try
                    {
                        slices.Add(heap.Allocate(new byte[length]));
                    }
                    catch (OffHeapMemoryException)
                    {
                        Invariants.Check(heap);
                        Assert.Equal(slices.Count, heap.Count);
                        probe.Recover();
                        slices.Add(heap.Allocate(new byte[length]));
                    }
                }
                foreach (SafePtr slice in slices) Assert.True(heap.TryDelete(slice));
            }
            TestTable.PassGrace();
            Assert.Equal(0, probe.Mappings);
            if (!probe.HasRefused) break;
        }
    }

    [Fact]
    public void After_the_end_of_a_heap_its_pointers_answer_false_and_allocating_throws()
    {
        SliceHeap heap = NewHeap();
        SafePtr small = heap.Allocate(new byte[Length]), large = heap.Allocate(new byte[3_000_000]);
        heap.Dispose();
        heap.Dispose();
        Assert.False(heap.TryCopyTo(small, [], out _));
        Assert.False(heap.TryDelete(large));
        Assert.Throws<ObjectDisposedException>(() => heap.Allocate(new byte[1]));
        Assert.Throws<ObjectDisposedException>(() => heap.Allocate(new byte[3_000_000]));
        heap.TrimExcess();
        TestTable.PassGrace();
        Assert.Equal(0, _manager.MappedBytes);
    }

    [Fact]
    public void A_heap_that_ends_under_a_writer_a_scope_and_a_reserved_slice_keeps_their_memory_until_they_leave()
    {
        SliceHeap heap = NewHeap(slicesPerBlock: 1);
        SafePtr written = heap.Allocate(new byte[Length]), read = heap.Allocate("abc"u8), other = heap.Allocate(new byte[3_000_000]);
        PrivateSlice reserved = heap.Reserve(Length);
        SliceScope scope = heap.OpenRead(read);
        Assert.True(heap.TryWrite(written, heap, static (bytes, ending) =>
        {
            ending.Dispose();
            TestTable.PassGrace();
            bytes.Fill(1);
        }));
        Assert.False(heap.TryDelete(other));
        TestTable.PassGrace();
        Assert.Equal(2, heap.Count);
        Assert.True(scope.Bytes.SequenceEqual("abc"u8));
        scope.Dispose();
        TestTable.PassGrace();
        reserved.Bytes.Fill(7);
        Assert.Equal(1, heap.Count);
        bool threw = false;
        try
        {
            reserved.Publish();
        }
        catch (ObjectDisposedException)
        {
            threw = true;
        }
        Assert.True(threw);
        TestTable.PassGrace();
        Assert.Equal(0, _manager.MappedBytes);
    }

    [Fact]
    public void A_heap_of_a_disposed_manager_is_disposed_and_new_ones_are_refused()
    {
        MemoryManager manager = new();
        SliceHeap heap = new(manager);
        heap.Allocate(new byte[Length]);
        manager.Dispose();
        Assert.True(heap.IsDisposed);
        Assert.Throws<ObjectDisposedException>(() => new SliceHeap(manager));
        TestTable.PassGrace();
        Assert.Equal(0, manager.MappedBytes);
    }

    [Fact]
    public void Slices_of_many_blocks_keep_apart_beyond_the_256th_block()
    {
        using SliceHeap heap = NewHeap(slicesPerBlock: 1);
        SafePtr[] slices = [.. Enumerable.Range(0, 600).Select(i => heap.Allocate(BitConverter.GetBytes(i)))];
        Assert.True(slices.Max(static slice => slice.Block) >= 512);
        for (int i = 0; i < slices.Length; i++)
        {
            Assert.True(heap.TryRead(slices[i], 0, static (bytes, _) => BitConverter.ToInt32(bytes), out int found));
            Assert.Equal(i, found);
        }
    }

    private SliceHeap NewHeap(int versionBits = SafePtr.VersionBits, int slicesPerBlock = SafePtr.MaxSlicesPerBlock) =>
        new(_manager, new SliceHeapOptions { Stripes = 1, VersionBits = versionBits, SlicesPerBlock = slicesPerBlock });
}
