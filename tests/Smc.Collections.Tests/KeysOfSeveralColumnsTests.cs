using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Compiled queries that ask for all columns of a unique index, against LINQ to Objects over the same rows.</summary>
public sealed class KeysOfSeveralColumnsTests : IDisposable
{
    private const int Rows = 3000;

    private readonly MemoryManager _manager = new();
    private readonly Collection<Ticket> _tickets;

    public KeysOfSeveralColumnsTests()
    {
        _tickets = new Collection<Ticket>(new CollectionOptions { Manager = _manager, BlockCapacity = 100 });
        for (int i = 0; i < Rows; i++)
        {
            int number = i;
            _tickets.AddNew(ticket => ticket.Set(
                key: number, year: number % 30, number: number / 30, email: number % 7 == 0 ? null : $"someone with number {number / 30}", seat: number % 5 == 0 ? null : number,
                price: number / 100m, day: DateOnly.FromDayNumber(700_000 + number)));
        }
    }

    public void Dispose() => _manager.Dispose();

    [Theory]
    [InlineData(0, 0)]
    [InlineData(29, 99)]
    [InlineData(7, 50)]
    [InlineData(30, 3)]
    [InlineData(-1, -1)]
    public void A_query_with_an_equality_on_each_column_answers_as_linq_does(int year, int number)
    {
        _tickets.CreateUniqueIndex(t => ValueTuple.Create(t.Year, t.Number));
        Ticket[] rows = [.. _tickets.AsEnumerable()];
        long wide = number, wider = number + (1L << 32);
        Assert.Equal(rows.Where(t => t.Year == year && t.Number == number).ToList(), _tickets.Where(t => t.Year == year && t.Number == number).ToList());
        Assert.Equal(rows.Where(t => t.Number == number && t.Year == year).ToList(), _tickets.Where(t => t.Number == number).Where(t => t.Year == year).ToList());
        Assert.Equal(rows.Where(t => t.Year == year && t.Number == wide).ToList(), _tickets.Where(t => t.Year == year && t.Number == wide).ToList());
        Assert.Equal(rows.Where(t => t.Year == year && t.Number == wider).ToList(), _tickets.Where(t => t.Year == year && t.Number == wider).ToList());
        Assert.Equal(rows.Count(t => t.Year == year && t.Number == number && t.Key > 1000), _tickets.Count(t => t.Year == year && t.Number == number && t.Key > 1000));
        Assert.Equal(rows.Count(t => t.Year == year && t.Year == number && t.Number == 0), _tickets.Count(t => t.Year == year && t.Year == number && t.Number == 0));
        Assert.Equal(rows.Count(t => t.Year == year), _tickets.Count(t => t.Year == year));
        Assert.Equal(rows.Count(t => t.Year == year || t.Number == number), _tickets.Count(t => t.Year == year || t.Number == number));
        Assert.Equal(
            rows.Where(t => t.Year == year && t.Number == number).Join(rows, t => t.Number, u => u.Number, (t, u) => u.Key).Sum(),
            _tickets.Where(t => t.Year == year && t.Number == number).Join(_tickets, t => t.Number, u => u.Number, (t, u) => u.Key).Sum());
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(7, 7)]
    [InlineData(2999, 2999)]
    [InlineData(3, 4)]
    public void So_does_one_with_texts_decimals_dates_and_columns_that_may_be_null(int of, int other)
    {
        _tickets.CreateUniqueIndex(t => ValueTuple.Create(t.Email, t.Day, t.Price, t.Seat));
        Ticket[] rows = [.. _tickets.AsEnumerable()];
        string? email = of % 7 == 0 ? null : $"someone with number {of / 30}";
        DateOnly day = DateOnly.FromDayNumber(700_000 + of);
        decimal price = other / 100m, longer = price + 0.001m;
        int? seat = of % 5 == 0 ? null : of;
        Assert.Equal(
            rows.Where(t => t.Email == email && t.Day == day && t.Price == price && t.Seat == seat).ToList(),
            _tickets.Where(t => t.Email == email && t.Day == day && t.Price == price && t.Seat == seat).ToList());
        Assert.Equal(
            rows.Where(t => t.Email == email && t.Day == day && t.Price == price && t.Seat == of).ToList(),
            _tickets.Where(t => t.Email == email && t.Day == day && t.Price == price && t.Seat == of).ToList());
        Assert.Equal(
            rows.Where(t => t.Email == email && t.Day == day && t.Price == longer && t.Seat == of).ToList(),
            _tickets.Where(t => t.Email == email && t.Day == day && t.Price == longer && t.Seat == of).ToList());
        Assert.Equal(rows.Where(t => t.Email == email && t.Day == day).ToList(), _tickets.Where(t => t.Email == email && t.Day == day).ToList());
    }

    [Fact]
    public void A_scan_that_has_all_columns_of_a_key_gives_the_row_alone()
    {
        _tickets.CreateUniqueIndex(t => ValueTuple.Create(t.Email, t.Number, t.Year));
        using BlockScanner scan = Begin();
        scan.Seek(Offset(nameof(Ticket.Year)), 1);
        scan.Seek(Offset(nameof(Ticket.Email)), "someone with number 50");
        Assert.False(scan.IsSought);
        scan.SeekInteger(Offset(nameof(Ticket.Number)), 50);
        Assert.True(scan.IsSought);
        Assert.Equal(1, RowsOf(scan));
    }

    [Fact]
    public void A_scan_for_null_in_a_key_gives_all_rows()
    {
        _tickets.CreateUniqueIndex(t => ValueTuple.Create(t.Email, t.Number, t.Year));
        using BlockScanner scan = Begin();
        scan.Seek(Offset(nameof(Ticket.Year)), 1);
        scan.SeekInteger(Offset(nameof(Ticket.Number)), 50);
        scan.Seek<string?>(Offset(nameof(Ticket.Email)), null);
        Assert.False(scan.IsSought, "rows with null in their key are in no index");
        Assert.Equal(Rows, RowsOf(scan));
    }

    [Fact]
    public void A_row_that_changes_one_column_of_its_key_and_back_is_found_by_one_of_two_keys_at_most()
    {
        _tickets.CreateUniqueIndex(t => ValueTuple.Create(t.Year, t.Number));
        Ticket restless = _tickets.First(t => t.Key == 50), calm = _tickets.First(t => t.Key == 51);
        (int year, int number, int calmYear, int calmNumber, int away) = (restless.Year, restless.Number, calm.Year, calm.Number, 1000);
        using var stop = new CancellationTokenSource();
        var writer = new Thread(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                restless.Year = away;
                restless.Year = year;
            }
        });
        writer.Start();
        try
        {
            for (int i = 0; i < 1000; i++)
            {
                Assert.All(_tickets.Where(t => t.Year == away && t.Number == number).ToList(), t => Assert.Equal(restless, t));
                Assert.All(_tickets.Where(t => t.Year == year && t.Number == number).ToList(), t => Assert.Equal(restless, t));
                Assert.Equal([calm], _tickets.Where(t => t.Year == calmYear && t.Number == calmNumber).ToList());
            }
        }
        finally
        {
            stop.Cancel();
            writer.Join();
        }

        Assert.Equal([restless], _tickets.Where(t => t.Year == year && t.Number == number).ToList());
    }

    [Fact]
    public void Rows_that_went_or_moved_are_found_as_they_are()
    {
        _tickets.CreateUniqueIndex(t => ValueTuple.Create(t.Year, t.Number));
        _tickets.RemoveWhere(t => t.Key % 20 != 1);
        _tickets.Compact();
        Assert.Equal(0, _tickets.Count(t => t.Year == 0 && t.Number == 0));
        Assert.Equal(41, _tickets.Single(t => t.Year == 11 && t.Number == 1).Key);
    }

    private BlockScanner Begin() => BlockScanner.Begin(_tickets, CollectionAccess.Context(_tickets).Layout.Hash);

    private ulong Offset(string column) => (ulong)CollectionAccess.Context(_tickets).Layout.Columns.ToArray().Single(each => each.Name == column).Offset;

    private static int RowsOf(BlockScanner scan)
    {
        int rows = 0;
        while (scan.MoveNext())
        {
            for (int slot = scan.FirstSlot; slot < scan.SlotCount; slot++)
                rows += scan.IsDense || RowBitmap.Contains(scan.Validity, (ulong)slot) ? 1 : 0;
        }

        return rows;
    }
}
