using Smc.Collections.Indexes;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

[Tabular]
public readonly partial struct Ticket
{
    public partial long Key { get; set; }
    public partial int Year { get; set; }
    public partial int Number { get; set; }
    public partial string? Email { get; set; }
    public partial string Note { get; set; }
    public partial int? Seat { get; set; }
    public partial Guid Code { get; set; }
    public partial DateOnly Day { get; set; }
    public partial DateTime At { get; set; }
    public partial Colour Colour { get; set; }
    public partial Huge Huge { get; set; }
    [Precision(9, 2)] public partial decimal Price { get; set; }
    [Precision(20, 2)] public partial decimal Volume { get; set; }
    public partial decimal Exact { get; set; }
    public partial double Weight { get; set; }

    public long Next => Key + 1;
}

public sealed class UniqueIndexTests : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly Collection<Ticket> _tickets;

    public UniqueIndexTests() => _tickets = new Collection<Ticket>(new CollectionOptions { Manager = _manager, Name = "Tickets" });

    public void Dispose() => _manager.Dispose();

    private Ticket Add(long key, int year = 0, int number = 0, string? email = null, string note = "", int? seat = null) =>
        _tickets.AddNew(ticket => ticket.Set(key: key, year: year, number: number, email: email, note: note, seat: seat));

    [Fact]
    public void A_row_is_found_by_its_key_from_its_addition_to_its_removal()
    {
        using UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        Assert.False(byKey.TryFind(7, out Ticket none));
        Assert.True(none.IsNull);
        Ticket seven = Add(7);
        Assert.Equal(seven, byKey.Find(7));
        Assert.True(byKey.Contains(7));
        Assert.Equal(1, byKey.Count);
        Assert.True(_tickets.Remove(seven));
        Assert.False(byKey.Contains(7));
        Assert.Equal(0, byKey.Count);
        Assert.Contains("Tickets.Key", Assert.Throws<KeyNotFoundException>(() => byKey.Find(7)).Message);
    }

    [Theory]
    [InlineData(1000)]
    [InlineData(60_000)]
    [InlineData(400_000)]
    public void Many_rows_are_found_each_by_its_own_key(int rows)
    {
        UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        Ticket[] added = new Ticket[rows];
        for (int i = 0; i < rows; i++)
            added[i] = _tickets.AddNew(t => t.Key = Key(i));
        for (int i = 0; i < rows; i++)
        {
            Assert.Equal(added[i], byKey.Find(Key(i)));
            Assert.False(byKey.Contains(Key(i) + 1));
        }

        Assert.Equal(rows, byKey.LongCount);
        for (int i = 0; i < rows; i += 2)
            _tickets.Remove(added[i]);
        for (int i = 0; i < rows; i++)
            Assert.Equal(i % 2 != 0, byKey.Contains(Key(i)));
        _tickets.Clear();
        Assert.Equal(0, byKey.LongCount);
        // Some keys are wider than the 40 bits that an exact hash holds.
        static long Key(int i) => i % 7 == 0 && i > 500 ? long.MaxValue - (i * 3L) : (i * 3L) - 1000;
    }

    [Fact]
    public void An_added_row_with_a_key_that_is_there_is_refused_and_nothing_has_changed()
    {
        using UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key, "tickets by key");
        Ticket first = Add(1, note: "first and only ticket");
        DuplicateKeyException refused = Assert.Throws<DuplicateKeyException>(() => Add(1, note: "a second one with a long text"));
        Assert.Equal(("tickets by key", 1L), (refused.IndexName, refused.Key));
        Assert.Equal(1, _tickets.LongCount);
        Assert.Equal(first, byKey.Find(1));
        Assert.Single(_tickets.ToArray());
        Add(2);
        Assert.Equal(2, _tickets.LongCount);
    }

    [Fact]
    public void A_second_index_that_refuses_a_row_leaves_no_trace_in_the_first()
    {
        UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        UniqueIndex<Ticket, string?> byEmail = _tickets.CreateUniqueIndex(t => t.Email);
        Add(1, email: "ada@example.org");
        Assert.Equal("ada@example.org", Assert.Throws<DuplicateKeyException>(() => Add(2, email: "ada@example.org")).Key);
        Assert.False(byKey.Contains(2));
        Assert.Equal(1, byKey.Count);
        Ticket second = Add(2, email: "grace@example.org");
        Assert.Equal(second, byKey.Find(2));
        Assert.Equal(second, byEmail.Find("grace@example.org"));
    }

    [Fact]
    public void A_setter_of_the_key_moves_the_row_to_its_new_key()
    {
        UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        Ticket row = Add(1);
        row.Key = 2;
        Assert.False(byKey.Contains(1));
        Assert.Equal(row, byKey.Find(2));
        row.Key = 2;
        row.Year = 3;
        Assert.Equal(row, byKey.Find(2));
        Add(1);
        Assert.Throws<DuplicateKeyException>(() => row.Key = 1);
        Assert.Equal(2, row.Key);
        Assert.Equal(row, byKey.Find(2));
        Assert.Equal(2, byKey.Count);
    }

    [Fact]
    public void A_Set_that_is_refused_has_changed_no_column()
    {
        UniqueIndex<Ticket, (int Year, int Number)> byNumber = _tickets.CreateUniqueIndex(t => ValueTuple.Create(t.Year, t.Number));
        UniqueIndex<Ticket, string?> byEmail = _tickets.CreateUniqueIndex(t => t.Email);
        Add(1, 2024, 1, "one@example.org");
        Ticket two = Add(2, 2024, 2, "two@example.org", "the note of the second");
        DuplicateKeyException refused = Assert.Throws<DuplicateKeyException>(() => two.Set(key: 9, number: 1, email: "changed@example.org", note: "another note of it"));
        Assert.Equal((2024, 1), refused.Key);
        Assert.Equal((2, 2024, 2, "two@example.org", "the note of the second"), (two.Key, two.Year, two.Number, two.Email, two.Note));
        Assert.Throws<DuplicateKeyException>(() => two.Set(key: 9, number: 7, email: "one@example.org"));
        // A column keeps a text once that was given to it; more is not kept.
        long live = _tickets.MemoryUsage.Strings;
        Assert.Throws<DuplicateKeyException>(() => two.Set(key: 9, number: 1, email: "changed@example.org", note: "another note of it"));
        Assert.Equal((2, 2), (two.Key, two.Number));
        Assert.Equal(two, byNumber.Find((2024, 2)));
        Assert.False(byNumber.Contains((2024, 7)));
        Assert.Equal(live, _tickets.MemoryUsage.Strings);
        two.Set(key: 9, year: 2025, number: 1, email: "changed@example.org");
        Assert.Equal(two, byNumber.Find((2025, 1)));
        Assert.Equal(two, byEmail.Find("changed@example.org"));
        Assert.False(byNumber.Contains((2024, 2)));
        Assert.False(byEmail.Contains("two@example.org"));
        Assert.Equal((2, 2), (byNumber.Count, byEmail.Count));
    }

    [Fact]
    public void Texts_are_found_by_their_characters_whatever_their_length()
    {
        UniqueIndex<Ticket, string?> byEmail = _tickets.CreateUniqueIndex(t => t.Email);
        string[] texts = ["", "a", "seven77", "eight888", "Größe", "größe", new string('x', 700), new string('x', 701), "\uD800 alone"];
        Ticket[] rows = [.. texts.Select((text, i) => Add(i, email: text))];
        for (int i = 0; i < texts.Length; i++)
            Assert.Equal(rows[i], byEmail.Find(texts[i]));
        Assert.False(byEmail.Contains("GRÖSSE"));
        Assert.False(byEmail.Contains(new string('x', 702)));
        rows[1].Email = "a longer address than before";
        Assert.Equal(rows[1], byEmail.Find("a longer address than before"));
        Assert.False(byEmail.Contains("a"));
        Assert.Throws<DuplicateKeyException>(() => rows[1].Email = "eight888");
        Assert.Equal("a longer address than before", rows[1].Email);
    }

    [Fact]
    public void Any_number_of_rows_may_have_null_in_their_key()
    {
        UniqueIndex<Ticket, int?> bySeat = _tickets.CreateUniqueIndex(t => t.Seat);
        UniqueIndex<Ticket, (long, string?)> byBoth = _tickets.CreateUniqueIndex(t => ValueTuple.Create(t.Key, t.Email));
        Ticket one = Add(1), two = Add(1);
        Assert.Equal(0, bySeat.Count);
        Assert.False(bySeat.Contains(null));
        Assert.False(byBoth.Contains((1, null)));
        one.Seat = 4;
        Assert.Equal(one, bySeat.Find(4));
        Assert.Throws<DuplicateKeyException>(() => two.Seat = 4);
        Assert.Null(two.Seat);
        one.Seat = null;
        Assert.False(bySeat.Contains(4));
        two.Seat = 4;
        Assert.Equal(two, bySeat.Find(4));
        one.Email = "x";
        Assert.Equal(one, byBoth.Find((1, "x")));
        Assert.Throws<DuplicateKeyException>(() => two.Email = "x");
    }

    [Fact]
    public void All_types_of_keys_find_their_rows()
    {
        Guid code = Guid.NewGuid();
        DateTime at = new(2024, 5, 6, 7, 8, 9, DateTimeKind.Utc);
        Ticket row = _tickets.AddNew(t => t.Set(
            key: -5, code: code, day: new DateOnly(2024, 5, 6), at: at, colour: Colour.Blue, huge: Huge.Most, price: 12.50m, volume: -123456789012345678.90m, exact: 1.00m));
        Found(_tickets.CreateUniqueIndex(t => t.Code), code, Guid.NewGuid());
        Found(_tickets.CreateUniqueIndex(t => t.Day), new DateOnly(2024, 5, 6), new DateOnly(2024, 5, 7));
        Found(_tickets.CreateUniqueIndex(t => t.At), DateTime.SpecifyKind(at, DateTimeKind.Local), at.AddTicks(1));
        Found(_tickets.CreateUniqueIndex(t => t.Colour), Colour.Blue, Colour.Green);
        Found(_tickets.CreateUniqueIndex(t => t.Huge), Huge.Most, Huge.None);
        Found(_tickets.CreateUniqueIndex(t => t.Price), 12.5m, 12.505m);
        Found(_tickets.CreateUniqueIndex(t => t.Volume), -123456789012345678.9m, 123456789012345678.9m);
        Found(_tickets.CreateUniqueIndex(t => t.Exact), 1m, 1.01m);
        Found(_tickets.CreateUniqueIndex(t => ValueTuple.Create(t.Huge, t.Colour, t.Code, t.Exact)), (Huge.Most, Colour.Blue, code, 1.0m), (Huge.Most, Colour.Red, code, 1.0m));
        void Found<TKey>(UniqueIndex<Ticket, TKey> index, TKey key, TKey other)
        {
            Assert.Equal(row, index.Find(key));
            Assert.False(index.Contains(other));
            DuplicateKeyException refused = Assert.Throws<DuplicateKeyException>(() => _tickets.AddNew(t => t.Set(
                code: code, day: new DateOnly(2024, 5, 6), at: at, colour: Colour.Blue, huge: Huge.Most, price: 12.50m, volume: -123456789012345678.90m, exact: 1.00m)));
            Assert.Equal(key, Assert.IsType<TKey>(refused.Key, exactMatch: false));
            index.Dispose();
        }
    }

    [Fact]
    public void What_is_no_key_is_refused_with_what_to_write()
    {
        Assert.Contains("o => o.Key", Assert.Throws<ArgumentException>("keySelector", () => _tickets.CreateUniqueIndex(t => t.Key + 1)).Message);
        Assert.Contains("computed", Assert.Throws<ArgumentException>("keySelector", () => _tickets.CreateUniqueIndex(t => t.Next)).Message);
        Assert.Contains("Double", Assert.Throws<ArgumentException>("keySelector", () => _tickets.CreateUniqueIndex(t => t.Weight)).Message);
        Assert.Throws<ArgumentException>("keySelector", () => _tickets.CreateUniqueIndex(t => new { t.Key }));
        Assert.Throws<ArgumentException>("keySelector", () => _tickets.CreateUniqueIndex(t => (object)t.Key));
        Assert.Equal(0, _tickets.MemoryUsage.Indexes);
    }

    [Fact]
    public void An_index_over_rows_that_are_there_finds_them_and_reports_its_progress()
    {
        for (int i = 0; i < 10_000; i++)
            Add(i);
        List<long> reports = [];
        UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key, progress: new Reports(reports));
        Assert.Equal(10_000, byKey.LongCount);
        for (int i = 0; i < 10_000; i++)
            Assert.Equal(i, byKey.Find(i).Key);
        Assert.Equal(10_000, reports[^1]);
        Assert.True(reports.Count > 2);
    }

    [Fact]
    public void Rows_that_go_or_change_between_their_reading_and_their_turn_are_in_a_new_index_as_they_are_then()
    {
        Ticket[] rows = [.. Enumerable.Range(0, 10_000).Select(i => Add(i))];
        Ticket next = default;
        bool isFirst = true;
        UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key, progress: new Calls(() =>
        {
            if (!isFirst)
                return;
            isFirst = false;
            _tickets.Retire(rows[9000]);
            _tickets.Remove(rows[9001]);
            next = Add(9001);
            rows[9002].Key = 50_000;
        }));
        Assert.False(byKey.Contains(9000));
        Assert.Equal(next, byKey.Find(9001));
        Assert.False(byKey.Contains(9002));
        Assert.Equal(rows[9002], byKey.Find(50_000));
        Assert.Equal(9999, byKey.LongCount);
        // The key of the retired row is free, also when its place is used again.
        Assert.Equal(1, _manager.CollectRetired().Removed);
        Add(9000);
        Assert.Equal(10_000, byKey.LongCount);
    }

    [Fact]
    public void Several_threads_build_the_index_that_one_builds()
    {
        const int Rows = 600_000;
        for (int i = 0; i < Rows; i++)
            Add(i * 7L % Rows, number: i);
        IRowOwner owner = _tickets;
        KeyPart[] key = KeySelector.Read((Ticket t) => t.Key, owner.Schema.Layout), number = KeySelector.Read((Ticket t) => t.Number, owner.Schema.Layout);
        owner.BuildIndex(new IndexDescription("by key", key, typeof(long), isDeclared: false), isUnique: true, threads: 3, TestContext.Current.CancellationToken);
        owner.BuildIndex(new IndexDescription("by number", number, typeof(int), isDeclared: false), isUnique: false, threads: 3, TestContext.Current.CancellationToken);
        UniqueIndex<Ticket, long> byKey = _tickets.GetUniqueIndex(t => t.Key);
        OrderedIndex<Ticket, int> byNumber = _tickets.GetIndex(t => t.Number);
        Assert.Equal(Rows, byKey.LongCount);
        Assert.Equal(Rows, byNumber.LongCount);
        int expected = 0;
        foreach (Ticket row in byNumber.All)
        {
            Assert.Equal(expected++, row.Number);
            Assert.Equal(row, byKey.Find(row.Key));
        }

        Add(Rows);
        _tickets.OpenContext().Indexes.All![0].Drop();
        Add(0);
        Assert.Equal(0L, Assert.Throws<DuplicateKeyException>(
            () => owner.BuildIndex(new IndexDescription("by key", key, typeof(long), isDeclared: false), isUnique: true, threads: 3, TestContext.Current.CancellationToken)).Key);
    }

    [Fact]
    public void An_index_over_rows_with_one_key_is_not_created()
    {
        Add(1);
        Add(5);
        Ticket second = Add(5);
        Assert.Equal(5L, Assert.Throws<DuplicateKeyException>(() => _tickets.CreateUniqueIndex(t => t.Key)).Key);
        Add(1);
        second.Key = 1;
        Assert.Equal(4, _tickets.LongCount);
    }

    [Fact]
    public async Task A_cancelled_creation_leaves_the_collection_as_it_was()
    {
        for (int i = 0; i < 10_000; i++)
            Add(i);
        using CancellationTokenSource cancellation = new();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => _tickets.CreateUniqueIndexAsync(t => t.Key, progress: new Cancels(cancellation), cancellationToken: cancellation.Token));
        Add(1);
        Assert.Equal(10_001, _tickets.LongCount);
        GiveBack(() => _tickets.MemoryUsage.Indexes == 0);
    }

    [Fact]
    public void Rows_are_found_after_a_compaction_has_moved_them()
    {
        UniqueIndex<Ticket, string?> byEmail = _tickets.CreateUniqueIndex(t => t.Email);
        List<Ticket> kept = [];
        for (int i = 0; i < 30_000; i++)
        {
            Ticket row = Add(i, email: $"person {i}");
            if (i % 10 == 0)
                kept.Add(row);
        }

        _tickets.RemoveWhere(t => t.Key % 10 != 0);
        Assert.True(_tickets.Compact().RowsMoved > 0);
        foreach (Ticket row in kept)
        {
            Assert.Equal(row, byEmail.Find($"person {row.Key}"));
            row.Email = $"moved {row.Key}";
            Assert.Equal(row, byEmail.Find($"moved {row.Key}"));
        }

        Assert.Equal(kept.Count, byEmail.Count);
    }

    [Fact]
    public void Its_bytes_are_a_part_of_the_collections_and_go_when_it_is_disposed()
    {
        UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        for (int i = 0; i < 100_000; i++)
            Add(i);
        GiveBack(() => byKey.MemoryBytes < 100_000 * 80);
        MemoryUsage usage = _tickets.MemoryUsage;
        Assert.Equal(byKey.MemoryBytes, usage.Indexes);
        Assert.Equal(usage.Total, usage.Mapped);
        Assert.InRange(usage.Indexes, 100_000 * 8, 100_000 * 80);
        Assert.Equal(_manager.Usage.Mapped, _manager.MappedBytes);
        byKey.Dispose();
        byKey.Dispose();
        Assert.Throws<ObjectDisposedException>(() => byKey.Contains(1));
        GiveBack(() => _tickets.MemoryUsage.Indexes == 0);
        Add(1);
    }

    [Fact]
    public void A_disposed_collection_ends_its_indexes()
    {
        UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        Add(1);
        _tickets.Dispose();
        Assert.Throws<ObjectDisposedException>(() => byKey.Contains(1));
        byKey.Dispose();
        Leftovers.AreNone(_manager);
    }

    [Fact]
    public void An_index_cannot_be_created_in_an_initialiser() =>
        Assert.Throws<InvalidOperationException>(() => _tickets.AddNew(_ => _tickets.CreateUniqueIndex(t => t.Key)));

    [Fact]
    public void A_range_that_is_refused_is_not_added_at_all()
    {
        UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        Add(3);
        TicketData[] rows = [.. Enumerable.Range(0, 5).Select(i => Data(i))];
        Assert.Throws<DuplicateKeyException>(() => _tickets.AddRange(rows));
        Assert.Equal(1, _tickets.LongCount);
        Assert.Equal(1, byKey.Count);
        Assert.False(byKey.Contains(0));
    }

    [Fact]
    public void Places_are_used_again_more_often_than_a_word_can_count()
    {
        UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        for (int round = 0; round < 40; round++)
        {
            for (int i = 0; i < 100; i++)
                Add((round * 100) + i);
            for (int i = 0; i < 100; i++)
                Assert.True(_tickets.Remove(byKey.Find((round * 100) + i)));
            GiveBack();
        }

        Ticket last = Add(-1);
        Assert.Equal(last, byKey.Find(-1));
        Assert.Equal(1, byKey.Count);
        GiveBack(() => byKey.MemoryBytes == 64 * 1024);
    }

    [Fact]
    public void A_row_is_found_when_its_initialiser_has_ended_and_not_before()
    {
        UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        Ticket taken = Add(1);
        Ticket row = _tickets.AddNew(draft =>
        {
            // Nobody sees the draft, so it may have a key that is taken.
            draft.Key = 1;
            draft.Key = 2;
            Assert.False(byKey.Contains(2));
        });
        Assert.Equal(row, byKey.Find(2));
        Assert.Equal(taken, byKey.Find(1));
        Assert.Throws<InvalidTimeZoneException>(() => _tickets.AddNew(draft =>
        {
            draft.Key = 3;
            throw new InvalidTimeZoneException();
        }));
        Assert.Throws<RowRemovedException>(() => _tickets.AddNew(draft =>
        {
            draft.Key = 3;
            _tickets.Remove(draft);
        }));
        Assert.False(byKey.Contains(3));
        Assert.Equal(2, byKey.LongCount);
        Add(3);
    }

    [Fact]
    public void A_sequence_that_is_added_does_not_find_what_was_added_of_it()
    {
        UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        _tickets.AddRange(Rows());
        Assert.True(byKey.Contains(1) && byKey.Contains(2));
        IEnumerable<TicketData> Rows()
        {
            yield return Data(1);
            Assert.False(byKey.Contains(1));
            yield return Data(2);
        }
    }

    [Fact]
    public void Without_memory_for_more_everything_is_as_it_was()
    {
        using MemoryManager small = new(new MemoryManagerOptions { Limit = 8 << 20 });
        using Collection<Ticket> tickets = new(new CollectionOptions { Manager = small, BlockCapacity = 64 });
        UniqueIndex<Ticket, long> byKey = tickets.CreateUniqueIndex(t => t.Key);
        UniqueIndex<Ticket, string?> byEmail = tickets.CreateUniqueIndex(t => t.Email);
        long added = 0;
        Assert.ThrowsAny<OutOfMemoryException>(AddUntilRefused);
        Assert.Equal(added, tickets.LongCount);
        Assert.Equal((added, added), (byKey.LongCount, byEmail.LongCount));
        foreach (Ticket row in tickets)
        {
            Assert.Equal(row, byKey.Find(row.Key));
            Assert.Equal(row, byEmail.Find(row.Email));
        }

        void AddUntilRefused()
        {
            while (true)
            {
                tickets.AddNew(t => t.Set(key: added, email: $"somebody number {added}"));
                added++;
            }
        }
    }

    [Fact]
    public void Of_threads_that_add_one_key_one_succeeds()
    {
        UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        long added = 0;
        Parallel.For(0, 4, _ =>
        {
            for (int i = 0; i < 5_000; i++)
            {
                try
                {
                    Add(i);
                    Interlocked.Increment(ref added);
                }
                catch (DuplicateKeyException)
                {
                    // Expected: another thread was first.
                }
            }
        });
        Assert.Equal(5_000, added);
        Assert.Equal(5_000, _tickets.LongCount);
        Assert.Equal(5_000, byKey.LongCount);
    }

    [Fact]
    public void An_index_that_is_created_while_others_write_has_every_row()
    {
        for (int i = 0; i < 20_000; i++)
            Add(i);
        using CancellationTokenSource stop = new();
        Task writers = Task.Run(() => Parallel.For(0, 2, worker =>
        {
            Random random = new(worker);
            long next = 1_000_000 * (worker + 1);
            List<Ticket> own = [];
            while (!stop.IsCancellationRequested)
            {
                own.Add(Add(next++));
                Ticket some = own[random.Next(own.Count)];
                if (random.Next(2) == 0 && some.IsAlive)
                    some.Key = next++;
                if (random.Next(3) == 0 && _tickets.Remove(some))
                    own.Remove(some);
            }
        }));
        for (int round = 0; round < 10; round++)
        {
            using UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
            for (int i = 0; i < 20_000; i += 97)
                Assert.True(byKey.Contains(i));
        }

        UniqueIndex<Ticket, long> last = _tickets.CreateUniqueIndex(t => t.Key);
        stop.Cancel();
        writers.Wait();
        foreach (Ticket row in _tickets)
            Assert.Equal(row, last.Find(row.Key));
        Assert.Equal(_tickets.LongCount, last.LongCount);
    }

    private static TicketData Data(long key) => new()
    {
        Key = key, Note = "", Year = 0, Number = 0, Email = null, Seat = null, Code = default, Day = default, At = default, Colour = default, Huge = default,
        Price = 0, Volume = 0, Exact = 0, Weight = 0,
    };

    // Readers of other tests may hold the epoch back for a while.
    private static void GiveBack(Func<bool> isGivenBack)
    {
        for (int i = 0; i < 5_000 && !isGivenBack(); i++)
        {
            if (!Epoch.TryAdvance())
                Thread.Sleep(1);
        }

        Assert.True(isGivenBack());
    }

    // Two epochs later, however long readers of other tests take.
    private static void GiveBack()
    {
        long end = Epoch.Current + 3;
        GiveBack(() => Epoch.Current >= end);
    }

    private sealed class Reports(List<long> rows) : IProgress<long>
    {
        public void Report(long value) => rows.Add(value);
    }

    private sealed class Calls(Action call) : IProgress<long>
    {
        public void Report(long value) => call();
    }

    private sealed class Cancels(CancellationTokenSource cancellation) : IProgress<long>
    {
        public void Report(long value) => cancellation.Cancel();
    }
}
