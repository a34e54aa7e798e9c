namespace Smc.Stress.Change.Mechanisms;

/// <summary>Sums and other aggregates. Every row holds one of two values, so that a sum tells how many rows hold the greater one; overflow would show.</summary>
internal static class SumMechanisms
{
    private const string Promise = "the sum is one that rows with either of two values add up to";

    /// <summary>Ten of them do not fit a sum in 64 bits.</summary>
    private const decimal Huge = 9_900_000_000_000_000.25m;

    public static IEnumerable<ChangeMechanism> All =>
    [
        Whole("sum-byte", static (row, high) => row.Byte = high ? (byte)250 : (byte)0, 0, 250, static rows => rows.Sum(r => (long)r.Byte)),
        Whole("sum-short", static (row, high) => row.Short = high ? (short)30_000 : (short)0, 0, 30_000, static rows => rows.Sum(r => (long)r.Short)),
        Whole("sum-int", static (row, high) => row.Int = high ? int.MaxValue : 0, 0, int.MaxValue, static rows => rows.Sum(r => (long)r.Int)),
        Whole("sum-long", static (row, high) => row.Long = high ? 100_000_000_000_003 : 0, 0, 100_000_000_000_003, static rows => rows.Sum(r => r.Long)),
        Whole("sum-product", static (row, high) => row.Int = high ? int.MaxValue : 0, 0, (Int128)int.MaxValue * 90_000, static rows => rows.Sum(r => r.Int * 90_000L)),
        Whole("sum-filtered", static (row, high) => row.Int = high ? int.MaxValue : 0, 0, int.MaxValue, static rows => rows.Where(r => r.Byte < 200).Sum(r => (long)r.Int)),
        Whole("sum-and-count", static (row, high) => row.Int = high ? 1_000_000 : 0, 0, 1_000_000, static rows =>
        {
            var result = Smc.Collections.Query.Run(rows, static (IEnumerable<Change.Whole> rows) => new { Sum = rows.Sum(r => (long)r.Int), Count = rows.Count() });
            return result.Sum;
        }),
        Measure("sum-decimal-8", static (row, high) => row.Decimal8 = high ? Huge : 0.25m, 0.25m, Huge, static rows => rows.Sum(r => r.Decimal8)),
        Measure("sum-decimal-16", static (row, high) => row.Decimal16 = high ? Change.Measure.LargeOf(99) : 0, 0m, Change.Measure.LargeOf(99), static rows => rows.Sum(r => r.Decimal16)),
        Measure("sum-decimal-conditional", static (row, high) => row.Decimal8 = high ? Huge : 0.25m, 0.25m * 3, Huge * 3, static rows => rows.Sum(r => r.Number >= 0 ? r.Decimal8 * 3 : 0m)),
        Measure("sum-decimal-product", static (row, high) => row.Decimal8 = high ? Huge : 0.25m, 0.25m * 1.5m, Huge * 1.5m, static rows => rows.Sum(r => r.Decimal8 * 1.5m)),
        new("sum-groups", "sums of groups are what rows with either of two values add up to", static setting =>
        {
            ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Change.Whole.Add(rows, i, i % 4));
            return new ChangeWorld(
                setting.Rows,
                (random, i) => table.Handles[i].Long = (i % 4 * Change.Whole.LongStep) + (random.Next(2) == 0 ? 0 : 1_000_000_000_000_000),
                () =>
                {
                    var groups = table.Rows.GroupBy(r => r.Byte).Select(g => new { g.Key, Sum = g.Sum(r => r.Long), Count = g.Count(), Amount = g.Sum(r => (long)r.Int) }).ToList();
                    Answers.Groups(groups.ConvertAll(static g => (g.Key, g.Count)), setting.Rows, static key => key < 4);
                    foreach (var group in groups)
                    {
                        Answers.Sum(group.Sum, group.Key * Change.Whole.LongStep, (group.Key * Change.Whole.LongStep) + 1_000_000_000_000_000, group.Count);
                        ViolationException.Require(group.Amount == (long)group.Key * group.Count, $"the unchanged values of group {group.Key} add up to {group.Amount}");
                    }
                });
        }),
        new("sum-decimal-groups", "sums of groups are what rows with either of two values add up to", static setting =>
        {
            ChangeTable<Measure> table = setting.Table<Measure>((rows, i) => rows.Add(
                number: i, decimal8: 0.25m, decimal16: 0, @double: 0, @float: 0, date: Change.Measure.DateOf(i % 4), time: default, dateTime: default, dateTimeOffset: default, timeSpan: default,
                guid: default, int128: 0, uInt128: 0));
            return new ChangeWorld(
                setting.Rows,
                (random, i) => table.Handles[i].Decimal8 = random.Next(4) == 0 ? Huge : 0.25m,
                () =>
                {
                    var groups = table.Rows.GroupBy(r => r.Date).Select(g => new { g.Key, Sum = g.Sum(r => r.Decimal8), Product = g.Sum(r => r.Decimal8 * (1 + r.Decimal16)), Count = g.Count() }).ToList();
                    Answers.Groups(groups.ConvertAll(static g => (g.Key, g.Count)), setting.Rows, static _ => true);
                    foreach (var group in groups) CheckDecimal(group.Sum, 0.25m, Huge, group.Count);
                });
        }),
        new("sum-minimum-maximum", "the least and the greatest value were stored, and are as far apart as values that stay", static setting =>
        {
            ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Change.Whole.Add(rows, i, i == 0 ? 10 : i == 1 ? 89 : setting.NumberAt(i, 20) + 30));
            return new ChangeWorld(
                setting.Rows,
                (random, i) => { if (i > 1) table.Handles[i].Int = random.Next(10, 90); },
                () =>
                {
                    (int least, int most) = (table.Rows.Min(r => r.Int), table.Rows.Max(r => r.Int));
                    ViolationException.Require(least == 10 && most == 89, $"values lie between {least} and {most}, not between 10 and 89");
                });
        }),
    ];

    private static ChangeMechanism Whole(string name, Action<Whole, bool> write, Int128 low, Int128 high, Func<Smc.Collections.Collection<Whole>, long> ask) => new(name, Promise, setting =>
    {
        ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Change.Whole.Add(rows, i, 0));
        return new ChangeWorld(
            setting.Rows,
            (random, i) => write(table.Handles[i], random.Next(2) == 0),
            () => Answers.Sum(ask(table.Rows), low, high, setting.Rows));
    });

    private static ChangeMechanism Measure(string name, Action<Measure, bool> write, decimal low, decimal high, Func<Smc.Collections.Collection<Measure>, decimal> ask) => new(name, Promise, setting =>
    {
        ChangeTable<Measure> table = setting.Table<Measure>((rows, i) => rows.Add(
            number: i, decimal8: 0.25m, decimal16: 0, @double: 0, @float: 0, date: default, time: default, dateTime: default, dateTimeOffset: default, timeSpan: default, guid: default, int128: 0, uInt128: 0));
        return new ChangeWorld(
            setting.Rows,
            (random, i) => write(table.Handles[i], random.Next(2) == 0),
            () => CheckDecimal(ask(table.Rows), low, high, setting.Rows));
    });

    private static void CheckDecimal(decimal sum, decimal low, decimal high, long rows) => Answers.Sum((Int128)(sum * 1000), (Int128)(low * 1000), (Int128)(high * 1000), rows);
}
