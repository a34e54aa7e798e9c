using System.Numerics;
using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>The steps of a scan with a write between two of them: between the look at what a block knows and the look at its rows, or between that of a domain and that of the keys.</summary>
public sealed class WritesDuringScansTests
{
    private const int Rows = 384;
    private const int InSecondBlock = Rows / 2;

    [Fact]
    public void A_value_that_moves_within_the_range_stays_in_the_result()
    {
        using Collection<Measure> rows = Fill(out List<Measure> all);

        int kept = CountInSecondBlock(rows, ValueRange.All.AtLeast(10).Below(50), write: () =>
        {
            foreach (Measure row in all.Where(r => r.Small is >= 10 and < 50))
            {
                Measure written = row;
                written.Small = 10 + ((written.Small + 7) % 40);
            }
        });

        Assert.Equal(all.Skip(InSecondBlock).Count(r => r.Small is >= 10 and < 50), kept);
    }

    [Fact]
    public void A_value_that_leaves_the_range_is_not_counted_where_all_rows_were_in_it()
    {
        using Collection<Measure> rows = Fill(out List<Measure> all);

        int kept = CountInSecondBlock(rows, ValueRange.All.AtLeast(0), write: () =>
        {
            Measure written = all[InSecondBlock + 5];
            written.Small = -1;
        });

        Assert.Equal(Rows - InSecondBlock - 1, kept);
    }

    [Fact]
    public void Values_of_a_column_of_which_the_codes_say_nothing_are_compared_as_they_are()
    {
        using Collection<Measure> rows = Fill(out List<Measure> all);

        int kept = CountInSecondBlock(rows, ValueRange.All.AtLeast(50), write: () =>
        {
            Measure written = all[InSecondBlock];
            (written.Small, int before) = (int.MaxValue, written.Small);
            written.Small = before;
        });

        Assert.Equal(all.Skip(InSecondBlock).Count(r => r.Small >= 50), kept);
    }

    [Fact]
    public void A_key_that_no_row_had_when_the_query_began_has_no_number()
    {
        AssertOutside<byte>(3, 200);
        AssertOutside<sbyte>(3, -100);
        AssertOutside<short>(3, -30_000);
        AssertOutside<ushort>(3, 60_000);
        AssertOutside<int>(3, 30_000_000);
        AssertOutside<int>(3, 65_536 + 3);
        AssertOutside<uint>(3, 3_000_000_000);
        AssertOutside<long>(3, (1L << 40) + 3);
    }

    private static Collection<Measure> Fill(out List<Measure> all)
    {
        Collection<Measure> rows = new(new CollectionOptions { BlockCapacity = InSecondBlock });
        all = [];
        for (int i = 0; i < Rows; i++)
            all.Add(rows.Add(large: i, small: i % 100, unsigned: (uint)i));
        return rows;
    }

    /// <summary>The rows that a filter keeps of the second block, whose sketches are scaled by the values of the first.</summary>
    private static int CountInSecondBlock(Collection<Measure> rows, ValueRange range, Action write)
    {
        MemoryContext context = CollectionAccess.Context(rows);
        ColumnLayout column = Array.Find(context.Layout.Columns.ToArray(), c => c.Name == "Small")!;
        using CriticalSection section = CriticalSection.Enter();
        using Region region = new(MemoryManager.Default);
        ulong bitmap = region.Allocate(ScanBatch.BitmapBytes);
        BlockRef block = context.Blocks[1];
        int slots = block.SlotCount;

        BlockRange known = BlockRange.Of(block.Address, (ulong)column.ZoneMapOffset, range);
        write();
        do
        {
            RowBitmap.Begin(bitmap, BlockHeader.Validity(block.Address), 0, slots);
            ColumnFilter.Keep<int>(known, block.Address + (ulong)column.Offset, (ulong)column.Stride, 0, slots, bitmap);
        }
        while (known.FallsBack());
        return RowBitmap.Count(bitmap, slots);
    }

    /// <summary>Numbers a batch of two key columns, the first of which holds one value outside of its domain 0 to 9.</summary>
    private static void AssertOutside<T>(long inside, long outside)
        where T : unmanaged, IBinaryInteger<T>
    {
        const int Count = 64, Stranger = 17;
        Region region = new(MemoryManager.Default);
        ulong first = region.AllocateZeroed(Count * sizeof(ulong)), second = region.AllocateZeroed(Count * sizeof(ulong)), indexes = region.Allocate(ScanBatch.IndexBytes);
        for (int i = 0; i < Count; i++)
            KernelMemory.Write(second + (ulong)(i * System.Runtime.CompilerServices.Unsafe.SizeOf<T>()), T.CreateTruncating(i == Stranger ? outside : inside));
        KeyDomain domain = KeyDomain.Empty;
        domain.Add(new ZoneSpan(0, 9));
        domain.Add(new ZoneSpan(0, 4));
        GroupNumbers numbers = GroupNumbers.Create(ref region, (ulong)domain.Size);
        GroupRecords groups = new(2 * sizeof(ulong));

        ulong bitmap = region.Allocate(ScanBatch.BitmapBytes);
        RowBitmap.Fill(bitmap, Count);

        KeyIndexes.Add<T>(second, Count, indexes, domain, 0);
        KeyIndexes.Add<T>(first, Count, indexes, domain, 1);
        KeyIndexes.Discard(bitmap, Count, indexes, numbers);

        for (int i = 0; i < Count; i++)
            Assert.Equal(i == Stranger ? numbers.OutsideAt : (ulong)inside, KernelMemory.Read<ushort>(indexes + (ulong)(i * sizeof(ushort))));
        Assert.False(KeyIndexes.TryAddMissing(indexes, Count, numbers, domain, 2, ref groups, ref region));
        Assert.False(KeyIndexes.TryTranslate(indexes, Count, numbers, sizeof(long), indexes));
        region.Dispose();
    }
}
