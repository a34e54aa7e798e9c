using Smc.Collections;

namespace Smc.Stress.Change.Mechanisms;

/// <summary>Filters by codes that one thread makes unknown and another writes anew, all in the same cells.</summary>
internal static class CodeMechanisms
{
    private const int Hot = 128;

    // Codes are written anew once in a millisecond at most.
    private const int Bursts = 3000;
    private const int Lots = 256;
    private const int KeysOfLot = 3;
    private const int FewLots = 16;
    private const string Promise = "as many rows pass as lie inside the range all the time, whichever codes are known";

    public static IEnumerable<ChangeMechanism> All =>
    [
        Of("codes-range", static (row, n) => row.Int = n, static rows => rows.LongCount(r => r.Int >= 10 && r.Int < 90)),
        Of("codes-range-wide", static (row, n) => row.Wide = n * Whole.WideStep, static rows => rows.LongCount(r => r.Wide > 9_500_000 && r.Wide < 89_500_000)),
        new("codes-range-seldom", Promise, static setting =>
        {
            ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Whole.Add(rows, i, NumberAt(setting, i)));
            setting.RewriteCodes(table.Rows);
            return new ChangeWorld(
                Hot,
                (random, i) =>
                {
                    Whole row = table.Handles[Position(setting, i)];
                    row.Int = Members.Move(random, NumberAt(setting, Position(setting, i)), Members.Values);
                    // All codes are known most of the time.
                    Thread.SpinWait(random.Next(100_000));
                },
                () => Answers.Count(table.Rows.LongCount(r => r.Int >= 10 && r.Int < 90), Members.Inside(setting))) { Bursts = Bursts };
        }),
        new("codes-key", "lines with keys of hosts find them, whichever codes are known", static setting =>
        {
            // Of each sixteen neighbouring lots of keys the hosts have one.
            int[] keys = [.. Enumerable.Range(0, Lots).Where(static lot => lot % FewLots == 3).SelectMany(static lot => Enumerable.Range(lot * KeysOfLot, KeysOfLot))];
            ChangeTable<Host> hosts = setting.Table<Host>(keys.Length, (rows, i) => rows.Add(key: keys[i], isInside: true));
            ChangeTable<Line> lines = setting.Table<Line>((rows, i) => rows.Add(number: i, key: LotAt(i) * KeysOfLot, amount: 3, purchase: default, former: default, gift: null));
            setting.RewriteCodes(lines.Rows);
            int expected = Enumerable.Range(0, setting.Rows).Count(static i => LotAt(i) % FewLots == 3);
            return new ChangeWorld(
                Hot,
                (random, i) =>
                {
                    // The join asks its filter of codes when it has seen what the filter keeps.
                    int line = setting.Rows - Hot + i;
                    lines.Handles[line].Key = (LotAt(line) * KeysOfLot) + random.Next(KeysOfLot);
                },
                () => Answers.Count(lines.Rows.Join(hosts.Rows.Where(h => h.IsInside), l => l.Key, h => h.Key, (l, h) => l.Number).LongCount(), expected)) { Bursts = Bursts };
        }),
        new("codes-pair", "rows whose one column stays below the other pass, whichever codes are known", static setting =>
        {
            ChangeTable<Stay> stays = setting.Table<Stay>((rows, i) => rows.Add(number: i, key: i, begin: i % 10, end: Members.IsInside(NumberAt(setting, i)) ? 15 : -5, host: default));
            setting.RewriteCodes(stays.Rows);
            return new ChangeWorld(
                Hot,
                (random, i) => stays.Handles[Position(setting, i)].Begin = random.Next(setting.HasUnusualValues ? 14 : 10),
                () => Answers.Count(stays.Rows.LongCount(s => s.Begin < s.End), Members.Inside(setting))) { Bursts = Bursts };
        }),
        new("codes-reference", "lines pass whose purchase is inside all the time, whichever codes are known", static setting =>
        {
            ChangeTable<Purchase> purchases = setting.Table<Purchase>(Members.Values, static (rows, i) => Purchase.Add(rows, i, i));
            ChangeTable<Line> lines = setting.Table<Line>((rows, i) =>
                rows.Add(number: i, key: i, amount: 3, purchase: purchases.Handles[NumberAt(setting, i)], former: purchases.Handles[0], gift: null));
            setting.RewriteCodes(lines.Rows);
            return new ChangeWorld(
                Hot,
                (random, i) => lines.Handles[Position(setting, i)].Purchase = purchases.Handles[Members.Move(random, NumberAt(setting, Position(setting, i)), Members.Values)],
                () => Answers.Count(lines.Rows.LongCount(l => l.Purchase.Status >= 10 && l.Purchase.Status < 90), Members.Inside(setting))) { Bursts = Bursts };
        }),
    ];

    // The first block has no steps.
    private static int Position(ChangeSetting setting, int hot) => (setting.BlockCapacity + hot) % setting.Rows;

    private static int LotAt(int position) => position * 37 % Lots;

    private static int NumberAt(ChangeSetting setting, int position) => setting.NumberAt(position, Members.Values);

    private static ChangeMechanism Of(string name, Action<Whole, int> write, Func<Collection<Whole>, long> count) => new(name, Promise, setting =>
    {
        ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Whole.Add(rows, i, NumberAt(setting, i)));
        setting.RewriteCodes(table.Rows);
        return new ChangeWorld(
            Hot,
            (random, i) => write(table.Handles[Position(setting, i)], Members.Move(setting, random, Position(setting, i))),
            () => Answers.Count(count(table.Rows), Members.Inside(setting))) { Bursts = Bursts };
    });
}
