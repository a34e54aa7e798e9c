using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>What kernels rely on.</summary>
public sealed class KernelSupportTests
{
    [Fact]
    public void Dates_and_times_lie_in_memory_as_the_numbers_that_kernels_read()
    {
        DateOnly date = new(2024, 2, 29);
        TimeOnly time = new(23, 59, 59, 999);
        TimeSpan span = TimeSpan.FromDays(-3);

        Assert.Equal(date.DayNumber, Unsafe.BitCast<DateOnly, int>(date));
        Assert.Equal(time.Ticks, Unsafe.BitCast<TimeOnly, long>(time));
        Assert.Equal(span.Ticks, Unsafe.BitCast<TimeSpan, long>(span));
        Assert.Equal(1, Unsafe.BitCast<bool, byte>(true));
    }

    [Fact]
    public void Texts_that_a_comparer_takes_for_equal_have_one_number_however_they_are_stored()
    {
        const int Count = 5_000;
        using MemoryManager manager = new();
        Region region = new(manager);
        try
        {
            ComparedTexts texts = new();
            for (int round = 0; round < 2; round++)
            {
                for (int i = 0; i < Count; i++)
                {
                    string inWord = $"Né{i:D4}", outside = $"a text that is too long for its word, {i}";
                    Assert.Equal((ulong)(2 * i) + 1, Number(texts, round == 0 ? inWord : inWord.ToUpperInvariant(), ref region));
                    Assert.Equal((ulong)(2 * i) + 2, Number(texts, round == 0 ? outside : outside.ToUpperInvariant(), ref region));
                }
            }

            Assert.Equal(0UL, Number(texts, null, ref region));
            Assert.Equal(7UL, texts.Of(ComparedText.Of("NÉ0003", StringComparer.OrdinalIgnoreCase)));
            Assert.Equal(ComparedText.Of("né0003", StringComparer.OrdinalIgnoreCase), texts[7]);
        }
        finally
        {
            region.Dispose();
        }

        static ulong Number(ComparedTexts texts, string? text, ref Region region) => texts.Of(KeyWords.OfText(text, ref region), StringComparer.OrdinalIgnoreCase, ref region);
    }

    [Fact]
    public void Equal_decimals_have_equal_words()
    {
        Random random = new(7);
        for (int i = 0; i < 20_000; i++)
        {
            int scale = random.Next(20);
            decimal value = new(random.Next(), i % 3 == 0 ? random.Next() : 0, i % 7 == 0 ? random.Next(1000) : 0, random.Next(2) == 0, (byte)scale);
            if (i % 2 == 0)
                value = Math.Round(value, random.Next(scale + 1)) * 1.000m;
            decimal shortest = value == 0 ? 0 : value / 1.0000000000000000000000000000m;
            for (int word = 0; word < 2; word++)
                Assert.Equal(KeyWords.Word(shortest, word), KeyWords.OfDecimal(value, word));
        }
    }

    [Theory]
    [InlineData(0, 0, true)]
    [InlineData(511, 10, false)]
    [InlineData(512, 10, true)]
    [InlineData(1 << 29, 31, false)]
    [InlineData(1 << 30, 31, true)]
    [InlineData(int.MaxValue, 32, false)]
    public void A_table_of_groups_grows_when_half_of_its_slots_are_in_use(int groups, int bits, bool isFull) => Assert.Equal(isFull, GroupHashTable.IsFull(groups, bits));

    [Theory]
    [InlineData(0, 1, 256)]
    [InlineData(256, 257, 512)]
    [InlineData(256, 1000, 1000)]
    [InlineData(1 << 30, (1 << 30) + 1, int.MaxValue)]
    [InlineData(1 << 30, int.MaxValue, int.MaxValue)]
    public void A_list_of_a_query_doubles_up_to_the_most_elements_there_can_be(int capacity, long least, int next) => Assert.Equal(next, RegionGrowth.Next(capacity, 256, least));

    [Fact]
    public void A_list_of_a_query_that_has_the_most_elements_names_that_limit() =>
        Assert.Contains("2,147,483,647", Assert.Throws<OffHeapMemoryException>(() => RegionGrowth.Next(int.MaxValue, 256, int.MaxValue + 1L)).Message.Replace('.', ','));

    [Fact]
    public void A_filter_for_two_thousand_million_keys_gets_memory_for_them_or_none()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Limit = 64 << 20 });
        Assert.Throws<OffHeapMemoryException>(() => Create(manager));

        static void Create(MemoryManager manager)
        {
            Region region = new(manager);
            KeySpan span = KeySpan.Empty;
            span.Widen(0);
            span.Widen(long.MaxValue);
            KeyFilter.Create(ref region, int.MaxValue, span);
        }
    }

    [Fact]
    public void Zone_maps_cover_every_value_that_was_written()
    {
        using Collection<ColumnValues> rows = new();
        Random random = new(5);
        List<ColumnValues> all = [];
        for (int i = 0; i < 200; i++)
            all.Add(rows.AddNew(r => { r.Int32 = random.Next(-1000, 1000); r.UInt64 = (ulong)random.NextInt64(); r.OptionalDate = i % 3 == 0 ? null : new DateOnly(2000, 1, 1).AddDays(random.Next(1000)); }));
        foreach (ColumnValues row in all)
        {
            row.Int32 *= 2;
            row.Decimal18 = random.Next(-500, 500) / 100m;
        }

        (long min, long max) = ZoneOf(rows, "Int32");
        Assert.True(min <= all.Min(r => r.Int32) && max >= all.Max(r => r.Int32));
        (min, max) = ZoneOf(rows, "UInt64");
        Assert.True(min <= RowAccess.UnsignedKey(all.Min(r => r.UInt64)) && max >= RowAccess.UnsignedKey(all.Max(r => r.UInt64)));
        (min, max) = ZoneOf(rows, "Decimal18");
        Assert.True(min <= all.Min(r => r.Decimal18) * 100 && max >= all.Max(r => r.Decimal18) * 100);
        (min, max) = ZoneOf(rows, "OptionalDate");
        Assert.Equal((long)all.Min(r => r.OptionalDate)!.Value.DayNumber, min);
        Assert.Equal((long)all.Max(r => r.OptionalDate)!.Value.DayNumber, max);
    }

    [Fact]
    public void A_kernel_of_another_layout_is_refused()
    {
        using Collection<Item> items = new();

        Assert.Contains("Rebuild", Assert.Throws<InvalidOperationException>(() => Begin(items, 1)).Message);
        Assert.Throws<ArgumentNullException>(() => Begin(null!, 1));
        items.Dispose();
        Assert.Throws<ObjectDisposedException>(() => Begin(items, 1));

        static void Begin(Collection<Item> items, ulong hash) => BlockScanner.Begin(items, hash).Dispose();
    }

    [Fact]
    public void Handles_are_numbers_and_back()
    {
        using Collection<Item> items = new();
        Item item = items.Add(key: 1, text: "");

        Assert.Equal(item, RowHandle.FromBits<Item>(RowHandle.ToBits(item)));
        Assert.Equal(0ul, RowHandle.ToBits(default(Item)));
        Assert.Null(RowHandle.FromBitsNullable<Item>(0));
        Assert.Equal(item, RowHandle.FromBitsNullable<Item>(RowHandle.ToBitsNullable<Item>(item)));
        Assert.Equal(8, Unsafe.SizeOf<Item>());
    }

    private static (long Min, long Max) ZoneOf(Collection<ColumnValues> rows, string column)
    {
        MemoryContext context = CollectionAccess.Context(rows);
        ColumnLayout layout = Array.Find(context.Layout.Columns.ToArray(), c => c.Name == column)!;
        using CriticalSection section = CriticalSection.Enter();
        ZoneView zone = context.Blocks[0].Zone(layout.ZoneMapOffset);
        return (zone.Min, zone.Max);
    }
}
