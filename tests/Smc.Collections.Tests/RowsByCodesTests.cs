using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

[Tabular]
public readonly partial struct Kiln
{
    public partial int Key { get; set; }

    public partial int Heat { get; set; }
}

[Tabular(Layout = TabularLayout.Row)]
public readonly partial struct Firing
{
    public partial long Number { get; set; }

    public partial int Key { get; set; }

    public partial int From { get; set; }

    public partial int To { get; set; }

    public partial Kiln? Kiln { get; set; }

    public partial long Weight { get; set; }
}

/// <summary>Values that lie in rows are looked up and compared by the 16 bits that blocks have of them, and the answers are those of the values.</summary>
public sealed class RowsByCodesTests : IDisposable
{
    private const int Kilns = 90_000;
    private const int Firings = 60_000;

    private readonly Collection<Kiln> _kilns = new();
    private readonly Collection<Firing> _firings = new(new CollectionOptions { BlockCapacity = 4096 });
    private readonly Random _random = new(7);
    private readonly Kiln[] _all;
    private readonly Firing[] _added = new Firing[Firings];

    public RowsByCodesTests()
    {
        _all = [.. Enumerable.Range(0, Kilns).Select(i => _kilns.Add(key: i, heat: _random.Next(1000)))];
        for (int i = 0; i < Firings; i++)
            _added[i] = _firings.Add(number: i, key: _random.Next(Kilns), from: _random.Next(100), to: _random.Next(100), kiln: _all[_random.Next(Kilns)], weight: i);
    }

    public void Dispose()
    {
        _firings.Dispose();
        _kilns.Dispose();
    }

    [Fact]
    public void References_to_more_rows_than_there_are_codes()
    {
        CheckReferences();
        ForSome(firing => firing.Kiln = _all[_random.Next(Kilns)]);
        CheckReferences();

        void CheckReferences()
        {
            // One in a thousand, one in seven, and nearly all: the last are read at once.
            foreach (int least in (int[])[999, 850, 20])
                Assert.Equal(_added.LongCount(f => f.Kiln!.Value.Heat >= least), _firings.LongCount(f => f.Kiln!.Value.Heat >= least));
        }
    }

    [Fact]
    public void References_to_more_rows_than_there_are_codes_have_codes_of_steps_in_rows()
    {
        using CriticalSection section = CriticalSection.Enter();
        MemoryContext context = CollectionAccess.Context(_firings);
        ColumnLayout column = Array.Find(context.Layout.Columns.ToArray(), c => c.Name == "Kiln")!;
        TargetRows kilns = TargetRows.Locate(context, (ulong)column.ZoneMapOffset);
        for (int block = 1; block < context.Blocks.Count; block++)
            Assert.True(kilns.ReferencesIn(context.Blocks[block].Address, (ulong)column.ZoneMapOffset, (ulong)column.Offset, (ulong)column.Stride).Steps.AreGiven, $"block {block} has none");
    }

    [Fact]
    public void A_reference_to_a_removed_row_raises_also_where_codes_are_asked_first()
    {
        Kiln target = _all[5];
        _added[Firings - 1].Kiln = target;
        _kilns.Remove(target);
        Assert.Throws<RowRemovedException>(() => _firings.LongCount(f => f.Kiln!.Value.Heat >= 999));
    }

    [Fact]
    public void Keys_all_over_a_block()
    {
        CheckKeys();
        ForSome(firing => firing.Key = _random.Next(Kilns + 100) - 50);
        CheckKeys();
    }

    [Fact]
    public void Keys_near_each_other_in_a_block()
    {
        for (int i = 0; i < Firings; i++)
            _firings.Add(number: i, key: i, from: 0, to: 0, kiln: null, weight: i);
        CheckKeys();
        ForSome(firing => firing.Key = _random.Next(Kilns + 100) - 50);
        CheckKeys();
    }

    [Fact]
    public void Keys_of_rows_that_others_ask_for()
    {
        CheckPresence();
        ForSome(firing => firing.Key = _random.Next(Kilns));
        CheckPresence();
        for (int i = 0; i < Firings; i++)
            _firings.Add(number: i, key: i, from: 0, to: 0, kiln: null, weight: i);
        CheckPresence();

        void CheckPresence()
        {
            HashSet<int> keys = [.. _firings.Select(f => f.Key).AsEnumerable()];
            Assert.Equal(_all.LongCount(k => keys.Contains(k.Key)), _kilns.LongCount(k => _firings.Any(f => f.Key == k.Key)));
        }
    }

    [Fact]
    public void Keys_that_a_filter_takes_of_a_batch_leave_its_bitmap_as_it_is()
    {
        for (int i = 0; i < Firings; i++)
            _firings.Add(number: i, key: i, from: 0, to: 0, kiln: null, weight: i);
        using CriticalSection section = CriticalSection.Enter();
        MemoryContext context = CollectionAccess.Context(_firings);
        ColumnLayout column = Array.Find(context.Layout.Columns.ToArray(), c => c.Name == "Key")!;
        Region region = new(MemoryManager.Default);
        KeyFilter filter = KeyFilter.Over(ref region, context, (ulong)column.ZoneMapOffset);
        ulong block = context.Blocks[context.Blocks.Count - 2].Address, bitmap = region.Allocate(ScanBatch.BitmapBytes);
        RowBitmap.Fill(bitmap, ScanBatch.Rows);
        bool isOutside = false;
        Assert.True(filter.TryAddColumn<int>(block, (ulong)column.ZoneMapOffset, (ulong)column.Offset, (ulong)column.Stride, 0, ScanBatch.Rows, bitmap, skipsZero: false, ref isOutside));

        Assert.False(isOutside);
        Assert.Equal(ScanBatch.Rows, RowBitmap.Count(bitmap, ScanBatch.Rows));
        for (ulong slot = 0; slot < ScanBatch.Rows; slot++)
            Assert.True(filter.Contains((ulong)KernelMemory.Read<int>(block + (ulong)column.Offset + (slot * (ulong)column.Stride))));
        region.Dispose();
    }

    [Fact]
    public void Two_columns_of_a_row()
    {
        CheckPairs();
        ForSome(firing => firing.From = _random.Next(200) - 50);
        CheckPairs();

        void CheckPairs()
        {
            Assert.Equal(_added.LongCount(f => f.From < f.To), _firings.LongCount(f => f.From < f.To));
            Assert.Equal(_added.LongCount(f => f.From == f.To), _firings.LongCount(f => f.From == f.To));
        }
    }

    [Theory]
    [InlineData(0, Kilns, 1)]
    [InlineData(-20_000, Kilns, 1000)]
    [InlineData(30_001, 20_000, 1000)]
    [InlineData(Kilns + 200, 1000, 10)]
    [InlineData(-5000, 1000, 10)]
    public void A_step_is_kept_if_one_of_its_numbers_is_there(int least, int size, int oneOf)
    {
        Region region = new(MemoryManager.Default);
        ulong bits = NumberLookUp.AllocateBits(ref region, (ulong)size), selection = region.Allocate(ScanBatch.SelectionBytes);
        HashSet<int> members = [.. Enumerable.Range(0, size).Where(_ => _random.Next(oneOf) == 0)];
        foreach (int member in members)
            KernelMemory.Write(bits + ((ulong)member / 64 * 8), KernelMemory.Read<ulong>(bits + ((ulong)member / 64 * 8)) | (1UL << (member % 64)));
        using CriticalSection section = CriticalSection.Enter();
        MemoryContext context = CollectionAccess.Context(_firings);
        ColumnLayout column = Array.Find(context.Layout.Columns.ToArray(), c => c.Name == "Key")!;
        const int Block = 3;
        BlockNumbers numbers = BlockNumbers.Of(context.Blocks[Block].Address, (ulong)column.ZoneMapOffset, (ulong)column.Offset, (ulong)column.Stride, unchecked((ulong)least), (ulong)size, 0);
        Assert.True(numbers.Steps.AreGiven);
        for (uint i = 0; i < ScanBatch.Rows; i++)
            KernelMemory.Write(selection + (i * sizeof(uint)), i);
        int kept = numbers.Steps.Keep(bits, (ulong)size, selection, ScanBatch.Rows);

        HashSet<int> left = [.. Enumerable.Range(0, kept).Select(i => (int)KernelMemory.Read<uint>(selection + ((ulong)i * sizeof(uint))))];
        int near = 0;
        for (int slot = 0; slot < ScanBatch.Rows; slot++)
        {
            int number = _added[(Block * 4096) + slot].Key - least;
            Assert.True(left.Contains(slot) || !members.Contains(number), $"the row with the number {number} is dropped");
            near += Enumerable.Range(number - 1, 3).Any(members.Contains) ? 1 : 0;
        }

        // Steps of two, and a few values outside of the block's scale.
        Assert.InRange(kept, 0, near + 40);
        region.Dispose();
    }

    private void CheckKeys()
    {
        foreach (int least in (int[])[999, 850, 20])
        {
            HashSet<int> keys = [.. _all.Where(k => k.Heat >= least).Select(k => k.Key)];
            Assert.Equal(_firings.AsEnumerable().LongCount(f => keys.Contains(f.Key)), _firings.Join(_kilns.Where(k => k.Heat >= least), f => f.Key, k => k.Key, (f, k) => f.Number).LongCount());
        }
    }

    private void ForSome(Action<Firing> change)
    {
        foreach (Firing firing in _added.Where(_ => _random.Next(30) == 0))
            change(firing);
    }
}
