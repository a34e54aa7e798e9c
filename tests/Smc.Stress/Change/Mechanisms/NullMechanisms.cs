namespace Smc.Stress.Change.Mechanisms;

/// <summary>Columns that may be null. A row's value changes between null and one value, so that a third can only be the remains of another one.</summary>
internal static class NullMechanisms
{
    private const string Promise = "every row has null or the one value that is stored";

    public static IEnumerable<ChangeMechanism> All =>
    [
        Of("null-bool", static (row, isNull) => row.Bool = isNull ? null : true, static rows => rows.LongCount(r => r.Bool ?? true)),
        Of("null-byte", static (row, isNull) => row.Byte = isNull ? null : (byte)7, static rows => rows.LongCount(r => (r.Byte ?? 7) == 7)),
        Of("null-int", static (row, isNull) => row.Int = isNull ? null : 7, static rows => rows.LongCount(r => (r.Int ?? 7) == 7)),
        Of("null-int-sum", static (row, isNull) => row.Int = isNull ? null : 7, static rows => rows.Sum(r => (long)(r.Int ?? 7)) / 7),
        Of("null-long", static (row, isNull) => row.Long = isNull ? null : 1L << 40, static rows => rows.LongCount(r => (r.Long ?? (1L << 40)) == 1L << 40)),
        Of("null-decimal", static (row, isNull) => row.Decimal = isNull ? null : 7.5m, static rows => rows.LongCount(r => (r.Decimal ?? 7.5m) == 7.5m)),
        Of("null-double", static (row, isNull) => row.Double = isNull ? null : 7.5, static rows => rows.LongCount(r => (r.Double ?? 7.5) == 7.5)),
        Of("null-date", static (row, isNull) => row.Date = isNull ? null : Measure.DateOf(7), static rows =>
        {
            DateOnly date = Measure.DateOf(7);
            return rows.LongCount(r => (r.Date ?? date) == date);
        }),
        Of("null-guid", static (row, isNull) => row.Guid = isNull ? null : Measure.GuidOf(7), static rows =>
        {
            Guid guid = Measure.GuidOf(7);
            return rows.LongCount(r => (r.Guid ?? guid) == guid);
        }),
        Of("null-enum", static (row, isNull) => row.Kind = isNull ? null : (ByteKind)7, static rows => rows.LongCount(r => (r.Kind ?? (ByteKind)7) == (ByteKind)7)),
        Of("null-values", static (row, isNull) => row.Int = isNull ? null : 7, static rows => rows.Select(r => r.Int).ToList().Count(static value => value is null or 7)),
    ];

    private static ChangeMechanism Of(string name, Action<Option, bool> write, Func<Smc.Collections.Collection<Option>, long> count) => new(name, Promise, setting =>
    {
        ChangeTable<Option> table = setting.Table<Option>((rows, i) => Option.Add(rows, i, i));
        return new ChangeWorld(
            setting.Rows,
            (random, i) => write(table.Handles[i], random.Next(2) == 0),
            () => Answers.Count(count(table.Rows), setting.Rows));
    });
}
