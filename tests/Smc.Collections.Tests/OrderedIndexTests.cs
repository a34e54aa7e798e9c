using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

[Tabular, Index(nameof(Town), nameof(Day))]
public readonly partial struct Visit
{
    [Key] public partial long Id { get; set; }
    [Index] public partial DateOnly Day { get; set; }
    public partial string Town { get; set; }
}

public sealed class OrderedIndexTests : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly Collection<Ticket> _tickets;

    public OrderedIndexTests() => _tickets = new Collection<Ticket>(new CollectionOptions { Manager = _manager, Name = "Tickets", BlockCapacity = 100 });

    public void Dispose() => _manager.Dispose();

    private static DateOnly Day(int day) => DateOnly.FromDayNumber(700_000 + day);

    private void RequireOneWordForEachRow(OrderedIndex<Ticket, DateOnly> byDay)
    {
        Assert.Equal(_tickets.LongCount, byDay.LongCount);
        Assert.Equal(_tickets.AsEnumerable().ToHashSet(), byDay.All.ToHashSet());
    }

    private Ticket Add(int number, int day = 0, string? email = null, int? seat = null) => _tickets.AddNew(t => t.Set(key: number, number: number, day: Day(day), email: email, seat: seat));

    private void AddMany(int rows)
    {
        Random random = new(rows);
        for (int i = 0; i < rows; i++)
            Add(i, random.Next(rows / 4));
    }

    [Fact]
    public void Rows_come_in_the_order_of_their_keys_in_both_directions()
    {
        AddMany(6000);
        using OrderedIndex<Ticket, DateOnly> byDay = _tickets.CreateIndex(t => t.Day);
        DateOnly[] days = [.. _tickets.AsEnumerable().Select(t => t.Day).Order()];
        Assert.Equal(days, byDay.All.Select(t => t.Day));
        Assert.Equal(days.Reverse(), byDay.Descending().Select(t => t.Day));
        Assert.Equal(byDay.All.Reverse(), byDay.Descending());
        Assert.Equal(6000, byDay.Count);
        Assert.Equal((days[0], days[^1]), (byDay.Min, byDay.Max));
    }

    [Fact]
    public void Range_has_the_rows_with_both_ends_and_the_others_leave_theirs_out()
    {
        AddMany(2000);
        OrderedIndex<Ticket, DateOnly> byDay = _tickets.CreateIndex(t => t.Day);
        Ticket[] rows = [.. _tickets.AsEnumerable()];
        Check(rows.Where(t => t.Day >= Day(50) && t.Day <= Day(60)), byDay.Range(Day(50), Day(60)));
        Check(rows.Where(t => t.Day >= Day(50) && t.Day < Day(60)), byDay.From(Day(50)).Before(Day(60)));
        Check(rows.Where(t => t.Day > Day(50) && t.Day <= Day(60)), byDay.After(Day(50)).UpTo(Day(60)));
        Check(rows.Where(t => t.Day == Day(55)), byDay.FindAll(Day(55)));
        Check(rows.Where(t => t.Day > Day(490)), byDay.After(Day(490)));
        Check(rows.Where(t => t.Day < Day(2)), byDay.Before(Day(2)).UpTo(Day(300)));
        Check([], byDay.Range(Day(60), Day(50)));
        Check([], byDay.FindAll(Day(-1)));
        Check(rows, byDay.Range(DateOnly.MinValue, DateOnly.MaxValue));
        Assert.True(byDay.Contains(rows[7].Day));
        Assert.False(byDay.Contains(Day(500)));

        static void Check(IEnumerable<Ticket> expected, IndexRange<Ticket, DateOnly> range)
        {
            Ticket[] rows = [.. expected.OrderBy(t => t.Day)];
            Assert.Equal(rows.Select(t => t.Key).Order(), range.Select(t => t.Key).Order());
            Assert.Equal(rows.Select(t => t.Day), range.Select(t => t.Day));
            Assert.Equal(rows.Length, range.Count());
        }
    }

    [Fact]
    public void A_row_is_found_by_the_key_it_has_from_its_addition_to_its_removal()
    {
        OrderedIndex<Ticket, DateOnly> byDay = _tickets.CreateIndex(t => t.Day);
        Assert.False(byDay.TryGetMin(out _));
        Assert.Throws<InvalidOperationException>(() => byDay.Max);
        Ticket row = Add(1, day: 5), other = Add(2, day: 5);
        Assert.Equal([row, other], byDay.FindAll(Day(5)));
        row.Day = Day(9);
        Assert.Equal([other], byDay.FindAll(Day(5)));
        Assert.Equal([row], byDay.FindAll(Day(9)));
        row.Set(day: Day(3), number: 7);
        row.Number = 8;
        Assert.Equal([row, other], byDay.All);
        _tickets.Remove(other);
        Assert.Equal([row], byDay.All);
        Assert.Equal((Day(3), Day(3)), (byDay.Min, byDay.Max));
        _tickets.Clear();
        Assert.Empty(byDay.All);
        Assert.Equal(0, byDay.LongCount);
    }

    [Fact]
    public void Rows_that_move_and_places_that_are_used_again_stay_with_their_keys()
    {
        OrderedIndex<Ticket, DateOnly> byDay = _tickets.CreateIndex(t => t.Day);
        AddMany(3000);
        _tickets.RemoveWhere(t => t.Number % 5 != 0);
        _tickets.Compact();
        for (int i = 3000; i < 4000; i++)
            Add(i, i % 50);
        Assert.Equal(_tickets.AsEnumerable().OrderBy(t => t.Day).Select(t => t.Day), byDay.All.Select(t => t.Day));
        Assert.Equal(_tickets.AsEnumerable().Count(t => t.Day == Day(7)), byDay.FindAll(Day(7)).Count());
        RequireOneWordForEachRow(byDay);
    }

    [Fact]
    public void Keys_of_several_columns_are_in_the_order_of_their_parts()
    {
        OrderedIndex<Ticket, (string? Email, int Number)> byBoth = _tickets.CreateIndex(t => ValueTuple.Create(t.Email, t.Number));
        string?[] emails = ["b", "a", null, "ab", "a\0b", "\uE000", "\U0001F600", "a\0", ""];
        for (int i = 0; i < 180; i++)
            Add(i % 7 - 3 + (i / 9 * 10), email: emails[i % 9]);
        (string Email, int Number)[] expected = [.. _tickets.AsEnumerable().Where(t => t.Email is not null).Select(t => (t.Email!, t.Number))
            .OrderBy(key => key.Item1, StringComparer.Ordinal).ThenBy(key => key.Item2)];
        Assert.Equal(expected, byBoth.All.Select(t => (t.Email!, t.Number)));
        Assert.Equal(expected.Where(key => key.Email == "a" && key.Number is >= 0 and <= 50), byBoth.Range(("a", 0), ("a", 50)).Select(t => (t.Email!, t.Number)));
        Assert.Equal(expected[0], byBoth.Min);
        Assert.Empty(byBoth.FindAll((null, 3)));
        Assert.Throws<ArgumentException>(() => byBoth.From((null, 3)));
    }

    [Fact]
    public void Keys_of_all_types_are_in_the_order_of_their_values()
    {
        Random random = new(1);
        for (int i = 0; i < 500; i++)
        {
            int number = random.Next(-1000, 1000);
            _tickets.AddNew(t => t.Set(
                key: random.NextInt64(long.MinValue, long.MaxValue), number: number, seat: number % 3 == 0 ? null : number, code: new Guid(number, (short)number, 3, new byte[8]), at: new DateTime(2024, 1, 1).AddHours(number),
                huge: (Huge)(ulong)(number * 1000L), price: number / 100m, volume: number * 12345.67m, exact: number / 7m, email: "text " + number, colour: (Colour)(number & 3)));
        }

        Check(t => t.Key);
        Check(t => t.Number);
        Check(t => t.Code);
        Check(t => t.At);
        Check(t => t.Huge);
        Check(t => t.Colour);
        Check(t => t.Price);
        Check(t => t.Volume);
        Check(t => t.Exact);
        Check(t => t.Seat);
        using OrderedIndex<Ticket, string?> byEmail = _tickets.CreateIndex(t => t.Email);
        Assert.Equal(_tickets.AsEnumerable().Select(t => t.Email).Order(StringComparer.Ordinal), byEmail.All.Select(t => t.Email));

        void Check<TKey>(System.Linq.Expressions.Expression<Func<Ticket, TKey>> selector)
        {
            using OrderedIndex<Ticket, TKey> index = _tickets.CreateIndex(selector);
            Func<Ticket, TKey> key = selector.Compile();
            TKey[] keys = [.. _tickets.AsEnumerable().Select(key).Where(value => value is not null).Order()];
            Assert.Equal(keys, index.All.Select(key));
            (TKey from, TKey to) = (keys[100], keys[300]);
            Comparer<TKey> order = Comparer<TKey>.Default;
            Assert.Equal(keys.Where(value => order.Compare(value, from) >= 0 && order.Compare(value, to) <= 0), index.Range(from, to).Select(key));
            Assert.Equal(keys.Where(value => order.Compare(value, from) > 0 && order.Compare(value, to) < 0), index.After(from).Before(to).Select(key));
            Assert.Equal((keys[0], keys[^1]), (index.Min, index.Max));
            Assert.True(index.Contains(keys[17]));
        }
    }

    [Theory]
    [InlineData("1.005", "1.055")]
    [InlineData("-1.005", "1.005")]
    [InlineData("-99999999999999999", "0.001")]
    [InlineData("0.999", "99999999999999999")]
    [InlineData("-79228162514264337593543950335", "79228162514264337593543950335")]
    public void Ends_of_ranges_may_have_more_digits_than_the_column(string from, string to)
    {
        for (int i = -200; i < 200; i++)
        {
            int number = i;
            _tickets.AddNew(t => t.Set(key: number, price: number / 100m, volume: number / 100m));
        }

        (decimal low, decimal high) = (decimal.Parse(from, System.Globalization.CultureInfo.InvariantCulture), decimal.Parse(to, System.Globalization.CultureInfo.InvariantCulture));
        OrderedIndex<Ticket, decimal> byPrice = _tickets.CreateIndex(t => t.Price), byVolume = _tickets.CreateIndex(t => t.Volume);
        decimal[] expected = [.. _tickets.AsEnumerable().Select(t => t.Price).Where(price => price >= low && price <= high).Order()];
        Assert.Equal(expected, byPrice.Range(low, high).Select(t => t.Price));
        Assert.Equal(expected, byPrice.After(low).Before(high).Select(t => t.Price));
        Assert.Equal(expected, byVolume.Range(low, high).Select(t => t.Volume));
        Assert.False(byPrice.Contains(1.005m));
    }

    [Fact]
    public void A_new_collection_has_the_indexes_that_its_type_declares()
    {
        using Collection<Visit> visits = new(new CollectionOptions { Manager = _manager, Name = "Visits" });
        Visit bern = visits.Add(id: 1, day: Day(2), town: "Bern"), basel = visits.Add(id: 2, day: Day(1), town: "Basel"), again = visits.Add(id: 3, day: Day(2), town: "Basel");
        visits.GetIndex(v => v.Day).Dispose();
        Assert.Equal([basel, bern, again], visits.GetIndex(v => v.Day).All);
        Assert.Equal([basel, again, bern], visits.GetIndex(v => ValueTuple.Create(v.Town, v.Day)).All);
        Assert.Equal(basel, visits.GetUniqueIndex(v => v.Id).Find(2));
        Assert.Contains("Town", Assert.Throws<InvalidOperationException>(() => visits.GetIndex(v => v.Town)).Message);
    }

    [Fact]
    public void Rows_with_null_are_not_in_the_index()
    {
        OrderedIndex<Ticket, int?> bySeat = _tickets.CreateIndex(t => t.Seat);
        Ticket without = Add(1), with = Add(2, seat: 4);
        Assert.Equal([with], bySeat.All);
        Assert.Empty(bySeat.FindAll(null));
        Assert.False(bySeat.Contains(null));
        Assert.Throws<ArgumentException>(() => bySeat.From(null));
        without.Seat = 3;
        with.Seat = null;
        Assert.Equal([without], bySeat.All);
        Assert.Equal(3, bySeat.Max);
    }

    [Fact]
    public void A_row_that_a_unique_index_refuses_leaves_no_trace()
    {
        OrderedIndex<Ticket, DateOnly> byDay = _tickets.CreateIndex(t => t.Day);
        _tickets.CreateUniqueIndex(t => t.Key);
        OrderedIndex<Ticket, int> byNumber = _tickets.CreateIndex(t => t.Number);
        Ticket first = Add(1, day: 1), second = Add(2, day: 2);
        Assert.Throws<DuplicateKeyException>(() => Add(1, day: 3));
        Assert.Throws<DuplicateKeyException>(() => second.Set(key: 1, day: Day(4), number: 9));
        Assert.Equal([first, second], byDay.All);
        Assert.Equal([first, second], byNumber.All);
        Assert.Equal(2, byDay.LongCount);
        RequireOneWordForEachRow(byDay);
    }

    [Fact]
    public void An_initialiser_that_throws_leaves_no_trace()
    {
        OrderedIndex<Ticket, DateOnly> byDay = _tickets.CreateIndex(t => t.Day);
        Assert.Throws<FormatException>(() => _tickets.AddNew(t =>
        {
            t.Day = Day(4);
            Assert.Empty(byDay.All);
            throw new FormatException();
        }));
        Assert.Equal(0, byDay.LongCount);
    }

    [Fact]
    public void Building_reports_progress_and_can_be_given_up()
    {
        AddMany(10_000);
        List<long> reported = [];
        using CancellationTokenSource source = new();
        Assert.Throws<OperationCanceledException>(() => _tickets.CreateIndex(t => t.Day, progress: new Reporter(rows =>
        {
            reported.Add(rows);
            source.Cancel();
        }), cancellationToken: source.Token));
        Assert.Equal([4096L], reported);
        Assert.Null(_tickets.OpenContext().Indexes.All);
        Assert.Equal(10_000, _tickets.CreateIndex(t => t.Day, progress: new Reporter(reported.Add)).LongCount);
        Assert.Equal(10_000, reported[^1]);
    }

    [Fact]
    public void Rows_that_go_or_change_between_their_reading_and_their_turn_are_in_a_new_index_as_they_are_then()
    {
        Ticket[] rows = [.. Enumerable.Range(0, 10_000).Select(i => Add(i, day: 20_000 - i))];
        bool isFirst = true;
        OrderedIndex<Ticket, DateOnly> byDay = _tickets.CreateIndex(t => t.Day, progress: new Reporter(_ =>
        {
            if (!isFirst)
                return;
            isFirst = false;
            // The latest days come last, and with them the first rows.
            _tickets.Retire(rows[10]);
            _tickets.Remove(rows[11]);
            rows[12].Day = Day(1);
            rows[9_999].Day = Day(30_000);
        }));
        RequireOneWordForEachRow(byDay);
        Assert.Equal([rows[12]], byDay.FindAll(Day(1)));
        Assert.Equal(Day(30_000), byDay.Max);
        Assert.Equal(1, _manager.CollectRetired().Removed);
        Assert.Equal(9998, byDay.LongCount);
    }

    [Fact]
    public async Task Rows_that_others_add_change_and_remove_while_the_index_is_built_are_in_it_as_they_are()
    {
        AddMany(20_000);
        Task<OrderedIndex<Ticket, DateOnly>> building = _tickets.CreateIndexAsync(t => t.Day);
        Random random = new(3);
        List<Ticket> own = [];
        for (int i = 0; i < 2000 || !building.IsCompleted; i++)
        {
            own.Add(Add(20_000 + i, i % 100));
            Ticket any = own[random.Next(own.Count)];
            any.Day = Day(random.Next(8000));
            if (i % 3 == 0)
            {
                _tickets.Remove(any);
                own.Remove(any);
            }
        }

        OrderedIndex<Ticket, DateOnly> byDay = await building;
        Assert.Equal(_tickets.AsEnumerable().Select(t => t.Day).Order(), byDay.All.Select(t => t.Day));
        RequireOneWordForEachRow(byDay);
    }

    [Fact]
    public void Its_bytes_are_those_of_the_collection_and_come_back()
    {
        AddMany(5000);
        OrderedIndex<Ticket, DateOnly> byDay = _tickets.CreateIndex(t => t.Day);
        OrderedIndex<Ticket, long> byKey = _tickets.CreateIndex(t => t.Key);
        Assert.True(byDay.MemoryBytes > 5000 * 18);
        Assert.True(SpinWait.SpinUntil(() => byDay.MemoryBytes + byKey.MemoryBytes == _tickets.MemoryUsage.Indexes, TimeSpan.FromMinutes(1)));
        // What waited for readers may be given back between two looks.
        Assert.True(SpinWait.SpinUntil(() => _manager.Usage is var usage && usage.Mapped == _manager.MappedBytes && usage.Total == usage.Mapped, TimeSpan.FromMinutes(1)));
        byDay.Dispose();
        Assert.Throws<ObjectDisposedException>(() => byDay.LongCount);
        Assert.Throws<ObjectDisposedException>(() => byDay.All.GetEnumerator().MoveNext());
        Assert.True(SpinWait.SpinUntil(() => Epoch.TryAdvance() && _tickets.MemoryUsage.Indexes == byKey.MemoryBytes, TimeSpan.FromMinutes(1)));
        _tickets.Dispose();
        Assert.Throws<ObjectDisposedException>(() => byKey.Contains(1));
        Leftovers.AreNone(_manager);
        Assert.True(SpinWait.SpinUntil(() => _manager.Usage.Mapped == 0, TimeSpan.FromMinutes(1)));
    }

    [Fact]
    public void A_limit_that_leaves_no_memory_refuses_the_row_and_nothing_has_changed()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Limit = 12 << 20 });
        using Collection<Ticket> tickets = new(new CollectionOptions { Manager = manager });
        OrderedIndex<Ticket, string?> byEmail = tickets.CreateIndex(t => t.Email);
        int added = 0;
        Assert.ThrowsAny<OutOfMemoryException>(() =>
        {
            for (; added < 1_000_000; added++)
                tickets.AddNew(t => t.Email = $"a text of some length with the number {added}");
        });
        Assert.Equal(added, tickets.LongCount);
        Assert.Equal(added, byEmail.LongCount);
        Assert.Equal(added, byEmail.All.Count());
    }

    [Fact]
    public void An_enumeration_may_change_what_it_enumerates()
    {
        OrderedIndex<Ticket, DateOnly> byDay = _tickets.CreateIndex(t => t.Day);
        AddMany(3000);
        foreach (Ticket row in byDay.UpTo(Day(100)))
            _tickets.Remove(row);
        Assert.True(byDay.Min > Day(100));
        foreach (Ticket row in byDay.Descending())
            row.Day = row.Day.AddDays(10_000);
        Assert.True(byDay.Min > Day(10_100));
        Assert.Equal(_tickets.LongCount, byDay.LongCount);
    }

    private sealed class Reporter(Action<long> report) : IProgress<long>
    {
        public void Report(long value) => report(value);
    }
}
