using System.Data;
using Smc.Collections;
using Smc.Memory;
using Sylvan.Data.Csv;
using Xunit;

namespace Smc.Data.Tests;

/// <summary>What a property cannot keep is refused: nothing is cut off, and nothing depends on where the program runs.</summary>
public sealed class ConversionLossTests : IDisposable
{
    private readonly MemoryManager _manager = new();

    public void Dispose() => _manager.Dispose();

    [Theory]
    [InlineData("Time", "2024-12-31T23:59:59+01:00")]
    [InlineData("Time", "2024-12-31T23:59:59-05:00")]
    [InlineData("Time", "2024-12-31 5pm")]
    [InlineData("Time", "2024-12-31T23:59:59 GMT")]
    [InlineData("Time", "2024-12-31 ")]
    [InlineData("Time", "2024-12-31T23:59:59.99999999")]
    [InlineData("Offset", "2024-12-31T23:59:59.123456789Z")]
    [InlineData("Clock", "05:30:00.12345678")]
    [InlineData("Offset", "2024-12-31T23:59:59")]
    [InlineData("Clock", "5pm")]
    [InlineData("Clock", "5:30 PM")]
    [InlineData("Clock", " 05:30")]
    [InlineData("Number", "1e400")]
    [InlineData("Number", "-1e400")]
    [InlineData("Small", "1e39")]
    [InlineData("Tiny", "70000")]
    [InlineData("Exact", "0.12345678901234567890123456789")]
    [InlineData("Exact", "79228162514264337593543950335.4")]
    [InlineData("Case", "READY")]
    [InlineData("Unsigned", "-1")]
    [InlineData("Unsigned", "18446744073709551616")]
    public void A_text_that_the_property_cannot_keep_is_refused(string column, string text)
    {
        using Collection<Reading> readings = Collection();
        DataLoadException e = Assert.Throws<DataLoadException>(() => Load(readings, column, text));
        Assert.Equal((1, column, text), (e.Row, e.Column, e.Value));
        Assert.Empty(readings);
    }

    [Fact]
    public void A_text_that_it_can_keep_is_read_as_it_is()
    {
        using Collection<Reading> readings = Collection();
        Assert.Equal(new DateTime(2024, 12, 31, 23, 59, 59, DateTimeKind.Utc), Load(readings, "Time", "2024-12-31T23:59:59Z").Time);
        Assert.Equal(DateTimeKind.Utc, Load(readings, "Time", "2024-12-31T23:59:59Z").Time!.Value.Kind);
        Assert.Equal(new DateTime(2024, 12, 31, 23, 59, 59).AddTicks(1_234_567), Load(readings, "Time", "2024-12-31 23:59:59.1234567").Time);
        Assert.Equal(new DateTime(2024, 12, 31, 23, 59, 59).AddTicks(1_234_567), Load(readings, "Time", "2024-12-31T23:59:59.123456700").Time);
        Assert.Equal(new DateTime(2024, 12, 31), Load(readings, "Time", "2024-12-31").Time);
        Assert.Equal(new DateTimeOffset(2024, 12, 31, 23, 59, 59, TimeSpan.FromHours(1)), Load(readings, "Offset", "2024-12-31T23:59:59+01:00").Offset);
        Assert.Equal(new TimeOnly(5, 30), Load(readings, "Clock", "05:30").Clock);
        Assert.Equal(double.PositiveInfinity, Load(readings, "Number", "Infinity").Number);
        Assert.Equal(double.MaxValue, Load(readings, "Number", "1.7976931348623157E+308").Number);
        Assert.Equal(0.1234567890123456789012345678m, Load(readings, "Exact", "00.123456789012345678901234567800000").Exact);
        Assert.Equal(decimal.MinValue, Load(readings, "Exact", "-79228162514264337593543950335.000").Exact);
        Assert.Equal(0m, Load(readings, "Exact", "-0.00000000000000000000000000000000").Exact);
        Assert.Equal(Case.Ready, Load(readings, "Case", "Ready").Case);
        Assert.Equal(Case.ready, Load(readings, "Case", "ready").Case);
        Assert.Equal(Case.Other, Load(readings, "Case", "OTHER").Case);
        Assert.Equal(Unsigned.Most, Load(readings, "Unsigned", "18446744073709551615").Unsigned);
    }

    [Fact]
    public void Whole_numbers_of_a_column_of_doubles_keep_all_digits_as_decimals()
    {
        using Collection<Reading> readings = Collection();
        Assert.Equal(9_007_199_254_740_991m, Load(readings, "Exact", 9_007_199_254_740_991d).Exact);
        Assert.Equal(-1_152_921_504_606_846_976m, Load(readings, "Exact", -1_152_921_504_606_846_976d).Exact);
        Assert.Equal(0.3m, Load(readings, "Exact", 0.1 + 0.2).Exact);
        Assert.Throws<DataLoadException>(() => Load(readings, "Exact", 1e29));
        Assert.Throws<DataLoadException>(() => Load(readings, "Exact", double.NaN));
    }

    [Fact]
    public void A_finite_number_does_not_become_infinite()
    {
        using Collection<Reading> readings = Collection();
        Assert.Throws<DataLoadException>(() => Load(readings, "Small", 1e39));
        Assert.Throws<DataLoadException>(() => Load(readings, "Small", -1e300));
        Assert.Throws<DataLoadException>(() => Load(readings, "Tiny", 70_000L));
        Assert.Throws<DataLoadException>(() => Load(readings, "Tiny", 70_000m));
        Assert.Equal(float.NegativeInfinity, Load(readings, "Small", double.NegativeInfinity).Small);
        Assert.Equal(float.NaN, Load(readings, "Small", double.NaN).Small);
        Assert.Equal(0.1f, Load(readings, "Small", 0.1).Small);
    }

    [Fact]
    public void Columns_of_floats_are_numbers_as_all_others()
    {
        using Collection<Reading> readings = Collection();
        Assert.Equal(0.1m, Load(readings, "Exact", 0.1f).Exact);
        Assert.Equal(-16_777_214m, Load(readings, "Exact", -16_777_214f).Exact);
        Assert.Equal(0.25m, Load(readings, "Exact", (Half)0.25).Exact);
        Assert.Equal(Case.Ready, Load(readings, "Case", (Half)1).Case);
        Assert.Throws<DataLoadException>(() => Load(readings, "Exact", float.NaN));
        Assert.Throws<DataLoadException>(() => Load(readings, "Exact", float.MaxValue));
        Assert.Throws<DataLoadException>(() => Load(readings, "Exact", Half.PositiveInfinity));
    }

    private Collection<Reading> Collection() => new(new CollectionOptions { Manager = _manager });

    private static Reading Load(Collection<Reading> readings, string column, string text)
    {
        readings.Clear();
        using CsvDataReader csv = CsvDataReader.Create(new StringReader($"{column}\n\"{text}\"\n"));
        readings.AddRange(csv, OptionsFor(column));
        return readings.Single();
    }

    private static Reading Load(Collection<Reading> readings, string column, object value)
    {
        readings.Clear();
        using DataTable table = new();
        table.Columns.Add(column, value.GetType());
        table.Rows.Add(value);
        using DataTableReader reader = table.CreateDataReader();
        readings.AddRange(reader, OptionsFor(column));
        return readings.Single();
    }

    private static LoadOptions<Reading> OptionsFor(string column)
    {
        LoadOptions<Reading> options = new();
        _ = column == "Time" ? options : options.Omit(r => r.Time);
        _ = column == "Offset" ? options : options.Omit(r => r.Offset);
        _ = column == "Clock" ? options : options.Omit(r => r.Clock);
        _ = column == "Number" ? options : options.Omit(r => r.Number);
        _ = column == "Small" ? options : options.Omit(r => r.Small);
        _ = column == "Tiny" ? options : options.Omit(r => r.Tiny);
        _ = column == "Exact" ? options : options.Omit(r => r.Exact);
        _ = column == "Case" ? options : options.Omit(r => r.Case);
        return column == "Unsigned" ? options : options.Omit(r => r.Unsigned);
    }
}

public enum Case
{
    Other,
    Ready,
    ready,
}

public enum Unsigned : ulong
{
    None,
    Most = ulong.MaxValue,
}

[Tabular]
public readonly partial struct Reading
{
    public partial DateTime? Time { get; set; }
    public partial DateTimeOffset? Offset { get; set; }
    public partial TimeOnly? Clock { get; set; }
    public partial double? Number { get; set; }
    public partial float? Small { get; set; }
    public partial Half? Tiny { get; set; }
    public partial decimal? Exact { get; set; }
    public partial Case? Case { get; set; }
    public partial Unsigned? Unsigned { get; set; }
}
