using System.Runtime.CompilerServices;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Every edge of every type goes in and comes out bit for bit, in both layouts, and leaves its neighbours alone.</summary>
public sealed class ValueTests
{
    [Fact]
    public void Booleans_round_trip() => RoundTrip([true, false], r => r.Bool, (r, v) => r.Bool = v, r => r.Bool, (r, v) => r.Bool = v);

    [Fact]
    public void Characters_round_trip() => RoundTrip(['\0', 'a', '\uD800', '\uFFFF'], r => r.Char, (r, v) => r.Char = v, r => r.Char, (r, v) => r.Char = v);

    [Fact]
    public void Small_integers_round_trip()
    {
        RoundTrip([sbyte.MinValue, (sbyte)-1, (sbyte)0, sbyte.MaxValue], r => r.SByte, (r, v) => r.SByte = v, r => r.SByte, (r, v) => r.SByte = v);
        RoundTrip([byte.MinValue, (byte)128, byte.MaxValue], r => r.Byte, (r, v) => r.Byte = v, r => r.Byte, (r, v) => r.Byte = v);
        RoundTrip([short.MinValue, (short)-1, short.MaxValue], r => r.Int16, (r, v) => r.Int16 = v, r => r.Int16, (r, v) => r.Int16 = v);
        RoundTrip([ushort.MinValue, (ushort)32768, ushort.MaxValue], r => r.UInt16, (r, v) => r.UInt16 = v, r => r.UInt16, (r, v) => r.UInt16 = v);
    }

    [Fact]
    public void Integers_round_trip()
    {
        RoundTrip([int.MinValue, -1, 0, int.MaxValue], r => r.Int32, (r, v) => r.Int32 = v, r => r.Int32, (r, v) => r.Int32 = v);
        RoundTrip([uint.MinValue, 1u << 31, uint.MaxValue], r => r.UInt32, (r, v) => r.UInt32 = v, r => r.UInt32, (r, v) => r.UInt32 = v);
        RoundTrip([long.MinValue, -1, 0, long.MaxValue], r => r.Int64, (r, v) => r.Int64 = v, r => r.Int64, (r, v) => r.Int64 = v);
        RoundTrip([ulong.MinValue, 1ul << 63, ulong.MaxValue], r => r.UInt64, (r, v) => r.UInt64 = v, r => r.UInt64, (r, v) => r.UInt64 = v);
        RoundTrip([Int128.MinValue, Int128.NegativeOne, Int128.MaxValue], r => r.Int128, (r, v) => r.Int128 = v, r => r.Int128, (r, v) => r.Int128 = v);
        RoundTrip([UInt128.MinValue, UInt128.One << 127, UInt128.MaxValue], r => r.UInt128, (r, v) => r.UInt128 = v, r => r.UInt128, (r, v) => r.UInt128 = v);
    }

    [Fact]
    public void Floating_point_keeps_every_bit()
    {
        RoundTrip([Half.MinValue, Half.Epsilon, Half.NaN, Half.NegativeZero, Half.NegativeInfinity], r => r.Half, (r, v) => r.Half = v, r => r.Half, (r, v) => r.Half = v);
        RoundTrip([float.MinValue, float.Epsilon, float.NaN, -0f, float.PositiveInfinity, BitConverter.Int32BitsToSingle(0x7FC12345)], r => r.Single, (r, v) => r.Single = v, r => r.Single, (r, v) => r.Single = v);
        RoundTrip([double.MinValue, double.Epsilon, double.NaN, -0d, double.NegativeInfinity, BitConverter.Int64BitsToDouble(0x7FF8_1234_5678_9ABC)], r => r.Double, (r, v) => r.Double = v, r => r.Double, (r, v) => r.Double = v);
    }

    [Fact]
    public void Decimals_without_precision_keep_every_bit() => RoundTrip(
        [decimal.MinValue, decimal.MaxValue, 0m, 0.00m, -0.0m, 1.10m, new decimal(1, 2, 3, true, 28)], r => r.Decimal, (r, v) => r.Decimal = v, r => r.Decimal, (r, v) => r.Decimal = v);

    [Fact]
    public void Decimals_with_precision_have_the_scale_of_the_column()
    {
        RoundTrip([-99999.9999m, 0.0000m, 0.0001m, 99999.9999m], r => r.Decimal9, (r, v) => r.Decimal9 = v, r => r.Decimal9, (r, v) => r.Decimal9 = v);
        RoundTrip([-9999999999999999.99m, 0.00m, 0.01m, 9999999999999999.99m], r => r.Decimal18, (r, v) => r.Decimal18 = v, r => r.Decimal18, (r, v) => r.Decimal18 = v);
        RoundTrip([-999999999999999999.9999999999m, 0.0000000000m, 0.0000000001m, 999999999999999999.9999999999m], r => r.Decimal28, (r, v) => r.Decimal28 = v, r => r.Decimal28, (r, v) => r.Decimal28 = v);
    }

    [Fact]
    public void Dates_and_times_round_trip()
    {
        RoundTrip([DateOnly.MinValue, new DateOnly(2024, 2, 29), DateOnly.MaxValue], r => r.DateOnly, (r, v) => r.DateOnly = v, r => r.DateOnly, (r, v) => r.DateOnly = v);
        RoundTrip([TimeOnly.MinValue, new TimeOnly(12, 0, 0, 1), TimeOnly.MaxValue], r => r.TimeOnly, (r, v) => r.TimeOnly = v, r => r.TimeOnly, (r, v) => r.TimeOnly = v);
        RoundTrip([TimeSpan.MinValue, TimeSpan.Zero, TimeSpan.MaxValue], r => r.TimeSpan, (r, v) => r.TimeSpan = v, r => r.TimeSpan, (r, v) => r.TimeSpan = v);
        RoundTrip([DateTimeOffset.MinValue, new DateTimeOffset(2024, 1, 1, 0, 0, 0, TimeSpan.FromMinutes(-330)), DateTimeOffset.MaxValue], r => r.DateTimeOffset, (r, v) => r.DateTimeOffset = v, r => r.DateTimeOffset, (r, v) => r.DateTimeOffset = v);
    }

    [Theory]
    [InlineData(DateTimeKind.Utc)]
    [InlineData(DateTimeKind.Local)]
    [InlineData(DateTimeKind.Unspecified)]
    public void DateTime_keeps_its_kind(DateTimeKind kind) => RoundTrip(
        [DateTime.SpecifyKind(DateTime.MinValue, kind), new DateTime(2024, 10, 27, 2, 30, 0, kind), DateTime.SpecifyKind(DateTime.MaxValue, kind)],
        r => r.DateTime, (r, v) => r.DateTime = v, r => r.DateTime, (r, v) => r.DateTime = v);

    [Fact]
    public void Guids_enums_and_structs_round_trip()
    {
        RoundTrip([Guid.Empty, Guid.AllBitsSet, new Guid("00112233-4455-6677-8899-aabbccddeeff")], r => r.Guid, (r, v) => r.Guid = v, r => r.Guid, (r, v) => r.Guid = v);
        RoundTrip([Colour.Red, Colour.Blue, (Colour)77], r => r.Colour, (r, v) => r.Colour = v, r => r.Colour, (r, v) => r.Colour = v);
        RoundTrip([Huge.None, Huge.Most, (Huge)(1ul << 63)], r => r.Huge, (r, v) => r.Huge = v, r => r.Huge, (r, v) => r.Huge = v);
        RoundTrip([new Point { X = 1, Y = double.NaN }, new Point { X = short.MinValue, Y = -1 }], r => r.Point, (r, v) => r.Point = v, r => r.Point, (r, v) => r.Point = v);
    }

    [Fact]
    public void Nullable_values_round_trip()
    {
        RoundTrip<bool?>([null, true, false, null], r => r.OptionalBool, (r, v) => r.OptionalBool = v, r => r.OptionalBool, (r, v) => r.OptionalBool = v);
        RoundTrip<int?>([null, 0, int.MinValue, null, int.MaxValue], r => r.OptionalInt32, (r, v) => r.OptionalInt32 = v, r => r.OptionalInt32, (r, v) => r.OptionalInt32 = v);
        RoundTrip<ulong?>([null, 0, ulong.MaxValue], r => r.OptionalUInt64, (r, v) => r.OptionalUInt64 = v, r => r.OptionalUInt64, (r, v) => r.OptionalUInt64 = v);
        RoundTrip<double?>([null, double.NaN, -0d], r => r.OptionalDouble, (r, v) => r.OptionalDouble = v, r => r.OptionalDouble, (r, v) => r.OptionalDouble = v);
        RoundTrip<decimal?>([null, 0.00m, -9999999999999.99m], r => r.OptionalDecimal, (r, v) => r.OptionalDecimal = v, r => r.OptionalDecimal, (r, v) => r.OptionalDecimal = v);
        RoundTrip<Guid?>([null, Guid.Empty, Guid.AllBitsSet], r => r.OptionalGuid, (r, v) => r.OptionalGuid = v, r => r.OptionalGuid, (r, v) => r.OptionalGuid = v);
        RoundTrip<DateOnly?>([null, DateOnly.MinValue, DateOnly.MaxValue], r => r.OptionalDate, (r, v) => r.OptionalDate = v, r => r.OptionalDate, (r, v) => r.OptionalDate = v);
        RoundTrip<Colour?>([null, Colour.Red, Colour.Blue], r => r.OptionalColour, (r, v) => r.OptionalColour = v, r => r.OptionalColour, (r, v) => r.OptionalColour = v);
    }

    [Fact]
    public void Binary_values_are_copied_in_and_out()
    {
        using Collection<ColumnValues> rows = new();
        byte[] bytes = [.. Enumerable.Range(0, 300).Select(i => (byte)i)];
        ColumnValues row = rows.AddNew(r => r.Bytes = bytes);

        bytes[0] = 99;

        Assert.Equal(0, row.Bytes.Span[0]);
        Assert.Equal(300, row.Bytes.Length);
        Assert.Null(row.OptionalBytes);
        for (int length = 0; length < 20; length++)
        {
            row.OptionalBytes = bytes.AsMemory(0, length);
            Assert.Equal(bytes[..length], row.OptionalBytes!.Value.ToArray());
        }

        row.OptionalBytes = null;
        Assert.Null(row.OptionalBytes);
        row.Bytes = default;
        Assert.Equal(0, row.Bytes.Length);
    }

    [Fact]
    public void Detached_rows_with_the_same_bytes_are_equal()
    {
        using Collection<ColumnValues> rows = new();
        ColumnValues row = rows.AddNew(r => (r.Bytes, r.OptionalBytes) = (new byte[] { 1, 2, 3 }, new byte[] { 4 }));
        ColumnValuesData first = row.ToData(), second = row.ToData();

        Assert.True(first == second);
        Assert.Equal(first.GetHashCode(), second.GetHashCode());
        Assert.False(first == second with { Bytes = new byte[] { 1, 2, 4 } });
        Assert.False(first == second with { OptionalBytes = null });
        Assert.False(first with { OptionalBytes = Array.Empty<byte>() } == second with { OptionalBytes = null });
    }

    /// <summary>Through the setter of one row between two others, then as the zero of a new row.</summary>
    private static void RoundTrip<TValue>(
        TValue[] values, Func<ColumnValues, TValue> getColumn, Action<ColumnValues, TValue> setColumn, Func<RowValues, TValue> getRow, Action<RowValues, TValue> setRow)
    {
        using Collection<ColumnValues> columns = new();
        using Collection<RowValues> rows = new();
        RoundTrip(columns, values, getColumn, setColumn);
        RoundTrip(rows, values, getRow, setRow);
    }

    private static void RoundTrip<TRow, TValue>(Collection<TRow> rows, TValue[] values, Func<TRow, TValue> get, Action<TRow, TValue> set)
        where TRow : unmanaged
    {
        TRow before = rows.AddNew(r => set(r, values[0]));
        TRow row = rows.AddNew(_ => { });
        TRow after = rows.AddNew(r => set(r, values[^1]));
        object others = Everything(row, except: null);
        foreach (TValue value in values)
        {
            set(row, value);
            AssertSame(value, get(row));
            AssertSame(values[0], get(before));
            AssertSame(values[^1], get(after));
        }

        AssertSame(default, get(rows.AddNew(_ => { })), allowScale: true);
        set(row, get(rows.AddNew(_ => { })));
        Assert.Equal(others, Everything(row, except: null));
    }

    private static object Everything<TRow>(TRow row, string? except)
        where TRow : unmanaged => except is null ? row.ToString()! : "";

    private static void AssertSame<TValue>(TValue? expected, TValue? actual, bool allowScale = false)
    {
        Assert.Equal(expected, actual);
        if (allowScale || RuntimeHelpers.IsReferenceOrContainsReferences<TValue>() || typeof(TValue) == typeof(Point))
            return;
        Assert.Equal(Bits(expected), Bits(actual));
    }

    private static byte[] Bits<TValue>(TValue value) => value switch
    {
        decimal d => [.. decimal.GetBits(d).SelectMany(BitConverter.GetBytes)],
        double d => BitConverter.GetBytes(d),
        float f => BitConverter.GetBytes(f),
        Half h => BitConverter.GetBytes(h),
        DateTime t => [.. BitConverter.GetBytes(t.Ticks), (byte)t.Kind],
        DateTimeOffset t => [.. BitConverter.GetBytes(t.Ticks), .. BitConverter.GetBytes(t.Offset.Ticks)],
        _ => [],
    };
}
