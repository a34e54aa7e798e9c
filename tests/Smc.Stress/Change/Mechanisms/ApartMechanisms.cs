using Smc.Collections;

namespace Smc.Stress.Change.Mechanisms;

/// <summary>Look-ups and comparisons of values that lie in rows, which kernels decide by 16 bits for each. One stay in eight is inside, and writers move each among values of its side.</summary>
internal static class ApartMechanisms
{
    private const int OneInside = 8;

    /// <summary>Each stay has one of so many neighbouring keys at a time.</summary>
    private const int Keys = 3;

    /// <summary>More hosts than there are codes.</summary>
    private const int Hosts = 70_000;

    /// <summary>More keys than there are codes, where stays of one block have keys all over.</summary>
    private const int FarKeys = 40_000;

    public static IEnumerable<ChangeMechanism> All =>
    [
        new("apart-pair", "stays pass that begin before they end", static setting =>
        {
            ChangeTable<Stay> stays = setting.Table<Stay>((rows, i) => rows.Add(number: i, key: i, begin: i % 10, end: IsInside(i) ? 15 : -5, host: default));
            return new ChangeWorld(
                setting.Rows,
                (random, i) => stays.Handles[i].Begin = random.Next(setting.HasUnusualValues ? 14 : 10),
                () => Answers.Count(stays.Rows.LongCount(s => s.Begin < s.End), Inside(setting)));
        }),
        new("apart-key", "stays with keys of hosts find them, keys near those of their neighbours", static setting => Joined(setting, static i => i * Keys)),
        new("apart-key-steps", "stays with keys of hosts find them, keys all over", static setting => Joined(setting, static i => (int)((long)i * 7919 % FarKeys) * Keys)),
        new("apart-key-asked", "each stay has a key, and one at a time", static setting =>
        {
            ChangeTable<Stay> stays = setting.Table<Stay>((rows, i) => rows.Add(number: i, key: i * Keys, begin: 0, end: 0, host: default));
            ChangeTable<Host> hosts = setting.Table<Host>(setting.Rows * Keys, static (rows, i) => rows.Add(key: i, isInside: true));
            return new ChangeWorld(
                setting.Rows,
                (random, i) => stays.Handles[i].Key = (i * Keys) + random.Next(Keys),
                () => Answers.Count(hosts.Rows.LongCount(h => stays.Rows.Any(s => s.Key == h.Key)), setting.Rows));
        }),
        new("apart-reference", "stays pass whose host is inside all the time", static setting =>
        {
            ChangeTable<Host> hosts = setting.Table<Host>(Hosts, static (rows, i) => rows.Add(key: i, isInside: i % 1000 == 0));
            ChangeTable<Stay> stays = setting.Table<Stay>((rows, i) => rows.Add(number: i, key: i, begin: 0, end: 0, host: HostFor(i, i * 7)));
            return new ChangeWorld(
                setting.Rows,
                (random, i) => stays.Handles[i].Host = HostFor(i, random.Next(Hosts)),
                () => Answers.Count(stays.Rows.LongCount(s => s.Host.IsInside), Inside(setting)));

            Host HostFor(int stay, int number) => hosts.Handles[(number % (Hosts / 1000) * 1000) + (IsInside(stay) ? 0 : 1 + (number % 999))];
        }),
    ];

    private static bool IsInside(int stay) => stay % OneInside == 3;

    private static int Inside(ChangeSetting setting) => Enumerable.Range(0, setting.Rows).Count(IsInside);

    /// <param name="setting">The setting.</param>
    /// <param name="firstKey">The first of the keys of a stay, in the order of stays.</param>
    private static ChangeWorld Joined(ChangeSetting setting, Func<int, int> firstKey)
    {
        // Stays with one key are on one side.
        HashSet<int> inside = [.. Enumerable.Range(0, setting.Rows).Where(IsInside).Select(firstKey)];
        int expected = Enumerable.Range(0, setting.Rows).Count(i => inside.Contains(firstKey(i)));
        int[] keys = [.. inside.SelectMany(static key => Enumerable.Range(key, Keys)), .. Enumerable.Range(-5, 2), FarKeys * Keys + setting.Rows * Keys];
        ChangeTable<Host> hosts = setting.Table<Host>(keys.Length, (rows, i) => rows.Add(key: keys[i], isInside: true));
        ChangeTable<Stay> stays = setting.Table<Stay>((rows, i) => rows.Add(number: i, key: firstKey(i), begin: 0, end: 0, host: default));
        return new ChangeWorld(
            setting.Rows,
            (random, i) => stays.Handles[i].Key = firstKey(i) + random.Next(Keys),
            () => Answers.Count(stays.Rows.Join(hosts.Rows.Where(h => h.IsInside), s => s.Key, h => h.Key, (s, h) => s.Number).LongCount(), expected));
    }
}
