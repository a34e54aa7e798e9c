using System.Collections.Immutable;
using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Keys that <see cref="ListedKeyQueryTests"/> has beside those of tickets.</summary>
[Tabular]
public readonly partial struct Parcel
{
    public partial ulong Number { get; set; }
    public partial long? Wide { get; set; }
    public partial int? Shelf { get; set; }
    public partial Colour? Colour { get; set; }
    public partial DateOnly? Day { get; set; }
    public partial Guid? Code { get; set; }
    [Precision(9, 2)] public partial decimal? Price { get; set; }
    public partial int Position { get; set; }
}

/// <summary>Queries for the rows with one of several keys, and with keys that may be null, over collections with unique and ordered indexes, against LINQ to Objects over the same rows.</summary>
public sealed class ListedKeyQueryTests : TicketKeyQueries
{
    private const int Parcels = 2000;

    private readonly Collection<Parcel> _parcels;

    public ListedKeyQueryTests()
    {
        _parcels = new Collection<Parcel>(new CollectionOptions { Manager = Manager, BlockCapacity = 100 });
        for (int i = 0; i < Parcels; i++)
        {
            int number = i;
            bool isNull = number % 9 == 0;
            _parcels.AddNew(parcel => parcel.Set(
                number: number % 2 == 0 ? (ulong)number : ulong.MaxValue - (ulong)number, wide: isNull ? null : (1L << 41) * number, shelf: isNull ? null : number - 1000, colour: isNull ? null : (Colour)(number & 3),
                day: isNull ? null : DateOnly.FromDayNumber(700_000 + number), code: isNull ? null : new Guid(number, 0, 0, new byte[8]), price: isNull ? null : number / 100m, position: number));
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void Rows_with_a_key_of_a_list_are_those_of_linq_in_the_order_of_the_scan(bool hasIndex, bool always, int threads)
    {
        using var options = Use(always, threads);
        if (hasIndex)
            _tickets.CreateUniqueIndex(t => t.Key);
        Ticket[] rows = [.. _tickets.AsEnumerable()];
        foreach (long[] keys in new long[][] { [], [4], [5998, 0, 4, 4, 3, -2, 0, 6000, 1L << 50], [.. Enumerable.Range(-10, 200).Select(i => i * 31L)], [.. Enumerable.Range(0, 6000).Select(i => (long)i)] })
        {
            List<long> list = [.. keys];
            HashSet<long> set = [.. keys];
            ICollection<long> collection = list;
            IReadOnlyList<long> read = list;
            List<Ticket> expected = [.. rows.Where(t => keys.AsEnumerable().Contains(t.Key))];
            Assert.Equal(expected, _tickets.Where(t => keys.Contains(t.Key)).ToList());
            Assert.Equal(expected, _tickets.Where(t => list.Contains(t.Key)).ToList());
            Assert.Equal(expected, _tickets.Where(t => set.Contains(t.Key)).ToList());
            Assert.Equal(expected, _tickets.Where(t => collection.Contains(t.Key)).ToList());
            Assert.Equal(expected, _tickets.Where(t => read.Contains(t.Key)).ToList());
            Assert.Equal(expected.Sum(t => t.Weight), _tickets.Where(t => keys.Contains(t.Key)).Sum(t => t.Weight));
            Assert.Equal(expected.FirstOrDefault(), _tickets.FirstOrDefault(t => list.Contains(t.Key)));
            Assert.Equal(expected.Count, _tickets.Count(t => list.Contains(t.Key)));
            Assert.Equal(expected.Where(t => t.Year == 1 && t.Number > -100).ToList(), _tickets.Where(t => t.Year == 1 && keys.Contains(t.Key) && t.Number > -100).ToList());
            Assert.Equal(expected.Count(t => t.Day < new DateOnly(1918, 1, 1) && t.Year < 2), _tickets.Count(t => t.Day < new DateOnly(1918, 1, 1) && t.Year < 2 && keys.Contains(t.Key)));
            Assert.Equal(rows.Count(t => keys.AsEnumerable().Contains(t.Key) || t.Year == 1), _tickets.Count(t => keys.Contains(t.Key) || t.Year == 1));
            Assert.Equal(rows.Count(t => !keys.AsEnumerable().Contains(t.Key)), _tickets.Count(t => !keys.Contains(t.Key)));
            Assert.Equal(expected.OrderByDescending(t => t.Weight).Take(3).ToList(), _tickets.Where(t => keys.Contains(t.Key)).OrderByDescending(t => t.Weight).Take(3).ToList());
            Assert.Equal(expected.GroupBy(t => t.Year).Select(g => (g.Key, g.Count())).ToList(), _tickets.Where(t => keys.Contains(t.Key)).GroupBy(t => t.Year).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList());
            Assert.Equal(expected.Select(t => t.Email).ToList(), Query.Run(_tickets, keys, static (IEnumerable<Ticket> tickets, long[] keys) => tickets.Where(t => keys.Contains(t.Key)).Select(t => t.Email).ToList()));
            Assert.Equal(expected.Count, Query.Run(_tickets, set, static (IEnumerable<Ticket> tickets, HashSet<long> keys) => tickets.Count(t => keys.Contains(t.Key))));
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void So_are_those_with_keys_of_any_type(bool hasIndex, bool always, int threads)
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
        int[] numbers = [3, -1500, 1499, 1500, 3];
        long[] wide = [3, -1500, 3 + (1L << 32), long.MinValue];
        string?[] emails = ["someone with number 5", "someone with number 7", "someone with number 2999", ""], withNull = ["someone with number 5", null];
        List<Guid> codes = [new Guid(7, 0, 0, new byte[8]), Guid.Empty, new Guid(-7, 0, 0, new byte[8])];
        HashSet<DateTime> times = [new DateTime(2024, 1, 1), new DateTime(2024, 1, 3, 1, 0, 0, DateTimeKind.Utc), DateTime.MaxValue];
        DateOnly[] days = [DateOnly.FromDayNumber(702_999), DateOnly.FromDayNumber(700_000), DateOnly.MinValue];
        decimal[] prices = [1.5m, 29.99m, 30m, 1.555m, 0.00m];
        int?[] seats = [7, 11, 3000], seatsWithNull = [7, null];
        int[] plain = [7, 5];
        Assert.Equal(rows.Where(t => numbers.AsEnumerable().Contains(t.Number)).ToList(), _tickets.Where(t => numbers.Contains(t.Number)).ToList());
        Assert.Equal(rows.Where(t => wide.AsEnumerable().Contains(t.Number)).ToList(), _tickets.Where(t => wide.Contains(t.Number)).ToList());
        Assert.Equal(rows.Where(t => emails.AsEnumerable().Contains(t.Email)).ToList(), _tickets.Where(t => emails.Contains(t.Email)).ToList());
        Assert.Equal(rows.Where(t => withNull.AsEnumerable().Contains(t.Email)).ToList(), _tickets.Where(t => withNull.Contains(t.Email)).ToList());
        Assert.Equal(rows.Where(t => codes.Contains(t.Code)).ToList(), _tickets.Where(t => codes.Contains(t.Code)).ToList());
        Assert.Equal(rows.Where(t => times.Contains(t.At)).ToList(), _tickets.Where(t => times.Contains(t.At)).ToList());
        Assert.Equal(rows.Where(t => days.AsEnumerable().Contains(t.Day)).ToList(), _tickets.Where(t => days.Contains(t.Day)).ToList());
        Assert.Equal(rows.Where(t => prices.AsEnumerable().Contains(t.Price)).ToList(), _tickets.Where(t => prices.Contains(t.Price)).ToList());
        Assert.Equal(rows.Where(t => seats.AsEnumerable().Contains(t.Seat)).ToList(), _tickets.Where(t => seats.Contains(t.Seat)).ToList());
        Assert.Equal(rows.Where(t => seatsWithNull.AsEnumerable().Contains(t.Seat)).ToList(), _tickets.Where(t => seatsWithNull.Contains(t.Seat)).ToList());
        Assert.Equal(rows.Where(t => t.Seat != null && plain.AsEnumerable().Contains(t.Seat.Value)).ToList(), _tickets.Where(t => t.Seat != null && plain.Contains(t.Seat.Value)).ToList());
        Assert.Equal(rows.Where(t => plain.AsEnumerable().Contains((int)t.Key)).ToList(), _tickets.Where(t => plain.Contains((int)t.Key)).ToList());
    }

    [Fact]
    public void Sequences_that_compare_in_their_own_way_and_no_sequence_at_all_are_asked_for_each_row()
    {
        using var options = Use(always: true, threads: 1);
        _tickets.CreateUniqueIndex(t => t.Email);
        _tickets.CreateUniqueIndex(t => t.Key);
        HashSet<string?> anyCase = new(StringComparer.OrdinalIgnoreCase) { "SOMEONE WITH NUMBER 5" };
        IEnumerable<long> own = new OddOnes();
        ImmutableArray<long> immutable = [4, 8];
        List<long>? none = null;
        Assert.Equal(1, _tickets.Count(t => anyCase.Contains(t.Email)));
        Assert.Equal(Rows, _tickets.Count(t => own.Contains(t.Key)));
        Assert.Equal(2, _tickets.Count(t => immutable.Contains(t.Key)));
        Assert.ThrowsAny<Exception>(() => _tickets.Count(t => none!.Contains(t.Key)));
        long[]? nothing = null;
        Assert.Throws<ArgumentNullException>(() => _tickets.Count(t => nothing!.AsEnumerable().Contains(t.Key)));
    }

    [Fact]
    public void What_stands_before_the_list_and_raises_is_raised()
    {
        using var options = Use(always: true, threads: 1);
        _tickets.CreateUniqueIndex(t => t.Key);
        int zero = 0;
        long[] keys = [-1, -3];
        Assert.Throws<DivideByZeroException>(() => _tickets.Count(t => t.Number / zero == 1 && keys.Contains(t.Key)));
        Assert.Equal(0, _tickets.Count(t => keys.Contains(t.Key) && t.Number / zero == 1));
    }

    [Fact]
    public void A_list_that_is_not_there_raises_if_it_stands_before_the_list_of_keys()
    {
        using var options = Use(always: true, threads: 1);
        _tickets.CreateUniqueIndex(t => t.Key);
        long[] keys = [-1, -3];
        int[]? none = null;
        List<int>? noList = null;
        Assert.Throws<ArgumentNullException>(() => _tickets.Count(t => none!.AsEnumerable().Contains(t.Number) && keys.Contains(t.Key)));
        Assert.Throws<ArgumentNullException>(() => _tickets.Count(t => !none!.AsEnumerable().Contains(t.Number) && keys.Contains(t.Key)));
        Assert.ThrowsAny<Exception>(() => _tickets.Count(t => noList!.Contains(t.Number) && keys.Contains(t.Key)));
        Assert.ThrowsAny<Exception>(() => _tickets.Where(t => !noList!.Contains(t.Number)).Count(t => keys.Contains(t.Key)));
        Assert.Equal(0, _tickets.Count(t => keys.Contains(t.Key) && none!.AsEnumerable().Contains(t.Number)));
        Assert.Equal(0, _tickets.Count(t => keys.Contains(t.Key) && !noList!.Contains(t.Number)));
    }

    [Theory]
    [InlineData(true, 0, 0)]
    [InlineData(true, 3, 3)]
    [InlineData(true, 400, 0)]
    [InlineData(false, 3, 0)]
    public void A_scan_takes_a_short_list_only(bool hasIndex, int keys, int expected)
    {
        if (hasIndex)
            _tickets.CreateUniqueIndex(t => t.Key);
        MemoryContext context = CollectionAccess.Context(_tickets);
        int offset = Column(context, nameof(Ticket.Key)).Offset;
        using BlockScanner scan = BlockScanner.Begin(_tickets, context.Layout.Hash);
        scan.SeekListed((ulong)offset, Enumerable.Range(0, keys).Select(i => i * 20L).ToArray(), OtherConditions.None, isTable: false);
        Assert.Equal(hasIndex && keys < 400, scan.IsSought);
        Assert.Equal(expected, RowsOf(scan));
    }

    [Fact]
    public void A_table_of_the_list_makes_the_scan_cheaper()
    {
        _tickets.CreateUniqueIndex(t => t.Key);
        MemoryContext context = CollectionAccess.Context(_tickets);
        ulong offset = (ulong)Column(context, nameof(Ticket.Key)).Offset;
        long[] keys = [.. Enumerable.Range(0, 12).Select(i => i * 20L)];
        using BlockScanner scan = BlockScanner.Begin(_tickets, context.Layout.Hash);
        scan.SeekListed(offset, keys, OtherConditions.None, isTable: true);
        Assert.False(scan.IsSought);
        scan.SeekListed(offset, keys, OtherConditions.None, isTable: false);
        Assert.True(scan.IsSought);
    }

    [Fact]
    public void A_range_that_leaves_few_blocks_makes_the_scan_cheaper()
    {
        _tickets.CreateUniqueIndex(t => t.Key);
        MemoryContext context = CollectionAccess.Context(_tickets);
        ColumnLayout key = Column(context, nameof(Ticket.Key)), number = Column(context, nameof(Ticket.Number));
        using BlockScanner scan = BlockScanner.Begin(_tickets, context.Layout.Hash);
        scan.SeekListed((ulong)key.Offset, new long[] { 0, 2, 4, 6, 8, 10 }, OtherConditions.Any.Within((ulong)number.ZoneMapOffset, ValueRange.All.Below(-1490)), isTable: false);
        Assert.False(scan.IsSought);
        scan.SeekListed((ulong)key.Offset, new long[] { 0, 2, 4, 6, 8, 10 }, OtherConditions.None, isTable: false);
        Assert.True(scan.IsSought);
    }

    [Fact]
    public void Rows_that_changed_moved_or_went_are_found_as_they_are()
    {
        using var options = Use(always: true, threads: 1);
        UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        long[] keys = [40, 41, 42, 60, 44];
        byKey.Find(40).Key = 41;
        _tickets.RemoveWhere(t => t.Key % 20 != 1 && t.Key % 20 != 0);
        _tickets.Compact();
        Assert.Equal([byKey.Find(41), byKey.Find(60)], _tickets.Where(t => keys.Contains(t.Key)).ToList());
        Assert.Equal(2, _tickets.RemoveWhere(t => keys.Contains(t.Key)));
        byKey.Dispose();
        Assert.Equal(0, _tickets.Count(t => keys.Contains(t.Key)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_join_of_listed_rows_answers_as_linq_does(bool hasIndex, bool always, int threads)
    {
        using var options = Use(always, threads);
        if (hasIndex)
            _tickets.CreateUniqueIndex(t => t.Key);
        Ticket[] rows = [.. _tickets.AsEnumerable()];
        long[] keys = [100, 7, 2000, 100];
        Assert.Equal(
            rows.Where(t => keys.AsEnumerable().Contains(t.Key)).Join(rows, t => t.Key + 2, u => u.Key, (t, u) => (t.Number, u.Email)).ToList(),
            _tickets.Where(t => keys.Contains(t.Key)).Join(_tickets, t => t.Key + 2, u => u.Key, (t, u) => ValueTuple.Create(t.Number, u.Email)).ToList());
        Assert.Equal(rows.Count(t => keys.AsEnumerable().Contains(t.Key) && rows.Any(u => u.Key == t.Key + 2)), _tickets.Count(t => keys.Contains(t.Key) && _tickets.Any(u => u.Key == t.Key + 2)));
    }

    [Fact]
    public void A_snapshot_has_the_rows_of_its_moment()
    {
        using var options = Use(always: true, threads: 1);
        UniqueIndex<Ticket, long> byKey = _tickets.CreateUniqueIndex(t => t.Key);
        long[] keys = [40, 42];
        using Snapshot snapshot = Snapshot.Take(_tickets);
        byKey.Find(40).Key = 41;
        Assert.Equal(2, snapshot.Of(_tickets).Count(t => keys.Contains(t.Key)));
        Assert.Equal(1, _tickets.Count(t => keys.Contains(t.Key)));
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void Keys_that_may_be_null_are_looked_up(bool isUnique, bool isOrdered)
    {
        using var options = Use(always: true, threads: 1);
        if (isUnique && !isOrdered)
        {
            _parcels.CreateUniqueIndex(p => p.Number);
            _parcels.CreateUniqueIndex(p => p.Wide);
            _parcels.CreateUniqueIndex(p => p.Shelf);
            _parcels.CreateUniqueIndex(p => p.Day);
            _parcels.CreateUniqueIndex(p => p.Code);
            _parcels.CreateUniqueIndex(p => p.Price);
        }
        else if (isOrdered)
        {
            _parcels.CreateIndex(p => p.Number);
            _parcels.CreateIndex(p => p.Wide);
            _parcels.CreateIndex(p => p.Shelf);
            _parcels.CreateIndex(p => p.Colour);
            _parcels.CreateIndex(p => p.Day);
            _parcels.CreateIndex(p => p.Code);
            _parcels.CreateIndex(p => p.Price);
        }

        Parcel[] rows = [.. _parcels.AsEnumerable()];
        foreach (int? position in new int?[] { null, 0, 1, 7, 9, 999, 1000, 1001, 1999, 5000 })
        {
            ulong number = position is { } p ? p % 2 == 0 ? (ulong)p : ulong.MaxValue - (ulong)p : ulong.MaxValue;
            long? wide = (1L << 41) * position, wideShelf = position - 1000L;
            int? shelf = position - 1000;
            int plain = position.GetValueOrDefault() - 1000;
            Colour? colour = position is { } c ? (Colour)(c & 3) : null;
            DateOnly? day = position is { } d ? DateOnly.FromDayNumber(700_000 + d) : null;
            Guid? code = position is { } g ? new Guid(g, 0, 0, new byte[8]) : null;
            decimal? price = position / 100m, longer = price + 0.001m;
            Assert.Equal(rows.Where(r => r.Number == number).ToList(), _parcels.Where(r => r.Number == number).ToList());
            Assert.Equal(rows.Where(r => r.Wide == wide).ToList(), _parcels.Where(r => r.Wide == wide).ToList());
            Assert.Equal(rows.Where(r => r.Shelf == shelf).ToList(), _parcels.Where(r => r.Shelf == shelf).ToList());
            Assert.Equal(rows.Where(r => r.Shelf == wideShelf).ToList(), _parcels.Where(r => r.Shelf == wideShelf).ToList());
            Assert.Equal(rows.Where(r => r.Shelf == plain).ToList(), _parcels.Where(r => r.Shelf == plain).ToList());
            Assert.Equal(rows.Where(r => plain == r.Shelf && r.Position > 2).ToList(), _parcels.Where(r => plain == r.Shelf && r.Position > 2).ToList());
            Assert.Equal(rows.Where(r => r.Colour == colour).ToList(), _parcels.Where(r => r.Colour == colour).ToList());
            Assert.Equal(rows.Where(r => r.Day == day).ToList(), _parcels.Where(r => r.Day == day).ToList());
            Assert.Equal(rows.Where(r => r.Code == code).ToList(), _parcels.Where(r => r.Code == code).ToList());
            Assert.Equal(rows.Where(r => r.Price == price).ToList(), _parcels.Where(r => r.Price == price).ToList());
            Assert.Equal(rows.Where(r => r.Price == longer).ToList(), _parcels.Where(r => r.Price == longer).ToList());
            Assert.Equal(rows.Where(r => r.Position == shelf).ToList(), Query.Run(_parcels, shelf, static (IEnumerable<Parcel> parcels, int? shelf) => parcels.Where(r => r.Position == shelf).ToList()));
            Assert.Equal(
                rows.Where(r => r.Shelf == shelf).Join(rows, r => r.Number, s => s.Number, (r, s) => s).ToList(),
                _parcels.Where(r => r.Shelf == shelf).Join(_parcels, r => r.Number, s => s.Number, (r, s) => s).ToList());
        }

        Assert.Equal(rows.Count(r => r.Shelf == null), _parcels.Count(r => r.Shelf == null));
        ulong[] numbers = [4, ulong.MaxValue - 5, 7, ulong.MaxValue];
        Assert.Equal(rows.Where(r => numbers.AsEnumerable().Contains(r.Number)).ToList(), _parcels.Where(r => numbers.Contains(r.Number)).ToList());
    }

    [Fact]
    public void A_row_with_a_key_that_may_be_null_is_the_only_one_that_is_asked()
    {
        _parcels.CreateUniqueIndex(p => p.Shelf);
        MemoryContext context = CollectionAccess.Context(_parcels);
        ulong offset = (ulong)Column(context, nameof(Parcel.Shelf)).Offset;
        using (BlockScanner scan = BlockScanner.Begin(_parcels, context.Layout.Hash))
        {
            int? key = 7;
            scan.Seek(offset, key);
            Assert.True(scan.IsSought);
        }

        using (BlockScanner scan = BlockScanner.Begin(_parcels, context.Layout.Hash))
        {
            int? key = null;
            scan.Seek(offset, key);
            scan.SeekInteger(offset, (long?)null);
            Assert.False(scan.IsSought);
        }
    }

    /// <summary>A sequence that says that it contains every number.</summary>
    private sealed class OddOnes : ICollection<long>
    {
        public int Count => 1;

        public bool IsReadOnly => true;

        public bool Contains(long item) => true;

        public void CopyTo(long[] array, int arrayIndex) => array[arrayIndex] = 1;

        public void Add(long item) => throw new NotSupportedException();

        public bool Remove(long item) => throw new NotSupportedException();

        public void Clear() => throw new NotSupportedException();

        public IEnumerator<long> GetEnumerator() => ((IEnumerable<long>)[1L]).GetEnumerator();

        System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
