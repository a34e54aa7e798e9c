using Smc.Collections;

namespace Smc.Stress.Change.Mechanisms;

/// <summary>Joins on keys, while rows of both sides go in bulk and others with the same keys come in their places.</summary>
internal static class JoinRemovalMechanisms
{
    /// <summary>Of so many rows one stays.</summary>
    private const int Staying = 4;

    /// <summary>Rows that go together.</summary>
    private const int Together = 24;

    public static IEnumerable<ChangeMechanism> All =>
    [
        Joined("join-removed", "each row that stays on both sides has its one partner, and no row another one than that with its key", static _ => { }),
        Joined("join-removed-index", "the same where a unique index may find the partners", static rows => rows.CreateUniqueIndex(row => row.Long)),
        Joined("join-removed-ordered", "the same where an ordered index may find the partners", static rows => rows.CreateIndex(row => row.Long)),
    ];

    private static ChangeMechanism Joined(string name, string promise, Action<Collection<Whole>> index) => new(name, promise, setting =>
    {
        int rows = Math.Min(setting.Rows, 3000);
        ChangeTable<Whole> left = TableOf(setting, rows), right = TableOf(setting, rows);
        index(right.Rows);
        long staying = (rows + Staying - 1) / Staying;
        return new ChangeWorld(
            rows,
            (random, i) => Replace(random.Next(2) == 0 ? left : right, i),
            () =>
            {
                using var options = Query.Use(new QueryOptions { SeeksAlways = true, DegreeOfParallelism = setting.Degree });
                long kept = 0;
                foreach ((long a, long b) in left.Rows.Join(right.Rows, l => l.Long, r => r.Long, (l, r) => ValueTuple.Create(l.Number, r.Number)).ToList())
                {
                    ViolationException.Require(a == b, $"the row with key {a} has that with key {b} as its partner");
                    kept += a % Staying == 0 ? 1 : 0;
                }

                ViolationException.Require(kept == staying, $"of {staying} rows that stay {kept} have partners");
                Collection<Whole> others = right.Rows;
                long some = left.Rows.LongCount(l => l.Bool && others.Any(r => r.Long == l.Long));
                ViolationException.Require(some == staying, $"of {staying} rows that stay {some} have a partner");
                long none = left.Rows.LongCount(l => l.Bool && !others.Any(r => r.Long == l.Long));
                ViolationException.Require(none == 0, $"of {staying} rows that stay {none} have none");
            });
    });

    /// <summary>Removes the rows from a position on that do not stay, in one call, and adds the same again in another order, so that each has the place of another.</summary>
    private static void Replace(ChangeTable<Whole> table, int first)
    {
        int[] positions = [.. Enumerable.Range(first, Math.Min(Together, table.Handles.Length - first)).Where(i => i % Staying != 0)];
        table.Rows.RemoveRange([.. positions.Select(i => table.Handles[i])]);
        foreach (int i in positions.Reverse()) table.Handles[i] = Add(table.Rows, i);
    }

    private static ChangeTable<Whole> TableOf(ChangeSetting setting, int rows) => setting.Table<Whole>(rows, Add);

    private static Whole Add(Collection<Whole> rows, int i) => rows.AddNew(row =>
    {
        row.Number = i;
        row.Long = i;
        row.Bool = i % Staying == 0;
    });
}
