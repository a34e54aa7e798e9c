using Smc.QueryCompiler.Fuzz.Queries;
using Smc.QueryCompiler.Fuzz.Schema;

namespace Smc.QueryCompiler.Fuzz.Change;

/// <summary>
/// The values that are stored while queries run, as whole rows. What a block knows of its values is sharp as long as they are usual: the first unusual one
/// is what a kernel must survive.
/// </summary>
internal sealed class RowValues
{
    private const int UsualRows = 12;
    private const int UnusualRows = 5;

    /// <summary>References name one of so many rows, which are never removed, or one that may be.</summary>
    private readonly int _targets;

    private readonly Dictionary<(string, string), HashSet<object>> _stored = [];

    public RowValues(DatabaseSchema schema, int targets, Random random)
    {
        _targets = targets;
        Usual = schema.Tables.ToDictionary(t => t.Name, t => Enumerable.Range(0, UsualRows).Select(_ => Row(t, isUsual: true, random)).ToArray());
        Unusual = schema.Tables.ToDictionary(t => t.Name, t => Enumerable.Range(0, UnusualRows).Select(_ => Row(t, isUsual: false, random)).ToArray());
        foreach (TableSchema table in schema.Tables)
        {
            foreach ((int at, ColumnSchema column) in table.Columns.Index().Where(c => c.Item.Type is ScalarType && c.Item.Name != "Id"))
                _stored.Add((table.Name, column.Name), [.. Usual[table.Name].Concat(Unusual[table.Name]).Select(r => Comparable(r[at]))]);
        }
    }

    public IReadOnlyDictionary<string, object?[][]> Usual { get; }

    public IReadOnlyDictionary<string, object?[][]> Unusual { get; }

    /// <summary>Whether a value of a result was ever stored in the column.</summary>
    public bool IsStored(StoredFacts column, object? value) => !_stored.TryGetValue((column.Table, column.Column), out HashSet<object>? values) || values.Contains(Comparable(value));

    /// <summary>Enums and structs of the compiled assembly as the numbers that they are made of.</summary>
    private static object Comparable(object? value) => value switch
    {
        null => DBNull.Value,
        Enum => Convert.ToInt16(value, System.Globalization.CultureInfo.InvariantCulture),
        not null when value.GetType().Name == "Point" => value.GetType().GetProperty("X")!.GetValue(value)!,
        _ => value,
    };

    private object?[] Row(TableSchema table, bool isUsual, Random random) => [.. table.Columns.Select(c => Value(c, isUsual, random))];

    private object? Value(ColumnSchema column, bool isUsual, Random random)
    {
        if (column.Type is not ScalarType scalar)
            return isUsual || random.Next(3) > 0 ? new RowNumber(random.Next(_targets)) : null;
        if (column.CanBeNull && random.Next(isUsual ? 6 : 3) == 0)
            return null;
        return isUsual
            ? RandomValues.Of(scalar.Kind, column.Spread == Spread.Extreme ? Spread.Some : column.Spread, random, column.Precision, column.Scale)
            : Unusually(scalar.Kind, random) ?? RandomValues.Of(scalar.Kind, Spread.Extreme, random, column.Precision, column.Scale);
    }

    /// <summary>Far from what is usual, but not so far that every sum overflows.</summary>
    private static object? Unusually(ScalarKind kind, Random random)
    {
        int far = random.Next(4) switch { 0 => 30_000_000, 1 => -1_000_000, 2 => 900, _ => random.Next(200, 100_000) };
        return kind switch
        {
            ScalarKind.SByte => (sbyte)(100 + random.Next(28)),
            ScalarKind.Byte => (byte)(200 + random.Next(56)),
            ScalarKind.Short => (short)(far % 32_000),
            ScalarKind.UShort => (ushort)(60_000 + random.Next(5_000)),
            ScalarKind.Int => far,
            ScalarKind.UInt => (uint)Math.Abs(far),
            ScalarKind.Long => far * 1_000_000L,
            ScalarKind.ULong => (ulong)Math.Abs(far),
            ScalarKind.Int128 => (Int128)far << 70,
            ScalarKind.Float => far / 8f,
            ScalarKind.Double => far / 16d,
            ScalarKind.Char => (char)(0x4E00 + random.Next(100)),
            ScalarKind.String => random.Next(3) switch { 0 => "", 1 => "Zagreb and its surroundings, number " + far, _ => "Z" + far },
            ScalarKind.DateOnly => new DateOnly(random.Next(2) == 0 ? 1700 : 2150, 3, 1),
            ScalarKind.DateTime => new DateTime(random.Next(2) == 0 ? 1700 : 2150, 3, 1),
            ScalarKind.TimeSpan => TimeSpan.FromDays(far / 100),
            ScalarKind.Guid => new Guid(far, 1, 2, [8, 7, 6, 5, 4, 3, 2, 1]),
            ScalarKind.Enum => (short)random.Next(400, 30_000),
            ScalarKind.Struct => far,
            _ => null,
        };
    }
}
