using Smc.Collections;

namespace Smc.Stress.Change;

public enum ByteKind : byte;

public enum ShortKind : short;

public enum IntKind;

public enum LongKind : long;

public enum ULongKind : ulong;

/// <summary>A row with an integer-like column of every width. All hold the same small number, each in its own way.</summary>
[Tabular]
public readonly partial struct Whole
{
    /// <summary>The row's position; never changed.</summary>
    public partial long Number { get; set; }
    public partial bool Bool { get; set; }
    public partial byte Byte { get; set; }
    public partial sbyte SByte { get; set; }
    public partial short Short { get; set; }
    public partial ushort UShort { get; set; }
    public partial char Char { get; set; }
    public partial int Int { get; set; }

    /// <summary>A number times <see cref="WideStep"/>: more values than a sketch has codes.</summary>
    public partial int Wide { get; set; }
    public partial uint UInt { get; set; }
    public partial long Long { get; set; }
    public partial ulong ULong { get; set; }
    public partial ByteKind ByteKind { get; set; }
    public partial ShortKind ShortKind { get; set; }
    public partial IntKind IntKind { get; set; }
    public partial LongKind LongKind { get; set; }
    public partial ULongKind ULongKind { get; set; }

    internal const int WideStep = 1_000_003;
    internal const long LongStep = 10_000_000_019;

    /// <summary>Numbers from 64 on do not fit a long.</summary>
    internal const ulong ULongStep = 1UL << 57;

    internal static Whole Add(Collection<Whole> rows, int position, int n) => rows.Add(
        number: position, @bool: Members.IsInside(n), @byte: (byte)n, sByte: (sbyte)n, @short: (short)n, uShort: (ushort)n, @char: (char)n, @int: n, wide: n * WideStep,
        uInt: (uint)n, @long: n * LongStep, uLong: (ulong)n * ULongStep, byteKind: (ByteKind)n, shortKind: (ShortKind)n, intKind: (IntKind)n, longKind: (LongKind)n,
        uLongKind: (ULongKind)n);
}

/// <summary>The same, row by row in memory.</summary>
[Tabular(Layout = TabularLayout.Row)]
public readonly partial struct WholeRow
{
    public partial long Number { get; set; }
    public partial int Int { get; set; }
    public partial ByteKind ByteKind { get; set; }
    public partial string Text { get; set; }
}

/// <summary>What stays refer to and have the keys of.</summary>
[Tabular]
public readonly partial struct Host
{
    public partial int Key { get; set; }
    public partial bool IsInside { get; set; }
}

/// <summary>A row, row by row in memory, that is found by what it refers to, by its key, or by a comparison of two columns.</summary>
[Tabular(Layout = TabularLayout.Row)]
public readonly partial struct Stay
{
    public partial long Number { get; set; }
    public partial int Key { get; set; }
    public partial int Begin { get; set; }
    public partial int End { get; set; }
    public partial Host Host { get; set; }
}

/// <summary>A row with columns of fractions, times and identifiers.</summary>
[Tabular]
public readonly partial struct Measure
{
    public partial long Number { get; set; }

    [Precision(18, 2)]
    public partial decimal Decimal8 { get; set; }

    [Precision(28, 2)]
    public partial decimal Decimal16 { get; set; }
    public partial double Double { get; set; }
    public partial float Float { get; set; }
    public partial DateOnly Date { get; set; }
    public partial TimeOnly Time { get; set; }
    public partial DateTime DateTime { get; set; }
    public partial DateTimeOffset DateTimeOffset { get; set; }
    public partial TimeSpan TimeSpan { get; set; }
    public partial Guid Guid { get; set; }
    public partial Int128 Int128 { get; set; }
    public partial UInt128 UInt128 { get; set; }

    internal static Measure Add(Collection<Measure> rows, int position, int n) => rows.Add(
        number: position, decimal8: DecimalOf(n), decimal16: LargeOf(n), @double: n, @float: n, date: DateOf(n), time: new TimeOnly(n * 1_000_000L), dateTime: DateTimeOf(n),
        dateTimeOffset: OffsetOf(n), timeSpan: new TimeSpan(n), guid: GuidOf(n), int128: WideOf(n), uInt128: (UInt128)WideOf(n));

    internal static decimal DecimalOf(int n) => n + 0.25m;

    /// <summary>The stored integer has the number in both halves.</summary>
    internal static decimal LargeOf(int n) => ((n * 18_446_744_073_709_551_616m) + n) / 100;

    internal static DateOnly DateOf(int n) => DateOnly.FromDayNumber(730_000 + n);

    internal static DateTime DateTimeOf(int n) => new(630_000_000_000_000_000 + (n * 7_000_000_000L), DateTimeKind.Utc);

    /// <summary>The offset belongs to the number, so that halves of two values do not make a third.</summary>
    internal static DateTimeOffset OffsetOf(int n) => new(DateTimeOf(n).Ticks, TimeSpan.FromMinutes(n));

    internal static Int128 WideOf(int n) => new((ulong)n, (ulong)n);

    internal static Guid GuidOf(int n) => new(n, 0, 0, BitConverter.GetBytes((long)n));
}

/// <summary>A row with texts: inline, few different ones (shared), and one of its own for each row.</summary>
[Tabular]
public readonly partial struct Word
{
    public partial long Number { get; set; }
    public partial string Inline { get; set; }
    public partial string Shared { get; set; }
    public partial string Own { get; set; }
    public partial string? Optional { get; set; }

    internal static Word Add(Collection<Word> rows, int position, int n) => rows.Add(
        number: position, inline: InlineOf(n), shared: SharedOf(n), own: OwnOf(n, position), optional: n is >= 10 and < 20 && n % 2 == 0 ? null : SharedOf(n));

    internal static string InlineOf(int n) => $"w{n}";

    internal static string SharedOf(int n) => $"a text with the number {n:D3}, which many rows have";

    /// <summary>A text that no other row has; texts of one number begin alike.</summary>
    internal static string OwnOf(int n, long position) => $"{n:D3} and something that is different in every row: {position}";
}

/// <summary>A row with columns that may be null.</summary>
[Tabular]
public readonly partial struct Option
{
    public partial long Number { get; set; }
    public partial bool? Bool { get; set; }
    public partial byte? Byte { get; set; }
    public partial int? Int { get; set; }
    public partial long? Long { get; set; }

    [Precision(18, 2)]
    public partial decimal? Decimal { get; set; }
    public partial double? Double { get; set; }
    public partial DateOnly? Date { get; set; }
    public partial Guid? Guid { get; set; }
    public partial ByteKind? Kind { get; set; }

    internal static Option Add(Collection<Option> rows, int position, int n) => rows.Add(
        number: position, @bool: null, @byte: null, @int: n % 2 == 0 ? null : 7, @long: null, @decimal: null, @double: null, date: null, guid: null, kind: null);
}

/// <summary>What lines refer to.</summary>
[Tabular]
public readonly partial struct Purchase
{
    public partial int Key { get; set; }
    public partial int Status { get; set; }
    public partial string Label { get; set; }

    internal static Purchase Add(Collection<Purchase> rows, int key, int status) => rows.Add(key: key, status: status, label: Word.SharedOf(status));
}

/// <summary>A row that refers to another.</summary>
[Tabular]
public readonly partial struct Line
{
    public partial long Number { get; set; }
    public partial int Key { get; set; }
    public partial int Amount { get; set; }
    public partial Purchase Purchase { get; set; }
    public partial Purchase Former { get; set; }
    public partial Purchase? Gift { get; set; }
}

/// <summary>What lies behind towns: a row of a small collection.</summary>
[Tabular]
public readonly partial struct County
{
    public partial int Side { get; set; }
    public partial string Label { get; set; }

    internal static County Add(Collection<County> rows, int side) => rows.Add(side: side, label: Word.SharedOf(side));
}

/// <summary>A row between a trip and a county.</summary>
[Tabular]
public readonly partial struct Town
{
    public partial int Status { get; set; }
    public partial County County { get; set; }
}

/// <summary>A row with two references.</summary>
[Tabular]
public readonly partial struct Trip
{
    public partial long Number { get; set; }
    public partial Town From { get; set; }
    public partial Town To { get; set; }
}
