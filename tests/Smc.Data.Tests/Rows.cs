using Smc.Collections;

namespace Smc.Data.Tests;

public enum Kind : byte
{
    Web,
    Shop,
    Phone = 200,
}

public enum Level : long
{
    None,
    Most = long.MaxValue,
}

[Tabular]
public readonly partial struct Shop
{
    public partial int Key { get; set; }
    public partial int Region { get; set; }
    public partial string Name { get; set; }
}

/// <summary>A sale with what a table of sales has.</summary>
[Tabular]
public readonly partial struct Sale
{
    public partial long Key { get; set; }
    public partial Shop Shop { get; set; }
    public partial Shop? Second { get; set; }
    [Precision(9, 2)] public partial decimal Total { get; set; }
    public partial int? Pieces { get; set; }
    public partial Kind Kind { get; set; }
    public partial DateOnly Day { get; set; }
    public partial string? Note { get; set; }
    [Default("none")] public partial string Clerk { get; set; }
}

/// <summary>Rows that refer to rows of their own collection.</summary>
[Tabular]
public readonly partial struct Employee
{
    [Key] public partial int Number { get; set; }
    public partial Employee? Manager { get; set; }
}

/// <summary>A column of every type that has a form outside.</summary>
[Tabular]
public readonly partial struct Wide
{
    public partial int Key { get; set; }
    public partial bool Bool { get; set; }
    public partial char Char { get; set; }
    public partial sbyte SByte { get; set; }
    public partial byte Byte { get; set; }
    public partial short Int16 { get; set; }
    public partial ushort UInt16 { get; set; }
    public partial uint UInt32 { get; set; }
    public partial long Int64 { get; set; }
    public partial ulong UInt64 { get; set; }
    public partial float Single { get; set; }
    public partial double Double { get; set; }
    public partial decimal Decimal { get; set; }
    [Precision(9, 2)] public partial decimal Cents { get; set; }
    [Precision(28, 4)] public partial decimal Large { get; set; }
    public partial DateOnly Date { get; set; }
    public partial TimeOnly Time { get; set; }
    public partial TimeSpan Span { get; set; }
    public partial DateTime Moment { get; set; }
    public partial DateTimeOffset Zoned { get; set; }
    public partial Guid Guid { get; set; }
    public partial Kind Kind { get; set; }
    public partial Level Level { get; set; }
    public partial string Text { get; set; }
    public partial ReadOnlyMemory<byte> Bytes { get; set; }
    public partial bool? MaybeBool { get; set; }
    public partial int? MaybeInt { get; set; }
    public partial double? MaybeDouble { get; set; }
    public partial decimal? MaybeDecimal { get; set; }
    [Precision(15, 3)] public partial decimal? MaybeMills { get; set; }
    public partial DateOnly? MaybeDate { get; set; }
    public partial DateTime? MaybeMoment { get; set; }
    public partial Guid? MaybeGuid { get; set; }
    public partial Kind? MaybeKind { get; set; }
    public partial string? MaybeText { get; set; }
    public partial ReadOnlyMemory<byte>? MaybeBytes { get; set; }
}

/// <summary>The same in row layout, with fewer columns.</summary>
[Tabular(Layout = TabularLayout.Row)]
public readonly partial struct Narrow
{
    public partial long Key { get; set; }
    public partial double? Weight { get; set; }
    public partial string? Text { get; set; }
}

internal static class WideRows
{
    private static readonly string[] s_texts = ["", "short", "a text that does not fit into a word", "ÄÖÜ ß €", "comma, \"quote\"\nand line"];

    /// <summary>Rows with every kind of value, the least and greatest among them; the same for a seed.</summary>
    public static IEnumerable<WideData> Create(int count, int seed = 1)
    {
        Random random = new(seed);
        for (int i = 0; i < count; i++)
        {
            bool isNull = random.Next(3) == 0;
            long bits = random.Next(10) switch { 0 => long.MinValue, 1 => long.MaxValue, _ => random.NextInt64() };
            byte[] bytes = new byte[random.Next(12)];
            random.NextBytes(bytes);
            yield return new WideData
            {
                Key = i,
                Bool = random.Next(2) == 0,
                Char = (char)('a' + random.Next(26)),
                SByte = (sbyte)bits,
                Byte = (byte)bits,
                Int16 = (short)bits,
                UInt16 = (ushort)bits,
                UInt32 = (uint)bits,
                Int64 = bits,
                UInt64 = (ulong)bits,
                Single = random.NextSingle() * 1000,
                Double = random.NextDouble() * bits,
                Decimal = new decimal(random.Next(), random.Next(), 0, random.Next(2) == 0, (byte)random.Next(9)),
                Cents = random.Next(-999_999_999, 999_999_999) / 100m,
                Large = random.Next(4) == 0 ? 999_999_999_999_999_999_999_999.9999m : bits / 10_000m,
                Date = DateOnly.FromDayNumber(random.Next(DateOnly.MaxValue.DayNumber)),
                // Microseconds, as other formats keep them.
                Time = new TimeOnly(random.NextInt64(86_400_000_000) * 10),
                Span = new TimeSpan(random.NextInt64(1_000_000_000_000) * 10),
                Moment = new DateTime(random.NextInt64(300_000_000_000_000_000) * 10),
                Zoned = new DateTimeOffset(random.NextInt64(100_000_000_000_000_000) * 10, TimeSpan.Zero),
                Guid = new Guid(random.Next(), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
                Kind = random.Next(2) == 0 ? Kind.Phone : Kind.Shop,
                Level = random.Next(2) == 0 ? Level.Most : Level.None,
                Text = s_texts[random.Next(s_texts.Length)],
                Bytes = bytes,
                MaybeBool = isNull ? null : true,
                MaybeInt = isNull ? null : (int)bits,
                MaybeDouble = isNull ? null : -0.0,
                MaybeDecimal = isNull ? null : 1.50m,
                MaybeMills = isNull ? null : 12.345m,
                MaybeDate = isNull ? null : DateOnly.MinValue,
                MaybeMoment = isNull ? null : new DateTime(2024, 2, 29, 12, 0, 0),
                MaybeGuid = isNull ? null : Guid.Empty,
                MaybeKind = isNull ? null : Kind.Web,
                MaybeText = isNull ? null : s_texts[random.Next(s_texts.Length)],
                MaybeBytes = isNull ? null : bytes,
            };
        }
    }

    /// <summary>The rows as text, in the order of their keys: equal texts are equal rows, bytes included.</summary>
    public static string[] Describe(IEnumerable<WideData> rows) => [.. rows.OrderBy(row => row.Key).Select(row =>
        $"{row with { Bytes = default, MaybeBytes = null }} {Convert.ToHexString(row.Bytes.Span)} {(row.MaybeBytes is { } bytes ? Convert.ToHexString(bytes.Span) : "null")}")];

    public static string[] Describe(Collection<Wide> rows) => Describe(Enumerable.Select(rows, row => row.ToData()));
}
