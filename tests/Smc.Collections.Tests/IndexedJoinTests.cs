using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Joins whose right side has a unique index on the key, against LINQ to Objects over the same rows.</summary>
public sealed class IndexedJoinTests : IDisposable
{
    private const int Tickets = 3000;

    private readonly MemoryManager _manager = new();
    private readonly Collection<Ticket> _tickets;
    private readonly Collection<Ticket> _orders;

    public IndexedJoinTests()
    {
        _tickets = Fill(Tickets, static i => i * 2L);
        _orders = Fill(40, static i => (i * 37L) % 90);
    }

    public void Dispose() => _manager.Dispose();

    /// <summary>Whether the right side has an index, and with how many threads.</summary>
    public static TheoryData<bool, int> Ways => new() { { false, 1 }, { true, 1 }, { true, 2 } };

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_join_answers_as_linq_does(bool hasIndex, int threads)
    {
        using var options = Use(hasIndex, threads);
        Ticket[] orders = [.. _orders.AsEnumerable()], tickets = [.. _tickets.AsEnumerable()];
        Assert.Equal(
            orders.Join(tickets, o => o.Key, t => t.Key, (o, t) => (o.Number, t.Number, t.Email)).ToList(),
            _orders.Join(_tickets, o => o.Key, t => t.Key, (o, t) => ValueTuple.Create(o.Number, t.Number, t.Email)).ToList());
        Assert.Equal(
            orders.Join(tickets.Where(t => t.Year == 1 && t.Email != null), o => o.Key, t => t.Key, (o, t) => t.Weight).Sum(),
            _orders.Join(_tickets.Where(t => t.Year == 1 && t.Email != null), o => o.Key, t => t.Key, (o, t) => t.Weight).Sum());
        Assert.Equal(
            orders.Join(tickets, o => o.Number, t => (int)t.Key, (o, t) => t).ToList(),
            _orders.Join(_tickets, o => o.Number, t => (int)t.Key, (o, t) => t).ToList());
        Assert.Equal(
            orders.Where(o => o.Number > 7).Join(tickets, o => (long)o.Number, t => t.Key, (o, t) => new { o, t }).Join(tickets, p => p.t.Key + 2, t => t.Key, (p, t) => (p.o.Number, p.t.Key, t.Key)).ToList(),
            _orders.Where(o => o.Number > 7).Join(_tickets, o => (long)o.Number, t => t.Key, (o, t) => new { o, t }).Join(_tickets, p => p.t.Key + 2, t => t.Key, (p, t) => ValueTuple.Create(p.o.Number, p.t.Key, t.Key)).ToList());
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void So_does_one_that_keeps_rows_without_partners(bool hasIndex, int threads)
    {
        using var options = Use(hasIndex, threads);
        Ticket[] orders = [.. _orders.AsEnumerable()], tickets = [.. _tickets.AsEnumerable()];
        Assert.Equal(
            (from o in orders join t in tickets on o.Key equals t.Key into found from t in found.DefaultIfEmpty() select ValueTuple.Create(o.Number, t)).ToList(),
            Query.Run(_orders, _tickets, static (IEnumerable<Ticket> orders, IEnumerable<Ticket> tickets) =>
                (from o in orders join t in tickets on o.Key equals t.Key into found from t in found.DefaultIfEmpty() select ValueTuple.Create(o.Number, t)).ToList()));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void So_do_conditions_on_whether_there_is_a_partner(bool hasIndex, int threads)
    {
        using var options = Use(hasIndex, threads);
        Ticket[] orders = [.. _orders.AsEnumerable()], tickets = [.. _tickets.AsEnumerable()];
        Assert.Equal(orders.Where(o => tickets.Any(t => t.Key == o.Key)).ToList(), _orders.Where(o => _tickets.Any(t => t.Key == o.Key)).ToList());
        Assert.Equal(orders.Where(o => !tickets.Any(t => t.Key == o.Key)).ToList(), _orders.Where(o => !_tickets.Any(t => t.Key == o.Key)).ToList());
        Assert.Equal(orders.Count(o => tickets.Any(t => t.Key == o.Key && t.Year == 2)), _orders.Count(o => _tickets.Any(t => t.Key == o.Key && t.Year == 2)));
        Assert.Equal(orders.Count(o => tickets.Any(t => t.Key == o.Key && t.Weight > o.Weight)), _orders.Count(o => _tickets.Any(t => t.Key == o.Key && t.Weight > o.Weight)));
        Assert.Equal(orders.Count(o => tickets.Select(t => t.Key).Contains(o.Key)), _orders.Count(o => _tickets.Select(t => t.Key).Contains(o.Key)));
        Assert.Equal(orders.Where(o => tickets.Any(t => t.Key == o.Key)).GroupBy(o => o.Year).Select(g => (g.Key, g.Count())).Order().ToList(),
            _orders.Where(o => _tickets.Any(t => t.Key == o.Key)).GroupBy(o => o.Year).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList().Order().ToList());
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void Keys_of_texts_are_looked_up_too(bool hasIndex, int threads)
    {
        using var options = Use(hasIndex, threads);
        Name(_tickets);
        Name(_orders);
        if (hasIndex)
            _tickets.CreateUniqueIndex(t => t.Note);
        Ticket[] orders = [.. _orders.AsEnumerable()], tickets = [.. _tickets.AsEnumerable()];
        Assert.Equal(
            orders.Join(tickets, o => o.Note, t => t.Note, (o, t) => (o.Number, t.Number, t.Email)).ToList(),
            _orders.Join(_tickets, o => o.Note, t => t.Note, (o, t) => ValueTuple.Create(o.Number, t.Number, t.Email)).ToList());
        Assert.Equal(
            orders.Join(tickets, o => o.Note.Substring(0, 4), t => t.Note, (o, t) => t.Number).ToList(),
            _orders.Join(_tickets, o => o.Note.Substring(0, 4), t => t.Note, (o, t) => t.Number).ToList());
        Assert.Equal(orders.Where(o => !tickets.Any(t => t.Note == o.Note)).ToList(), _orders.Where(o => !_tickets.Any(t => t.Note == o.Note)).ToList());
        Assert.Equal(orders.Count(o => tickets.Where(t => t.Year < 2).Select(t => t.Note).Contains(o.Note)), _orders.Count(o => _tickets.Where(t => t.Year < 2).Select(t => t.Note).Contains(o.Note)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void So_are_keys_of_several_columns_and_of_an_index_on_some_of_them(bool hasIndex, int threads)
    {
        using var options = Use(hasIndex: false, threads);
        Name(_tickets);
        Name(_orders);
        if (hasIndex)
            _tickets.CreateUniqueIndex(t => ValueTuple.Create(t.Day, t.Note, t.Code, t.Price));
        Ticket[] orders = [.. _orders.AsEnumerable()], tickets = [.. _tickets.AsEnumerable()];
        Assert.Equal(
            orders.Join(tickets, o => new { o.Code, o.Note, o.Price, o.Day }, t => new { t.Code, t.Note, t.Price, t.Day }, (o, t) => (o.Number, t.Number)).ToList(),
            _orders.Join(_tickets, o => new { o.Code, o.Note, o.Price, o.Day }, t => new { t.Code, t.Note, t.Price, t.Day }, (o, t) => ValueTuple.Create(o.Number, t.Number)).ToList());
        Assert.Equal(
            orders.Where(o => tickets.Any(t => t.Code == o.Code && t.Note == o.Note && t.Price == o.Price && t.Day == o.Day && t.Year <= o.Year)).ToList(),
            _orders.Where(o => _tickets.Any(t => t.Code == o.Code && t.Note == o.Note && t.Price == o.Price && t.Day == o.Day && t.Year <= o.Year)).ToList());
        if (hasIndex)
            _tickets.CreateUniqueIndex(t => ValueTuple.Create(t.Year, t.Number));
        Assert.Equal(
            orders.Join(tickets, o => (o.Year, o.Number, o.Seat, o.Number), t => (t.Year, t.Number, t.Seat, t.Year + t.Number), (o, t) => t.Key).ToList(),
            _orders.Join(_tickets, o => ValueTuple.Create(o.Year, o.Number, o.Seat, o.Number), t => ValueTuple.Create(t.Year, t.Number, t.Seat, t.Year + t.Number), (o, t) => t.Key).ToList());
        Assert.Equal(
            orders.Join(tickets, o => (o.Key, (long)o.Year), t => ((long)t.Number, (long)t.Year), (o, t) => t.Key).ToList(),
            _orders.Join(_tickets, o => ValueTuple.Create(o.Key, (long)o.Year), t => ValueTuple.Create((long)t.Number, (long)t.Year), (o, t) => t.Key).ToList());
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void A_null_is_the_partner_of_nulls_where_they_are_equal(bool hasNulls, bool comeLater)
    {
        using var options = Use(hasIndex: false, threads: 1);
        Name(_tickets);
        Name(_orders);
        foreach (Ticket ticket in _tickets)
            ticket.Email = hasNulls && !comeLater && ticket.Number % 1000 == 3 ? null : ticket.Note;
        foreach (Ticket order in _orders)
            order.Email = order.Number % 7 == 0 ? null : order.Note;
        _tickets.CreateUniqueIndex(t => t.Email);
        _tickets.CreateUniqueIndex(t => ValueTuple.Create(t.Email, t.Number));
        if (hasNulls && comeLater)
            _tickets.AsEnumerable().First(t => t.Number == 35).Email = null;
        Ticket[] orders = [.. _orders.AsEnumerable()], tickets = [.. _tickets.AsEnumerable()];
        Assert.Equal(orders.Where(o => tickets.Any(t => t.Email == o.Email)).ToList(), _orders.Where(o => _tickets.Any(t => t.Email == o.Email)).ToList());
        Assert.Equal(orders.Count(o => tickets.Any(t => t.Email == o.Email && t.Number == o.Number)), _orders.Count(o => _tickets.Any(t => t.Email == o.Email && t.Number == o.Number)));
        Assert.Equal(
            orders.Join(tickets, o => o.Email, t => t.Email, (o, t) => t.Number).ToList(),
            _orders.Join(_tickets, o => o.Email, t => t.Email, (o, t) => t.Number).ToList());
        Assert.Equal(
            orders.Join(tickets, o => (o.Email, o.Number), t => (t.Email, t.Number), (o, t) => t.Number).ToList(),
            _orders.Join(_tickets, o => ValueTuple.Create(o.Email, o.Number), t => ValueTuple.Create(t.Email, t.Number), (o, t) => t.Number).ToList());
    }

    [Fact]
    public void Keys_that_a_column_cannot_have_find_nothing()
    {
        using var options = Use(hasIndex: true, threads: 1);
        _tickets.CreateUniqueIndex(t => t.Number);
        Assert.Equal(0, _orders.Join(_tickets, o => o.Key + (1L << 40), t => (long)t.Number, (o, t) => t).LongCount());
        Assert.Equal(0, _orders.Join(_tickets, o => o.Key - (1L << 62), t => t.Key, (o, t) => t).LongCount());
    }

    [Fact]
    public void A_left_side_of_which_a_unique_index_of_several_columns_finds_one_row_is_known_to_have_one()
    {
        using Collection<Ticket> lines = Fill(Tickets, static i => i);
        lines.CreateUniqueIndex(t => ValueTuple.Create(t.Number, t.Year));
        using CriticalSection section = CriticalSection.Enter();
        MemoryContext context = ((IRowOwner)lines).Context;
        ulong number = Offset(context, nameof(Ticket.Number)), year = Offset(context, nameof(Ticket.Year)), key = Offset(context, nameof(Ticket.Key));
        Kernels.LeftRows all = Kernels.LeftRows.Of(context);
        Assert.Equal(Tickets, all.Count);
        Assert.Equal(Tickets, all.Seek(number, 7).Count);
        Assert.Equal(Tickets, all.Seek(year, 1).SeekInteger(key, 3).Count);
        Assert.Equal(1, all.Seek(year, 1).Seek(key, 7L).Seek(number, 7).Count);
        Assert.Equal(1, all.SeekInteger(number, 7).SeekInteger(year, 1).Count);
    }

    [Fact]
    public void An_index_is_chosen_if_all_its_columns_are_compared_and_no_null_can_be_missed()
    {
        foreach (Ticket ticket in _tickets)
            ticket.Email ??= "";
        _tickets.CreateUniqueIndex(t => ValueTuple.Create(t.Email, t.Number));
        using CriticalSection section = CriticalSection.Enter();
        MemoryContext context = ((IRowOwner)_tickets).Context;
        ulong email = Offset(context, nameof(Ticket.Email)), number = Offset(context, nameof(Ticket.Number)), year = Offset(context, nameof(Ticket.Year));
        Assert.True(IsChosen([number, year, email], one: true, nullsMatch: true));
        Assert.True(IsChosen([email, number], one: true, nullsMatch: false));
        Assert.False(IsChosen([email, year], one: true, nullsMatch: false));
        Assert.False(IsChosen([email, number], one: false, nullsMatch: false));
        _tickets.AsEnumerable().First().Email = null;
        Assert.False(IsChosen([email, number], one: true, nullsMatch: true));
        Assert.True(IsChosen([email, number], one: true, nullsMatch: false));

        bool IsChosen(ReadOnlySpan<ulong> columns, bool one, bool nullsMatch)
        {
            Kernels.LeftRows left = Kernels.LeftRows.Of(context);
            return Kernels.PartnerIndex.Choose(again: false, context, columns, one ? left.Seek(email, "").Seek(number, 1) : left, keepsAll: true, nullsMatch).IsChosen;
        }
    }

    [Fact]
    public void A_left_side_with_few_rows_is_known_by_its_index_and_one_with_many_gets_a_table()
    {
        _tickets.CreateUniqueIndex(t => t.Key);
        using Collection<Ticket> lines = Fill(Tickets, static i => i);
        lines.CreateUniqueIndex(t => t.Key);
        long key = 34;
        string found = string.Concat(lines.Where(l => l.Key == key).Join(_tickets, l => l.Key, t => t.Key, (l, t) => t.Number).ToList());
        Assert.Equal(string.Concat(lines.AsEnumerable().Where(l => l.Key == key).Join(_tickets.AsEnumerable(), l => l.Key, t => t.Key, (l, t) => t.Number)), found);
        Assert.Equal(Tickets / 2, lines.Join(_tickets, l => l.Key, t => t.Key, (l, t) => t.Number).Count());
    }

    private Collection<Ticket> Fill(int rows, Func<int, long> key)
    {
        var tickets = new Collection<Ticket>(new CollectionOptions { Manager = _manager, BlockCapacity = 100 });
        for (int i = 0; i < rows; i++)
        {
            int number = i;
            tickets.AddNew(ticket => ticket.Set(
                key: key(number), number: number, email: number % 7 == 0 ? null : $"someone with number {number}", code: new Guid(number, 0, 0, new byte[8]),
                day: DateOnly.FromDayNumber(700_000 + number), price: number / 100m, seat: number % 5 == 0 ? null : number, year: number % 3, weight: number % 50));
        }

        return tickets;
    }

    private static ulong Offset(MemoryContext context, string column) => (ulong)context.Layout.Columns.ToArray().Single(known => known.Name == column).Offset;

    /// <summary>Short texts and long ones, each once.</summary>
    private static void Name(Collection<Ticket> tickets)
    {
        foreach (Ticket ticket in tickets)
            ticket.Note = ticket.Number % 3 == 0 ? $"no {ticket.Number}" : $"the note of the ticket with number {ticket.Number}";
    }

    private Kernels.KernelOptions.Scope Use(bool hasIndex, int threads)
    {
        if (hasIndex)
            _tickets.CreateUniqueIndex(t => t.Key);
        return Query.Use(new QueryOptions { SeeksAlways = true, DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = threads > 1 });
    }
}
