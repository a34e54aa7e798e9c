using System.Text;
using Smc.Memory.Diagnostics;

namespace Smc.Memory.Tests;

/// <summary>What each call does with a slice that is alive, deleted, used again, or of another heap.</summary>
public sealed class SliceHeapTests : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly SliceHeap _heap;

    public SliceHeapTests() => _heap = NewHeap();

    public static TheoryData<int> Lengths => [0, 1, 4, 5, 100, 2036, 2037, 70_000, (1 << 20) - 12, (1 << 20) - 11, 5_000_000];

    public void Dispose()
    {
        Invariants.Check(_heap);
        Invariants.Check(_manager);
        _manager.Dispose();
        TestTable.PassGrace();
        Assert.Equal(0, _manager.MappedBytes);
    }

    [Theory, MemberData(nameof(Lengths))]
    public void A_slice_holds_what_it_was_made_with_until_it_is_deleted(int length)
    {
        byte[] content = new byte[length];
        new Random(length).NextBytes(content);
        SafePtr slice = _heap.Allocate(content);
        byte[] copy = new byte[length];
        Assert.True(_heap.TryCopyTo(slice, copy, out int found));
        Assert.Equal(length, found);
        Assert.Equal(content, copy);
        Assert.Equal(1, _heap.Count);
        Assert.True(_heap.TryDelete(slice));
        Assert.Equal(0, _heap.Count);
        AssertGone(_heap, slice);
    }

    [Fact]
    public void Deleting_twice_says_so_and_frees_once()
    {
        SafePtr slice = Allocate("once");
        Assert.True(_heap.TryDelete(slice));
        Assert.False(_heap.TryDelete(slice));
        SafePtr first = Allocate("a"), second = Allocate("b");
        Assert.NotEqual((first.Block, first.Index), (second.Block, second.Index));
    }

    [Fact]
    public void The_pointer_of_a_deleted_slice_does_not_reach_the_next_one_in_its_place()
    {
        SafePtr old = Allocate("old");
        _heap.TryDelete(old);
        SafePtr young = Allocate("new");
        Assert.Equal((old.Block, old.Index), (young.Block, young.Index));
        AssertGone(_heap, old);
        Assert.Equal("new", Text(young));
    }

    [Fact]
    public void A_pointer_says_nothing_to_another_heap_nor_after_its_own_is_gone()
    {
        SafePtr foreign;
        using (SliceHeap other = NewHeap())
        {
            foreign = other.Allocate("foreign"u8);
            SafePtr own = Allocate("own");
            AssertGone(_heap, foreign);
            AssertGone(other, own);
        }
        AssertGone(_heap, foreign);
        TestTable.PassGrace();
        // Another heap has the number of the block now, or will have it soon.
        using SliceHeap next = NewHeap();
        for (int i = 0; i < 10; i++) Assert.NotEqual(foreign, next.Allocate("foreign"u8));
        AssertGone(next, foreign);
    }

    [Fact]
    public void Null_and_made_up_pointers_are_answered_with_false()
    {
        Allocate("something");
        AssertGone(_heap, default);
        foreach (ulong bits in new[] { 1UL, ulong.MaxValue, ulong.MaxValue >> 24, 1UL << 40, 0xFFFFFUL })
        {
            SafePtr slice = SafePtr.FromUInt64(bits);
            if (!_heap.TryCopyTo(slice, [], out _)) AssertGone(_heap, slice);
        }
    }

    [Fact]
    public void A_made_up_pointer_without_a_version_does_not_reach_a_place_that_was_never_used()
    {
        SafePtr slice = Allocate("something");
        ulong place = slice.ToUInt64() & ((1UL << (SafePtr.BlockBits + SafePtr.IndexBits)) - 1);
        AssertGone(_heap, SafePtr.FromUInt64(place));
        AssertGone(_heap, SafePtr.FromUInt64(place + 1));
    }

    [Fact]
    public void A_write_changes_the_slice_in_place()
    {
        SafePtr slice = Allocate("0123456789");
        Assert.True(_heap.TryWrite(slice, (byte)'x', static (bytes, mark) => bytes[5] = mark));
        Assert.Equal("01234x6789", Text(slice));
    }

    [Fact]
    public void A_writer_that_throws_leaves_what_it_wrote_and_lets_the_next_one_in()
    {
        SafePtr slice = Allocate("abc");
        Assert.Throws<FormatException>(() => _heap.TryWrite(slice, 0, static (bytes, _) =>
        {
            bytes[0] = (byte)'x';
            throw new FormatException();
        }));
        Assert.Equal("xbc", Text(slice));
        Assert.True(_heap.TryWrite(slice, 0, static (bytes, _) => bytes[1] = (byte)'y'));
        Assert.Equal("xyc", Text(slice));
    }

    [Fact]
    public void A_writer_may_delete_its_slice_which_is_released_when_it_ends()
    {
        SafePtr slice = Allocate("abc");
        Assert.True(_heap.TryWrite(slice, (_heap, slice), static (bytes, at) =>
        {
            Assert.True(at._heap.TryDelete(at.slice));
            Assert.Equal(1, at._heap.Count);
            bytes.Clear();
        }));
        Assert.Equal(0, _heap.Count);
        AssertGone(_heap, slice);
    }

    [Fact]
    public void An_exception_of_a_reader_that_saw_the_slice_at_rest_reaches_the_caller()
    {
        SafePtr slice = Allocate("abc");
        Assert.Throws<FormatException>(() => _heap.TryRead<int, int>(slice, 0, static (_, _) => throw new FormatException(), out _));
        Assert.False(Epoch.IsInsideSection);
    }

    [Fact]
    public void A_reader_whose_slice_is_written_meanwhile_runs_again_and_what_it_threw_is_forgotten()
    {
        SafePtr slice = Allocate("abc");
        int runs = 0;
        Assert.True(_heap.TryRead(slice, 0, (bytes, _) =>
        {
            if (runs++ > 0) return Encoding.UTF8.GetString(bytes);
            _heap.TryWrite(slice, 0, static (target, _) => target.Fill((byte)'z'));
            throw new FormatException();
        }, out string? text));
        Assert.Equal((2, "zzz"), (runs, text));
    }

    [Fact]
    public void A_reader_whose_slice_is_deleted_meanwhile_is_told_that_it_is_gone()
    {
        SafePtr slice = Allocate("abc");
        Assert.False(_heap.TryRead(slice, 0, (bytes, _) =>
        {
            _heap.TryDelete(slice);
            SafePtr next = Allocate("xyz");
            Assert.Equal(slice.Index, next.Index);
            return bytes.Length;
        }, out _));
    }

    [Fact]
    public void A_reader_may_have_a_span_as_its_state()
    {
        SafePtr slice = Allocate("hello");
        Span<byte> destination = stackalloc byte[3];
        Assert.True(_heap.TryCopyTo(slice, destination, out int length));
        Assert.Equal((5, "hel"), (length, Encoding.UTF8.GetString(destination)));
    }

    [Fact]
    public void What_is_reserved_is_nobodys_until_it_is_published()
    {
        PrivateSlice slice = _heap.Reserve(3);
        "abc"u8.CopyTo(slice.Bytes);
        Assert.Equal(1, _heap.Count);
        SafePtr pointer = slice.Publish();
        Assert.Equal("abc", Text(pointer));
        slice.Dispose();
        Assert.Equal("abc", Text(pointer));
    }

    [Fact]
    public void What_is_reserved_and_given_back_is_used_again()
    {
        using (PrivateSlice slice = _heap.Reserve(3)) slice.Bytes.Clear();
        Assert.Equal(0, _heap.Count);
    }

    [Fact]
    public void A_copy_of_a_reserved_slice_cannot_publish_it_a_second_time()
    {
        PrivateSlice slice = _heap.Reserve(3), copy = slice;
        SafePtr pointer = slice.Publish();
        bool threw = false;
        try
        {
            copy.Publish();
        }
        catch (InvalidOperationException)
        {
            threw = true;
        }
        Assert.True(threw);
        Assert.True(_heap.TryDelete(pointer));
    }

    [Fact]
    public void A_function_that_fills_a_new_slice_and_throws_leaves_none()
    {
        Assert.Throws<FormatException>(() => _heap.Allocate(10, 0, static (_, _) => throw new FormatException()));
        Assert.Equal(0, _heap.Count);
    }

    [Fact]
    public void A_slice_that_is_open_stays_as_it_is_when_it_is_deleted()
    {
        SafePtr slice = Allocate("abc");
        using (SliceScope scope = _heap.OpenRead(slice))
        {
            Assert.True(_heap.TryDelete(slice));
            SafePtr other = Allocate("xyz");
            Assert.NotEqual((slice.Block, slice.Index), (other.Block, other.Index));
            Assert.Equal("abc", Encoding.UTF8.GetString(scope.Bytes));
            AssertGone(_heap, slice);
            Assert.Equal(2, _heap.Count);
        }
        Assert.Equal(1, _heap.Count);
    }

    [Fact]
    public void The_last_of_several_scopes_releases_a_deleted_slice()
    {
        SafePtr slice = Allocate("abc");
        SliceScope first = _heap.OpenRead(slice), second = _heap.OpenRead(slice);
        _heap.TryDelete(slice);
        first.Dispose();
        Assert.Equal(1, _heap.Count);
        Assert.Equal("abc", Encoding.UTF8.GetString(second.Bytes));
        second.Dispose();
        second.Dispose();
        Assert.Equal(0, _heap.Count);
    }

    [Fact]
    public void A_writer_waits_for_open_scopes_and_a_256th_reader_for_one_of_the_others()
    {
        SafePtr slice = Allocate("abc");
        using ManualResetEventSlim opened = new(), leave = new();
        Thread[] readers = [.. Enumerable.Range(0, 255).Select(_ => new Thread(() =>
        {
            using SliceScope scope = _heap.OpenRead(slice);
            leave.Wait();
        }, 256 * 1024))];
        foreach (Thread reader in readers) reader.Start();
        Slices.SlicePlace place = new(_heap.Blocks[0], slice.Index);
        SpinWait.SpinUntil(() => Slices.SliceHeader.ReadersOf(place.Word) == 255);
        bool written = false, read = false;
        Thread writer = new(() => Volatile.Write(ref written, _heap.TryWrite(slice, 0, static (bytes, _) => bytes.Fill((byte)'w'))));
        Thread last = new(() =>
        {
            using SliceScope scope = _heap.OpenRead(slice);
            Volatile.Write(ref read, scope.IsOpen);
        });
        writer.Start();
        last.Start();
        Thread.Sleep(30);
        Assert.False(Volatile.Read(ref written));
        Assert.False(Volatile.Read(ref read));
        // An optimistic reader waits for nobody who only reads.
        Assert.Equal("abc", Text(slice));
        leave.Set();
        foreach (Thread thread in readers.Append(writer).Append(last)) thread.Join();
        Assert.True(written);
        Assert.True(read);
        Assert.Equal("www", Text(slice));
    }

    [Fact]
    public void Increments_of_several_threads_add_up()
    {
        const int Threads = 4, Rounds = 20_000;
        SafePtr slice = _heap.Allocate(new byte[8]);
        Thread[] threads = [.. Enumerable.Range(0, Threads).Select(_ => new Thread(() =>
        {
            for (int i = 0; i < Rounds; i++)
                Assert.True(_heap.TryWrite(slice, 0, static (bytes, _) => BitConverter.TryWriteBytes(bytes, BitConverter.ToInt64(bytes) + 1)));
        }))];
        foreach (Thread thread in threads) thread.Start();
        foreach (Thread thread in threads) thread.Join();
        Assert.True(_heap.TryRead(slice, 0, static (bytes, _) => BitConverter.ToInt64(bytes), out long sum));
        Assert.Equal(Threads * Rounds, sum);
    }

    [Fact]
    public void Lengths_are_not_negative()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => _heap.Reserve(-1).Dispose());
        Assert.Throws<ArgumentNullException>(() => _heap.TryWrite(default, 0, null!));
        Assert.Throws<ArgumentNullException>(() => _heap.TryRead<int, int>(default, 0, null!, out _));
    }

    private SliceHeap NewHeap() => new(_manager, new SliceHeapOptions { Stripes = 1 });

    private SafePtr Allocate(string text) => _heap.Allocate(Encoding.UTF8.GetBytes(text));

    private string? Text(SafePtr slice) =>
        _heap.TryRead(slice, 0, static (bytes, _) => Encoding.UTF8.GetString(bytes), out string? text) ? text : null;

    private static void AssertGone(SliceHeap heap, SafePtr slice)
    {
        Assert.False(heap.TryRead(slice, 0, static (_, _) => 0, out _));
        Assert.False(heap.TryCopyTo(slice, new byte[4], out _));
        Assert.False(heap.TryWrite(slice, 0, static (_, _) => Assert.Fail("a writer of a deleted slice ran")));
        using SliceScope scope = heap.OpenRead(slice);
        Assert.False(scope.IsOpen);
        Assert.True(scope.Bytes.IsEmpty);
        Assert.False(heap.TryDelete(slice));
    }
}
