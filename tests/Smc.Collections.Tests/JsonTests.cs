using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

public enum BookingKind : byte
{
    Concert,
    Match = 200,
}

[Tabular]
public readonly partial struct Guest
{
    [Key] public partial int Number { get; set; }
    public partial string Name { get; set; }
    public partial Guest Referrer { get; set; }
}

[Tabular, Key(nameof(Hall), nameof(Row))]
public readonly partial struct Chair
{
    public partial int Hall { get; set; }
    public partial string Row { get; set; }
}

[Tabular]
public readonly partial struct Booking
{
    [Key] public partial long Id { get; set; }
    public partial Guest Guest { get; set; }
    public partial Guest? Second { get; set; }
    public partial Chair Chair { get; set; }
    [Precision(9, 2)] public partial decimal Total { get; set; }
    public partial BookingKind Kind { get; set; }
    public partial DateOnly Day { get; set; }
    public partial string? Note { get; set; }
    public partial int? Pieces { get; set; }
    public partial ReadOnlyMemory<byte> Bytes { get; set; }
    internal partial int Hidden { get; set; }
}

[Tabular]
public readonly partial struct Keyless
{
    public partial int Value { get; set; }
    public partial Keyless Next { get; set; }
}

[Tabular]
public readonly partial struct Measured
{
    [Key] public partial int Number { get; set; }
    public partial double Value { get; set; }
    public partial float? Error { get; set; }
    public partial Measured Before { get; set; }
}

/// <summary>A type of a program's own, with rows in it.</summary>
internal sealed record GuestList(string Title, List<Guest> Guests);

[JsonSerializable(typeof(GuestList))]
internal sealed partial class GuestListContext : JsonSerializerContext;

public sealed class JsonTests : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly Collection<Guest> _guests;
    private readonly Collection<Chair> _chairs;
    private readonly Collection<Booking> _bookings;
    private readonly JsonSerializerOptions _options;

    public JsonTests()
    {
        (_guests, _chairs, _bookings) = (New<Guest>(), New<Chair>(), New<Booking>());
        Guest ada = _guests.Add(number: 1, name: "Ada");
        Guest bob = _guests.Add(number: 2, name: "Bob", referrer: ada);
        ada.Referrer = bob;
        Chair chair = _chairs.Add(hall: 3, row: "K");
        _bookings.Add(id: 10, total: 12.50m, kind: BookingKind.Match, day: new DateOnly(2024, 2, 29), bytes: new byte[] { 1, 2 }, hidden: 7, guest: ada, second: bob, chair: chair, note: "a \"note\"", pieces: 2);
        _bookings.Add(id: 11, total: 0, kind: BookingKind.Concert, day: default, bytes: default, hidden: 8);
        _options = new JsonSerializerOptions().ResolveReferences(_guests.GetUniqueIndex(c => c.Number)).ResolveReferences(_chairs.GetUniqueIndex(s => ValueTuple.Create(s.Hall, s.Row)));
    }

    public void Dispose() => _manager.Dispose();

    private Collection<T> New<T>()
        where T : unmanaged => new(new CollectionOptions { Manager = _manager });

    [Fact]
    public void A_row_is_written_with_the_keys_of_the_rows_it_refers_to()
    {
        Booking row = _bookings.First(t => t.Id == 10);
        const string Expected = """{"Id":10,"Guest":1,"Second":2,"Chair":[3,"K"],"Total":12.50,"Kind":200,"Day":"2024-02-29","Note":"a \u0022note\u0022","Pieces":2,"Bytes":"AQI="}""";
        Assert.Equal(Expected, JsonSerializer.Serialize(row));
        Assert.Equal(Expected, JsonSerializer.Serialize(row.ToData()));
        Assert.Equal("null", JsonSerializer.Serialize(default(Booking)));
    }

    [Fact]
    public void Rows_that_refer_to_each_other_are_written() =>
        Assert.Equal("""[{"Number":1,"Name":"Ada","Referrer":2},{"Number":2,"Name":"Bob","Referrer":1}]""", JsonSerializer.Serialize(_guests));

    [Fact]
    public void Results_with_rows_in_them_are_written() => Assert.Equal(
        """[{"Id":10,"Guest":{"Number":1,"Name":"Ada","Referrer":2}},{"Id":11,"Guest":null}]""",
        JsonSerializer.Serialize(_bookings.OrderBy(t => t.Id).Select(t => new { t.Id, t.Guest }).ToList()));

    [Fact]
    public void Records_come_back_with_the_rows_they_refer_to()
    {
        BookingData[] data = [.. Enumerable.Select(_bookings, t => t.ToData() with { Hidden = 0 })];
        BookingData[] copies = JsonSerializer.Deserialize<BookingData[]>(JsonSerializer.Serialize(_bookings, _options), _options)!;
        Assert.Equal(data, copies);
        using Collection<Booking> target = New<Booking>();
        target.AddRange(copies);
        Assert.Equal("Ada", target.First(t => t.Id == 10).Guest.Name);
    }

    [Fact]
    public void Numbers_are_written_and_read_as_the_options_say()
    {
        using Collection<Measured> rows = New<Measured>();
        Measured first = rows.Add(number: 1, value: double.NaN, error: float.PositiveInfinity);
        Measured second = rows.Add(number: 2, value: 0.5, before: first);
        JsonSerializerOptions named = new JsonSerializerOptions { NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals }.ResolveReferences(rows.GetUniqueIndex(m => m.Number));
        string json = JsonSerializer.Serialize(rows, named);
        Assert.Equal("""[{"Number":1,"Value":"NaN","Error":"Infinity","Before":null},{"Number":2,"Value":0.5,"Error":null,"Before":1}]""", json);
        Assert.Equal([first.ToData(), second.ToData()], JsonSerializer.Deserialize<MeasuredData[]>(json, named)!);

        // What the defaults of the web read: numbers in quotes, keys of references among them.
        JsonSerializerOptions web = new JsonSerializerOptions(JsonSerializerDefaults.Web).ResolveReferences(rows.GetUniqueIndex(m => m.Number));
        Assert.Equal(second.ToData(), JsonSerializer.Deserialize<MeasuredData>("""{"number":"2","value":"0.5","error":null,"before":"1"}""", web));
        Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<MeasuredData>("""{"Number":"2","Value":0.5,"Before":null}"""));
    }

    [Fact]
    public void A_record_is_added_by_itself()
    {
        using Collection<Booking> target = New<Booking>();
        Booking row = target.Add(_bookings.First(t => t.Id == 10).ToData());
        Assert.Equal((10, "Bob", 7), (row.Id, row.Second!.Value.Name, row.Hidden));
        Assert.Throws<ArgumentNullException>(() => target.Add((BookingData)null!));
    }

    [Theory]
    [InlineData("""{"Id":1,"Total":1,"Kind":0,"Day":"2024-01-01","Bytes":"","Guest":99}""", "99")]
    [InlineData("""{"Id":1,"Total":1,"Kind":0,"Day":"2024-01-01","Bytes":"","Guest":"x"}""", "The Guest of")]
    [InlineData("""{"Id":1,"Total":1,"Kind":0,"Day":"2024-01-01","Bytes":"","Chair":3}""", "array")]
    [InlineData("""{"Id":1,"Total":1,"Kind":0,"Day":"2024-01-01","Bytes":"","Chair":[3]}""", "The Chair of")]
    [InlineData("""{"Id":1,"Total":1,"Kind":0,"Day":"2024-01-01","Bytes":"","Chair":[3,"K",1]}""", "array")]
    [InlineData("""{"Id":1,"Kind":0,"Day":"2024-01-01","Bytes":""}""", "Total")]
    [InlineData("""{"Id":1,"Total":null,"Kind":0,"Day":"2024-01-01","Bytes":""}""", "Total")]
    [InlineData("""{"Id":1,"Total":1,"Kind":256,"Day":"2024-01-01","Bytes":""}""", "The Kind of")]
    [InlineData("""{"Id":1,"Total":1,"Kind":0,"Day":"2024-13-01","Bytes":""}""", "The Day of")]
    [InlineData("""[1]""", "object")]
    [InlineData("""{"Id":1,"Total":1,""", "$")]
    public void What_does_not_fit_is_refused_with_its_place(string json, string part) =>
        Assert.Contains(part, Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<BookingData>(json, _options)).Message, StringComparison.Ordinal);

    [Fact]
    public void A_reference_without_an_index_is_refused() => Assert.Contains(
        "ResolveReferences", Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<GuestData>("""{"Number":1,"Name":"x","Referrer":2}""")).Message, StringComparison.Ordinal);

    [Fact]
    public void A_row_without_a_key_is_refused_where_it_is_referred_to()
    {
        using Collection<Keyless> rows = New<Keyless>();
        Keyless first = rows.Add(value: 1);
        Keyless second = rows.Add(value: 2, next: first);
        Assert.Equal("""{"Value":1,"Next":null}""", JsonSerializer.Serialize(first));
        Assert.Contains("[Key]", Assert.Throws<NotSupportedException>(() => JsonSerializer.Serialize(second)).Message, StringComparison.Ordinal);
        using UniqueIndex<Keyless, int> byValue = rows.CreateUniqueIndex(r => r.Value);
        Assert.Equal("""{"Value":2,"Next":1}""", JsonSerializer.Serialize(second, new JsonSerializerOptions().ResolveReferences(byValue)));
    }

    [Fact]
    public void A_row_is_not_read() =>
        Assert.Contains("GuestData", Assert.Throws<NotSupportedException>(() => JsonSerializer.Deserialize<Guest>("""{"Number":1}""")).Message, StringComparison.Ordinal);

    [Fact]
    public void The_options_apply()
    {
        JsonSerializerOptions web = new(JsonSerializerDefaults.Web) { DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull, Converters = { new JsonStringEnumConverter() } };
        web.ResolveReferences(_guests.GetUniqueIndex(c => c.Number)).ResolveReferences(_chairs.GetUniqueIndex(s => ValueTuple.Create(s.Hall, s.Row)));
        Booking row = _bookings.First(t => t.Id == 11);
        string json = JsonSerializer.Serialize(row, web);
        Assert.Equal("""{"id":11,"total":0.00,"kind":"Concert","day":"0001-01-01","bytes":""}""", json);
        Assert.Equal(row.ToData() with { Hidden = 0 }, JsonSerializer.Deserialize<BookingData>(json.ToUpperInvariant(), web));
        web = new JsonSerializerOptions(web) { UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow };
        Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<BookingData>("{\"more\":[1]," + json[1..], web));
    }

    [Fact]
    public void No_reflection_is_needed_where_rows_are_added_to_the_options()
    {
        JsonSerializerOptions options = new() { TypeInfoResolver = JsonTypeInfoResolver.Combine() };
        options.ResolveReferences(_guests.GetUniqueIndex(c => c.Number)).ResolveReferences(_chairs.GetUniqueIndex(s => ValueTuple.Create(s.Hall, s.Row))).AddRows<Booking, BookingData>();
        string json = JsonSerializer.Serialize(_bookings, options);
        List<BookingData> data = [.. Enumerable.Select(_bookings, t => t.ToData() with { Hidden = 0 })];
        Assert.Equal(data, JsonSerializer.Deserialize<List<BookingData>>(json, options));
        Assert.Equal(json, JsonSerializer.Serialize(data, options));
        Assert.Throws<ArgumentException>(() => new JsonSerializerOptions().AddRows<Booking, GuestData>());
    }

    [Fact]
    public void A_source_generated_context_has_rows_in_its_types_and_records_beside_them()
    {
        JsonSerializerOptions options = new() { TypeInfoResolver = GuestListContext.Default };
        options.ResolveReferences(_guests.GetUniqueIndex(g => g.Number)).AddRows<Guest, GuestData>();
        GuestList list = new("all", [.. Enumerable.OrderBy(_guests, g => g.Number)]);

        string json = JsonSerializer.Serialize(list, options);
        Assert.Equal("""{"Title":"all","Guests":[{"Number":1,"Name":"Ada","Referrer":2},{"Number":2,"Name":"Bob","Referrer":1}]}""", json);
        GuestData[] data = [.. Enumerable.Select(list.Guests, g => g.ToData())];
        Assert.Equal(data, JsonSerializer.Deserialize<GuestData[]>(JsonSerializer.Serialize(data, options), options));
        Assert.Throws<NotSupportedException>(() => JsonSerializer.Serialize(new { Title = "" }, options));
    }

    [Fact]
    public void Records_with_the_same_bytes_are_equal()
    {
        BookingData data = _bookings.First(t => t.Id == 10).ToData();
        BookingData same = data with { Bytes = data.Bytes.ToArray() };
        Assert.True(data == same);
        Assert.Equal(data.GetHashCode(), same.GetHashCode());
        Assert.False(data == data with { Bytes = new byte[] { 1, 3 } });
        Assert.False(data == data with { Note = null });
    }

    [Fact]
    public void Keys_of_several_columns_are_found_without_boxing()
    {
        UniqueIndex<Chair, (int, string)> index = _chairs.GetUniqueIndex(s => ValueTuple.Create(s.Hall, s.Row));
        using Collection<Item> items = New<Item>();
        using UniqueIndex<Item, (int, int?)> byBoth = items.CreateUniqueIndex(i => ValueTuple.Create(i.Key, i.Extra));
        items.Add(key: 1, text: "a", extra: 5);
        items.Add(key: 1, text: "b");
        Assert.True(index.Contains((3, "K")));
        Assert.False(index.Contains((3, null!)));
        Assert.True(byBoth.Contains((1, 5)));
        Assert.False(byBoth.Contains((1, null)));
    }
}
