using Smc.Memory.Diagnostics;
using Smc.Stress;

namespace Smc.Memory.Tests;

public sealed class DirectReferenceTests : IDisposable
{
    private static readonly CompactionOptions s_half = new() { Occupancy = 0.5 };
    private readonly TestTable _targets = new();
    private readonly ReferringTable _referring;

    public DirectReferenceTests() => _referring = new ReferringTable(_targets.Manager);

    public void Dispose()
    {
        _referring.Dispose();
        _targets.Dispose();
        Settle(_referring.Context, _targets.Context);
    }

    [Fact]
    public void A_direct_reference_leads_to_the_row_and_reads_as_its_handle()
    {
        ulong target = _targets.Add(7);
        ulong row = _referring.Add(target);
        Assert.Equal(7, Follow(row));
        Assert.Equal(target, ReferringTable.Get(row));
    }

    [Fact]
    public void A_null_handle_is_stored_as_0()
    {
        ulong row = _referring.Add(0);
        Assert.Equal(0ul, ReferringTable.WordOf(row));
        Assert.Equal(0ul, ReferringTable.Get(row));
    }

    [Fact]
    public void A_handle_whose_row_was_removed_is_stored_as_null()
    {
        ulong target = _targets.Add(7);
        _targets.TryRemove(target);
        Assert.Equal(0ul, ReferringTable.Get(_referring.Add(target)));
    }

    [Fact]
    public void A_reference_to_a_row_that_is_removed_later_reads_as_its_dead_handle()
    {
        ulong target = _targets.Add(7);
        ulong row = _referring.Add(target);
        _targets.TryRemove(target);
        Assert.Null(Follow(row));
        Assert.Equal(target, ReferringTable.Get(row));
    }

    [Fact]
    public void A_reference_does_not_lead_to_the_next_row_in_the_slot()
    {
        ulong target = _targets.Add(7);
        ulong row = _referring.Add(target);
        _targets.TryRemove(target);
        for (int i = 0; i < 3; i++) _targets.Add(-1);
        TestTable.PassGrace();
        ulong next = Enumerable.Range(0, 8).Select(i => _targets.Add(i)).First(handle => Handle.EntryNumber(handle) == Handle.EntryNumber(target));
        Assert.NotEqual(target, next);
        Assert.Null(Follow(row));
        Assert.Equal(target, ReferringTable.Get(row));
    }

    [Fact]
    public void A_draft_can_be_referred_to()
    {
        using CriticalSection section = _targets.Context.AdditionGate.Enter();
        RowSlot draft = _targets.Context.Allocator.Allocate();
        _targets.Write(draft, 7);
        ulong row = _referring.Add(_targets.Context.Publisher.PublishHidden(draft));
        ulong target = _targets.Context.Publisher.Reveal(draft, ReferenceBarrier.Verdicts);
        Assert.Equal(target, ReferringTable.Get(row));
        Assert.Equal(7, Follow(row));
    }

    [Fact]
    public void While_a_row_moves_its_reference_leads_to_where_its_entry_says()
    {
        (ulong target, ulong row) = AddSparse();
        List<bool> agree = [];
        _targets.Context.Compaction.Run(s_half with
        {
            Observer = _ =>
            {
                using CriticalSection section = CriticalSection.Enter();
                Assert.True(Handle.TryLocate(target, out RowLocation byHandle));
                Assert.True(DirectWord.TryLocate(ReferringTable.WordOf(row), out RowLocation direct));
                agree.Add(byHandle == direct);
            },
        });
        Assert.All(agree, Assert.True);
        Assert.True(agree.Count > 3);
    }

    [Fact]
    public void After_a_compaction_references_name_the_new_place_and_the_old_blocks_are_freed()
    {
        (ulong target, ulong row) = AddSparse();
        ulong before = ReferringTable.WordOf(row);
        CompactionResult result = _targets.Context.Compaction.Run(s_half);
        Assert.True(result.RowsMoved > 0);
        Assert.NotEqual(before, ReferringTable.WordOf(row));
        Assert.True(Handle.TryLocate(target, out RowLocation location));
        Assert.Equal(DirectWord.Make(location, Handle.Incarnation(target)), ReferringTable.WordOf(row));
        Assert.Equal(0, _targets.Context.Usage.RetiredBlocks);
        Assert.Equal(0, _targets.Context.Strings.RetiredBytes);
        _targets.Check();
    }

    [Fact]
    public void After_the_blocks_of_removed_rows_are_freed_references_to_them_are_null()
    {
        ulong[] rows = [.. Enumerable.Range(0, 9).Select(i => _referring.Add(_targets.Add(i)))];
        _targets.Context.Clearing.Clear();
        Settle(_targets.Context);
        Assert.All(rows, row => Assert.Equal(0ul, ReferringTable.WordOf(row)));
    }

    [Fact]
    public void After_the_collection_is_disposed_references_to_its_rows_read_as_removed_and_then_as_null()
    {
        ulong target = _targets.Add(7);
        ulong row = _referring.Add(target);
        using (CriticalSection.Enter())
        {
            _targets.Dispose();
            Assert.Null(Follow(row));
            Assert.Equal(target, ReferringTable.Get(row));
        }
        Settle(_targets.Context);
        Assert.Equal(0ul, ReferringTable.WordOf(row));
    }

    [Fact]
    public void A_reader_that_took_a_reference_holds_back_the_end_of_the_block_although_it_is_repaired()
    {
        ulong target = _targets.Add(7);
        ulong row = _referring.Add(target);
        using CriticalSection section = CriticalSection.Enter();
        ulong word = ReferringTable.WordOf(row);
        _targets.Context.Clearing.Clear();
        for (int i = 0; i < 20; i++)
        {
            Epoch.TryAdvance();
            Thread.Sleep(1);
        }
        Assert.NotEqual(0, _targets.Context.Usage.RetiredBlocks);
        Assert.False(DirectWord.TryLocate(word, out _));
    }

    [Fact]
    public void A_referring_collection_that_is_disposed_holds_nothing_back()
    {
        _referring.Add(_targets.Add(7));
        _referring.Dispose();
        _targets.Context.Clearing.Clear();
        Settle(_targets.Context, _referring.Context);
        Assert.Equal(0, _targets.Context.Blocks.Count);
    }

    [Fact]
    public void Rows_can_refer_to_rows_of_their_own_collection_through_compactions()
    {
        ulong[] rows = [.. Enumerable.Range(0, 40).Select(_ => _referring.Add(0))];
        foreach (ulong row in rows) _referring.Set(row, row);
        ulong[] kept = [.. rows.Where((row, i) => i % 4 == 0 || !_referring.Context.Removal.TryRemove(row))];
        Assert.True(_referring.Context.Compaction.Run(s_half).RowsMoved > 0);
        Assert.All(kept, row => Assert.Equal(row, ReferringTable.Get(row)));
        Assert.Equal(0, _referring.Context.Usage.RetiredBlocks);
    }

    [Fact]
    public void Collections_that_refer_to_each_other_can_be_compacted_at_the_same_time()
    {
        using ReferringTable other = new(_targets.Manager);
        for (int round = 0; round < 5; round++)
        {
            ulong[] left = [.. Enumerable.Range(0, 40).Select(_ => _referring.Add(0))];
            ulong[] right = [.. left.Select(other.Add)];
            for (int i = 0; i < left.Length; i++) _referring.Set(left[i], right[i]);
            for (int i = 0; i < left.Length; i++)
            {
                if (i % 4 == 0) continue;
                _referring.Context.Removal.TryRemove(left[i]);
                other.Context.Removal.TryRemove(right[i]);
            }
            Parallel.Invoke(() => _referring.Context.Compaction.Run(s_half), () => other.Context.Compaction.Run(s_half));
            for (int i = 0; i < left.Length; i += 4)
            {
                Assert.Equal(right[i], ReferringTable.Get(left[i]));
                Assert.Equal(left[i], ReferringTable.Get(right[i]));
            }
        }
        other.Dispose();
        Settle(other.Context, _referring.Context);
    }

    [Fact]
    public void A_slot_whose_entry_is_used_up_takes_no_other_row_while_references_may_name_it()
    {
        using ReferringTable targets = new(_targets.Manager, slotsPerBlock: 1, incarnationBits: 2);
        ulong first = targets.Add(0);
        ulong row = _referring.Add(first);
        ulong place = ReferringTable.WordOf(row) >> DirectWord.IncarnationBits;
        List<ulong> words = [ReferringTable.WordOf(row)];
        for (ulong target = first; words.Count < 12;)
        {
            targets.Context.Removal.TryRemove(target);
            TestTable.PassGrace();
            target = targets.Add(0);
            _referring.Set(row, target);
            words.Add(ReferringTable.WordOf(row));
        }
        Assert.Equal(words.Count, words.Distinct().Count());
        Assert.Equal(3, words.Count(word => word >> DirectWord.IncarnationBits == place));
        Invariants.Check(targets.Context);
        targets.Dispose();
        Settle(targets.Context, _referring.Context);
    }

    /// <summary>A row that a compaction moves, and a row that refers to it.</summary>
    private (ulong Target, ulong Row) AddSparse()
    {
        ulong[] targets = [.. Enumerable.Range(0, 16).Select(i => _targets.Add(i, "a text that needs a chunk of its own"))];
        ulong row = _referring.Add(targets[2]);
        for (int i = 0; i < targets.Length; i++)
        {
            if (i % 4 != 2) _targets.TryRemove(targets[i]);
        }
        return (targets[2], row);
    }

    /// <summary>The key of the row that is referred to, read at its place; null if that was removed.</summary>
    private long? Follow(ulong handle)
    {
        using CriticalSection section = CriticalSection.Enter();
        ulong word = ReferringTable.WordOf(handle);
        return word != 0 && DirectWord.TryLocate(word, out RowLocation location) ? _targets.ReadAt(location).Key : null;
    }

    /// <summary>Waits until everything that left a collection is freed: repairs of references run on threads of the pool.</summary>
    private static void Settle(params MemoryContext[] contexts)
    {
        for (int turn = 0; Array.Exists(contexts, static context => context.Usage.RetiredBlocks > 0); turn++)
        {
            Assert.True(turn < 10_000, "what left a collection is not freed");
            Epoch.TryAdvance();
            Thread.Sleep(1);
        }
    }
}
