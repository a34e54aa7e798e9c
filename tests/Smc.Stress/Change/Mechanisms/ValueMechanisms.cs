using Smc.Collections;

namespace Smc.Stress.Change.Mechanisms;

/// <summary>Values that are read into a result: every one was stored as it is. Halves of values of 16 bytes belong together.</summary>
internal static class ValueMechanisms
{
    private const string Promise = "every value of the result was stored";

    public static IEnumerable<ChangeMechanism> All =>
    [
        Measures("value-decimal-8", static (row, n) => row.Decimal8 = Measure.DecimalOf(n), static n => Measure.DecimalOf(n), static rows => rows.Select(r => r.Decimal8).ToList()),
        Measures("value-decimal-16", static (row, n) => row.Decimal16 = Measure.LargeOf(n), static n => Measure.LargeOf(n), static rows => rows.Select(r => r.Decimal16).ToList()),
        Measures("value-int128", static (row, n) => row.Int128 = Measure.WideOf(n), static n => Measure.WideOf(n), static rows => rows.Select(r => r.Int128).ToList()),
        Measures("value-uint128", static (row, n) => row.UInt128 = (UInt128)Measure.WideOf(n), static n => (UInt128)Measure.WideOf(n), static rows => rows.Select(r => r.UInt128).ToList()),
        Measures("value-guid", static (row, n) => row.Guid = Measure.GuidOf(n), static n => Measure.GuidOf(n), static rows => rows.Select(r => r.Guid).ToList()),
        Measures("value-datetimeoffset", static (row, n) => row.DateTimeOffset = Measure.OffsetOf(n), static n => Measure.OffsetOf(n), static rows => rows.Select(r => r.DateTimeOffset).ToList()),
        Measures("value-datetime", static (row, n) => row.DateTime = Measure.DateTimeOf(n), static n => Measure.DateTimeOf(n), static rows => rows.Select(r => r.DateTime).ToList()),
        Words("value-text-inline", static (row, n, _) => row.Inline = Word.InlineOf(n), static rows => rows.Select(r => r.Inline).ToList(), static text => text.StartsWith('w') && text.Length is 2 or 3),
        Words("value-text-shared", static (row, n, _) => row.Shared = Word.SharedOf(n), static rows => rows.Select(r => r.Shared).ToList(), static text => text.EndsWith(", which many rows have", StringComparison.Ordinal)),
        Words("value-text-own", static (row, n, i) => row.Own = Word.OwnOf(n, i), static rows => rows.Select(r => r.Own).ToList(), static text => text.Contains(" and something that is different in every row: ", StringComparison.Ordinal)),
        Read("value-in-pattern", static rows => Query.Run(rows, static (IEnumerable<Whole> rows) => rows.LongCount(r => r.Int is (>= 10 and < 30) or (>= 30 and < 50) or (>= 50 and < 90)))),
        Read("value-in-switch", static rows => Query.Run(rows, static (IEnumerable<Whole> rows) => rows.LongCount(r => r.Int switch { < 10 => 0, < 30 => 1, < 50 => 1, < 90 => 1, _ => 2 } == 1))),
        Read("value-in-selected", static rows => rows.Select(r => r.Int).LongCount(n => (n >= 10 && n < 50) || (n >= 50 && n < 90))),
        Read("value-in-let", static rows => (from r in rows let n = r.Int where (n >= 10 && n < 50) || (n >= 50 && n < 90) select r).LongCount()),
        new("value-filtered", "a value that is tested is the value of the result", static setting =>
        {
            ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Whole.Add(rows, i, setting.NumberAt(i, Members.Values)));
            return new ChangeWorld(
                setting.Rows,
                (random, i) => table.Handles[i].Int = random.Next(100),
                () => Check(table.Rows.Select(r => r.Int).Where(n => n >= 10 && n < 90).ToList()));

            static void Check(List<int> values)
            {
                foreach (int value in values)
                    ViolationException.Require(value is >= 10 and < 90, $"the result holds {value}, which the condition excludes");
            }
        }),
        new("value-filtered-text", "a text that is tested is the text of the result", static setting =>
        {
            ChangeTable<Word> table = setting.Table<Word>((rows, i) => Word.Add(rows, i, setting.NumberAt(i, 10)));
            string wanted = Word.SharedOf(3);
            return new ChangeWorld(
                setting.Rows,
                (random, i) => table.Handles[i].Shared = Word.SharedOf(random.Next(10)),
                () =>
                {
                    foreach (string text in table.Rows.Select(r => r.Shared).Where(text => text == wanted).ToList())
                        ViolationException.Require(text == wanted, $"the result holds '{text}', which the condition excludes");
                });
        }),
        new("value-used-twice", "a value that the query reads once is one value", static setting =>
        {
            ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Whole.Add(rows, i, setting.NumberAt(i, Members.Values)));
            return new ChangeWorld(
                setting.Rows,
                (random, i) => table.Handles[i].Int = random.Next(100),
                () =>
                {
                    foreach (var pair in table.Rows.Select(r => r.Int).Select(n => new { One = n, Two = n + 1000 }).ToList())
                        ViolationException.Require(pair.Two - pair.One == 1000, $"one value is read as {pair.One} and as {pair.Two - 1000}");
                });
        }),
    ];

    /// <summary>The query names the column once, and tests its value more than once.</summary>
    private static ChangeMechanism Read(string name, Func<Collection<Whole>, long> count) => new(name, "a value that the query reads once is one value", setting =>
    {
        ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Whole.Add(rows, i, setting.NumberAt(i, Members.Values)));
        int inside = Members.Inside(setting);
        return new ChangeWorld(
            setting.Rows,
            (random, i) => table.Handles[i].Int = Members.Move(setting, random, i),
            () => Answers.Count(count(table.Rows), inside));
    });

    private static ChangeMechanism Measures<T>(string name, Action<Measure, int> write, Func<int, T> valueOf, Func<Collection<Measure>, List<T>> ask) => new(name, Promise, setting =>
    {
        HashSet<T> stored = [.. Enumerable.Range(0, 100).Select(valueOf)];
        ChangeTable<Measure> table = setting.Table<Measure>((rows, i) => Measure.Add(rows, i, setting.NumberAt(i, Members.Values)));
        return new ChangeWorld(
            setting.Rows,
            (random, i) => write(table.Handles[i], random.Next(100)),
            () => Answers.Values(ask(table.Rows), setting.Rows, stored.Contains));
    });

    private static ChangeMechanism Words(string name, Action<Word, int, int> write, Func<Collection<Word>, List<string>> ask, Func<string, bool> wasStored) => new(name, Promise, setting =>
    {
        ChangeTable<Word> table = setting.Table<Word>((rows, i) => Word.Add(rows, i, setting.NumberAt(i, 10)));
        return new ChangeWorld(
            setting.Rows,
            (random, i) => write(table.Handles[i], random.Next(100), i),
            () => Answers.Values(ask(table.Rows), setting.Rows, wasStored));
    });
}
