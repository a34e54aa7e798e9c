using Smc.Collections;

namespace Smc.Stress.Change.Mechanisms;

/// <summary>Keys that queries look up in indexes, while other rows get other keys and indexes come and go.</summary>
internal static class IndexMechanisms
{
    /// <summary>Rows at these distances keep their key.</summary>
    private const int Staying = 4;

    /// <summary>So many rows that stay have one key.</summary>
    private const int RowsOfKey = 3;

    /// <summary>Rows whose keys a join looks up, at most.</summary>
    private const int MostAsked = 24;

    /// <summary>Two texts of two columns.</summary>
    private const int KeysOfRow = 4;

    /// <summary>What fulfils a condition.</summary>
    private const int Wanted = 1;

    public static IEnumerable<ChangeMechanism> All =>
    [
        new("index-key", "a row that keeps its key is found by it, and the value of a result is the key that was asked for", static setting =>
        {
            ChangeTable<Whole> table = TableOf(setting);
            table.Rows.CreateUniqueIndex(row => row.Long);
            Random random = new(setting.Rows);
            return new ChangeWorld(
                setting.Rows,
                (random, i) => Change(table, random, i),
                () => Ask(table.Rows, random.Next(setting.Rows)));
        }),
        new("index-built", "a row that keeps its key is found by it before, while and after there is an index", static setting =>
        {
            ChangeTable<Whole> table = TableOf(setting);
            Random random = new(setting.Rows);
            return new ChangeWorld(
                setting.Rows,
                (random, i) =>
                {
                    if (i % 32 == 1) table.Rows.CreateUniqueIndex(row => row.Long).Dispose();
                    else Change(table, random, i);
                },
                () => Ask(table.Rows, random.Next(setting.Rows)));
        }),
        new("index-range", "a row whose key stays within a range is counted by it once, also if the key changes", static setting =>
        {
            ChangeTable<Whole> table = TableOf(setting);
            table.Rows.CreateIndex(row => row.Long);
            Random random = new(setting.Rows);
            return new ChangeWorld(
                setting.Rows,
                (random, i) => table.Handles[i].Long = i % Staying == 0 ? i : random.Next(setting.Rows),
                () =>
                {
                    using var options = Query.Use(new QueryOptions { SeeksAlways = true });
                    long from = 0, to = setting.Rows;
                    long found = table.Rows.LongCount(row => row.Long >= from && row.Long < to);
                    ViolationException.Require(found == setting.Rows, $"of {setting.Rows} rows {found} are counted");
                    long wanted = random.Next(setting.Rows);
                    foreach (long value in table.Rows.Where(row => row.Long == wanted).Select(row => row.Long).ToList())
                        ViolationException.Require(value == wanted, $"the result holds {value}, and {wanted} was asked for");
                });
        }),
        new("index-first", "the least key is not above that of a row that stays, and the first rows of an order are in order", static setting =>
        {
            ChangeTable<Whole> table = TableOf(setting);
            table.Rows.CreateIndex(row => row.Long);
            Random random = new(setting.Rows);
            return new ChangeWorld(
                setting.Rows,
                (random, i) => table.Handles[i].Long = i % Staying == 0 ? i : random.Next(-3, setting.Rows),
                () =>
                {
                    using var options = Query.Use(new QueryOptions { SeeksAlways = true });
                    long least = table.Rows.Min(row => row.Long);
                    ViolationException.Require(least <= 0, $"the least key is {least}, and one row has 0");
                    List<long> first = table.Rows.OrderBy(row => row.Long).Take(4).Select(row => row.Long).ToList();
                    ViolationException.Require(first.Count == Math.Min(4, setting.Rows) && first[0] <= 0 && first.SequenceEqual(first.Order()), $"the first keys are {string.Join(", ", first)}");
                });
        }),
        new("index-first-filtered", "the first of the rows that fulfil a condition are those that stay, once each and in the order of the scan, while rows before and between them get other keys", static setting =>
        {
            ChangeTable<Whole> table = TableOf(setting);
            for (int i = 0; i < table.Handles.Length; i++)
            {
                // Those that stay share keys; the others may have any, and do not fulfil the condition.
                table.Handles[i].Int = i % Staying == 0 ? Wanted : Wanted + 1;
                if (i % Staying == 0) table.Handles[i].Long = KeyOfStaying(i);
            }

            table.Rows.CreateIndex(row => row.Long);
            Random random = new(setting.Rows);
            int staying = (setting.Rows + Staying - 1) / Staying;
            return new ChangeWorld(
                setting.Rows,
                (random, i) =>
                {
                    if (i % Staying == 0) table.Handles[i].Long = KeyOfStaying(i);
                    else if (random.Next(4) != 0) table.Handles[i].Int = Wanted + 1 + random.Next(2);
                    else table.Handles[i].Long = random.Next(-3, setting.Rows);
                },
                () =>
                {
                    using var options = Query.Use(new QueryOptions { SeeksAlways = true, DegreeOfParallelism = setting.Degree });
                    int count = Math.Min(staying, 1 + random.Next(60));
                    List<long> first = Query.Run(table.Rows, count, static (rows, count) => rows.Where(row => row.Int == Wanted).OrderBy(row => row.Long).Take(count).Select(row => row.Number).ToList());
                    ViolationException.Require(first.Count == count && first.Distinct().Count() == count, $"of {count} first rows these are there: {string.Join(", ", first)}");
                    for (int i = 0; i < count; i++)
                        ViolationException.Require(setting.IsCompacted ? KeyOfStaying((int)first[i]) == KeyOfStaying(i * Staying) : first[i] == i * Staying, $"the first rows are {string.Join(", ", first)}");
                    long least = table.Rows.Where(row => row.Int == Wanted).Min(row => row.Long);
                    ViolationException.Require(least == 0, $"the least key is {least}, and one row has 0");
                });
        }),
        new("index-partners", "a row whose key goes to and fro between two is the partner of one of them at each moment, so of one of them in a join, and never of both or none", static setting =>
        {
            ChangeTable<Whole> table = TableOf(setting);
            table.Rows.CreateUniqueIndex(row => row.Long);
            int asked = Math.Min(setting.Rows, 1 + (setting.Rows % MostAsked));
            // The two keys of a row come far apart, so that its setter has time between them.
            ChangeTable<Whole> keys = setting.Table<Whole>(2 * asked, (rows, i) => Whole.Add(rows, i, 0));
            for (int i = 0; i < keys.Handles.Length; i++) keys.Handles[i].Long = i < asked ? i : asked - 1L - i;
            Collection<Whole> rows = table.Rows;
            long all = setting.Rows;
            return new ChangeWorld(
                asked,
                (random, i) => table.Handles[i].Long = random.Next(2) == 0 ? i : -1L - i,
                () =>
                {
                    using var options = Query.Use(new QueryOptions { SeeksAlways = true, DegreeOfParallelism = setting.Degree });
                    List<long> partners = keys.Rows.Join(rows, key => key.Long, row => row.Long, (key, row) => row.Number).ToList();
                    ViolationException.Require(partners.Count == asked && partners.Distinct().Count() == asked, $"{asked} rows with two keys each are the partners of {partners.Count} keys, {partners.Distinct().Count()} of them different");
                    long some = keys.Rows.LongCount(key => rows.Any(row => row.Long == key.Long && row.Number < all));
                    ViolationException.Require(some == asked, $"of two keys for each of {asked} rows {some} have a row");
                    long none = keys.Rows.LongCount(key => !rows.Any(row => row.Long == key.Long));
                    ViolationException.Require(none == asked, $"of two keys for each of {asked} rows {none} have none");
                });
        }),
        new("index-partners-ordered", "a row whose key goes to and fro between two, each of which other rows have, too, is the partner of one of them at each moment, so of one of them in a join, and never of both or none", static setting =>
        {
            ChangeTable<Whole> table = TableOf(setting);
            table.Rows.CreateIndex(row => row.Long);
            int asked = Math.Min(setting.Rows, 1 + (setting.Rows % MostAsked));
            int pairs = (asked + RowsOfKey - 1) / RowsOfKey;
            for (int i = 0; i < table.Handles.Length; i++) table.Handles[i].Long = i < asked ? i / RowsOfKey : setting.Rows + i;
            // The two keys of a row come far apart, so that its setter has time between them.
            ChangeTable<Whole> keys = setting.Table<Whole>(2 * pairs, (rows, i) => Whole.Add(rows, i, 0));
            for (int i = 0; i < keys.Handles.Length; i++) keys.Handles[i].Long = i < pairs ? i : pairs - 1L - i;
            Collection<Whole> rows = table.Rows;
            long all = setting.Rows;
            return new ChangeWorld(
                asked,
                (random, i) => table.Handles[i].Long = random.Next(2) == 0 ? i / RowsOfKey : -1L - (i / RowsOfKey),
                () =>
                {
                    using var options = Query.Use(new QueryOptions { SeeksAlways = true, DegreeOfParallelism = setting.Degree });
                    List<(long Key, long Number)> partners = keys.Rows.Join(rows, key => key.Long, row => row.Long, (key, row) => ValueTuple.Create(key.Long, row.Number)).ToList();
                    ViolationException.Require(partners.Count == asked && partners.Select(pair => pair.Number).Distinct().Count() == asked, $"{asked} rows with two keys each are the partners of {partners.Count} keys, {partners.Select(pair => pair.Number).Distinct().Count()} of them different");
                    foreach ((long key, long number) in partners)
                        ViolationException.Require((key < 0 ? -1 - key : key) == number / RowsOfKey, $"row {number} is the partner of key {key}");
                    long none = keys.Rows.LongCount(key => !rows.Any(row => row.Long == key.Long && row.Number < all));
                    ViolationException.Require(none <= pairs, $"of two keys each for {pairs} groups of rows {none} have none");
                });
        }),
        new("index-partners-parts", "a row that goes to and fro between four keys of two columns and a text is the partner of one of them in a join", static setting =>
        {
            ChangeTable<Word> table = setting.Table<Word>(static (rows, i) => Word.Add(rows, i, i));
            for (int i = 0; i < table.Handles.Length; i++) (table.Handles[i].Own, table.Handles[i].Inline) = (TextOf(i), ShortOf(i));
            table.Rows.CreateUniqueIndex(row => ValueTuple.Create(row.Own, row.Inline));
            int asked = Math.Min(setting.Rows, 1 + (setting.Rows % MostAsked));
            ChangeTable<Word> keys = setting.Table<Word>(KeysOfRow * asked, (rows, i) => Word.Add(rows, i, 0));
            for (int i = 0; i < keys.Handles.Length; i++)
            {
                int row = i % asked, key = i / asked;
                (keys.Handles[i].Own, keys.Handles[i].Inline) = (TextOf(key % 2 == 0 ? row : setting.Rows + row), ShortOf(key / 2 == 0 ? row : setting.Rows + row));
            }

            Collection<Word> rows = table.Rows;
            return new ChangeWorld(
                asked,
                (random, i) =>
                {
                    int number = random.Next(2) == 0 ? i : setting.Rows + i;
                    if (random.Next(2) == 0) table.Handles[i].Own = TextOf(number);
                    else table.Handles[i].Inline = ShortOf(number);
                },
                () =>
                {
                    using var options = Query.Use(new QueryOptions { SeeksAlways = true, DegreeOfParallelism = setting.Degree });
                    List<long> partners = keys.Rows.Join(rows, key => new { key.Own, key.Inline }, row => new { row.Own, row.Inline }, (key, row) => row.Number).ToList();
                    ViolationException.Require(partners.Count == asked && partners.Distinct().Count() == asked, $"{asked} rows with four keys each are the partners of {partners.Count} keys, {partners.Distinct().Count()} of them different");
                    long none = keys.Rows.LongCount(key => !rows.Any(row => row.Own == key.Own && row.Inline == key.Inline));
                    ViolationException.Require(none == (KeysOfRow - 1) * asked, $"of four keys for each of {asked} rows {none} have no row");
                });
        }),
        new("index-partners-taken", "a row that takes the key of a row that is removed, and goes back to its own, is the partner of one of the two in a join", static setting =>
        {
            // Few keys, and one row that changes: a change of any other row tells a query that something did.
            ChangeTable<Whole> table = TableOf(setting);
            table.Rows.CreateUniqueIndex(row => row.Long);
            ChangeTable<Whole> keys = setting.Table<Whole>(2, (rows, i) => Whole.Add(rows, i, 0));
            // The key of the row that comes and goes is asked for first.
            for (int i = 0; i < keys.Handles.Length; i++) keys.Handles[i].Long = i - 1;
            Collection<Whole> rows = table.Rows;
            int guestNumber = setting.Rows;
            Lock turns = new();
            Whole guest = Guest();
            return new ChangeWorld(
                1,
                (random, i) =>
                {
                    lock (turns)
                    {
                        Thread.SpinWait(random.Next(2000));
                        rows.Remove(guest);
                        table.Handles[0].Long = -1;
                        table.Handles[0].Long = 0;
                        guest = Guest();
                    }
                },
                () =>
                {
                    using var options = Query.Use(new QueryOptions { SeeksAlways = true, DegreeOfParallelism = setting.Degree });
                    List<long> partners = keys.Rows.Join(rows, key => key.Long, row => row.Long, (key, row) => row.Number).ToList();
                    ViolationException.Require(partners.Count(number => number != guestNumber) == 1, $"a row with two keys is the partner of {partners.Count(number => number != guestNumber)} of them");
                });

            Whole Guest() => rows.AddNew(row =>
            {
                row.Number = guestNumber;
                row.Long = -1;
            });
        }),
        new("index-partners-null", "a row that goes to and fro between a text and null, for the first time since there is the index, is the partner of one of the two", static setting =>
        {
            // Few rows: what matters happens once for each index that is made.
            ChangeTable<Word> table = setting.Table<Word>(1 + (setting.Rows % MostAsked), static (rows, i) => Word.Add(rows, i, i));
            for (int i = 0; i < table.Handles.Length; i++) table.Handles[i].Optional = TextOf(i);
            ChangeTable<Word> keys = setting.Table<Word>(2, (rows, i) => Word.Add(rows, i, 0));
            for (int i = 0; i < keys.Handles.Length; i++) keys.Handles[i].Optional = i == 0 ? TextOf(0) : null;
            Collection<Word> rows = table.Rows;
            return new ChangeWorld(
                1,
                (random, i) =>
                {
                    using UniqueIndex<Word, string?> index = rows.CreateUniqueIndex(row => row.Optional);
                    Thread.SpinWait(random.Next(2000));
                    table.Handles[0].Optional = null;
                    table.Handles[0].Optional = TextOf(0);
                },
                () =>
                {
                    using var options = Query.Use(new QueryOptions { SeeksAlways = true, DegreeOfParallelism = setting.Degree });
                    long some = keys.Rows.LongCount(key => rows.Any(row => row.Optional == key.Optional));
                    ViolationException.Require(some == 1, $"a row with a text or null is the partner of {some} of these two");
                });
        }),
        new("index-listed", "a row whose key goes to and fro between two of a list has one of them at each moment, so it comes once for the list", static setting =>
        {
            ChangeTable<Whole> table = TableOf(setting);
            table.Rows.CreateUniqueIndex(row => row.Long);
            int asked = Math.Min(setting.Rows, 1 + (setting.Rows % MostAsked));
            // The two keys of a row come far apart, so that its setter has time between them.
            long[] keys = [.. Enumerable.Range(0, asked).Select(i => (long)i), .. Enumerable.Range(0, asked).Select(i => (long)i - asked)];
            List<long> list = [.. keys];
            return new ChangeWorld(
                asked,
                (random, i) => table.Handles[i].Long = random.Next(2) == 0 ? i : -1L - i,
                () =>
                {
                    using var options = Query.Use(new QueryOptions { SeeksAlways = true, DegreeOfParallelism = setting.Degree });
                    List<long> found = Query.Run(table.Rows, keys, static (IEnumerable<Whole> rows, long[] keys) => rows.Where(row => keys.Contains(row.Long)).Select(row => row.Number).ToList());
                    ViolationException.Require(found.Count == asked && found.Distinct().Count() == asked, $"{asked} rows have one of two keys each, and these are found: {string.Join(", ", found)}");
                    long counted = table.Rows.LongCount(row => list.Contains(row.Long) && row.Number >= 0);
                    ViolationException.Require(counted == asked, $"{asked} rows have one of two keys each, and {counted} are counted");
                });
        }),
        new("index-alternatives", "a row whose key goes to and fro between two of a pattern has one of them at each moment, so it comes once", static setting =>
        {
            ChangeTable<Whole> table = TableOf(setting);
            table.Rows.CreateUniqueIndex(row => row.Long);
            return new ChangeWorld(
                2,
                (random, i) => table.Handles[i].Long = random.Next(2) == 0 ? i : -1L - i,
                () =>
                {
                    using var options = Query.Use(new QueryOptions { SeeksAlways = true, DegreeOfParallelism = setting.Degree });
                    List<long> found = Query.Run(table.Rows, static (IEnumerable<Whole> rows) => rows.Where(row => row.Long is 0 or 1 or -2 or -1 or 0).Select(row => row.Number).ToList());
                    ViolationException.Require(found.Count == 2 && found.Distinct().Count() == 2, $"two rows have one of two keys each, and these are found: {string.Join(", ", found)}");
                });
        }),
        new("index-listed-ordered", "the same with an ordered index, where two rows may have one of these keys", static setting =>
        {
            ChangeTable<Whole> table = TableOf(setting);
            table.Rows.CreateIndex(row => row.Long);
            int asked = Math.Min(setting.Rows, 1 + (setting.Rows % MostAsked));
            long[] keys = [.. Enumerable.Range(0, asked).Select(i => (long)i), .. Enumerable.Range(0, asked).Select(i => (long)i - asked)];
            return new ChangeWorld(
                asked,
                (random, i) => table.Handles[i].Long = random.Next(2) == 0 ? asked - 1 - i : i - (long)asked,
                () =>
                {
                    using var options = Query.Use(new QueryOptions { SeeksAlways = true, DegreeOfParallelism = setting.Degree });
                    List<long> found = Query.Run(table.Rows, keys, static (IEnumerable<Whole> rows, long[] keys) => rows.Where(row => keys.Contains(row.Long)).Select(row => row.Number).ToList());
                    ViolationException.Require(found.Count == asked && found.Distinct().Count() == asked, $"{asked} rows have one of two keys each, and these are found: {string.Join(", ", found)}");
                });
        }),
        new("index-listed-null", "a row that goes to and fro between a text and null is found by a list that has both", static setting =>
        {
            ChangeTable<Word> table = setting.Table<Word>(static (rows, i) => Word.Add(rows, i, i));
            for (int i = 0; i < table.Handles.Length; i++) table.Handles[i].Optional = TextOf(i);
            table.Rows.CreateUniqueIndex(row => row.Optional);
            string?[] texts = [TextOf(0), null];
            return new ChangeWorld(
                1,
                (random, i) => table.Handles[i].Optional = random.Next(2) == 0 ? TextOf(i) : null,
                () =>
                {
                    using var options = Query.Use(new QueryOptions { SeeksAlways = true, DegreeOfParallelism = setting.Degree });
                    long some = table.Rows.LongCount(row => texts.Contains(row.Optional));
                    ViolationException.Require(some == 1, $"a row with a text or null is found {some} times by a list of both");
                });
        }),
        new("index-optional", "a row that keeps its number is found by it, and one that keeps null by null, while others go to and fro between both", static setting =>
        {
            ChangeTable<Option> table = setting.Table<Option>(static (rows, i) => Option.Add(rows, i, i));
            for (int i = 0; i < table.Handles.Length; i++) table.Handles[i].Long = i % Staying == 1 ? null : i;
            table.Rows.CreateUniqueIndex(row => row.Long);
            Random random = new(setting.Rows);
            long nulls = table.Handles.Where((_, i) => i % Staying == 1).LongCount();
            return new ChangeWorld(
                setting.Rows,
                (random, i) =>
                {
                    if (i % Staying > 1) table.Handles[i].Long = random.Next(2) == 0 ? i : null;
                },
                () =>
                {
                    int number = random.Next(setting.Rows);
                    long? wanted = number, none = number % 2 == 0 ? null : -1;
                    long found = table.Rows.LongCount(row => row.Long == wanted);
                    ViolationException.Require(found == 1 || (found == 0 && number % Staying != 0), $"key {wanted} is counted {found} times");
                    long without = table.Rows.LongCount(row => row.Long == none);
                    ViolationException.Require(none is null ? without >= nulls : without == 0, $"of {nulls} rows that keep null {without} are counted by {none}");
                });
        }),
        new("index-text", "a row that keeps its text is found by it", static setting =>
        {
            ChangeTable<Word> table = setting.Table<Word>(static (rows, i) => Word.Add(rows, i, i));
            for (int i = 0; i < table.Handles.Length; i++) table.Handles[i].Own = TextOf(i);
            table.Rows.CreateUniqueIndex(row => row.Own);
            Random random = new(setting.Rows);
            return new ChangeWorld(
                setting.Rows,
                (random, i) =>
                {
                    if (i % Staying != 0) table.Handles[i].Own = TextOf(random.Next(2) == 0 ? i : setting.Rows + i);
                },
                () =>
                {
                    int number = random.Next(setting.Rows);
                    string wanted = TextOf(number);
                    long found = table.Rows.LongCount(row => row.Own == wanted);
                    ViolationException.Require(found == 1 || (found == 0 && number % Staying != 0), $"'{wanted}' is counted {found} times");
                });
        }),
    ];

    private static int KeyOfStaying(int position) => position / Staying / RowsOfKey;

    private static ChangeTable<Whole> TableOf(ChangeSetting setting)
    {
        ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Whole.Add(rows, i, setting.NumberAt(i, Members.Values)));
        for (int i = 0; i < table.Handles.Length; i++) table.Handles[i].Long = i;
        return table;
    }

    /// <summary>Changes the key between two that no other row has.</summary>
    private static void Change(ChangeTable<Whole> table, Random random, int i)
    {
        if (i % Staying != 0) table.Handles[i].Long = random.Next(2) == 0 ? i : -1L - i;
    }

    private static void Ask(Collection<Whole> rows, int number)
    {
        long wanted = number;
        long found = rows.LongCount(row => row.Long == wanted);
        ViolationException.Require(found == 1 || (found == 0 && number % Staying != 0), $"key {wanted} is counted {found} times");
        foreach (long value in rows.Select(row => row.Long).Where(value => value == wanted).ToList())
            ViolationException.Require(value == wanted, $"the result holds {value}, and {wanted} was asked for");
    }

    private static string TextOf(int number) => $"a text that one row has alone, which is that with the number {number}";

    private static string ShortOf(int number) => $"s{number}";
}
