using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>A filter of keys keeps every row whose key it has; an exact one no other row.</summary>
public sealed class KeyFilterTests
{
    [Theory]
    [InlineData(1, true)]
    [InlineData(50, true)]
    [InlineData(1_000_003, false)]
    public void Rows_with_a_key_are_kept(long step, bool isExact)
    {
        Region region = new(MemoryManager.Default);
        ulong[] keys = [.. Enumerable.Range(0, 3000).Select(i => unchecked((ulong)((i - 1500) * step)))];
        KeyFilter filter = Made(keys, ref region);
        Assert.Equal(isExact, filter.IsExact);

        long[] column = [.. Enumerable.Range(-4000, 8000).Select(i => i * step), long.MinValue, long.MaxValue];
        ulong values = region.Allocate(column.Length * sizeof(long)), selection = region.Allocate((column.Length * sizeof(uint)) + ScanBatch.Ahead);
        for (int i = 0; i < column.Length; i++)
        {
            KernelMemory.Write(values + ((ulong)i * sizeof(long)), column[i]);
            KernelMemory.Write(selection + ((ulong)i * sizeof(uint)), i);
        }

        int kept = filter.Keep<long>(BlockNumbers.OfValues(values, sizeof(long)), selection, column.Length);
        long[] found = [.. Enumerable.Range(0, kept).Select(i => column[KernelMemory.Read<int>(selection + ((ulong)i * sizeof(uint)))])];
        long[] wanted = [.. column.Where(value => keys.Contains(unchecked((ulong)value)))];
        Assert.Equal(wanted, found.Intersect(wanted));
        Assert.InRange(found.Length, wanted.Length, isExact ? wanted.Length : wanted.Length + 200);
        region.Dispose();
    }

    [Theory]
    [InlineData(20)]
    [InlineData(1)]
    public void Codes_of_a_block_keep_the_rows_that_its_values_keep(int share)
    {
        using Collection<Measure> rows = new(new CollectionOptions { BlockCapacity = 192 });
        Random random = new(share);
        List<Measure> all = [];
        for (int i = 0; i < 1000; i++)
            all.Add(rows.Add(large: 0, small: random.Next(500), unsigned: 0));
        foreach (Measure row in all.Where(_ => random.Next(10) == 0))
            row.Set(small: random.Next(1000));
        Region region = new(MemoryManager.Default);
        HashSet<int> members = [.. Enumerable.Range(100, 300).Where(_ => random.Next(share) == 0)];
        KeyFilter filter = Made([.. members.Select(member => (ulong)member)], ref region);
        bool hasCodes = false;
        ulong bitmap = region.Allocate(ScanBatch.BitmapBytes), selection = region.Allocate(ScanBatch.SelectionBytes);
        using CriticalSection section = CriticalSection.Enter();
        MemoryContext context = CollectionAccess.Context(rows);
        ColumnLayout column = Array.Find(context.Layout.Columns.ToArray(), c => c.Name == "Small")!;
        // Codes are asked for when it is known that they pay.
        for (int i = 0; i < 20_000; i += 192)
            filter.Keep<int>(BlockNumbers.OfValues(context.Blocks[1].Address + (ulong)column.Offset, (ulong)column.Stride), Filled(192), 192);
        for (int i = 1; i < context.Blocks.Count; i++)
        {
            BlockRef block = context.Blocks[i];
            BlockNumbers keys = filter.NumbersIn(block.Address, (ulong)column.ZoneMapOffset, (ulong)column.Offset, (ulong)column.Stride);
            int[] wanted = [.. Enumerable.Range(0, block.SlotCount).Where(slot => members.Contains(RowAccess.Read<int>(block.Address + (ulong)column.Offset + ((ulong)slot * (ulong)column.Stride))))];
            RowBitmap.Fill(bitmap, block.SlotCount);
            Assert.Equal(wanted, Slots(filter.Append<int>(keys, 0, block.SlotCount, bitmap, selection, 0)));
            Assert.Equal(wanted, Slots(filter.Keep<int>(keys, Filled(block.SlotCount), block.SlotCount)));
            hasCodes |= keys.Codes != 0;
        }

        region.Dispose();

        Assert.Equal(share > 1, hasCodes);

        ulong Filled(int count)
        {
            for (int slot = 0; slot < count; slot++)
                KernelMemory.Write(selection + ((ulong)slot * sizeof(uint)), slot);
            return selection;
        }

        int[] Slots(int count) => [.. Enumerable.Range(0, count).Select(i => KernelMemory.Read<int>(selection + ((ulong)i * sizeof(uint))))];
    }

    [Fact]
    public void Without_keys_nothing_is_kept()
    {
        Region region = new(MemoryManager.Default);
        KeyFilter filter = Made([], ref region);
        Assert.True(filter.IsExact);
        Assert.False(filter.Contains(0) || filter.Contains(ulong.MaxValue) || filter.Contains(1UL << 63));
        region.Dispose();
    }

    [Fact]
    public void A_key_outside_of_the_span_is_refused()
    {
        Region region = new(MemoryManager.Default);
        KeyFilter filter = Made([5, 900], ref region);
        Assert.True(filter.TryAdd(6));
        Assert.False(filter.TryAdd(4));
        Assert.False(filter.TryAdd(901));
        Assert.True(filter.Contains(6));
        region.Dispose();
    }

    [Fact]
    public void A_column_is_added_without_rows_that_are_out_and_without_null()
    {
        Region region = new(MemoryManager.Default);
        KeyFilter filter = Made([5, 900], ref region);
        int[] column = [.. Enumerable.Range(0, 150).Select(i => i == 70 ? 0 : 100 + i)];
        ulong values = region.Allocate(column.Length * sizeof(int)), bitmap = region.AllocateZeroed(3 * sizeof(ulong));
        for (int i = 0; i < column.Length; i++)
        {
            KernelMemory.Write(values + ((ulong)i * sizeof(int)), column[i]);
            if (i % 3 != 0 || i == 70)
                KernelMemory.Write(bitmap + ((ulong)i / 64 * sizeof(ulong)), KernelMemory.Read<ulong>(bitmap + ((ulong)i / 64 * sizeof(ulong))) | (1UL << (i % 64)));
        }

        bool isOutside = false;
        Assert.True(filter.TryAddColumn<int>(values, 0, 0, sizeof(int), 0, column.Length, bitmap, skipsZero: true, ref isOutside));
        Assert.False(isOutside);
        for (int i = 0; i < column.Length; i++)
            Assert.Equal(i % 3 != 0 && i != 70, filter.Contains((ulong)(100 + i)));

        Assert.True(filter.TryAddColumn<int>(values, 0, 0, sizeof(int), 0, column.Length, bitmap, skipsZero: false, ref isOutside));
        Assert.True(isOutside, "0 is no null of a column of numbers, and lies outside of the span");
        region.Dispose();
    }

    // Words of which all rows are in go another way than words with gaps.
    [Theory]
    [InlineData(0, true, false)]
    [InlineData(0, false, true)]
    [InlineData(901, true, true)]
    public void A_column_of_which_all_rows_are_in_is_added_whole(long stranger, bool skipsZero, bool isOutsideThen)
    {
        Region region = new(MemoryManager.Default);
        KeyFilter filter = Made([5, 900], ref region);
        long[] column = [.. Enumerable.Range(0, 200).Select(i => i == 70 ? stranger : 100 + (3 * i))];
        ulong values = region.Allocate(column.Length * sizeof(long)), bitmap = region.Allocate(ScanBatch.BitmapBytes);
        for (int i = 0; i < column.Length; i++)
            KernelMemory.Write(values + ((ulong)i * sizeof(long)), column[i]);
        RowBitmap.Fill(bitmap, column.Length - 64);
        bool isOutside = false;
        Assert.True(filter.TryAddColumn<long>(values, 0, 0, sizeof(long), 64, column.Length - 64, bitmap, skipsZero, ref isOutside));
        Assert.Equal(isOutsideThen, isOutside);
        for (long key = 6; key < 900; key++)
            Assert.Equal(key >= 100 + (3 * 64) && column.Contains(key), filter.Contains((ulong)key));
        region.Dispose();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(1_000_003)]
    public void A_table_gives_the_rows_of_a_key(long step)
    {
        Region region = new(MemoryManager.Default);
        ulong[] keys = [.. Enumerable.Range(0, 500).Select(i => unchecked((ulong)((i % 400 - 200) * step)))];
        KeySpan span = Span(keys);
        JoinTable table = JoinTable.Create(ref region, keys.Length, span);
        int[] next = new int[keys.Length + 1];
        for (int row = keys.Length; row > 0; row--)
            next[row] = table.Push(keys[row - 1], row);
        for (long key = -300 * step; key <= 300 * step; key += step)
        {
            List<int> rows = [];
            for (int row = table.First(unchecked((ulong)key)); row != 0; row = next[row])
                rows.Add(row);
            Assert.Equal(Enumerable.Range(1, keys.Length).Where(row => keys[row - 1] == unchecked((ulong)key)), rows.Where(row => keys[row - 1] == unchecked((ulong)key)));
        }

        region.Dispose();
    }

    [Fact]
    public void A_table_of_a_collection_gives_rows_that_have_a_key_which_its_zone_maps_do_not_know()
    {
        using Collection<Item> items = new();
        for (int i = 0; i < 200; i++)
            items.Add(key: 1000 + i, text: "");
        MemoryContext context = CollectionAccess.Context(items);
        ulong zone = (ulong)Array.Find(context.Layout.Columns.ToArray(), column => column.Name == "Key")!.ZoneMapOffset;
        Region region = new(MemoryManager.Default);
        long[] keys = [.. Enumerable.Range(900, 400).Select(i => (long)i), long.MinValue, -1, 0, long.MaxValue];
        RegionList<KeyedRow> rows = default;
        rows.Begin(ref region);
        foreach (long key in keys)
            rows.Add(ref region, new KeyedRow { K0 = unchecked((ulong)key) });

        JoinTable table;
        using (CriticalSection.Enter())
            table = JoinTable.Of(ref region, rows, context, zone);

        for (int i = 0; i < keys.Length; i++)
        {
            int row = table.First(unchecked((ulong)keys[i]));
            while (row != 0 && rows[row].K0 != unchecked((ulong)keys[i]))
                row = rows[row].Next;
            Assert.Equal(i + 1, row);
        }

        region.Dispose();
    }

    private static KeyFilter Made(ulong[] keys, ref Region region)
    {
        KeyFilter filter = KeyFilter.Create(ref region, keys.Length, Span(keys));
        foreach (ulong key in keys)
            filter.Add(key);
        return filter;
    }

    private static KeySpan Span(ulong[] keys)
    {
        KeySpan span = KeySpan.Empty;
        foreach (ulong key in keys)
            span.Widen(key);
        return span;
    }

    private struct KeyedRow : IJoinedRow
    {
        public ulong K0 { get; set; }

        public int Next { get; set; }
    }
}
