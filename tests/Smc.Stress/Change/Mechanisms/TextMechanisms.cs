using System.Globalization;
using Smc.Collections;

namespace Smc.Stress.Change.Mechanisms;

/// <summary>Conditions on texts: inline, shared by many rows, and one of its own for each row. A row's text changes among those that pass, or among those that do not.</summary>
internal static class TextMechanisms
{
    private const int Values = 20;

    public static IEnumerable<ChangeMechanism> All =>
    [
        Of("text-inline", Write.Inline, static rows => Query.Run(rows, static (IEnumerable<Word> rows) => rows.LongCount(r => r.Inline is "w10" or "w11" or "w12" or "w13"))),
        Of("text-inline-prefix", Write.Inline, static rows => rows.LongCount(r => r.Inline.StartsWith("w1", StringComparison.Ordinal))),
        Of("text-shared", Write.Shared, static rows => Query.Run(rows, static (IEnumerable<Word> rows) => rows.LongCount(r => r.Shared is "a text with the number 010, which many rows have" or "a text with the number 011, which many rows have"
            or "a text with the number 012, which many rows have" or "a text with the number 013, which many rows have"))),
        Of("text-shared-list", Write.Shared, static rows =>
        {
            List<string> passing = [.. Enumerable.Range(10, 4).Select(Word.SharedOf)];
            return rows.LongCount(r => passing.Contains(r.Shared));
        }),
        Of("text-shared-pattern", Write.Shared, static rows => rows.LongCount(r => r.Shared.Contains("number 01", StringComparison.Ordinal))),
        Of("text-shared-order", Write.Shared, static rows =>
        {
            (string low, string high) = (Word.SharedOf(10), Word.SharedOf(13));
            return rows.LongCount(r => string.CompareOrdinal(r.Shared, low) >= 0 && string.CompareOrdinal(r.Shared, high) <= 0);
        }),
        Of("text-shared-ignoring-case", Write.Shared, static rows => rows.LongCount(r => r.Shared.StartsWith("A TEXT WITH THE NUMBER 01", StringComparison.OrdinalIgnoreCase))),
        Of("text-inline-function", Write.Inline, static rows => rows.LongCount(r => r.Inline.ToUpperInvariant()[1] == '1')),
        Of("text-shared-function", Write.Shared, static rows => rows.LongCount(r => int.Parse(r.Shared.Substring(23, 3), CultureInfo.InvariantCulture) / 10 == 1)),
        Of("text-optional-function", Write.Optional, static rows => rows.LongCount(r => r.Optional == null || r.Optional.ToUpperInvariant().StartsWith("A TEXT WITH THE NUMBER 01", StringComparison.Ordinal))),
        Of("text-own-function", Write.Own, static rows => rows.LongCount(r => r.Own.ToUpperInvariant()[1] == '1')),
        Of("text-own-prefix", Write.Own, static rows => rows.LongCount(r => r.Own.StartsWith("01", StringComparison.Ordinal))),
        Of("text-own-order", Write.Own, static rows => rows.LongCount(r => string.CompareOrdinal(r.Own, "010") >= 0 && string.CompareOrdinal(r.Own, "014") < 0)),
        Of("text-optional", Write.Optional, static rows =>
        {
            List<string?> passing = [null, .. Enumerable.Range(10, 4).Select(Word.SharedOf)];
            return rows.LongCount(r => passing.Contains(r.Optional));
        }),
        new("text-own-equality", "a row whose text is stored again is found", static setting =>
        {
            ChangeTable<Word> table = setting.Table<Word>((rows, i) => Word.Add(rows, i, setting.NumberAt(i, Values)));
            int wanted = setting.Rows / 2;
            string text = Word.OwnOf(setting.NumberAt(wanted, Values), wanted);
            return new ChangeWorld(
                setting.Rows,
                (random, i) =>
                {
                    int row = random.Next(4) == 0 ? wanted : i;
                    table.Handles[row].Own = Word.OwnOf(setting.NumberAt(row, Values), row);
                },
                () => Answers.Count(table.Rows.LongCount(r => r.Own == text), 1));
        }),
    ];

    /// <summary>Rows have numbers 6 to 9, which do not pass, 10 to 13, which pass, and 20 to 23, which do not; as in <see cref="Members"/> they stay on their side.</summary>
    private static ChangeMechanism Of(string name, Action<Word, int, int> write, Func<Collection<Word>, long> count) => new(name, "as many rows pass as have one of the texts all the time", setting =>
    {
        ChangeTable<Word> table = setting.Table<Word>((rows, i) => Word.Add(rows, i, First(setting.NumberAt(i, 12))));
        int passing = Enumerable.Range(0, setting.Rows).Count(i => First(setting.NumberAt(i, 12)) is >= 10 and < 20);
        return new ChangeWorld(
            setting.Rows,
            (random, i) => write(table.Handles[i], Move(setting, random, First(setting.NumberAt(i, 12))), i),
            () => Answers.Count(count(table.Rows), passing));
    });

    private static int First(int n) => n < 8 ? 6 + n : 12 + n;

    private static int Move(ChangeSetting setting, Random random, int n) => n < 10 ? random.Next(5, 10) : n < 20 ? random.Next(10, 14) : random.Next(20, setting.HasUnusualValues ? 60 : 24);

    private static class Write
    {
        public static readonly Action<Word, int, int> Inline = static (row, n, _) => row.Inline = Word.InlineOf(n);
        public static readonly Action<Word, int, int> Shared = static (row, n, _) => row.Shared = Word.SharedOf(n);
        public static readonly Action<Word, int, int> Own = static (row, n, i) => row.Own = Word.OwnOf(n, i);
        public static readonly Action<Word, int, int> Optional = static (row, n, _) => row.Optional = n is >= 10 and < 20 && n % 2 == 0 ? null : Word.SharedOf(n);
    }
}
