using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Queries for the rows whose key is one of several values that the query names, over collections with unique indexes, against LINQ to Objects over the same rows.</summary>
public sealed class AlternativeKeyQueryTests : TicketKeyQueries
{
    [Theory]
    [MemberData(nameof(Ways))]
    public void Rows_with_one_of_several_keys_are_those_of_linq_in_the_order_of_the_scan(bool hasIndex, bool always, int threads)
    {
        using var options = Use(always, threads);
        if (hasIndex)
            _tickets.CreateUniqueIndex(t => t.Key);
        Ticket[] rows = [.. _tickets.AsEnumerable()];
        // Duplicates, keys that no row has, keys in the order of the rows and against it.
        foreach ((long a, long b, int c) in new[] { (4L, 4L, 4), (5998L, 0L, 10), (-1L, 3L, 6000), (20L, 5998L, -2), (0L, 1L << 50, 0) })
        {
            List<Ticket> expected = [.. rows.Where(t => t.Key == a || t.Key == b || t.Key == c || t.Key == 14)];
            Assert.Equal(expected, _tickets.Where(t => t.Key == a || t.Key == b || t.Key == c || t.Key == 14).ToList());
            Assert.Equal(expected, _tickets.Where(t => (14 == t.Key || b == t.Key) || (t.Key == c || t.Key == a)).ToList());
            Assert.Equal(expected.Count, _tickets.Count(t => t.Key == a || t.Key == b || t.Key == c || t.Key == 14));
            Assert.Equal(expected.Sum(t => t.Weight), _tickets.Where(t => t.Key == a || t.Key == b || t.Key == c || t.Key == 14).Sum(t => t.Weight));
            Assert.Equal(expected.FirstOrDefault(), _tickets.FirstOrDefault(t => t.Key == a || t.Key == b || t.Key == c || t.Key == 14));
            Assert.Equal(
                expected.Where(t => t.Year == 1 && t.Number > -1400).ToList(), _tickets.Where(t => t.Year == 1 && (t.Key == a || t.Key == b || t.Key == c || t.Key == 14) && t.Number > -1400).ToList());
            Assert.Equal(rows.Count(t => t.Key == a || t.Key == b || t.Year == 1), _tickets.Count(t => t.Key == a || t.Key == b || t.Year == 1));
            Assert.Equal(rows.Count(t => t.Key == a || t.Number == b), _tickets.Count(t => t.Key == a || t.Number == b));
            Assert.Equal(rows.Count(t => t.Key == a || (t.Key == b && t.Year == 0)), _tickets.Count(t => t.Key == a || (t.Key == b && t.Year == 0)));
            Assert.Equal(rows.Count(t => !(t.Key == a || t.Key == b)), _tickets.Count(t => !(t.Key == a || t.Key == b)));
            Assert.Equal(rows.Count(t => t.Key == a || t.Key > b), _tickets.Count(t => t.Key == a || t.Key > b));
            Assert.Equal(
                expected.OrderByDescending(t => t.Weight).Take(3).ToList(), _tickets.Where(t => t.Key == a || t.Key == b || t.Key == c || t.Key == 14).OrderByDescending(t => t.Weight).Take(3).ToList());
            Assert.Equal(
                expected.Select(t => t.Email).ToList(),
                Query.Run(_tickets, a, b, c, static (IEnumerable<Ticket> tickets, long a, long b, int c) => tickets.Where(t => t.Key == a || t.Key == b || t.Key == c || t.Key == 14).Select(t => t.Email).ToList()));
            Query<Ticket> recorded = _tickets.Where(t => t.Key == a || t.Key == b || t.Key == c || t.Key == 14);
            Assert.Equal(expected, recorded.ToList());
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void So_are_those_of_a_pattern(bool hasIndex, bool always, int threads)
    {
        using var options = Use(always, threads);
        if (hasIndex)
        {
            _tickets.CreateUniqueIndex(t => t.Key);
            _tickets.CreateUniqueIndex(t => t.Email);
            _tickets.CreateUniqueIndex(t => t.Seat);
        }

        Ticket[] rows = [.. _tickets.AsEnumerable()];
        Assert.Equal(rows.Where(t => t.Key is 4 or 3 or 5998 or 4).ToList(), Query.Run(_tickets, static (IEnumerable<Ticket> tickets) => tickets.Where(t => t.Key is 4 or 3 or 5998 or 4).ToList()));
        Assert.Equal(rows.Count(t => t.Key is 4 or 3 or 5998 or 6 && t.Year < 2), Query.Run(_tickets, static (IEnumerable<Ticket> tickets) => tickets.Count(t => t.Key is 4 or 3 or 5998 or 6 && t.Year < 2)));
        Assert.Equal(
            rows.Where(t => t.Email is "someone with number 5" or "someone with number 2999" or "someone with number 7").ToList(),
            Query.Run(_tickets, static (IEnumerable<Ticket> tickets) => tickets.Where(t => t.Email is "someone with number 5" or "someone with number 2999" or "someone with number 7").ToList()));
        Assert.Equal(rows.Where(t => t.Email is "someone with number 5" or null).ToList(), Query.Run(_tickets, static (IEnumerable<Ticket> tickets) => tickets.Where(t => t.Email is "someone with number 5" or null).ToList()));
        Assert.Equal(rows.Where(t => t.Seat is 7 or 10 or 2999).ToList(), Query.Run(_tickets, static (IEnumerable<Ticket> tickets) => tickets.Where(t => t.Seat is 7 or 10 or 2999).ToList()));
        Assert.Equal(rows.Where(t => t.Seat is null or 7).ToList(), Query.Run(_tickets, static (IEnumerable<Ticket> tickets) => tickets.Where(t => t.Seat is null or 7).ToList()));
        Assert.Equal(rows.Where(t => t.Key is 4 or > 5990).ToList(), Query.Run(_tickets, static (IEnumerable<Ticket> tickets) => tickets.Where(t => t.Key is 4 or > 5990).ToList()));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void So_are_those_with_keys_of_any_type_and_with_null(bool hasIndex, bool always, int threads)
    {
        using var options = Use(always, threads);
        if (hasIndex)
        {
            _tickets.CreateUniqueIndex(t => t.Number);
            _tickets.CreateUniqueIndex(t => t.Email);
            _tickets.CreateUniqueIndex(t => t.Code);
            _tickets.CreateUniqueIndex(t => t.At);
            _tickets.CreateUniqueIndex(t => t.Day);
            _tickets.CreateUniqueIndex(t => t.Price);
            _tickets.CreateUniqueIndex(t => t.Seat);
        }

        Ticket[] rows = [.. _tickets.AsEnumerable()];
        int number = 3;
        long wide = 3, tooWide = 3 + (1L << 32);
        long? none = null, some = -1500;
        string? email = "someone with number 5", nobody = null;
        Guid code = new(7, 0, 0, new byte[8]);
        DateTime time = new(2024, 1, 1);
        DateOnly day = DateOnly.FromDayNumber(702_999);
        decimal price = 29.99m, longer = 1.555m;
        int? seat = 7, noSeat = null;
        Assert.Equal(rows.Where(t => t.Number == number || t.Number == -1500).ToList(), _tickets.Where(t => t.Number == number || t.Number == -1500).ToList());
        Assert.Equal(rows.Where(t => t.Number == number || t.Number == wide || t.Number == tooWide).ToList(), _tickets.Where(t => t.Number == number || t.Number == wide || t.Number == tooWide).ToList());
        Assert.Equal(rows.Where(t => t.Number == some || t.Number == number).ToList(), _tickets.Where(t => t.Number == some || t.Number == number).ToList());
        Assert.Equal(rows.Where(t => t.Number == none || t.Number == number).ToList(), _tickets.Where(t => t.Number == none || t.Number == number).ToList());
        Assert.Equal(rows.Where(t => t.Email == email || t.Email == "someone with number 2999").ToList(), _tickets.Where(t => t.Email == email || t.Email == "someone with number 2999").ToList());
        Assert.Equal(rows.Where(t => t.Email == nobody || t.Email == email).ToList(), _tickets.Where(t => t.Email == nobody || t.Email == email).ToList());
        Assert.Equal(rows.Where(t => t.Email == null || t.Email == email).ToList(), _tickets.Where(t => t.Email == null || t.Email == email).ToList());
        Assert.Equal(rows.Where(t => t.Code == code || t.Code == Guid.Empty).ToList(), _tickets.Where(t => t.Code == code || t.Code == Guid.Empty).ToList());
        Assert.Equal(rows.Where(t => t.At == time || t.At == new DateTime(2024, 1, 3)).ToList(), _tickets.Where(t => t.At == time || t.At == new DateTime(2024, 1, 3)).ToList());
        Assert.Equal(rows.Where(t => t.Day == day || t.Day == DateOnly.MinValue).ToList(), _tickets.Where(t => t.Day == day || t.Day == DateOnly.MinValue).ToList());
        Assert.Equal(rows.Where(t => t.Price == price || t.Price == longer || t.Price == 1.50m).ToList(), _tickets.Where(t => t.Price == price || t.Price == longer || t.Price == 1.50m).ToList());
        Assert.Equal(rows.Where(t => t.Seat == seat || t.Seat == 11).ToList(), _tickets.Where(t => t.Seat == seat || t.Seat == 11).ToList());
        Assert.Equal(rows.Where(t => t.Seat == seat || t.Seat == noSeat).ToList(), _tickets.Where(t => t.Seat == seat || t.Seat == noSeat).ToList());
        Assert.Equal(rows.Where(t => t.Seat == null || t.Seat == number).ToList(), _tickets.Where(t => t.Seat == null || t.Seat == number).ToList());
        Assert.Equal(rows.Where(t => t.Seat == wide || t.Seat == number).ToList(), _tickets.Where(t => t.Seat == wide || t.Seat == number).ToList());
    }

    [Fact]
    public void What_stands_before_them_and_raises_is_raised()
    {
        using var options = Use(always: true, threads: 1);
        _tickets.CreateUniqueIndex(t => t.Key);
        int zero = 0;
        long a = -1, b = -3;
        Assert.Throws<DivideByZeroException>(() => _tickets.Count(t => t.Number / zero == 1 && (t.Key == a || t.Key == b)));
        Assert.Throws<DivideByZeroException>(() => _tickets.Count(t => t.Key == a || t.Key == b / zero));
        Assert.Equal(0, _tickets.Count(t => (t.Key == a || t.Key == b) && t.Number / zero == 1));
    }

    [Theory]
    [InlineData(true, 2, 2)]
    [InlineData(true, 4, 0)]
    [InlineData(false, 2, 0)]
    public void Few_keys_are_looked_up_and_many_are_scanned_for(bool hasIndex, int keys, int expected)
    {
        if (hasIndex)
            _tickets.CreateUniqueIndex(t => t.Key);
        MemoryContext context = CollectionAccess.Context(_tickets);
        int offset = Column(context, nameof(Ticket.Key)).Offset;
        long[] named = [.. Enumerable.Range(0, keys).Select(i => i * 20L)];
        using (BlockScanner scan = BlockScanner.Begin(_tickets, context.Layout.Hash))
        {
            scan.SeekAny<long>((ulong)offset, named, OtherConditions.None);
            Assert.Equal((expected > 0, expected), (scan.IsSought, RowsOf(scan)));
        }

        using (BlockScanner scan = BlockScanner.Begin(_tickets, context.Layout.Hash))
        {
            scan.SeekAnyInteger((ulong)offset, [.. named.Select(key => (long?)key)], OtherConditions.None);
            Assert.Equal((expected > 0, expected), (scan.IsSought, RowsOf(scan)));
        }

        using (BlockScanner scan = BlockScanner.Begin(_tickets, context.Layout.Hash))
        {
            scan.SeekAnyInteger((ulong)offset, [4, null], OtherConditions.None);
            Assert.False(scan.IsSought);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_join_of_them_answers_as_linq_does(bool hasIndex, bool always, int threads)
    {
        using var options = Use(always, threads);
        if (hasIndex)
            _tickets.CreateUniqueIndex(t => t.Key);
        Ticket[] rows = [.. _tickets.AsEnumerable()];
        long a = 100, b = 7;
        int? c = 50, none = null;
        Assert.Equal(
            rows.Where(t => t.Key == a || t.Key == b || t.Key == 2000).Join(rows, t => t.Key + 2, u => u.Key, (t, u) => (t.Number, u.Email)).ToList(),
            _tickets.Where(t => t.Key == a || t.Key == b || t.Key == 2000).Join(_tickets, t => t.Key + 2, u => u.Key, (t, u) => ValueTuple.Create(t.Number, u.Email)).ToList());
        Assert.Equal(
            rows.Where(t => t.Key == c || t.Key == none || t.Key == b).Join(rows, t => t.Key + 2, u => u.Key, (t, u) => u.Number).Sum(),
            _tickets.Where(t => t.Key == c || t.Key == none || t.Key == b).Join(_tickets, t => t.Key + 2, u => u.Key, (t, u) => u.Number).Sum());
        Assert.Equal(rows.Count(t => (t.Key == a || t.Key == b) && rows.Any(u => u.Key == t.Key + 2)), _tickets.Count(t => (t.Key == a || t.Key == b) && _tickets.Any(u => u.Key == t.Key + 2)));
    }

    /// <summary>Keys that many rows have, or none, of indexes that begin with the column; also where the second column moves rows.</summary>
    [Theory]
    [MemberData(nameof(Ways))]
    public void Ordered_indexes_find_all_rows_with_one_of_several_keys(bool hasIndex, bool always, int threads)
    {
        using var options = Use(always, threads);
        foreach (Ticket ticket in _tickets)
            (ticket.Year, ticket.Number) = (ticket.Number % 600, (ticket.Number % 400) - 100);
        if (hasIndex)
        {
            _tickets.CreateIndex(t => ValueTuple.Create(t.Number, t.Key));
            _tickets.CreateIndex(t => t.Year);
            _tickets.CreateIndex(t => t.Email);
            _tickets.CreateIndex(t => t.Day);
            _tickets.CreateIndex(t => t.Seat);
            _tickets.CreateIndex(t => t.Price);
        }

        Ticket[] rows = [.. _tickets.AsEnumerable()];
        int[] numbers = [3, 3, 299, 300, -100], seats = [7, 11], none = [];
        int?[] withNull = [7, null];
        long[] wide = [3, 299 + (1L << 32), long.MinValue, -7];
        List<string?> emails = ["someone with number 5", "someone with number 7", new string('x', 400)];
        HashSet<DateOnly> days = [DateOnly.FromDayNumber(702_999), DateOnly.FromDayNumber(700_000), DateOnly.MinValue];
        decimal[] prices = [1.5m, 29.99m, 30m];
        int number = 17;
        long far = -7, beyond = 1L << 40;
        int? seat = 7, noSeat = null;
        Assert.Equal(rows.Where(t => numbers.AsEnumerable().Contains(t.Number)).ToList(), _tickets.Where(t => numbers.Contains(t.Number)).ToList());
        Assert.Equal(rows.Where(t => numbers.AsEnumerable().Contains(t.Number) && t.Key > 100).ToList(), _tickets.Where(t => t.Key > 100 && numbers.Contains(t.Number)).ToList());
        Assert.Equal(0, _tickets.Count(t => none.Contains(t.Number)));
        Assert.Equal(rows.Where(t => wide.AsEnumerable().Contains(t.Number)).ToList(), _tickets.Where(t => wide.Contains(t.Number)).ToList());
        Assert.Equal(rows.Where(t => emails.Contains(t.Email)).ToList(), _tickets.Where(t => emails.Contains(t.Email)).ToList());
        Assert.Equal(rows.Where(t => days.Contains(t.Day)).ToList(), _tickets.Where(t => days.Contains(t.Day)).ToList());
        Assert.Equal(rows.Where(t => prices.AsEnumerable().Contains(t.Price)).ToList(), _tickets.Where(t => prices.Contains(t.Price)).ToList());
        Assert.Equal(rows.Where(t => withNull.AsEnumerable().Contains(t.Seat)).ToList(), _tickets.Where(t => withNull.Contains(t.Seat)).ToList());
        Assert.Equal(rows.Count(t => t.Seat != null && seats.AsEnumerable().Contains(t.Seat.Value)), _tickets.Count(t => t.Seat != null && seats.Contains(t.Seat.Value)));
        Assert.Equal(rows.Where(t => t.Number == number || t.Number == far || t.Number == beyond || t.Number == 3).ToList(), _tickets.Where(t => t.Number == number || t.Number == far || t.Number == beyond || t.Number == 3).ToList());
        Assert.Equal(rows.Where(t => t.Year == number || t.Year == -5).Sum(t => t.Key), _tickets.Where(t => t.Year == number || t.Year == -5).Sum(t => t.Key));
        Assert.Equal(rows.Where(t => t.Seat == seat || t.Seat == 11).ToList(), _tickets.Where(t => t.Seat == seat || t.Seat == 11).ToList());
        Assert.Equal(rows.Where(t => t.Seat == seat || t.Seat == noSeat).ToList(), _tickets.Where(t => t.Seat == seat || t.Seat == noSeat).ToList());
        Assert.Equal(
            rows.Where(t => t.Number is 3 or 17 or 1000 or 3).OrderBy(t => t.Key).ToList(), Query.Run(_tickets, static (IEnumerable<Ticket> tickets) => tickets.Where(t => t.Number is 3 or 17 or 1000 or 3).OrderBy(t => t.Key).ToList()));
        Assert.Equal(
            rows.Where(t => numbers.AsEnumerable().Contains(t.Number)).Join(rows, t => t.Key + 2, u => u.Key, (t, u) => u.Number).Sum(),
            _tickets.Where(t => numbers.Contains(t.Number)).Join(_tickets, t => t.Key + 2, u => u.Key, (t, u) => u.Number).Sum());
    }

    [Theory]
    [InlineData(4, true)]
    [InlineData(600, false)]
    public void An_ordered_index_is_asked_if_few_rows_have_the_keys(int keys, bool isSought)
    {
        for (int i = Rows; i < 40 * Rows; i++)
        {
            int number = i;
            _tickets.AddNew(ticket => ticket.Set(key: 2L * number, number: number, year: number % 10_000));
        }

        _tickets.CreateIndex(t => t.Year);
        MemoryContext context = CollectionAccess.Context(_tickets);
        int offset = Column(context, nameof(Ticket.Year)).Offset;
        int[] named = [.. Enumerable.Range(5_000, keys)];
        using BlockScanner scan = BlockScanner.Begin(_tickets, context.Layout.Hash);
        scan.SeekListed((ulong)offset, named, OtherConditions.None, isTable: true);
        Assert.Equal((isSought, isSought ? 4 * 12 : 0), (scan.IsSought, RowsOf(scan)));
    }

    [Fact]
    public void A_snapshot_has_the_rows_of_its_moment()
    {
        using var options = Use(always: true, threads: 1);
        UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        using Snapshot snapshot = Snapshot.Take(_tickets);
        byKey.Find(40).Key = 41;
        Assert.Equal(2, snapshot.Of(_tickets).Count(t => t.Key == 40 || t.Key == 42));
        Assert.Equal(1, _tickets.Count(t => t.Key == 40 || t.Key == 42));
    }
}
