using Smc.Collections;

namespace Smc.Stress.Change.Mechanisms;

/// <summary>Groups: by a map of few values, by dense id, by hash, by texts. Rows change their group; now and then one gets a key that no zone map had.</summary>
internal static class GroupMechanisms
{
    private const string Promise = "every row is in one group, and no key has two";
    private const int Unusual = 30_000_000;

    public static IEnumerable<ChangeMechanism> All =>
    [
        Of("group-int", static (row, n) => row.Int = n, 10, Unusual, static rows => rows.GroupBy(r => r.Int).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()),
        Of("group-int-sum", static (row, n) => row.Int = n, 10, Unusual, static rows =>
            [.. rows.GroupBy(r => r.Int).Select(g => new { g.Key, Sum = g.Sum(r => r.Byte), Count = g.Count(), Numbers = g.Sum(r => r.Number) }).ToList().Select(static g => (g.Key, g.Count))]),
        Of("group-bool", static (row, n) => row.Bool = n > 0, 2, 1, static rows => [.. rows.GroupBy(r => r.Bool).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList().Select(static g => (g.Item1 ? 1 : 0, g.Item2))]),
        Of("group-byte", static (row, n) => row.Byte = (byte)n, 10, 200, static rows => rows.GroupBy(r => (int)r.Byte).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()),
        Of("group-enum-byte", static (row, n) => row.ByteKind = (ByteKind)n, 4, 200, static rows => [.. rows.GroupBy(r => r.ByteKind).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList().Select(static g => ((int)g.Item1, g.Item2))]),
        Of("group-short", static (row, n) => row.Short = (short)n, 10, 30_000, static rows => [.. rows.GroupBy(r => r.Short).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList().Select(static g => ((int)g.Item1, g.Item2))]),
        Of("group-long", static (row, n) => row.Long = n, 10, Unusual, static rows => [.. rows.GroupBy(r => r.Long).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList().Select(static g => ((int)g.Item1, g.Item2))], initial: static (rows, i, n) => Whole.Add(rows, i, 0)),
        Of("group-many", static (row, n) => row.Wide = n, 5_000, Unusual, static rows => rows.GroupBy(r => r.Wide).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList(), initial: static (rows, i, n) => Whole.Add(rows, i, 0)),
        Of("group-later", static (row, n) => row.Int = n, 5_000, Unusual, static rows => (from r in rows let rest = r.Number % 7 where rest >= 0 group r by r.Int into g select ValueTuple.Create(g.Key, g.Count())).ToList()),
        Of("group-later-distinct", static (row, n) => row.Long = n, 5_000, Unusual, static rows =>
            [.. (from r in rows let rest = r.Number % 7 where rest >= 0 group r.Number by r.Long into g select ValueTuple.Create(g.Key, g.Distinct().Count())).ToList().Select(static g => ((int)g.Item1, g.Item2))],
            initial: static (rows, i, n) => Whole.Add(rows, i, 0)),
        new("group-near-int", Promise, static setting =>
        {
            // So many and so far apart that their values do not fit 16 bits, and are not more than two for each row.
            const int Rows = 36_000, Near = 16;
            ChangeTable<Whole> table = setting.Table<Whole>(Rows, static (rows, i) => rows.AddNew(row =>
            {
                row.Number = i;
                row.Int = KeyAt(i);
            }));
            int blocks = Rows / setting.BlockCapacity;
            return new ChangeWorld(
                Rows,
                (random, i) =>
                {
                    // Rows beside the end of a block get keys of the next one, and the other way round. Zone maps stay so narrow that parts of the scan go on dividing the keys.
                    int row = Math.Min(Rows - 1, (random.Next(1, blocks + 1) * setting.BlockCapacity) + random.Next(-Near, Near));
                    bool isUnusual = setting.HasUnusualValues && random.Next(50_000) == 0;
                    table.Handles[row].Int = isUnusual ? -1 : KeyAt(Math.Min(Rows - 1, row + random.Next(-Near, Near)));
                },
                () =>
                {
                    using var threads = Query.Use(new QueryOptions { DegreeOfParallelism = 2, MinRowsPerThread = 1, DividesAtOnce = true });
                    Answers.Groups(
                        table.Rows.GroupBy(r => r.Int).Select(g => new { g.Key, Count = g.Count(), Numbers = g.Sum(r => (long)r.Number) }).ToList().ConvertAll(static g => (g.Key, g.Count)), Rows, static key => key >= -1);
                });
            static int KeyAt(int row) => 1 + (row / 4 * 15 / 2);
        }),
        Of("group-computed", static (row, n) => row.Int = n, 10, Unusual, static rows => rows.GroupBy(r => r.Int / 2 * 2).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()),
        Of("group-filtered", static (row, n) => row.Int = n, 10, 100, static rows => rows.Where(r => r.Int < 1_000_000).GroupBy(r => r.Int).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()),
        Of("group-having", static (row, n) => row.Int = n, 10, Unusual, static rows => rows.GroupBy(r => r.Int).Where(g => g.Count() > 0).OrderBy(g => g.Key).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()),
        Of("group-rows", static (row, n) => row.Int = n, 10, Unusual, static rows =>
            rows.GroupBy(r => r.Int).Select(g => ValueTuple.Create(g.Key, g.Where(r => r.Number >= 0).OrderBy(r => r.Number).Select(r => r.Number).ToList().Count)).ToList()),
        Of("group-rows-first", static (row, n) => row.Int = n, 10, Unusual, static rows =>
            [.. rows.GroupBy(r => r.Int).Select(g => new { g.Key, Count = g.Count(), First = g.OrderByDescending(r => r.Number).First().Number }).ToList().Select(static g => (g.Key, g.Count))]),
        new("group-rows-kept", "rows inside all the time are kept", static setting =>
        {
            ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Whole.Add(rows, i, setting.NumberAt(i, Members.Values)));
            int inside = Members.Inside(setting);
            return new ChangeWorld(
                setting.Rows,
                (random, i) => table.Handles[i].Int = Members.Move(setting, random, i),
                () => Answers.Count(
                    table.Rows.GroupBy(r => r.Number % 7).SelectMany(g => g.Where(r => r.Int >= 10 && r.Int < 90), (g, r) => r.Number).ToList().Count, inside, "the rows of groups that are kept"));
        }),
        Of("group-count-by", static (row, n) => row.Int = n, 10, Unusual, static rows => [.. rows.CountBy(r => r.Int).ToList().Select(static g => (g.Key, g.Value))]),
        Of("group-dictionary", static (row, n) => row.Int = n, 10, Unusual, static rows => [.. rows.GroupBy(r => r.Int).ToDictionary(g => g.Key, g => g.Count()).Select(static g => (g.Key, g.Value))]),
        Of("group-min-max", static (row, n) => row.Int = n, 10, Unusual, static rows =>
        {
            var groups = rows.GroupBy(r => r.Int).Select(g => new { g.Key, Count = g.Count(), Least = g.Min(r => r.Number), Most = g.Max(r => r.Number) }).ToList();
            return [.. groups.Select(static g => (g.Key, g.Least <= g.Most ? g.Count : -1))];
        }),
        new("group-row-layout", Promise, static setting =>
        {
            ChangeTable<WholeRow> table = setting.Table<WholeRow>((rows, i) => rows.Add(number: i, @int: setting.NumberAt(i, 10), byteKind: 0, text: "one"));
            return new ChangeWorld(
                setting.Rows,
                (random, i) => table.Handles[i].Int = random.Next(64) == 0 ? Unusual : random.Next(10),
                () => Answers.Groups(table.Rows.GroupBy(r => r.Int).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList(), setting.Rows, static key => key is Unusual or (>= 0 and < 10)));
        }),
        new("group-rows-come-and-go", "rows that stay are in one group each", static setting =>
        {
            ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Whole.Add(rows, i, setting.NumberAt(i, 10)));
            Queue<Whole> guests = [];
            return new ChangeWorld(
                setting.Rows,
                (random, i) =>
                {
                    guests.Enqueue(Whole.Add(table.Rows, i, random.Next(60, 120)));
                    if (guests.Count > 100) table.Rows.Remove(guests.Dequeue());
                    table.Handles[i].Int = random.Next(50);
                },
                () => Answers.Groups(
                    table.Rows.GroupBy(r => r.Int).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList().FindAll(static g => g.Item1 < 50), setting.Rows, static key => key >= 0));
        }),
        new("group-two-keys", Promise, static setting =>
        {
            ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Whole.Add(rows, i, setting.NumberAt(i, 10)));
            return new ChangeWorld(
                setting.Rows,
                (random, i) =>
                {
                    table.Handles[i].Byte = (byte)(random.Next(64) == 0 ? 200 + random.Next(50) : random.Next(10));
                    table.Handles[i].Short = (short)(random.Next(64) == 0 ? 20_000 + random.Next(50) : random.Next(10));
                },
                () => Answers.Groups(
                    table.Rows.GroupBy(r => new { r.Byte, r.Short }).Select(g => new { g.Key.Byte, g.Key.Short, Count = g.Count() }).ToList().ConvertAll(static g => ((g.Byte, g.Short), g.Count)),
                    setting.Rows,
                    static key => key.Byte is < 10 or (>= 200 and < 250) && key.Short is < 10 or (>= 20_000 and < 20_050)));
        }),
        new("group-enum-sums", "sums of groups add up to what the rows add up to", static setting =>
        {
            ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Whole.Add(rows, i, setting.NumberAt(i, 4)));
            long total = (long)setting.Rows * (setting.Rows - 1) / 2;
            return new ChangeWorld(
                setting.Rows,
                (random, i) => table.Handles[i].ByteKind = (ByteKind)(random.Next(64) == 0 ? 200 + random.Next(5) : random.Next(4)),
                () =>
                {
                    var groups = table.Rows.GroupBy(r => r.ByteKind).Select(g => new { g.Key, Sum = g.Sum(r => r.Number), Count = g.Count() }).ToList();
                    Answers.Groups(groups.ConvertAll(static g => (g.Key, g.Count)), setting.Rows, static key => (int)key is < 4 or (>= 200 and < 205));
                    ViolationException.Require(groups.Sum(g => g.Sum) == total, $"sums of groups add up to {groups.Sum(g => g.Sum):N0}, not to {total:N0}");
                });
        }),
        Texts("group-text-inline", static (row, n, _) => row.Inline = Word.InlineOf(n), static n => Word.InlineOf(n), static rows => rows.GroupBy(r => r.Inline).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()),
        Texts("group-text-shared", static (row, n, _) => row.Shared = Word.SharedOf(n), static n => Word.SharedOf(n), static rows => rows.GroupBy(r => r.Shared).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()),
        Texts("group-text-own", static (row, n, i) => row.Own = Word.OwnOf(n, i), static n => n.ToString("D3", System.Globalization.CultureInfo.InvariantCulture), static rows =>
            rows.GroupBy(r => r.Own.Substring(0, 3)).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()),
        Texts("group-text-ignoring-case", static (row, n, _) => row.Shared = Word.SharedOf(n), static n => Word.SharedOf(n), static rows =>
            rows.GroupBy(r => r.Shared, StringComparer.OrdinalIgnoreCase).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()),
        new("group-nullable", Promise, static setting =>
        {
            ChangeTable<Option> table = setting.Table<Option>((rows, i) => Option.Add(rows, i, i));
            return new ChangeWorld(
                setting.Rows,
                (random, i) => table.Handles[i].Int = random.Next(3) == 0 ? null : random.Next(64) == 0 ? Unusual : 7,
                () => Answers.Groups(
                    table.Rows.GroupBy(r => r.Int).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList(), setting.Rows, static key => key is null or 7 or Unusual));
        }),
        Measures("group-decimal-16", static (row, n) => row.Decimal16 = Measure.LargeOf(n), static n => Measure.LargeOf(n), static rows =>
            rows.GroupBy(r => r.Decimal16).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()),
        Measures("group-guid", static (row, n) => row.Guid = Measure.GuidOf(n), static n => Measure.GuidOf(n), static rows =>
            rows.GroupBy(r => r.Guid).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()),
        Measures("group-double", static (row, n) => row.Double = n, static n => (double)n, static rows =>
            rows.GroupBy(r => r.Double).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()),
        Measures("group-datetime", static (row, n) => row.DateTime = Measure.DateTimeOf(n), static n => Measure.DateTimeOf(n), static rows =>
            rows.GroupBy(r => r.DateTime).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()),
        Measures("group-date", static (row, n) => row.Date = Measure.DateOf(n), static n => Measure.DateOf(n), static rows =>
            rows.GroupBy(r => r.Date).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()),
    ];

    private static ChangeMechanism Of(
        string name, Action<Whole, int> write, int values, int unusual, Func<Collection<Whole>, List<(int Key, int Count)>> ask, Func<Collection<Whole>, int, int, Whole>? initial = null) =>
        new(name, Promise, setting =>
        {
            initial ??= static (rows, i, n) => Whole.Add(rows, i, n);
            ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => initial(rows, i, setting.NumberAt(i, Math.Min(values, 120))));
            return new ChangeWorld(
                setting.Rows,
                (random, i) => write(table.Handles[i], random.Next(64) == 0 ? unusual : random.Next(values)),
                () => Answers.Groups(ask(table.Rows), setting.Rows, key => key == unusual || (key >= 0 && key < Math.Max(values, 2))));
        });

    private static ChangeMechanism Texts(string name, Action<Word, int, int> write, Func<int, string> keyOf, Func<Collection<Word>, List<(string Key, int Count)>> ask) =>
        new(name, Promise, setting =>
        {
            HashSet<string> keys = [.. Enumerable.Range(0, 20).Select(keyOf)];
            ChangeTable<Word> table = setting.Table<Word>((rows, i) => Word.Add(rows, i, setting.NumberAt(i, 10)));
            return new ChangeWorld(
                setting.Rows,
                (random, i) => write(table.Handles[i], random.Next(setting.HasUnusualValues ? 20 : 10), i),
                () => Answers.Groups(ask(table.Rows), setting.Rows, keys.Contains));
        });

    private static ChangeMechanism Measures<TKey>(string name, Action<Measure, int> write, Func<int, TKey> keyOf, Func<Collection<Measure>, List<(TKey Key, int Count)>> ask) =>
        new(name, Promise, setting =>
        {
            HashSet<TKey> keys = [.. Enumerable.Range(0, 60).Select(keyOf)];
            ChangeTable<Measure> table = setting.Table<Measure>((rows, i) => Measure.Add(rows, i, setting.NumberAt(i, 10)));
            return new ChangeWorld(
                setting.Rows,
                (random, i) => write(table.Handles[i], random.Next(64) == 0 ? 10 + random.Next(50) : random.Next(10)),
                () => Answers.Groups(ask(table.Rows), setting.Rows, keys.Contains));
        });
}
