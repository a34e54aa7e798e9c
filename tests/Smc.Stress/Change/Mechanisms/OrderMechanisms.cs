namespace Smc.Stress.Change.Mechanisms;

/// <summary>Sorting, the first few of an order, and queries that end early.</summary>
internal static class OrderMechanisms
{
    public static IEnumerable<ChangeMechanism> All =>
    [
        Wholes("sort-int", "a sorted result has every row once", static (table, rows) =>
            Answers.Distinct(table.Rows.OrderBy(r => r.Int).Select(r => r.Number).ToList(), number => number >= 0 && number < rows, [.. Enumerable.Range(0, rows).Select(static i => (long)i)])),
        Wholes("sort-values", "sorted values rise", static (table, rows) =>
            Answers.Ascending(table.Rows.Select(r => r.Int).OrderBy(n => n).ToList(), rows, static (left, right) => left.CompareTo(right))),
        Wholes("sort-two-keys", "sorted pairs rise", static (table, rows) =>
            Answers.Ascending(table.Rows.Select(r => new { r.Int, r.Number }).OrderBy(p => p.Int).ThenByDescending(p => p.Number).ToList(), rows, static (left, right) => (left.Int, -left.Number).CompareTo((right.Int, -right.Number)))),
        Wholes("sort-top", "the first ten values rise", static (table, _) =>
            Answers.Ascending(table.Rows.Select(r => r.Int).OrderBy(n => n).Take(10).ToList(), 10, static (left, right) => left.CompareTo(right))),
        Wholes("sort-top-descending", "the last ten values fall", static (table, _) =>
            Answers.Ascending(table.Rows.Select(r => r.Int).OrderByDescending(n => n).Take(10).ToList(), 10, static (left, right) => right.CompareTo(left))),
        Wholes("sort-top-rows", "the first thousand rows are different rows", static (table, rows) =>
            Answers.Distinct(table.Rows.OrderBy(r => r.Int).ThenBy(r => r.Number).Take(1000).Select(r => r.Number).ToList(), number => number >= 0 && number < rows)),
        Wholes("sort-page", "a page of sorted values rises", static (table, _) =>
            Answers.Ascending(table.Rows.Select(r => r.Int).OrderBy(n => n).Skip(300).Take(200).ToList(), 200, static (left, right) => left.CompareTo(right))),
        Wholes("sort-last-rows", "the last thousand rows are different rows", static (table, rows) =>
            Answers.Distinct(table.Rows.OrderBy(r => r.Int).ThenBy(r => r.Number).TakeLast(1000).Select(r => r.Number).ToList(), number => number >= 0 && number < rows)),
        Wholes("sort-median", "the value in the middle is one that a row had", static (table, rows) =>
        {
            int median = table.Rows.Select(r => r.Int).OrderBy(n => n).ElementAt(rows / 2);
            ViolationException.Require(Members.IsNumber(median), $"the value in the middle is {median}");
        }),
        Wholes("once-groups", "groups that are made once have all rows, for each element that asks", static (table, rows) =>
        {
            foreach (int counted in table.Rows.Take(4).Select(r => table.Rows.GroupBy(m => m.Int).Select(g => g.Count()).Where(n => n > -1 - r.Number).Sum()).ToList())
                ViolationException.Require(counted == rows, $"the groups have {counted:N0} rows, there are {rows:N0}");
        }),
        Words("sort-text-inline", static (row, n, _) => row.Inline = Word.InlineOf(n), static rows => rows.Select(r => r.Inline).OrderBy(text => text, StringComparer.Ordinal).ToList()),
        Words("sort-text-shared", static (row, n, _) => row.Shared = Word.SharedOf(n), static rows => rows.Select(r => r.Shared).OrderBy(text => text, StringComparer.Ordinal).ToList()),
        Words("sort-text-own", static (row, n, i) => row.Own = Word.OwnOf(n, i), static rows => rows.Select(r => r.Own).OrderBy(text => text, StringComparer.Ordinal).ToList()),
        Wholes("exit-any", "a row inside is found", static (table, _) => ViolationException.Require(table.Rows.Any(r => r.Int >= 10 && r.Int < 90), "no row inside is found")),
        Wholes("exit-all", "all rows have numbers", static (table, _) => ViolationException.Require(table.Rows.All(r => r.Int >= 0 && r.Int < 120), "a row has no number")),
        Wholes("exit-first", "the first value that passes is one that passes", static (table, _) =>
        {
            int first = table.Rows.Select(r => r.Int).First(n => n >= 10 && n < 90);
            ViolationException.Require(Members.IsInside(first), $"the first value inside is {first}");
        }),
        Wholes("exit-contains", "the value that a row has all the time is found", static (table, rows) =>
            ViolationException.Require(table.Rows.Select(r => r.Number).Contains(rows - 1), $"no row has the number {rows - 1}")),
        Wholes("exit-element-at", "there are as many elements as rows", static (table, rows) =>
        {
            int value = table.Rows.Select(r => r.Int).ElementAt(rows - 1);
            ViolationException.Require(Members.IsNumber(value), $"the last value is {value}");
        }),
        Wholes("exit-take", "the values that are taken pass", static (table, _) =>
        {
            foreach (int value in table.Rows.Select(r => r.Int).Where(n => n >= 10 && n < 90).Skip(5).Take(100).ToList())
                ViolationException.Require(Members.IsInside(value), $"{value} is taken, which the condition excludes");
        }),
        Wholes("exit-take-while", "the values that are taken pass", static (table, _) =>
        {
            foreach (int value in table.Rows.Select(r => r.Int).TakeWhile(n => n < 90).ToList())
                ViolationException.Require(value < 90, $"{value} is taken, which the condition excludes");
        }),
        Wholes("exit-single", "one row has the number of one row", static (table, rows) =>
        {
            long half = rows / 2;
            long found = table.Rows.Single(r => r.Number == half && r.Int >= 0).Number;
            ViolationException.Require(found == half, $"the row with the number {half} has {found}");
        }),
        Wholes("exit-max-by", "the row with the greatest number is found", static (table, rows) =>
        {
            long last = table.Rows.MaxBy(r => r.Number).Number;
            ViolationException.Require(last == rows - 1, $"the greatest number is {last}, not {rows - 1}");
        }),
    ];

    private static ChangeMechanism Wholes(string name, string promise, Action<ChangeTable<Whole>, int> ask) => new(name, promise, setting =>
    {
        ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Whole.Add(rows, i, setting.NumberAt(i, Members.Values)));
        return new ChangeWorld(setting.Rows, (random, i) => table.Handles[i].Int = Members.Move(setting, random, i), () => ask(table, setting.Rows));
    });

    private static ChangeMechanism Words(string name, Action<Word, int, int> write, Func<Smc.Collections.Collection<Word>, List<string>> ask) => new(name, "sorted texts rise", setting =>
    {
        ChangeTable<Word> table = setting.Table<Word>((rows, i) => Word.Add(rows, i, setting.NumberAt(i, 10)));
        return new ChangeWorld(
            setting.Rows,
            (random, i) => write(table.Handles[i], random.Next(20), i),
            () => Answers.Ascending(ask(table.Rows), setting.Rows, StringComparer.Ordinal.Compare));
    });
}
