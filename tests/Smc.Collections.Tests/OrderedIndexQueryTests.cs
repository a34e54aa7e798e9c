using Smc.Collections.Indexes;
using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Compiled queries over a collection with ordered indexes, against LINQ to Objects over the same rows.</summary>
public sealed class OrderedIndexQueryTests : IDisposable
{
    private const int Rows = 3000;

    private readonly MemoryManager _manager = new();
    private readonly Collection<Ticket> _tickets;

    public OrderedIndexQueryTests()
    {
        _tickets = new Collection<Ticket>(new CollectionOptions { Manager = _manager, BlockCapacity = 100 });
        Random random = new(5);
        for (int i = 0; i < Rows; i++)
        {
            int number = random.Next(600) - 300;
            _tickets.AddNew(ticket => ticket.Set(
                key: number * 3L, number: number, email: number % 7 == 0 ? null : $"someone with number {number}", code: new Guid(number, 0, 0, new byte[8]), at: new DateTime(2024, 1, 1).AddDays(number),
                day: DateOnly.FromDayNumber(700_000 + number), price: number / 100m, seat: number % 5 == 0 ? null : number, year: number % 3, weight: number, colour: (Colour)(number & 3)));
        }
    }

    public void Dispose() => _manager.Dispose();

    public static TheoryData<int, int> Ranges => new()
    {
        { 0, 10 }, { -300, -299 }, { -5, 5 }, { 250, 5000 }, { -5000, -290 }, { 10, 0 }, { 7, 7 }, { -300, 300 }, { int.MinValue, int.MaxValue }, { int.MaxValue, int.MinValue },
    };

    [Theory]
    [MemberData(nameof(Ranges))]
    public void A_query_with_a_range_of_an_indexed_column_answers_as_linq_does(int from, int to)
    {
        using var options = Query.Use(new QueryOptions { SeeksAlways = true });
        Ticket[] rows = [.. _tickets.AsEnumerable()];
        DateOnly first = DateOnly.FromDayNumber((int)Math.Clamp(700_000 + (long)from, 0, DateOnly.MaxValue.DayNumber));
        DateOnly last = DateOnly.FromDayNumber((int)Math.Clamp(700_000 + (long)to, 0, DateOnly.MaxValue.DayNumber));
        decimal cheap = from / 100m, dear = (to / 100m) + 0.001m;
        long wide = 3L * to;
        for (int indexes = 0; indexes < 2; indexes++)
        {
            Assert.Equal(rows.Where(t => t.Day >= first && t.Day < last).ToList(), _tickets.Where(t => t.Day >= first && t.Day < last).ToList());
            Assert.Equal(rows.Where(t => t.Number > from && t.Number <= to).ToList(), _tickets.Where(t => t.Number > from && t.Number <= to).ToList());
            Assert.Equal(rows.Count(t => t.Key < wide), _tickets.Count(t => t.Key < wide));
            Assert.Equal(rows.Where(t => t.Price >= cheap && t.Price <= dear).Sum(t => t.Weight), _tickets.Where(t => t.Price >= cheap && t.Price <= dear).Sum(t => t.Weight));
            Assert.Equal(rows.FirstOrDefault(t => t.Number >= from && t.Year == 1), _tickets.FirstOrDefault(t => t.Number >= from && t.Year == 1));
            Assert.Equal(rows.Where(t => t.Number >= from).OrderBy(t => t.Key).ThenBy(t => t.Code).Take(5).Select(t => t.Key).ToList(), _tickets.Where(t => t.Number >= from).OrderBy(t => t.Key).ThenBy(t => t.Code).Take(5).Select(t => t.Key).ToList());
            Assert.Equal(
                rows.Where(t => t.Day >= first && t.Day <= last).GroupBy(t => t.Year).Select(g => (g.Key, g.Count())).Order().ToList(),
                _tickets.Where(t => t.Day >= first && t.Day <= last).GroupBy(t => t.Year).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList().Order().ToList());
            if (indexes > 0)
                continue;
            _tickets.CreateIndex(t => t.Day);
            _tickets.CreateIndex(t => ValueTuple.Create(t.Number, t.Key));
            _tickets.CreateIndex(t => t.Key);
            _tickets.CreateIndex(t => t.Price);
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(35)]
    [InlineData(-299)]
    [InlineData(299)]
    [InlineData(1000)]
    public void So_does_one_with_an_equality(int number)
    {
        using var options = Query.Use(new QueryOptions { SeeksAlways = true });
        _tickets.CreateIndex(t => t.Key);
        _tickets.CreateIndex(t => t.Email);
        _tickets.CreateIndex(t => t.Code);
        _tickets.CreateIndex(t => t.At);
        _tickets.CreateIndex(t => t.Seat);
        _tickets.CreateIndex(t => t.Colour);
        Ticket[] rows = [.. _tickets.AsEnumerable()];
        string? email = number % 7 == 0 ? null : $"someone with number {number}";
        Guid code = new(number, 0, 0, new byte[8]);
        DateTime at = new DateTime(2024, 1, 1).AddDays(number);
        int? seat = number % 5 == 0 ? null : number;
        Colour colour = (Colour)(number & 3);
        int key = number * 3;
        Assert.Equal(rows.Where(t => t.Key == key).ToList(), _tickets.Where(t => t.Key == key).ToList());
        Assert.Equal(rows.Where(t => t.Email == email).ToList(), _tickets.Where(t => t.Email == email).ToList());
        Assert.Equal(rows.Where(t => t.Code == code).ToList(), _tickets.Where(t => t.Code == code).ToList());
        Assert.Equal(rows.Where(t => t.At == at).ToList(), _tickets.Where(t => t.At == at).ToList());
        Assert.Equal(rows.Where(t => t.Seat == seat).ToList(), _tickets.Where(t => t.Seat == seat).ToList());
        Assert.Equal(rows.Count(t => t.Colour == colour && t.Key > 0), _tickets.Count(t => t.Colour == colour && t.Key > 0));
    }

    [Theory]
    [MemberData(nameof(Ranges))]
    public void So_does_one_that_threads_may_share(int from, int to)
    {
        using var options = Query.Use(new QueryOptions { SeeksAlways = true, DegreeOfParallelism = 2, MinRowsPerThread = 1, DividesAtOnce = true });
        _tickets.CreateIndex(t => t.Number);
        Ticket[] rows = [.. _tickets.AsEnumerable().Where(t => t.Number >= from && t.Number < to)];
        Assert.Equal(rows, Query.Run(_tickets, from, to, static (IEnumerable<Ticket> tickets, int from, int to) => tickets.Where(t => t.Number >= from && t.Number < to).ToList()));
        Assert.Equal(rows.Sum(t => t.Weight), Query.Run(_tickets, from, to, static (IEnumerable<Ticket> tickets, int from, int to) => tickets.Where(t => t.Number >= from && t.Number < to).Sum(t => t.Weight)));
    }

    [Fact]
    public void Threads_share_a_scan_that_an_index_refuses_when_it_is_asked()
    {
        const int TooMany = 70_000;
        using var many = new Collection<Ticket>(new CollectionOptions { Manager = _manager, BlockCapacity = 1000 });
        for (int i = 0; i < TooMany; i++)
        {
            int number = i;
            many.AddNew(ticket => ticket.Set(key: number, number: number, year: 1));
        }

        many.CreateIndex(t => t.Number);
        // More rows than are ever looked up, which only the look-up finds out.
        using var options = Query.Use(new QueryOptions { SeeksAlways = true, DegreeOfParallelism = 2, MinRowsPerThread = 1 });
        ParallelQueryTests.Meeting meeting = new(2);
        Assert.Equal(TooMany, Query.Run(many, meeting, static (IEnumerable<Ticket> tickets, ParallelQueryTests.Meeting meeting) => tickets.Count(t => t.Number >= 0 && meeting.Attend(t.Number))));
    }

    [Theory]
    [MemberData(nameof(Ranges))]
    public void Least_greatest_and_first_by_an_indexed_column_are_those_of_linq(int from, int to)
    {
        using var options = Query.Use(new QueryOptions { SeeksAlways = true });
        Ticket[] rows = [.. _tickets.AsEnumerable()];
        Ticket[] some = [.. rows.Where(t => t.Number >= from && t.Number < to)];
        for (int indexes = 0; indexes < 2; indexes++)
        {
            Assert.Equal(rows.Min(t => t.Number), _tickets.Min(t => t.Number));
            Assert.Equal(rows.Max(t => t.Price), _tickets.Max(t => t.Price));
            Assert.Equal(rows.Min(t => t.Day), _tickets.Min(t => t.Day));
            Assert.Equal(rows.OrderBy(t => t.Number).Take(10).ToList(), _tickets.OrderBy(t => t.Number).Take(10).ToList());
            Assert.Equal(rows.OrderByDescending(t => t.Day).Skip(3).Take(10).ToList(), _tickets.OrderByDescending(t => t.Day).Skip(3).Take(10).ToList());
            Assert.Equal(rows.OrderBy(t => t.Number).Last(), _tickets.OrderBy(t => t.Number).Last());
            Assert.Equal(rows.OrderByDescending(t => t.Price).ThenBy(t => t.Year).ThenBy(t => t.Email).First(), _tickets.OrderByDescending(t => t.Price).ThenBy(t => t.Year).ThenBy(t => t.Email).First());
            Assert.Equal(rows.OrderBy(t => t.Number).Take(5000).ToList(), _tickets.OrderBy(t => t.Number).Take(5000).ToList());
            Assert.Equal(
                some.OrderBy(t => t.Number).Take(20).ToList(),
                _tickets.Where(t => t.Number >= from && t.Number < to).OrderBy(t => t.Number).Take(20).ToList());
            Assert.Equal(
                rows.Where(t => t.Number >= from && t.Year == 1).OrderByDescending(t => t.Number).Take(7).ToList(),
                _tickets.Where(t => t.Number >= from && t.Year == 1).OrderByDescending(t => t.Number).Take(7).ToList());
            Assert.Equal(some.Select(t => (int?)t.Number).Max() ?? 0, some.Length == 0 ? 0 : _tickets.Where(t => t.Number >= from && t.Number < to).Max(t => t.Number));
            if (some.Length == 0)
                Assert.Throws<InvalidOperationException>(() => _tickets.Where(t => t.Number >= from && t.Number < to).Min(t => t.Number));
            if (indexes > 0)
                continue;
            _tickets.CreateIndex(t => t.Day);
            _tickets.CreateIndex(t => ValueTuple.Create(t.Number, t.Key));
            _tickets.CreateIndex(t => t.Price);
        }
    }

    [Theory]
    [MemberData(nameof(Ranges))]
    public void So_are_those_that_fulfil_conditions_on_other_columns(int from, int to)
    {
        using var options = Query.Use(new QueryOptions { SeeksAlways = true });
        _tickets.RemoveWhere(t => t.Number % 11 == 3);
        Ticket[] rows = [.. _tickets.AsEnumerable()];
        Ticket[] some = [.. rows.Where(t => t.Number >= from && t.Number < to && t.Year == 1)];
        string email = $"someone with number {from}";
        decimal dear = to / 100m;
        for (int indexes = 0; indexes < 2; indexes++)
        {
            // A range of another column, a text, null, two columns with each other, one of several values; with and without a range of the column itself.
            Assert.Equal(rows.Where(t => t.Price < dear).OrderBy(t => t.Number).Take(10).ToList(), _tickets.Where(t => t.Price < dear).OrderBy(t => t.Number).Take(10).ToList());
            Assert.Equal(rows.Where(t => t.Year == 2).OrderByDescending(t => t.Number).Skip(7).Take(40).ToList(), _tickets.Where(t => t.Year == 2).OrderByDescending(t => t.Number).Skip(7).Take(40).ToList());
            Assert.Equal(rows.Where(t => t.Email == email).OrderByDescending(t => t.Day).Take(3).ToList(), _tickets.Where(t => t.Email == email).OrderByDescending(t => t.Day).Take(3).ToList());
            Assert.Equal(rows.Where(t => t.Seat == null && t.Email != null).OrderBy(t => t.Number).Take(12).ToList(), _tickets.Where(t => t.Seat == null && t.Email != null).OrderBy(t => t.Number).Take(12).ToList());
            Assert.Equal(rows.Where(t => t.Year != t.Number).OrderBy(t => t.Price).ThenByDescending(t => t.Weight).Take(9).ToList(), _tickets.Where(t => t.Year != t.Number).OrderBy(t => t.Price).ThenByDescending(t => t.Weight).Take(9).ToList());
            Assert.Equal(rows.Where(t => t.Colour == (Colour)1 || t.Year == 0).OrderBy(t => t.Day).First(), _tickets.Where(t => t.Colour == (Colour)1 || t.Year == 0).OrderBy(t => t.Day).First());
            Assert.Equal(rows.OrderBy(t => t.Number).Where(t => t.Weight > 7.5).Take(11).ToList(), _tickets.OrderBy(t => t.Number).Where(t => t.Weight > 7.5).Take(11).ToList());
            Assert.Equal(rows.OrderBy(t => t.Day).LastOrDefault(t => t.Number < to), _tickets.OrderBy(t => t.Day).LastOrDefault(t => t.Number < to));
            Assert.Equal(rows.OrderBy(t => t.Number).FirstOrDefault(t => t.Key == to), _tickets.OrderBy(t => t.Number).FirstOrDefault(t => t.Key == to));
            Assert.Equal(some.OrderBy(t => t.Number).Take(20).ToList(), _tickets.Where(t => t.Number >= from && t.Number < to && t.Year == 1).OrderBy(t => t.Number).Take(20).ToList());
            Assert.Equal(some.OrderBy(t => t.Number).LastOrDefault(), _tickets.Where(t => t.Number >= from && t.Number < to && t.Year == 1).OrderBy(t => t.Number).LastOrDefault());
            Assert.Equal(rows.Where(t => t.Year == 1).Min(t => t.Number), _tickets.Where(t => t.Year == 1).Min(t => t.Number));
            Assert.Equal(rows.Where(t => t.Seat != null).Max(t => t.Price), _tickets.Where(t => t.Seat != null).Max(t => t.Price));
            if (some.Length == 0)
                Assert.Throws<InvalidOperationException>(() => _tickets.Where(t => t.Number >= from && t.Number < to && t.Year == 1).Max(t => t.Number));
            else
                Assert.Equal(some.Max(t => t.Number), _tickets.Where(t => t.Number >= from && t.Number < to && t.Year == 1).Max(t => t.Number));
            if (indexes > 0)
                continue;
            _tickets.CreateIndex(t => t.Day);
            _tickets.CreateIndex(t => ValueTuple.Create(t.Number, t.Key));
            _tickets.CreateIndex(t => t.Price);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void So_are_those_of_a_query_with_arguments_that_threads_may_share(int degree)
    {
        using var options = Query.Use(new QueryOptions { SeeksAlways = true, DegreeOfParallelism = degree, MinRowsPerThread = 1, DividesAtOnce = true });
        Ticket[] rows = [.. _tickets.AsEnumerable()];
        _tickets.CreateIndex(t => t.Number);
        for (int year = 0; year < 4; year++)
        {
            Ticket[] expected = [.. rows.Where(t => t.Year == year).OrderBy(t => t.Number).Take(25)];
            Assert.Equal(expected, Query.Run(_tickets, year, static (IEnumerable<Ticket> tickets, int year) => tickets.Where(t => t.Year == year).OrderBy(t => t.Number).Take(25).ToList()));
        }
    }

    [Fact]
    public void No_rows_have_no_first_ones()
    {
        using var options = Query.Use(new QueryOptions { SeeksAlways = true });
        _tickets.CreateIndex(t => t.Number);
        _tickets.Clear();
        Assert.Empty(_tickets.Where(t => t.Year == 1).OrderBy(t => t.Number).Take(5).ToList());
        Assert.Throws<InvalidOperationException>(() => _tickets.Where(t => t.Year == 1).Min(t => t.Number));
        Assert.True(_tickets.Where(t => t.Year == 1).OrderBy(t => t.Number).FirstOrDefault().IsNull);
    }

    [Fact]
    public void A_condition_that_raises_for_a_row_raises_as_in_linq()
    {
        using var options = Query.Use(new QueryOptions { SeeksAlways = true });
        _tickets.CreateIndex(t => t.Number);
        int greatest = _tickets.Max(t => t.Number);
        Assert.Throws<DivideByZeroException>(() => _tickets.AsEnumerable().Where(t => 1 / (t.Number - greatest) == 0).OrderBy(t => t.Number).First());
        Assert.Throws<DivideByZeroException>(() => _tickets.Where(t => 1 / (t.Number - greatest) == 0).OrderBy(t => t.Number).First());
    }

    [Fact]
    public void A_row_of_a_unique_key_is_looked_up_first()
    {
        using var options = Query.Use(new QueryOptions { SeeksAlways = true });
        using Collection<Ticket> few = new(new CollectionOptions { Manager = _manager });
        for (int i = 0; i < 1000; i++)
        {
            int number = i;
            few.AddNew(t => t.Set(number: number % 10, key: number));
        }

        few.CreateIndex(t => t.Number);
        few.CreateUniqueIndex(t => t.Key);
        Assert.Equal([57L], few.Where(t => t.Key == 57).OrderBy(t => t.Number).Take(3).Select(t => t.Key).ToList());
    }

    [Theory]
    [InlineData(1, true)]
    [InlineData(20, true)]
    [InlineData(100, true)]
    [InlineData(500, false)]
    [InlineData(5000, false)]
    public void Rows_are_looked_at_until_enough_pass_the_other_conditions_or_too_few_do(int every, bool isFound)
    {
        const int InVain = 300, WithHope = 1000, Wanted = 4;
        using Collection<Ticket> many = new(new CollectionOptions { Manager = _manager });
        for (int i = 0; i < 6000; i++)
        {
            int number = i;
            many.AddNew(t => t.Number = number);
        }

        many.CreateIndex(t => t.Number);
        MemoryContext context = CollectionAccess.Context(many);
        using CriticalSection section = CriticalSection.Enter();
        SortedIndex index = SortedIndex.Of(context.Indexes.All!, context.Layout.Columns.ToArray().Single(layout => layout.Name == nameof(Ticket.Number)).Offset)!;
        using FirstRows rows = FirstRows.TryFind(index, [], null, new WantedRows(Wanted, IsDescending: false, WithTies: true), new FirstRowsBudget(InVain, WithHope, 0))!;
        int asked = rows.Handles.Length;
        while (rows.TryGoOn(taken: asked / every))
            asked += rows.Handles.Length;
        Assert.Equal(!isFound, rows.IsGivenUp);
        if (isFound)
            Assert.InRange(asked, Wanted * every, Math.Max(16, 2 * Wanted * every));
        else
            Assert.InRange(asked, 1, InVain);
    }

    [Theory]
    [InlineData(1000, true)]
    [InlineData(300, false)]
    [InlineData(0, false)]
    public void Rows_with_the_key_of_the_last_one_are_read_if_the_index_says_that_they_are_not_too_many(int known, bool isFound)
    {
        const int Ties = 400, InVain = 100, Wanted = 10;
        using Collection<Ticket> many = new(new CollectionOptions { Manager = _manager });
        for (int i = 0; i < 6000; i++)
        {
            int number = i / Ties;
            many.AddNew(t => t.Number = number);
        }

        many.CreateIndex(t => t.Number);
        MemoryContext context = CollectionAccess.Context(many);
        using CriticalSection section = CriticalSection.Enter();
        SortedIndex index = SortedIndex.Of(context.Indexes.All!, context.Layout.Columns.ToArray().Single(layout => layout.Name == nameof(Ticket.Number)).Offset)!;
        using FirstRows? rows = FirstRows.TryFind(index, [], null, new WantedRows(Wanted, IsDescending: true, WithTies: true), new FirstRowsBudget(InVain, InVain, known));
        Assert.Equal(isFound, rows is not null);
        Assert.Equal(isFound ? Ties : 0, rows?.Handles.Length ?? 0);
    }

    [Fact]
    public void Blocks_that_zone_maps_leave_out_make_the_scan_cheaper_than_the_first_rows_of_an_index()
    {
        using Collection<Ticket> many = new(new CollectionOptions { Manager = _manager, BlockCapacity = 1000 });
        for (int i = 0; i < 500_000; i++)
        {
            int number = i;
            many.AddNew(t => t.Set(number: number, year: number));
        }

        many.CreateIndex(t => t.Number);
        Assert.Equal(1, AskedFirst(many, 1, isDescending: false, OtherConditions.Any));
        MemoryContext context = CollectionAccess.Context(many);
        ulong zone = (ulong)context.Layout.Columns.ToArray().Single(layout => layout.Name == nameof(Ticket.Year)).ZoneMapOffset;
        Assert.Equal(many.LongCount, AskedFirst(many, 1, isDescending: false, OtherConditions.Any.Within(zone, ValueRange.All.AtLeast(499_500))));
    }

    [Fact]
    public void Rows_with_one_key_are_read_together()
    {
        using var options = Query.Use(new QueryOptions { SeeksAlways = true });
        // Rows with one key are in the index in the order of their ids. That of the scan is another one after compactions, as new rows take places and ids of removed ones.
        using Collection<Ticket> reused = new(new CollectionOptions { Manager = _manager, BlockCapacity = 64 });
        reused.CreateIndex(t => t.Number);
        Random random = new(8);
        List<Ticket> live = [];
        for (int i = 0; i < 5000; i++)
        {
            int number = i;
            live.Add(reused.AddNew(t => t.Set(number: number % 20, key: number, year: number % 3)));
            if (i % 3 != 0)
            {
                int removed = random.Next(live.Count);
                reused.Remove(live[removed]);
                live.RemoveAt(removed);
            }

            if (i % 1000 == 999)
                reused.Compact();
        }

        foreach (Ticket row in live.Where(row => row.Key % 5 == 0))
            row.Number = (row.Number + 7) % 20;
        for (int count = 1; count < 600; count += 37)
        {
            Assert.Equal(
                reused.AsEnumerable().Where(t => t.Year == 1).OrderBy(t => t.Number).Take(count).Select(t => t.Key).ToList(),
                reused.Where(t => t.Year == 1).OrderBy(t => t.Number).Take(count).Select(t => t.Key).ToList());
        }
    }

    [Theory]
    [InlineData(1, false, true)]
    [InlineData(10, true, true)]
    [InlineData(100_000, false, false)]
    public void Few_first_rows_are_found_by_the_index_and_many_by_the_scan(int count, bool isDescending, bool isFound)
    {
        using Collection<Ticket> many = new(new CollectionOptions { Manager = _manager });
        for (int i = 0; i < 200_000; i++)
        {
            int number = i;
            many.AddNew(t => t.Number = number);
        }

        many.CreateIndex(t => t.Number);
        Assert.Equal(isFound ? count : many.LongCount, AskedFirst(many, count, isDescending));
    }

    [Fact]
    public void Where_too_many_rows_have_the_first_key_all_are_scanned()
    {
        using Collection<Ticket> many = new(new CollectionOptions { Manager = _manager });
        for (int i = 0; i < 200_000; i++)
            many.AddNew(t => t.Number = 7);
        many.CreateIndex(t => t.Number);
        Assert.Equal(many.LongCount, AskedFirst(many, 1, isDescending: false));
    }

    [Fact]
    public void A_row_that_is_removed_or_changed_before_it_is_read_makes_the_scan_begin_again()
    {
        using var options = Query.Use(new QueryOptions { SeeksAlways = true });
        _tickets.CreateIndex(t => t.Number);
        MemoryContext context = CollectionAccess.Context(_tickets);
        ulong offset = (ulong)context.Layout.Columns.ToArray().Single(layout => layout.Name == nameof(Ticket.Number)).Offset;
        for (int change = 0; change < 4; change++)
        {
            using BlockScanner scan = BlockScanner.Begin(_tickets, context.Layout.Hash);
            scan.SeekFirst(offset, ValueRange.All, 1, isDescending: false, withTies: false, OtherConditions.None);
            Ticket lowest = _tickets.AsEnumerable().MinBy(t => t.Number), other = _tickets.AsEnumerable().MaxBy(t => t.Number);
            if (change == 1)
                lowest.Number = 5000;
            else if (change == 2)
                other.Number = -5000;
            int number = lowest.Number;
            if (change == 3)
                _tickets.RemoveWhere(t => t.Number == number);
            while (scan.MoveNext())
                Assert.Equal(1, scan.Asked);
            Assert.False(scan.MoveToNextRows(taken: 1));
            Assert.Equal(change > 0, scan.MustBeginAgain());
            Assert.Equal(change > 0, scan.MoveNext());
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void A_second_key_that_raises_for_a_row_raises_as_in_linq(int others)
    {
        using var options = Query.Use(new QueryOptions { SeeksAlways = true });
        _tickets.CreateIndex(t => t.Number);
        int least = _tickets.Min(t => t.Number) - 1;
        for (int i = 0; i <= others; i++)
            _tickets.AddNew(t => t.Number = least);
        Func<Ticket, int> second = t => 1 / (t.Number - least);
        Exception? expected = Record.Exception(() => _tickets.AsEnumerable().OrderBy(t => t.Number).ThenBy(second).First());
        Exception? actual = Record.Exception(() => _tickets.OrderBy(t => t.Number).ThenBy(t => 1 / (t.Number - least)).First());
        Assert.IsType<DivideByZeroException>(expected);
        Assert.IsType<DivideByZeroException>(actual);
    }

    private static long AskedFirst(Collection<Ticket> tickets, int count, bool isDescending, OtherConditions others = default)
    {
        MemoryContext context = CollectionAccess.Context(tickets);
        int offset = context.Layout.Columns.ToArray().Single(layout => layout.Name == nameof(Ticket.Number)).Offset;
        using BlockScanner scan = BlockScanner.Begin(tickets, context.Layout.Hash);
        scan.SeekFirst((ulong)offset, ValueRange.All, count, isDescending, withTies: true, others);
        long asked = 0;
        while (scan.MoveNext())
            asked += scan.Asked;
        return asked;
    }

    [Fact]
    public void Rows_that_changed_moved_or_went_are_found_as_they_are()
    {
        using var options = Query.Use(new QueryOptions { SeeksAlways = true });
        _tickets.CreateIndex(t => t.Number);
        foreach (Ticket row in _tickets.Where(t => t.Number >= 0 && t.Number < 20).ToList())
            row.Number += 1000;
        _tickets.RemoveWhere(t => t.Number % 3 == 0);
        _tickets.Compact();
        for (int from = 0; from < 1100; from += 50)
        {
            int low = from;
            Assert.Equal(_tickets.AsEnumerable().Where(t => t.Number >= low && t.Number < low + 50).ToList(), _tickets.Where(t => t.Number >= low && t.Number < low + 50).ToList());
        }
    }

    [Fact]
    public void What_stands_before_the_range_and_raises_is_raised()
    {
        using var options = Query.Use(new QueryOptions { SeeksAlways = true });
        _tickets.CreateIndex(t => t.Number);
        int zero = 0;
        Assert.Throws<DivideByZeroException>(() => _tickets.Count(t => t.Year / zero == 1 && t.Number > 5000));
        Assert.Equal(0, _tickets.Count(t => t.Number > 5000 && t.Year / zero == 1));
    }

    [Fact]
    public void An_index_that_leaves_rows_out_because_another_part_of_its_key_is_null_is_not_asked()
    {
        using var options = Query.Use(new QueryOptions { SeeksAlways = true });
        _tickets.CreateIndex(t => ValueTuple.Create(t.Number, t.Seat));
        Assert.Equal(_tickets.AsEnumerable().Count(t => t.Number > 0 && t.Number < 11), _tickets.Count(t => t.Number > 0 && t.Number < 11));
        Assert.Equal(_tickets.LongCount, Asked(_tickets, nameof(Ticket.Number), ValueRange.All.Exactly(5)));
    }

    [Theory]
    [InlineData(5, 6, true)]
    [InlineData(-300, 300, false)]
    public void Few_rows_are_found_by_the_index_and_many_by_the_scan(int from, int to, bool isFound)
    {
        using Collection<Ticket> many = new(new CollectionOptions { Manager = _manager });
        Random random = new(6);
        for (int i = 0; i < 200_000; i++)
        {
            int number = random.Next(-20_000, 20_000);
            many.AddNew(t => t.Number = number);
        }

        many.CreateIndex(t => t.Number);
        ValueRange range = ValueRange.All.AtLeast(from).Below(to);
        long rows = many.AsEnumerable().LongCount(t => t.Number >= from && t.Number < to);
        Assert.Equal(isFound ? rows : many.LongCount, Asked(many, nameof(Ticket.Number), range));
    }

    [Fact]
    public void Rows_that_lie_side_by_side_are_found_by_the_scan_which_zone_maps_shorten()
    {
        using Collection<Ticket> many = new(new CollectionOptions { Manager = _manager, BlockCapacity = 100 });
        for (int i = 0; i < 60_000; i++)
        {
            int number = i;
            many.AddNew(t => t.Number = number);
        }

        many.CreateIndex(t => t.Number);
        Assert.Equal(many.LongCount, Asked(many, nameof(Ticket.Number), ValueRange.All.AtLeast(1000).Below(1400)));
    }

    private static long Asked(Collection<Ticket> tickets, string column, ValueRange range)
    {
        MemoryContext context = CollectionAccess.Context(tickets);
        int offset = context.Layout.Columns.ToArray().Single(layout => layout.Name == column).Offset;
        using BlockScanner scan = BlockScanner.Begin(tickets, context.Layout.Hash);
        scan.SeekRange((ulong)offset, range);
        long asked = 0;
        while (scan.MoveNext())
            asked += scan.Asked;
        return asked;
    }
}
