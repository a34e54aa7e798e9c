using Smc.Collections;

namespace Smc.Stress.Change.Mechanisms;

/// <summary>Results that are rows, while rows come and go.</summary>
internal static class RowMechanisms
{
    private const string Promise = "no row is null, and none comes twice";

    public static IEnumerable<ChangeMechanism> All =>
    [
        Rows("rows-list", static rows => rows.ToList()),
        Rows("rows-distinct", static rows => rows.Distinct().ToList()),
        Rows("rows-filtered", static rows => rows.Where(r => r.Int >= 0).ToList()),
        Rows("rows-ordered", static rows => rows.OrderBy(r => r.Int).ToList()),
        Rows("rows-top", static rows => rows.OrderByDescending(r => r.Int).Skip(10).Take(500).ToList()),
        Rows("rows-keys", static rows => rows.GroupBy(r => r).Select(g => g.Key).ToList()),
        Rows("rows-joined", static rows => rows.Join(rows, r => r, r => r, (r, other) => other).ToList()),
        Rows("rows-chosen", static rows => rows.GroupBy(r => r.Int).Select(g => g.First()).ToList()),
    ];

    private static ChangeMechanism Rows(string name, Func<Collection<Whole>, List<Whole>> all) => new(name, Promise, setting =>
    {
        ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Whole.Add(rows, i, setting.NumberAt(i, Members.Values)));
        return new ChangeWorld(
            setting.Rows,
            (random, i) =>
            {
                table.Rows.Remove(table.Handles[i]);
                table.Handles[i] = Whole.Add(table.Rows, i, random.Next(Members.Values));
            },
            () =>
            {
                HashSet<Whole> seen = [];
                foreach (Whole row in all(table.Rows))
                {
                    ViolationException.Require(!row.IsNull, "the result holds a null row");
                    ViolationException.Require(seen.Add(row), $"the result holds row {row} twice");
                }
            });
    });
}
