namespace Smc.Stress.Change.Mechanisms;

/// <summary>Distinct values, texts and tuples. The first rows hold values that nobody changes.</summary>
internal static class DistinctMechanisms
{
    private const string Promise = "no value comes twice, and what a row has all the time is there";

    private const string CountPromise = "each group has as many tens as its rows have all the time";

    public static IEnumerable<ChangeMechanism> All =>
    [
        new("distinct-int", Promise, static setting =>
        {
            ChangeTable<Whole> table = Wholes(setting);
            return new ChangeWorld(
                setting.Rows,
                (random, i) => { if (i > 0) table.Handles[i].Int = random.Next(setting.HasUnusualValues ? 100_000 : 100); },
                () => Answers.Distinct(table.Rows.Select(r => r.Int).Distinct().ToList(), static value => value is >= 0 and < 100_000, 0));
        }),
        new("distinct-long", Promise, static setting =>
        {
            ChangeTable<Whole> table = Wholes(setting);
            return new ChangeWorld(
                setting.Rows,
                (random, i) => { if (i > 0) table.Handles[i].Long = random.Next(100) * Whole.LongStep; },
                () => Answers.Distinct(table.Rows.Select(r => r.Long).Distinct().ToList(), static value => value % Whole.LongStep == 0, 0L));
        }),
        new("distinct-enum", Promise, static setting =>
        {
            ChangeTable<Whole> table = Wholes(setting);
            return new ChangeWorld(
                setting.Rows,
                (random, i) => { if (i > 0) table.Handles[i].ByteKind = (ByteKind)random.Next(setting.HasUnusualValues ? 250 : 100); },
                () => Answers.Distinct(table.Rows.Select(r => r.ByteKind).Distinct().ToList(), static value => (int)value < 250, (ByteKind)0));
        }),
        new("distinct-tuple", Promise, static setting =>
        {
            ChangeTable<Whole> table = Wholes(setting);
            return new ChangeWorld(
                setting.Rows,
                (random, i) =>
                {
                    if (i == 0) return;
                    table.Handles[i].Int = random.Next(10);
                    table.Handles[i].Short = (short)random.Next(10);
                },
                () => Answers.Distinct(table.Rows.Select(r => ValueTuple.Create(r.Int, r.Short)).Distinct().ToList(), static _ => true, ValueTuple.Create(0, (short)0)));
        }),
        new("distinct-double", Promise, static setting =>
        {
            ChangeTable<Measure> table = Measures(setting);
            return new ChangeWorld(
                setting.Rows,
                (random, i) => { if (i > 0) table.Handles[i].Double = random.Next(200); },
                () => Answers.Distinct(table.Rows.Select(r => r.Double).Distinct().ToList(), static value => value is >= 0 and < 200, 0.0));
        }),
        new("distinct-decimal-16", Promise, static setting =>
        {
            ChangeTable<Measure> table = Measures(setting);
            HashSet<decimal> stored = [.. Enumerable.Range(0, 200).Select(Measure.LargeOf)];
            return new ChangeWorld(
                setting.Rows,
                (random, i) => { if (i > 0) table.Handles[i].Decimal16 = Measure.LargeOf(random.Next(200)); },
                () => Answers.Distinct(table.Rows.Select(r => r.Decimal16).Distinct().ToList(), stored.Contains, 0m));
        }),
        new("distinct-guid", Promise, static setting =>
        {
            ChangeTable<Measure> table = Measures(setting);
            HashSet<Guid> stored = [.. Enumerable.Range(0, 200).Select(Measure.GuidOf)];
            return new ChangeWorld(
                setting.Rows,
                (random, i) => { if (i > 0) table.Handles[i].Guid = Measure.GuidOf(random.Next(200)); },
                () => Answers.Distinct(table.Rows.Select(r => r.Guid).Distinct().ToList(), stored.Contains, Guid.Empty));
        }),
        new("distinct-text-inline", Promise, static setting =>
        {
            ChangeTable<Word> table = Words(setting);
            return new ChangeWorld(
                setting.Rows,
                (random, i) => { if (i > 0) table.Handles[i].Inline = Word.InlineOf(random.Next(200)); },
                () => Answers.Distinct(table.Rows.Select(r => r.Inline).Distinct().ToList(), static text => text.StartsWith('w'), "w0"));
        }),
        new("distinct-text-shared", Promise, static setting =>
        {
            ChangeTable<Word> table = Words(setting);
            HashSet<string> stored = [.. Enumerable.Range(0, 200).Select(Word.SharedOf)];
            return new ChangeWorld(
                setting.Rows,
                (random, i) => { if (i > 0) table.Handles[i].Shared = Word.SharedOf(random.Next(200)); },
                () => Answers.Distinct(table.Rows.Select(r => r.Shared).Distinct().ToList(), stored.Contains, Word.SharedOf(0)));
        }),
        new("distinct-text-own", Promise, static setting =>
        {
            ChangeTable<Word> table = Words(setting);
            return new ChangeWorld(
                setting.Rows,
                (random, i) => { if (i > 0) table.Handles[i].Own = Word.OwnOf(random.Next(100), i % 100); },
                () => Answers.Distinct(table.Rows.Select(r => r.Own).Distinct().ToList(), static text => text.Contains("and something", StringComparison.Ordinal), Word.OwnOf(0, 0)));
        }),
        new("distinct-by", Promise, static setting =>
        {
            ChangeTable<Whole> table = Wholes(setting);
            return new ChangeWorld(
                setting.Rows,
                (random, i) => { if (i > 0) table.Handles[i].Int = random.Next(100); },
                () => Answers.Distinct(table.Rows.DistinctBy(r => r.Int).Select(r => r.Number).ToList(), number => number >= 0 && number < setting.Rows));
        }),
        new("distinct-count", "no more values are counted than were ever stored", static setting =>
        {
            ChangeTable<Whole> table = Wholes(setting);
            return new ChangeWorld(
                setting.Rows,
                (random, i) => { if (i > 0) table.Handles[i].Int = random.Next(100); },
                () =>
                {
                    int count = table.Rows.Select(r => r.Int).Distinct().Count();
                    ViolationException.Require(count is > 0 and <= 100, $"{count} distinct values are counted, at most 100 were ever stored");
                });
        }),
        new("distinct-count-few", CountPromise, static setting => Counted(setting, values: 50)),
        new("distinct-count-many", CountPromise, static setting => Counted(setting, values: setting.Rows)),
    ];

    /// <summary>A row's number changes within its ten.</summary>
    private static ChangeWorld Counted(ChangeSetting setting, int values)
    {
        ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Whole.Add(rows, i, i % values * 10));
        int pairs = Enumerable.Range(0, setting.Rows).Select(i => (i % 3, i % values)).Distinct().Count();
        return new ChangeWorld(
            setting.Rows,
            (random, i) => table.Handles[i].Int = (i % values * 10) + random.Next(10),
            () => Answers.Count(table.Rows.GroupBy(r => r.Number % 3, r => r.Int / 10).Select(g => g.Distinct().Count()).ToList().Sum(), pairs));
    }

    private static ChangeTable<Whole> Wholes(ChangeSetting setting) => setting.Table<Whole>((rows, i) => Whole.Add(rows, i, i == 0 ? 0 : setting.NumberAt(i, Members.Values)));

    private static ChangeTable<Measure> Measures(ChangeSetting setting) => setting.Table<Measure>((rows, i) => Measure.Add(rows, i, i == 0 ? 0 : setting.NumberAt(i, Members.Values)));

    private static ChangeTable<Word> Words(ChangeSetting setting) => setting.Table<Word>((rows, i) => Word.Add(rows, i, i == 0 ? 0 : setting.NumberAt(i, 20)));
}
