using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Compiled queries over a collection with unique indexes, against LINQ to Objects over the same rows.</summary>
public sealed class IndexedQueryTests : TicketKeyQueries
{
    public static TheoryData<long> Keys => [0, 2, 3, 62, 64, 198, 200, 2046, 2048, 4000, 5998, 5999, 6000, -2, long.MaxValue, long.MinValue, (1L << 40) + 2];

    [Theory]
    [MemberData(nameof(Keys))]
    public void A_query_with_an_equality_on_an_indexed_column_answers_as_linq_does(long key)
    {
        using UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        Ticket[] rows = [.. _tickets.AsEnumerable()];
        Assert.Equal(rows.Where(t => t.Key == key).ToList(), _tickets.Where(t => t.Key == key).ToList());
        Assert.Equal(rows.FirstOrDefault(t => t.Key == key), _tickets.FirstOrDefault(t => t.Key == key));
        Assert.Equal(rows.Count(t => t.Key == key), _tickets.Count(t => t.Key == key));
        Assert.Equal(rows.Any(t => key == t.Key), _tickets.Any(t => key == t.Key));
        Assert.Equal(rows.Where(t => t.Key == key).Sum(t => t.Weight), _tickets.Where(t => t.Key == key).Sum(t => t.Weight));
        Assert.Equal(rows.Count(t => t.Key == key && t.Year == 1), _tickets.Count(t => t.Key == key && t.Year == 1));
        Assert.Equal(rows.Count(t => t.Key == key || t.Year == 1), _tickets.Count(t => t.Key == key || t.Year == 1));
        Assert.Equal(rows.Where(t => t.Key == key).Select(t => t.Email).ToList(), Query.Run(_tickets, key, static (tickets, key) => tickets.Where(t => t.Key == key).Select(t => t.Email).ToList()));
    }

    [Theory]
    [MemberData(nameof(Keys))]
    public void So_does_one_that_threads_may_share(long key)
    {
        Ticket[] rows = [.. _tickets.AsEnumerable().Where(t => t.Key == key)];
        using var options = Query.Use(new QueryOptions { DegreeOfParallelism = 2, MinRowsPerThread = 1, DividesAtOnce = true });
        for (int indexes = 0; indexes < 2; indexes++)
        {
            Assert.Equal(rows, Query.Run(_tickets, key, static (IEnumerable<Ticket> tickets, long key) => tickets.Where(t => t.Key == key).ToList()));
            Assert.Equal(rows.Sum(t => t.Weight), Query.Run(_tickets, key, static (IEnumerable<Ticket> tickets, long key) => tickets.Where(t => t.Key == key).Sum(t => t.Weight)));
            if (indexes == 0)
                _tickets.CreateUniqueIndex(t => t.Key);
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(1499)]
    [InlineData(1501)]
    [InlineData(2999)]
    [InlineData(3001)]
    public void So_does_one_with_a_key_of_any_type(int i)
    {
        _tickets.CreateUniqueIndex(t => t.Number);
        _tickets.CreateUniqueIndex(t => t.Email);
        _tickets.CreateUniqueIndex(t => t.Code);
        _tickets.CreateUniqueIndex(t => t.Day);
        _tickets.CreateUniqueIndex(t => t.Price);
        _tickets.CreateUniqueIndex(t => t.Seat);
        Ticket[] rows = [.. _tickets.AsEnumerable()];
        long number = i - 1500, wide = number + (1L << 32);
        string? email = i % 7 == 0 ? null : $"someone with number {i}";
        Guid code = new(i, 0, 0, new byte[8]);
        DateOnly day = DateOnly.FromDayNumber(700_000 + i);
        decimal price = i / 100m, longer = price + 0.001m;
        int? seat = i % 5 == 0 ? null : i;
        Assert.Equal(rows.Where(t => t.Number == number).ToList(), _tickets.Where(t => t.Number == number).ToList());
        Assert.Equal(rows.Where(t => t.Number == wide).ToList(), _tickets.Where(t => t.Number == wide).ToList());
        Assert.Equal(rows.Where(t => t.Email == email).ToList(), _tickets.Where(t => t.Email == email).ToList());
        Assert.Equal(rows.Where(t => t.Code == code).ToList(), _tickets.Where(t => t.Code == code).ToList());
        Assert.Equal(rows.Where(t => t.Day == day).ToList(), _tickets.Where(t => t.Day == day).ToList());
        Assert.Equal(rows.Where(t => t.Price == price).ToList(), _tickets.Where(t => t.Price == price).ToList());
        Assert.Equal(rows.Where(t => t.Price == longer).ToList(), _tickets.Where(t => t.Price == longer).ToList());
        Assert.Equal(rows.Where(t => t.Seat == seat).ToList(), _tickets.Where(t => t.Seat == seat).ToList());
        Assert.Equal(rows.Where(t => t.Seat == i).ToList(), _tickets.Where(t => t.Seat == i).ToList());
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(5998, 1)]
    [InlineData(3, 0)]
    public void A_scan_that_seeks_a_key_gives_the_row_with_it_alone(long key, int expected)
    {
        _tickets.CreateUniqueIndex(t => t.Key);
        MemoryContext context = CollectionAccess.Context(_tickets);
        int offset = context.Layout.Columns.ToArray().Single(column => column.Name == nameof(Ticket.Key)).Offset, rows = 0;
        using BlockScanner scan = BlockScanner.Begin(_tickets, context.Layout.Hash);
        scan.SeekInteger((ulong)offset, key);
        while (scan.MoveNext())
        {
            Assert.InRange(scan.SlotCount - scan.FirstSlot, 1, 64);
            for (int slot = scan.FirstSlot; slot < scan.SlotCount; slot++)
            {
                if (!RowBitmap.Contains(scan.Validity, (ulong)slot))
                    continue;
                rows++;
                Assert.Equal(key, RowHandle.FromBits<Ticket>(BlockHeader.HandleAt(scan.Block, slot)).Key);
            }
        }

        Assert.Equal(expected, rows);
    }

    [Fact]
    public void A_key_that_is_made_smaller_before_it_is_compared_may_be_that_of_several_rows()
    {
        _tickets.CreateUniqueIndex(t => t.Key);
        _tickets.First(t => t.Key == 42).Key = (1L << 32) + 40;
        int number = 40;
        Assert.Equal(2, _tickets.Count(t => (int)t.Key == number));
        Assert.Equal(1, _tickets.Count(t => t.Key == number));
        Assert.Equal(1, _tickets.Count(t => (decimal)t.Key == 40.0m));
        Assert.Equal(0, _tickets.Count(t => t.Key == 40.5m));
    }

    [Fact]
    public void What_stands_before_the_key_and_raises_is_raised()
    {
        _tickets.CreateUniqueIndex(t => t.Key);
        int zero = 0;
        Assert.Throws<DivideByZeroException>(() => _tickets.Count(t => t.Number / zero == 1 && t.Key == -1));
        Assert.Equal(0, _tickets.Count(t => t.Key == -1 && t.Number / zero == 1));
    }

    [Fact]
    public void Rows_that_changed_moved_or_went_are_found_as_they_are()
    {
        using UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        byKey.Find(40).Key = 41;
        Assert.Equal(0, _tickets.Count(t => t.Key == 40));
        Assert.Equal(byKey.Find(41), _tickets.First(t => t.Key == 41));
        _tickets.RemoveWhere(t => t.Key % 20 != 1 && t.Key % 20 != 0);
        _tickets.Compact();
        Assert.Equal(byKey.Find(41), _tickets.Single(t => t.Key == 41));
        Assert.Equal(0, _tickets.Count(t => t.Key == 42));
        byKey.Dispose();
        Assert.Equal(1, _tickets.Count(t => t.Key == 41));
    }

    [Fact]
    public void A_collection_with_another_index_is_scanned()
    {
        _tickets.CreateUniqueIndex(t => ValueTuple.Create(t.Key, t.Number));
        Assert.Equal(1, _tickets.Count(t => t.Key == 40));
        Assert.Equal(1000, _tickets.Count(t => t.Year == 1));
    }
}
