using Smc.Memory.Strings;

namespace Smc.Memory.Tests;

public sealed class StringCompactionTests : IDisposable
{
    private const int Page = 4096;
    private const int Rows = 2000;
    private readonly TestTable _table = new(slotsPerBlock: 64, stringSegment: Page);
    private readonly Dictionary<ulong, string> _rows = [];

    private StringHeap Heap => _table.Context.Strings;

    [Fact]
    public void A_segment_that_is_emptied_before_its_stripe_has_it_hands_out_nothing()
    {
        StringStripe stripe = new();
        StringSegment segment = new(address: 1 << 20, bytes: Page, stripe);
        Assert.True(stripe.TryLeave(segment, share: 0.5, out _));
        stripe.AddSegment(segment);
        Assert.True(stripe.TryTake(SizeClass.Of(100)).IsNone);
    }

    [Fact]
    public void A_heap_with_a_tenth_of_live_bytes_gives_the_rest_back()
    {
        Fill(Rows);
        long before = Heap.MappedBytes;
        RemoveAllBut(10);
        StringCompactionResult result = _table.Context.StringCompaction.Compact();
        Assert.True(result.IsComplete);
        Assert.Equal(before - Heap.MappedBytes, result.BytesFreed - RoundedTarget(result.BytesMoved));
        Assert.InRange(Heap.MappedBytes, Heap.LiveBytes, 2 * Heap.LiveBytes);
        CheckRows();
    }

    [Fact]
    public void A_dense_heap_is_left_alone()
    {
        Fill(Rows);
        // The newest segment, too.
        while (Heap.LiveBytes < 0.9 * Heap.MappedBytes) Fill(10);
        Assert.Equal(new StringCompactionResult(0, 0, IsComplete: true), _table.Context.StringCompaction.Compact());
        CheckRows();
    }

    [Fact]
    public void One_small_segment_is_left_alone()
    {
        Fill(10);
        RemoveAllBut(10);
        Assert.Equal(0, _table.Context.StringCompaction.Compact().BytesMoved);
        CheckRows();
    }

    [Fact]
    public void Empty_segments_go_without_a_copy()
    {
        Fill(Rows);
        foreach (ulong row in _rows.Keys) Assert.True(_table.Context.Removal.TryRemove(row));
        _rows.Clear();
        TestTable.PassGrace();
        _table.Context.Clearing.TrimExcess();
        Assert.Equal((0, 0), (Heap.LiveBytes, Heap.MappedBytes));
        _table.Check();
    }

    [Fact]
    public void What_a_reader_is_at_stays_until_it_has_left()
    {
        Fill(Rows);
        RemoveAllBut(10);
        (ulong handle, string text) = _rows.First();
        ulong word = 0;
        using ParkedReader reader = new(before: () => word = _table.WordOf(handle), after: () => Assert.Equal(text, StringWord.Decode(word)));
        Assert.False(_table.Context.StringCompaction.Compact().IsComplete);
        Assert.NotEqual(word, _table.WordOf(handle));
        Assert.True(Heap.RetiredBytes > 0);
        _table.Check();
        reader.Release();
        TestTable.PassGrace();
        Assert.Equal(0, Heap.RetiredBytes);
        Assert.InRange(Heap.MappedBytes, Heap.LiveBytes, 3 * Heap.LiveBytes);
        CheckRows();
    }

    [Fact]
    public void A_second_call_waits_for_the_readers_of_the_first()
    {
        Fill(Rows);
        RemoveAllBut(10);
        using (ParkedReader reader = new())
        {
            _table.Context.StringCompaction.Compact();
            Assert.Equal(new StringCompactionResult(0, 0, IsComplete: false), _table.Context.StringCompaction.Compact());
        }
        TestTable.PassGrace();
        Assert.True(_table.Context.StringCompaction.Compact().IsComplete);
        CheckRows();
    }

    [Fact]
    public void A_cancelled_compaction_leaves_the_heap_as_usable_as_it_was()
    {
        Fill(Rows);
        RemoveAllBut(10);
        long mapped = Heap.MappedBytes;
        Assert.False(_table.Context.StringCompaction.Compact(new CancellationToken(canceled: true)).IsComplete);
        TestTable.PassGrace();
        Fill(Rows / 2);
        Assert.InRange(Heap.MappedBytes, 0, mapped + mapped / 5);
        CheckRows();
    }

    [Fact]
    public void Without_memory_for_the_copies_nothing_is_moved()
    {
        Fill(Rows);
        RemoveAllBut(10);
        _table.Manager.Budget.Fault = static _ => true;
        Assert.Equal(0, _table.Context.StringCompaction.Compact().BytesMoved);
        _table.Manager.Budget.Fault = null;
        CheckRows();
        Assert.True(_table.Context.StringCompaction.Compact().BytesMoved > 0);
        CheckRows();
    }

    [Fact]
    public void Every_refused_mapping_leaves_the_rows_whole()
    {
        for (int refuse = 0; refuse < 4; refuse++)
        {
            Fill(Rows / 4);
            RemoveAllBut(10);
            int charges = 0;
            _table.Manager.Budget.Fault = _ => charges++ == refuse;
            _table.Context.StringCompaction.Compact();
            _table.Manager.Budget.Fault = null;
            CheckRows();
        }
    }

    [Fact]
    public void Updated_rows_keep_their_new_text()
    {
        Fill(Rows);
        RemoveAllBut(10);
        foreach (ulong row in _rows.Keys.ToArray())
        {
            _rows[row] += " and more";
            _table.SetText(row, _rows[row]);
        }
        _table.Context.StringCompaction.Compact();
        TestTable.PassGrace();
        _table.Context.StringCompaction.Compact();
        CheckRows();
    }

    [Fact]
    public void A_slot_in_limbo_does_not_hold_its_segment_back()
    {
        Fill(Rows);
        long live = 0;
        int i = 0;
        foreach ((ulong row, string text) in _rows.ToArray())
        {
            if (i++ % 10 == 0) live += Strings.SizeClass.BytesOf(Strings.SizeClass.Of(text.Length));
            else Assert.True(_table.Context.Removal.TryRemove(row) && _rows.Remove(row));
        }
        // No slot is taken again: the chunks of the dead rows are still there.
        TestTable.PassGrace();
        Assert.True(Heap.LiveBytes > 5 * live);
        _table.Context.StringCompaction.Compact();
        Assert.Equal(live, Heap.LiveBytes);
        CheckRows();
    }

    [Fact]
    public void Large_strings_stay_where_they_are()
    {
        string text = new('x', 100_000);
        ulong large = _table.Add(1, text);
        ulong word = _table.WordOf(large);
        Fill(Rows);
        RemoveAllBut(10);
        _table.Context.StringCompaction.Compact();
        Assert.Equal(word, _table.WordOf(large));
    }

    [Fact]
    public void Shared_chunks_stay_where_they_are()
    {
        using TestTable table = new(interns: true, stringSegment: Page);
        ulong[] rows = [.. Enumerable.Range(0, 200).Select(i => table.Add(i, $"shared text {i % 8}"))];
        ulong word = table.WordOf(rows[0]);
        foreach (ulong row in rows[8..]) Assert.True(table.Context.Removal.TryRemove(row));
        TestTable.PassGrace();
        table.Context.StringCompaction.Compact();
        Assert.Equal(word, table.WordOf(rows[0]));
        table.Check();
    }

    [Fact]
    public void Inside_a_critical_section_it_is_refused()
    {
        using CriticalSection section = CriticalSection.Enter();
        Assert.Throws<InvalidOperationException>(() => _table.Context.StringCompaction.Compact());
    }

    [Fact]
    public void After_Dispose_it_is_refused()
    {
        _table.Context.Dispose();
        Assert.Throws<ObjectDisposedException>(() => _table.Context.StringCompaction.Compact());
    }

    public void Dispose() => _table.Dispose();

    private void Fill(int rows)
    {
        for (int i = 0; i < rows; i++)
        {
            string text = $"the text of row {i} and {new string('x', i % 40)}";
            _rows.Add(_table.Add(i, text), text);
        }
    }

    // And frees the strings of the others, which otherwise happens when their slots are taken.
    private void RemoveAllBut(int everyNth)
    {
        int i = 0;
        foreach (ulong row in _rows.Keys.ToArray())
        {
            if (i++ % everyNth != 0) Assert.True(_table.Context.Removal.TryRemove(row) && _rows.Remove(row));
        }
        TestTable.PassGrace();
        Allocation.RowCleaner cleaner = new(_table.Context.Layout, Heap, _table.Context.Retired);
        BlockList blocks = _table.Context.Blocks;
        for (int b = 0; b < blocks.Count; b++)
        {
            for (int slot = 0; slot < blocks[b].SlotCount; slot++)
            {
                if (blocks[b].HandleAt(slot) == 0) cleaner.FreeChunks(blocks[b], slot);
            }
        }
    }

    private void CheckRows()
    {
        foreach ((ulong row, string expected) in _rows)
        {
            Assert.True(_table.TryRead(row, out _, out string? text));
            Assert.Equal(expected, text);
        }
        _table.Check();
    }

    private static long RoundedTarget(long bytes) => (long)System.Numerics.BitOperations.RoundUpToPowerOf2((ulong)bytes);
}
