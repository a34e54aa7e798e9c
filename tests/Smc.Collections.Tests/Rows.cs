using System.Runtime.InteropServices;

namespace Smc.Collections.Tests;

public enum Colour : byte
{
    Red,
    Green,
    Blue = 255,
}

public enum Huge : ulong
{
    None,
    Most = ulong.MaxValue,
}

[StructLayout(LayoutKind.Sequential)]
public struct Point : IEquatable<Point>
{
    public short X;
    public double Y;

    public readonly bool Equals(Point other) => X == other.X && Y.Equals(other.Y);
}

/// <summary>A column of every permitted type: implemented by a columnar and a row-layout type, so that each test runs over both.</summary>
public interface IValues
{
    bool Bool { get; set; }

    char Char { get; set; }

    sbyte SByte { get; set; }

    byte Byte { get; set; }

    short Int16 { get; set; }

    ushort UInt16 { get; set; }

    int Int32 { get; set; }

    uint UInt32 { get; set; }

    long Int64 { get; set; }

    ulong UInt64 { get; set; }

    Int128 Int128 { get; set; }

    UInt128 UInt128 { get; set; }

    Half Half { get; set; }

    float Single { get; set; }

    double Double { get; set; }

    decimal Decimal { get; set; }

    decimal Decimal9 { get; set; }

    decimal Decimal18 { get; set; }

    decimal Decimal28 { get; set; }

    decimal Rounded { get; set; }

    DateOnly DateOnly { get; set; }

    TimeOnly TimeOnly { get; set; }

    DateTime DateTime { get; set; }

    DateTimeOffset DateTimeOffset { get; set; }

    TimeSpan TimeSpan { get; set; }

    Guid Guid { get; set; }

    Colour Colour { get; set; }

    Huge Huge { get; set; }

    Point Point { get; set; }

    string Text { get; set; }

    string? OptionalText { get; set; }

    ReadOnlyMemory<byte> Bytes { get; set; }

    ReadOnlyMemory<byte>? OptionalBytes { get; set; }

    bool? OptionalBool { get; set; }

    int? OptionalInt32 { get; set; }

    ulong? OptionalUInt64 { get; set; }

    double? OptionalDouble { get; set; }

    decimal? OptionalDecimal { get; set; }

    Guid? OptionalGuid { get; set; }

    DateOnly? OptionalDate { get; set; }

    Colour? OptionalColour { get; set; }
}

[Tabular]
public readonly partial struct ColumnValues : IValues
{
    public partial bool Bool { get; set; }
    public partial char Char { get; set; }
    public partial sbyte SByte { get; set; }
    public partial byte Byte { get; set; }
    public partial short Int16 { get; set; }
    public partial ushort UInt16 { get; set; }
    public partial int Int32 { get; set; }
    public partial uint UInt32 { get; set; }
    public partial long Int64 { get; set; }
    public partial ulong UInt64 { get; set; }
    public partial Int128 Int128 { get; set; }
    public partial UInt128 UInt128 { get; set; }
    public partial Half Half { get; set; }
    public partial float Single { get; set; }
    public partial double Double { get; set; }
    public partial decimal Decimal { get; set; }
    [Precision(9, 4)] public partial decimal Decimal9 { get; set; }
    [Precision(18, 2)] public partial decimal Decimal18 { get; set; }
    [Precision(28, 10)] public partial decimal Decimal28 { get; set; }
    [Precision(12, 2, Rounding = MidpointRounding.AwayFromZero)] public partial decimal Rounded { get; set; }
    public partial DateOnly DateOnly { get; set; }
    public partial TimeOnly TimeOnly { get; set; }
    public partial DateTime DateTime { get; set; }
    public partial DateTimeOffset DateTimeOffset { get; set; }
    public partial TimeSpan TimeSpan { get; set; }
    public partial Guid Guid { get; set; }
    public partial Colour Colour { get; set; }
    public partial Huge Huge { get; set; }
    public partial Point Point { get; set; }
    public partial string Text { get; set; }
    public partial string? OptionalText { get; set; }
    public partial ReadOnlyMemory<byte> Bytes { get; set; }
    public partial ReadOnlyMemory<byte>? OptionalBytes { get; set; }
    public partial bool? OptionalBool { get; set; }
    public partial int? OptionalInt32 { get; set; }
    public partial ulong? OptionalUInt64 { get; set; }
    public partial double? OptionalDouble { get; set; }
    [Precision(15, 2)] public partial decimal? OptionalDecimal { get; set; }
    public partial Guid? OptionalGuid { get; set; }
    public partial DateOnly? OptionalDate { get; set; }
    public partial Colour? OptionalColour { get; set; }
}

[Tabular(Layout = TabularLayout.Row)]
public readonly partial struct RowValues : IValues
{
    public partial bool Bool { get; set; }
    public partial char Char { get; set; }
    public partial sbyte SByte { get; set; }
    public partial byte Byte { get; set; }
    public partial short Int16 { get; set; }
    public partial ushort UInt16 { get; set; }
    public partial int Int32 { get; set; }
    public partial uint UInt32 { get; set; }
    public partial long Int64 { get; set; }
    public partial ulong UInt64 { get; set; }
    public partial Int128 Int128 { get; set; }
    public partial UInt128 UInt128 { get; set; }
    public partial Half Half { get; set; }
    public partial float Single { get; set; }
    public partial double Double { get; set; }
    public partial decimal Decimal { get; set; }
    [Precision(9, 4)] public partial decimal Decimal9 { get; set; }
    [Precision(18, 2)] public partial decimal Decimal18 { get; set; }
    [Precision(28, 10)] public partial decimal Decimal28 { get; set; }
    [Precision(12, 2, Rounding = MidpointRounding.AwayFromZero)] public partial decimal Rounded { get; set; }
    public partial DateOnly DateOnly { get; set; }
    public partial TimeOnly TimeOnly { get; set; }
    public partial DateTime DateTime { get; set; }
    public partial DateTimeOffset DateTimeOffset { get; set; }
    public partial TimeSpan TimeSpan { get; set; }
    public partial Guid Guid { get; set; }
    public partial Colour Colour { get; set; }
    public partial Huge Huge { get; set; }
    public partial Point Point { get; set; }
    public partial string Text { get; set; }
    public partial string? OptionalText { get; set; }
    public partial ReadOnlyMemory<byte> Bytes { get; set; }
    public partial ReadOnlyMemory<byte>? OptionalBytes { get; set; }
    public partial bool? OptionalBool { get; set; }
    public partial int? OptionalInt32 { get; set; }
    public partial ulong? OptionalUInt64 { get; set; }
    public partial double? OptionalDouble { get; set; }
    [Precision(15, 2)] public partial decimal? OptionalDecimal { get; set; }
    public partial Guid? OptionalGuid { get; set; }
    public partial DateOnly? OptionalDate { get; set; }
    public partial Colour? OptionalColour { get; set; }
}

/// <summary>An order as users write it.</summary>
[Tabular]
public readonly partial struct Order
{
    public partial long Key { get; set; }
    public partial Customer Customer { get; set; }
    public partial DateOnly Date { get; set; }
    [Precision(15, 2)] public partial decimal Total { get; set; }
    public partial string Comment { get; set; }
    public partial int? Priority { get; set; }
    public partial Order Previous { get; set; }
    public partial Order? Next { get; set; }
    [Default(3)] public partial byte Level { get; set; }
    [Default("0.05")][Precision(4, 2)] public partial decimal Rate { get; set; }
    [Default("new")] public partial string State { get; set; }
    [Default(Colour.Blue)] public partial Colour Colour { get; set; }
    public bool IsLarge => Total > 100_000m;
}

[Tabular(Layout = TabularLayout.Row)]
public readonly partial struct Customer
{
    public partial string Name { get; set; }
    public partial Order LastOrder { get; set; }
}

/// <summary>A row that costs little, for tests with many.</summary>
[Tabular]
public readonly partial struct Item
{
    public partial int Key { get; set; }
    public partial string Text { get; set; }
    public partial int? Extra { get; set; }
    public partial Item Other { get; set; }
}

[Tabular(Layout = TabularLayout.Row)]
public readonly partial struct RowItem
{
    public partial int Key { get; set; }
    public partial string Text { get; set; }
    public partial int? Extra { get; set; }
    public partial RowItem Other { get; set; }
}
