using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

public sealed class RemoveRangeTests : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly Collection<Ticket> _tickets;

    public RemoveRangeTests() => _tickets = Create("Tickets");

    public void Dispose() => _manager.Dispose();

    private Collection<Ticket> Create(string name) => new(new CollectionOptions { Manager = _manager, Name = name });

    private Ticket Add(long key) =>
        _tickets.AddNew(ticket => ticket.Set(key: key, year: (int)(key % 7), number: (int)key, email: key % 3 == 0 ? null : $"someone with number {key}", note: "", seat: key % 2 == 0 ? null : (int)key));

    [Fact]
    public void Null_handles_and_rows_that_are_gone_are_left_out_and_a_row_counts_once()
    {
        Ticket[] rows = [.. Enumerable.Range(0, 100).Select(key => Add(key))];
        Assert.True(_tickets.Remove(rows[5]));
        Assert.Equal(3, _tickets.RemoveRange([rows[5], default, rows[6], rows[7], rows[6], default, rows[99]]));
        Assert.Equal(96, _tickets.Count);
        Assert.Equal(0, _tickets.RemoveRange([]));
        Assert.Equal(96, _tickets.RemoveRange(rows));
        Assert.Empty(_tickets);
        Assert.All(rows, static row => Assert.False(row.IsAlive));
    }

    [Fact]
    public void If_a_row_belongs_to_another_collection_nothing_is_removed()
    {
        using Collection<Ticket> others = Create("Others");
        Ticket other = others.AddNew(static ticket => ticket.Key = 1);
        Ticket[] rows = [.. Enumerable.Range(0, 100).Select(key => Add(key)), other];
        Assert.Contains("Tickets", Assert.Throws<ArgumentException>(() => _tickets.RemoveRange(rows)).Message, StringComparison.Ordinal);
        Assert.Equal((100, 1), (_tickets.Count, others.Count));
    }

    [Fact]
    public void A_cancelled_token_ends_it()
    {
        Ticket[] rows = [.. Enumerable.Range(0, 100).Select(key => Add(key))];
        using CancellationTokenSource cancellation = new();
        using (Query.Use(new QueryOptions { CancellationToken = cancellation.Token }))
        {
            cancellation.Cancel();
            Assert.Throws<OperationCanceledException>(() => _tickets.RemoveRange(rows));
        }

        Assert.Equal(100, _tickets.Count);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void All_indexes_have_what_is_left_whatever_was_removed_and_added(int seed)
    {
        using UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        using UniqueIndex<Ticket, (int, int)> byNumber = _tickets.CreateUniqueIndex(t => ValueTuple.Create(t.Year, t.Number));
        using UniqueIndex<Ticket, string?> byEmail = _tickets.CreateUniqueIndex(t => t.Email);
        using OrderedIndex<Ticket, int?> bySeat = _tickets.CreateIndex(t => t.Seat);
        using OrderedIndex<Ticket, (int, string?)> byYear = _tickets.CreateIndex(t => ValueTuple.Create(t.Year, t.Email));
        Random random = new(seed);
        Dictionary<long, Ticket> there = [];
        for (int round = 0; round < 12; round++)
        {
            for (int i = 0; i < 4000; i++)
            {
                long key = random.Next(40_000);
                if (!there.ContainsKey(key))
                    there.Add(key, Add(key));
            }

            // Chains of words, and cells without a value, are left behind.
            long[] gone = [.. there.Keys.Where(_ => random.Next(3) == 0)];
            Assert.Equal(gone.Length, _tickets.RemoveRange(gone.Select(key => there[key]).ToArray()));
            foreach (long key in gone)
                there.Remove(key);
            long[] wanted = [.. Enumerable.Range(0, 40_000).Select(static key => (long)key)];
            Ticket[] found = new Ticket[wanted.Length];
            byKey.Find(wanted, found);
            foreach (long key in wanted)
            {
                Ticket expected = there.GetValueOrDefault(key);
                Assert.Equal(expected, found[key]);
                Assert.Equal(!expected.IsNull, byNumber.TryFind(((int)(key % 7), (int)key), out Ticket same) && same == expected);
                Assert.Equal(!expected.IsNull && key % 3 != 0, byEmail.TryFind($"someone with number {key}", out same) && same == expected);
            }

            Assert.Equal(there.Count, byKey.Count);
            Assert.Equal(there.Count, byNumber.Count);
            Assert.Equal(there.Keys.Count(static key => key % 3 != 0), byEmail.Count);
            Assert.Equal(there.Keys.Where(static key => key % 2 != 0).Order(), bySeat.All.Select(static t => t.Key));
            Assert.Equal(
                there.Keys.Where(static key => key % 3 != 0).OrderBy(static key => key % 7).ThenBy(static key => $"someone with number {key}", StringComparer.Ordinal),
                byYear.All.Select(static t => t.Key));
        }
    }

    [Fact]
    public void Of_threads_that_remove_the_same_rows_one_removes_each()
    {
        using UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        using OrderedIndex<Ticket, int?> bySeat = _tickets.CreateIndex(t => t.Seat);
        for (int round = 0; round < 10; round++)
        {
            Ticket[] rows = [.. Enumerable.Range(0, 2000).Select(key => Add(key))];
            long removed = 0;
            Parallel.For(0, 4, _ => Interlocked.Add(ref removed, _tickets.RemoveRange(rows)));
            Assert.Equal(rows.Length, removed);
            Assert.Equal((0, 0L), (byKey.Count, bySeat.All.LongCount()));
        }
    }

    [Fact]
    public void Many_keys_need_room_for_as_many_rows()
    {
        using UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        Assert.Contains("2 keys", Assert.Throws<ArgumentException>(() => byKey.Find([1, 2], new Ticket[1])).Message, StringComparison.Ordinal);
        Ticket one = Add(1);
        Ticket[] rows = new Ticket[3];
        byKey.Find([2, 1], rows);
        Assert.Equal([default, one, default], rows);
    }
}
