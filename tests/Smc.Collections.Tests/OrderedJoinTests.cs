using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Joins whose right side has an ordered index on the key, so that each key has any number of partners, against LINQ to Objects over the same rows.</summary>
public sealed class OrderedJoinTests : IDisposable
{
    private const int Tickets = 3000;
    private const int Popular = -1;

    private readonly MemoryManager _manager = new();
    private readonly Collection<Ticket> _tickets;
    private readonly Collection<Ticket> _orders;

    public OrderedJoinTests()
    {
        _tickets = Fill(Tickets);
        _orders = Fill(60);
    }

    public void Dispose() => _manager.Dispose();

    /// <summary>Whether the right side has an index, and with how many threads.</summary>
    public static TheoryData<bool, int> Ways => new() { { false, 1 }, { true, 1 }, { true, 2 } };

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_join_gives_all_partners_in_the_order_of_linq(bool hasIndex, int threads)
    {
        using var options = Use(threads);
        if (hasIndex)
            _tickets.CreateIndex(t => t.Year);
        Mix();
        Ticket[] orders = [.. _orders.AsEnumerable()], tickets = [.. _tickets.AsEnumerable()];
        Assert.Equal(
            orders.Join(tickets, o => o.Number, t => t.Year, (o, t) => (o.Number, t.Number, t.Email)).ToList(),
            _orders.Join(_tickets, o => o.Number, t => t.Year, (o, t) => ValueTuple.Create(o.Number, t.Number, t.Email)).ToList());
        Assert.Equal(
            orders.Join(tickets.Where(t => t.Number % 3 == 1 && t.Email != null), o => o.Year, t => t.Year, (o, t) => t.Number).Sum(),
            _orders.Join(_tickets.Where(t => t.Number % 3 == 1 && t.Email != null), o => o.Year, t => t.Year, (o, t) => t.Number).Sum());
        Assert.Equal(
            orders.Where(o => o.Number > 7).Join(tickets, o => o.Key, t => (long)t.Year, (o, t) => new { o, t }).Join(tickets.Where(t => t.Number % 3 == 2), p => p.t.Number % 3, t => t.Year, (p, t) => (p.o.Number, p.t.Key, t.Key)).ToList(),
            _orders.Where(o => o.Number > 7).Join(_tickets, o => o.Key, t => (long)t.Year, (o, t) => new { o, t }).Join(_tickets.Where(t => t.Number % 3 == 2), p => p.t.Number % 3, t => t.Year, (p, t) => ValueTuple.Create(p.o.Number, p.t.Key, t.Key)).ToList());
        Assert.Equal(
            (from o in orders from t in tickets where t.Year == o.Year && t.Number > o.Number select (o.Key, t.Key)).ToList(),
            Query.Run(_orders, _tickets, static (IEnumerable<Ticket> orders, IEnumerable<Ticket> tickets) =>
                (from o in orders from t in tickets where t.Year == o.Year && t.Number > o.Number select ValueTuple.Create(o.Key, t.Key)).ToList()));
        Assert.Equal(0, _orders.Join(_tickets, o => o.Key + (1L << 40), t => (long)t.Year, (o, t) => t).LongCount());
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void So_do_group_joins_and_those_that_keep_rows_without_partners(bool hasIndex, int threads)
    {
        using var options = Use(threads);
        if (hasIndex)
            _tickets.CreateIndex(t => ValueTuple.Create(t.Year, t.Key));
        Mix();
        Ticket[] orders = [.. _orders.AsEnumerable()], tickets = [.. _tickets.AsEnumerable()];
        Assert.Equal(
            (from o in orders join t in tickets on o.Number equals t.Year into found from t in found.DefaultIfEmpty() select ValueTuple.Create(o.Number, t)).ToList(),
            Query.Run(_orders, _tickets, static (IEnumerable<Ticket> orders, IEnumerable<Ticket> tickets) =>
                (from o in orders join t in tickets on o.Number equals t.Year into found from t in found.DefaultIfEmpty() select ValueTuple.Create(o.Number, t)).ToList()));
        Assert.Equal(
            (from o in orders join t in tickets on o.Number equals t.Year into found select (o.Key, found.Count(), found.Sum(t => t.Number))).ToList(),
            Query.Run(_orders, _tickets, static (IEnumerable<Ticket> orders, IEnumerable<Ticket> tickets) =>
                (from o in orders join t in tickets on o.Number equals t.Year into found select ValueTuple.Create(o.Key, found.Count(), found.Sum(t => t.Number))).ToList()));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void So_do_conditions_on_whether_there_is_a_partner(bool hasIndex, int threads)
    {
        using var options = Use(threads);
        if (hasIndex)
            _tickets.CreateIndex(t => t.Year);
        Mix();
        Ticket[] orders = [.. _orders.AsEnumerable()], tickets = [.. _tickets.AsEnumerable()];
        Assert.Equal(orders.Where(o => tickets.Any(t => t.Year == o.Number)).ToList(), _orders.Where(o => _tickets.Any(t => t.Year == o.Number)).ToList());
        Assert.Equal(orders.Where(o => !tickets.Any(t => t.Year == o.Number)).ToList(), _orders.Where(o => !_tickets.Any(t => t.Year == o.Number)).ToList());
        Assert.Equal(orders.Count(o => tickets.Any(t => t.Year == o.Number && t.Number == 7)), _orders.Count(o => _tickets.Any(t => t.Year == o.Number && t.Number == 7)));
        Assert.Equal(orders.Count(o => tickets.Any(t => t.Year == o.Year && t.Number < o.Number)), _orders.Count(o => _tickets.Any(t => t.Year == o.Year && t.Number < o.Number)));
        Assert.Equal(orders.Count(o => tickets.Where(t => t.Number % 3 == 1).Select(t => t.Year).Contains(o.Number)), _orders.Count(o => _tickets.Where(t => t.Number % 3 == 1).Select(t => t.Year).Contains(o.Number)));
        Assert.Equal(orders.Count(o => tickets.Where(t => t.Year == o.Number).All(t => t.Number > 20)), _orders.Count(o => _tickets.Where(t => t.Year == o.Number).All(t => t.Number > 20)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void Keys_may_have_several_columns_and_texts_and_the_index_may_begin_with_some_of_them(bool hasIndex, int threads)
    {
        using var options = Use(threads);
        foreach (Ticket ticket in _tickets.Concat(_orders))
        {
            ticket.Note = ticket.Number % 3 == 0 ? $"no {ticket.Year}" : $"the note of tickets with weight {ticket.Year}, which is so long that its bytes do not fit on the stack of who looks it up{new string('.', 100)}";
            ticket.Email = ticket.Number % 7 == 0 ? null : ticket.Note;
        }

        if (hasIndex)
        {
            _tickets.CreateIndex(t => ValueTuple.Create(t.Note, t.Year));
            _tickets.CreateIndex(t => ValueTuple.Create(t.Day, t.Year, t.Email));
            _tickets.CreateIndex(t => t.Email);
        }

        Ticket[] orders = [.. _orders.AsEnumerable()], tickets = [.. _tickets.AsEnumerable()];
        Assert.Equal(
            orders.Join(tickets, o => new { o.Year, o.Note, o.Key }, t => new { t.Year, t.Note, t.Key }, (o, t) => (o.Number, t.Number)).ToList(),
            _orders.Join(_tickets, o => new { o.Year, o.Note, o.Key }, t => new { t.Year, t.Note, t.Key }, (o, t) => ValueTuple.Create(o.Number, t.Number)).ToList());
        Assert.Equal(
            orders.Join(tickets, o => o.Note, t => t.Note, (o, t) => (o.Number, t.Number)).ToList(),
            _orders.Join(_tickets, o => o.Note, t => t.Note, (o, t) => ValueTuple.Create(o.Number, t.Number)).ToList());
        // Rows with null are in no index: that on the day and others is asked for keys with all of its columns alone.
        Assert.Equal(
            orders.Join(tickets, o => o.Day, t => t.Day, (o, t) => (o.Number, t.Number)).ToList(),
            _orders.Join(_tickets, o => o.Day, t => t.Day, (o, t) => ValueTuple.Create(o.Number, t.Number)).ToList());
        Assert.Equal(
            orders.Join(tickets, o => (o.Day, o.Year, o.Email), t => (t.Day, t.Year, t.Email), (o, t) => t.Key).ToList(),
            _orders.Join(_tickets, o => ValueTuple.Create(o.Day, o.Year, o.Email), t => ValueTuple.Create(t.Day, t.Year, t.Email), (o, t) => t.Key).ToList());
        // Here a null equals a null, and there not.
        Assert.Equal(orders.Count(o => !tickets.Any(t => t.Email == o.Email)), _orders.Count(o => !_tickets.Any(t => t.Email == o.Email)));
        Assert.Equal(orders.Join(tickets, o => o.Email, t => t.Email, (o, t) => t.Number).ToList(), _orders.Join(_tickets, o => o.Email, t => t.Email, (o, t) => t.Number).ToList());
    }

    [Fact]
    public void An_index_is_chosen_if_few_rows_ask_for_keys_of_few()
    {
        using Collection<Ticket> many = Fill(100_000), few = Fill(20);
        many.CreateIndex(t => t.Number);
        many.CreateIndex(t => t.Year);
        using CriticalSection section = CriticalSection.Enter();
        MemoryContext right = ((IRowOwner)many).Context, left = ((IRowOwner)few).Context;
        Assert.True(IsChosen(nameof(Ticket.Number), left, keepsAll: true));
        Assert.False(IsChosen(nameof(Ticket.Number), left, keepsAll: false));
        Assert.False(IsChosen(nameof(Ticket.Number), right, keepsAll: true));
        Assert.False(IsChosen(nameof(Ticket.Year), left, keepsAll: true));
        Assert.False(IsChosen(nameof(Ticket.Seat), left, keepsAll: true));
        Assert.False(IsChosen(nameof(Ticket.Number), left, keepsAll: true, again: true));

        bool IsChosen(string column, MemoryContext rows, bool keepsAll, bool again = false) =>
            PartnerIndex.Choose(again, right, [Offset(right, column)], LeftRows.Of(rows), keepsAll).IsChosen;
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void A_key_that_turns_out_to_have_too_many_rows_ends_the_look_ups_and_the_answer_is_the_same(int threads)
    {
        using Collection<Ticket> many = FillWithPopularKey();
        using var options = Query.Use(new QueryOptions { DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = threads > 1 });
        Ticket[] tickets = [.. many.AsEnumerable()];
        foreach (bool asksPopular in (bool[])[false, true])
        {
            if (asksPopular)
                _orders.AsEnumerable().First(o => o.Number == 5).Number = Popular;
            Ticket[] orders = [.. _orders.AsEnumerable().Take(8)];
            using Collection<Ticket> asking = new(new CollectionOptions { Manager = _manager });
            foreach (Ticket order in orders)
                asking.AddNew(row => row.Number = order.Number);
            Assert.Equal(asksPopular ? 8007 : 8, asking.Join(many, o => o.Number, t => t.Number, (o, t) => t.Key).Count());
            Assert.Equal(orders.Join(tickets, o => o.Number, t => t.Number, (o, t) => t.Key).ToList(), asking.Join(many, o => o.Number, t => t.Number, (o, t) => t.Key).ToList());
            Assert.Equal(0, asking.Where(o => !many.Any(t => t.Number == o.Number && t.Key >= 0)).Sum(o => 1 / (o.Number - o.Number)));
            Assert.Equal(
                (from o in orders join t in tickets on o.Number equals t.Number into found from t in found.DefaultIfEmpty() select (o.Number, t.Key)).ToList(),
                Query.Run(asking, many, static (IEnumerable<Ticket> orders, IEnumerable<Ticket> tickets) =>
                    (from o in orders join t in tickets on o.Number equals t.Number into found from t in found.DefaultIfEmpty() select ValueTuple.Create(o.Number, t.Key)).ToList()));
            Assert.False(PartnerIndex.WereInVain());
        }
    }

    [Fact]
    public void Look_ups_of_such_a_key_say_that_they_were_in_vain_once()
    {
        using Collection<Ticket> many = FillWithPopularKey();
        using CriticalSection section = CriticalSection.Enter();
        MemoryContext right = ((IRowOwner)many).Context;
        PartnerIndex partners = PartnerIndex.Choose(again: false, right, [Offset(right, nameof(Ticket.Number))], LeftRows.Of(((IRowOwner)many).Context).Seek(Offset(right, nameof(Ticket.Number)), 17), keepsAll: true);
        Assert.True(partners.IsChosen);
        Region region = new(_manager);
        Assert.Equal(-1, partners.Find(ref region, [17]));
        Assert.True(partners.MoveNext(out _, out _));
        Assert.False(partners.MoveNext(out _, out _));
        Assert.Equal(3, partners.Keep(3));
        Assert.Equal(3, partners.Find(ref region, [17]));
        Assert.False(partners.HasChanged());
        Assert.Equal(-1, partners.Find(ref region, [unchecked((ulong)Popular)]));
        Assert.False(partners.MoveNext(out _, out _));
        Assert.Equal(-1, partners.Keep(0));
        Assert.Equal(-1, partners.Find(ref region, [17]));
        Assert.True(partners.HasChanged());
        Assert.True(PartnerIndex.WereInVain());
        Assert.False(PartnerIndex.WereInVain());
        region.Dispose();
    }

    private Collection<Ticket> Fill(int rows)
    {
        var tickets = new Collection<Ticket>(new CollectionOptions { Manager = _manager, BlockCapacity = rows > Tickets ? 1000 : 100 });
        for (int i = 0; i < rows; i++)
        {
            int number = i;
            tickets.AddNew(ticket => ticket.Set(
                key: number * 3L % 100, number: number, email: number % 7 == 0 ? null : $"someone with number {number}", code: new Guid(number, 0, 0, new byte[8]),
                day: DateOnly.FromDayNumber(700_000 + (number % 80)), price: number / 100m, seat: number % 5 == 0 ? null : number, year: number % 50, weight: number));
        }

        return tickets;
    }

    /// <summary>One key has many rows, between the places where a sample is taken.</summary>
    private Collection<Ticket> FillWithPopularKey()
    {
        Collection<Ticket> many = Fill(40_000);
        foreach (Ticket ticket in many.AsEnumerable().Where(t => t.Number is >= 6_000 and < 14_000).ToList())
            ticket.Number = Popular;
        many.CreateIndex(t => t.Number);
        return many;
    }

    /// <summary>Rows whose keys changed, that are gone, and that came later into their places.</summary>
    private void Mix()
    {
        foreach (Ticket ticket in _tickets.AsEnumerable().Where(t => t.Number % 11 == 3).ToList())
            ticket.Year = 55 - ticket.Year;
        foreach (Ticket ticket in _tickets.AsEnumerable().Where(t => t.Number % 13 == 5).ToList())
            _tickets.Remove(ticket);
        for (int i = 0; i < 50; i++)
        {
            int number = i;
            _tickets.AddNew(ticket => (ticket.Number, ticket.Year, ticket.Key) = (Tickets + number, number % 20, number));
        }
    }

    private static ulong Offset(MemoryContext context, string column) => (ulong)context.Layout.Columns.ToArray().Single(known => known.Name == column).Offset;

    private static KernelOptions.Scope Use(int threads) =>
        Query.Use(new QueryOptions { SeeksAlways = true, DegreeOfParallelism = threads, MinRowsPerThread = 1, DividesAtOnce = threads > 1 });
}
