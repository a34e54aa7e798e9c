using System.Data.Common;
using System.Text.Json;
using Smc.Collections;
using Smc.Memory;
using Sylvan.Data.Csv;
using Xunit;

namespace Smc.Data.Tests;

[Tabular, Key(nameof(Hall), nameof(Row), nameof(Number), nameof(Day))]
public readonly partial struct Seat
{
    public partial int Hall { get; set; }
    public partial string Row { get; set; }
    public partial short Number { get; set; }
    public partial DateOnly Day { get; set; }
}

[Tabular]
public readonly partial struct Ticket
{
    public partial long Id { get; set; }
    public partial Seat Seat { get; set; }
    public partial Seat? Other { get; set; }
}

/// <summary>References that are found by keys of three and four columns.</summary>
public sealed class LongKeyTests : IDisposable
{
    private const string Header = "id,hall,row,number,day,otherhall,otherrow,othernumber,otherday\n";

    private readonly MemoryManager _manager = new();
    private readonly Collection<Seat> _seats;
    private readonly Collection<Ticket> _tickets;
    private readonly UniqueIndex<Seat, (int, string, short)> _byPlace;
    private readonly UniqueIndex<Seat, (int, string, short, DateOnly)> _byPlaceAndDay;

    public LongKeyTests()
    {
        _seats = new Collection<Seat>(new CollectionOptions { Manager = _manager });
        _tickets = new Collection<Ticket>(new CollectionOptions { Manager = _manager });
        // No two columns alone tell them apart, nor any three that leave out a part of the place.
        for (int i = 0; i < 8; i++)
            _seats.Add(hall: i & 1, row: (i & 2) == 0 ? "K" : "a row with a long name", number: (short)(i >> 2), day: new DateOnly(2024, 1, 1));
        _byPlace = _seats.CreateUniqueIndex(s => ValueTuple.Create(s.Hall, s.Row, s.Number));
        _byPlaceAndDay = _seats.CreateUniqueIndex(s => ValueTuple.Create(s.Hall, s.Row, s.Number, s.Day));
    }

    public void Dispose() => _manager.Dispose();

    private LoadOptions<Ticket> ByPlace => new LoadOptions<Ticket>()
        .Reference(t => t.Seat, _byPlace, "hall", "row", "number").Reference(t => t.Other, _byPlace, "otherhall", "otherrow", "othernumber");

    private LoadOptions<Ticket> ByPlaceAndDay => new LoadOptions<Ticket>()
        .Reference(t => t.Seat, _byPlaceAndDay, "hall", "row", "number", "day").Reference(t => t.Other, _byPlaceAndDay, "otherhall", "otherrow", "othernumber", "otherday");

    private LoadOptions<Ticket> Options(int columns) => columns == 3 ? ByPlace : ByPlaceAndDay;

    private JsonSerializerOptions Json(int columns) => columns == 3 ? new JsonSerializerOptions().ResolveReferences(_byPlace) : new JsonSerializerOptions().ResolveReferences(_byPlaceAndDay);

    private static DbDataReader Csv(string lines) => CsvDataReader.Create(new StringReader(Header + lines));

    private static string KeyOf(Seat seat) => $"{seat.Hall},{seat.Row},{seat.Number},{seat.Day:yyyy-MM-dd}";

    /// <summary>A ticket for each pair of seats, and one without a second seat.</summary>
    private (string Lines, (long, string, string?)[] Tickets) Pairs()
    {
        Seat[] seats = [.. _seats];
        List<(long Id, string Seat, string? Other)> tickets = [.. from seat in seats from other in seats select (0L, KeyOf(seat), (string?)KeyOf(other)), (0, KeyOf(seats[5]), null)];
        (long Id, string Seat, string? Other)[] numbered = [.. tickets.Select((ticket, i) => ((long)i, ticket.Seat, ticket.Other))];
        return (string.Concat(numbered.Select(ticket => $"{ticket.Id},{ticket.Seat},{ticket.Other ?? ",,,"}\n")), numbered);
    }

    private static IEnumerable<(long, string, string?)> Describe(Collection<Ticket> tickets) =>
        Enumerable.Select(tickets, ticket => (ticket.Id, KeyOf(ticket.Seat), ticket.Other is { } other ? KeyOf(other) : null)).OrderBy(ticket => ticket.Id);

    [Theory]
    [InlineData(3)]
    [InlineData(4)]
    public void A_load_finds_the_rows(int columns)
    {
        (string lines, (long, string, string?)[] tickets) = Pairs();
        Assert.Equal(65, _tickets.AddRange(Csv(lines), Options(columns)));
        Assert.Equal(tickets, Describe(_tickets));
    }

    [Theory]
    [InlineData(3, "1,K,0,2024-01-01,2,K,0,2024-01-01", "otherhall", "2")]
    [InlineData(3, "1,K,7,2024-01-01,,,,", "hall", "1")]
    [InlineData(3, "1,L,0,2024-01-01,,,,", "hall", "1")]
    [InlineData(3, "1,,0,2024-01-01,,,,", "hall", "1")]
    [InlineData(4, "1,K,0,2024-01-02,,,,", "hall", "1")]
    [InlineData(4, "1,,0,2024-01-01,,,,", "hall", "1")]
    [InlineData(4, "1,K,0,2024-01-01,1,L,0,2024-01-01", "otherhall", "1")]
    public void A_key_that_no_row_has_is_reported(int columns, string line, string column, string value)
    {
        DataLoadException e = Assert.Throws<DataLoadException>(() => _tickets.AddRange(Csv($"1,1,K,1,2024-01-01,,,,\n2,{line}\n"), Options(columns)));
        Assert.Equal((2, column, value), (e.Row, e.Column, $"{e.Value}"));
        Assert.Empty(_tickets);
    }

    // An empty text is a text, so it is part of a key.
    [Theory]
    [InlineData(3, ",K,0,2024-01-01")]
    [InlineData(3, "1,K,,2024-01-01")]
    [InlineData(4, ",K,0,2024-01-01")]
    [InlineData(4, "1,K,,2024-01-01")]
    [InlineData(4, "1,K,0,")]
    public void A_key_that_lacks_a_part_is_no_row(int columns, string key)
    {
        _tickets.AddRange(Csv($"1,{key},{key}\n"), Options(columns));
        Ticket ticket = Assert.Single(_tickets);
        Assert.True(ticket.Seat.IsNull);
        Assert.Null(ticket.Other);
    }

    [Theory]
    [InlineData(3)]
    [InlineData(4)]
    public void References_in_JSON_are_arrays(int columns)
    {
        (string lines, (long, string, string?)[] tickets) = Pairs();
        _tickets.AddRange(Csv(lines), ByPlace);
        string json = JsonSerializer.Serialize(_tickets, Json(columns));
        Assert.Contains(columns == 3 ? """{"Id":64,"Seat":[1,"K",1],"Other":null}""" : """{"Id":64,"Seat":[1,"K",1,"2024-01-01"],"Other":null}""", json, StringComparison.Ordinal);
        using Collection<Ticket> copies = new(new CollectionOptions { Manager = _manager });
        copies.AddRange(JsonSerializer.Deserialize<TicketData[]>(json, Json(columns))!);
        Assert.Equal(tickets, Describe(copies));
    }

    [Theory]
    [InlineData(3, "1", "an array of 3 values")]
    [InlineData(3, """[1,"K",1,"2024-01-01"]""", "an array of 3 values")]
    [InlineData(3, """[1,"K"]""", "The Seat of")]
    [InlineData(3, """[1,"L",1]""", "no row with the key")]
    [InlineData(4, "1", "an array of 4 values")]
    [InlineData(4, """[1,"K",1,"2024-01-01",5]""", "an array of 4 values")]
    [InlineData(4, """[1,"K",1]""", "The Seat of")]
    [InlineData(4, """[1,"K",1,"2024-01-02"]""", "no row with the key")]
    public void An_array_that_is_no_key_is_refused(int columns, string seat, string part) => Assert.Contains(
        part, Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<TicketData>($$"""{"Id":1,"Seat":{{seat}}}""", Json(columns))).Message, StringComparison.Ordinal);
}
