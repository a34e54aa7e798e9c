using Smc.Collections;

namespace Smc.Stress.Change.Mechanisms;

/// <summary>Range filters over columns of every type: zone maps, sketches, comparisons of whole columns. Rows move inside the range and outside of it.</summary>
internal static class FilterMechanisms
{
    private const string Promise = "as many rows pass as lie inside the range all the time";

    public static IEnumerable<ChangeMechanism> All =>
    [
        new("filter-window", "each row finds the rows that lie between its bounds all the time", static setting =>
        {
            ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Change.Whole.Add(rows, i, setting.NumberAt(i, Members.Values)));
            int inside = Members.Inside(setting);
            return new ChangeWorld(
                setting.Rows,
                (random, i) => table.Handles[i].Int = Members.Move(setting, random, i),
                () =>
                {
                    foreach (int found in table.Rows.Where(r => r.Number < 24).Select(r => table.Rows.Where(other => other.Int >= r.Number + 10 - r.Number && other.Int < r.Number + 90 - r.Number).Count()).ToList())
                        Answers.Count(found, inside);
                });
        }),
        new("filter-window-any", "each row finds one between its bounds, or none, as it is all the time", static setting =>
        {
            ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Change.Whole.Add(rows, i, setting.NumberAt(i, Members.Values)));
            bool isInside = Members.Inside(setting) > 0;
            return new ChangeWorld(
                setting.Rows,
                (random, i) => table.Handles[i].Int = Members.Move(setting, random, i),
                () =>
                {
                    foreach (bool found in table.Rows.Where(r => r.Number < 24).Select(r => table.Rows.Any(other => other.Int >= r.Number + 10 - r.Number && other.Int < r.Number + 90 - r.Number)).ToList())
                        ViolationException.Require(found == isInside, $"a row between the bounds is {(found ? "" : "not ")}found, and there is {(isInside ? "one" : "none")}");
                    foreach (bool found in table.Rows.Where(r => r.Number < 24).Select(r => table.Rows.Any(other => other.Int > r.Number - 2_000_000_000 - r.Number && other.Int < r.Number - 1_000_000_000 - r.Number)).ToList())
                        ViolationException.Require(!found, "a row is found where no number has ever been");
                });
        }),
        new("filter-pair", "rows whose one column stays below the other pass, and no others", static setting =>
        {
            ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Change.Whole.Add(rows, i, setting.NumberAt(i, Members.Values)));
            // Wide stays as it is: 0 where the number was 0, greater than all numbers elsewhere.
            int above = Enumerable.Range(0, setting.Rows).Count(i => setting.NumberAt(i, Members.Values) > 0);
            return new ChangeWorld(
                setting.Rows,
                (random, i) => table.Handles[i].Int = Members.Move(setting, random, i),
                () => Answers.Count(table.Rows.LongCount(r => r.Int < r.Wide), above));
        }),
        Whole("filter-bool", static (row, n) => row.Bool = Members.IsInside(n), static rows => rows.LongCount(r => r.Bool)),
        Whole("filter-byte", static (row, n) => row.Byte = (byte)n, static rows => rows.LongCount(r => r.Byte >= 10 && r.Byte < 90)),
        Whole("filter-sbyte", static (row, n) => row.SByte = (sbyte)n, static rows => rows.LongCount(r => r.SByte >= 10 && r.SByte < 90)),
        Whole("filter-short", static (row, n) => row.Short = (short)n, static rows => rows.LongCount(r => r.Short >= 10 && r.Short < 90)),
        Whole("filter-ushort", static (row, n) => row.UShort = (ushort)n, static rows => rows.LongCount(r => r.UShort >= 10 && r.UShort < 90)),
        Whole("filter-char", static (row, n) => row.Char = (char)n, static rows => rows.LongCount(r => r.Char >= (char)10 && r.Char < (char)90)),
        Whole("filter-int", static (row, n) => row.Int = n, static rows => rows.LongCount(r => r.Int >= 10 && r.Int < 90)),
        Whole("filter-int-wide", static (row, n) => row.Wide = n * Change.Whole.WideStep, static rows => rows.LongCount(r => r.Wide > 9_500_000 && r.Wide < 89_500_000)),
        Whole("filter-uint", static (row, n) => row.UInt = (uint)n, static rows => rows.LongCount(r => r.UInt >= 10 && r.UInt < 90)),
        Whole("filter-long", static (row, n) => row.Long = n * Change.Whole.LongStep, static rows => rows.LongCount(r => r.Long >= 95_000_000_000 && r.Long < 895_000_000_000)),
        Whole("filter-ulong", static (row, n) => row.ULong = (ulong)n * Change.Whole.ULongStep, static rows => rows.LongCount(r => r.ULong >= 10 * (1UL << 57) && r.ULong < 90 * (1UL << 57))),
        Whole("filter-enum-byte", static (row, n) => row.ByteKind = (ByteKind)n, static rows => rows.LongCount(r => r.ByteKind >= (ByteKind)10 && r.ByteKind < (ByteKind)90)),
        Whole("filter-enum-short", static (row, n) => row.ShortKind = (ShortKind)n, static rows => rows.LongCount(r => r.ShortKind >= (ShortKind)10 && r.ShortKind < (ShortKind)90)),
        Whole("filter-enum-int", static (row, n) => row.IntKind = (IntKind)n, static rows => rows.LongCount(r => r.IntKind >= (IntKind)10 && r.IntKind < (IntKind)90)),
        Whole("filter-enum-long", static (row, n) => row.LongKind = (LongKind)n, static rows => rows.LongCount(r => r.LongKind >= (LongKind)10 && r.LongKind < (LongKind)90)),
        Whole("filter-enum-ulong", static (row, n) => row.ULongKind = (ULongKind)n, static rows => rows.LongCount(r => r.ULongKind >= (ULongKind)10 && r.ULongKind < (ULongKind)90)),
        Measure("filter-decimal-scaled", static (row, n) => row.Decimal8 = Change.Measure.DecimalOf(n), static rows => rows.LongCount(r => r.Decimal8 * 3 >= 30m && r.Decimal8 - 90m < 0m)),
        Measure("filter-decimal-8", static (row, n) => row.Decimal8 = Change.Measure.DecimalOf(n), static rows => rows.LongCount(r => r.Decimal8 >= 10m && r.Decimal8 < 90m)),
        Measure("filter-decimal-16", static (row, n) => row.Decimal16 = Change.Measure.LargeOf(n), static rows => rows.LongCount(r => r.Decimal16 >= 1_800_000_000_000_000_000m && r.Decimal16 < 16_600_000_000_000_000_000m)),
        Measure("filter-double", static (row, n) => row.Double = n, static rows => rows.LongCount(r => r.Double >= 10 && r.Double < 90)),
        Measure("filter-float", static (row, n) => row.Float = n, static rows => rows.LongCount(r => r.Float >= 10 && r.Float < 90)),
        Measure("filter-date", static (row, n) => row.Date = Change.Measure.DateOf(n), static rows =>
        {
            (DateOnly low, DateOnly high) = (Change.Measure.DateOf(10), Change.Measure.DateOf(90));
            return rows.LongCount(r => r.Date >= low && r.Date < high);
        }),
        Measure("filter-time", static (row, n) => row.Time = new TimeOnly(n * 1_000_000L), static rows =>
        {
            (TimeOnly low, TimeOnly high) = (new TimeOnly(10_000_000), new TimeOnly(90_000_000));
            return rows.LongCount(r => r.Time >= low && r.Time < high);
        }),
        Measure("filter-datetime", static (row, n) => row.DateTime = Change.Measure.DateTimeOf(n), static rows =>
        {
            (DateTime low, DateTime high) = (Change.Measure.DateTimeOf(10), Change.Measure.DateTimeOf(90));
            return rows.LongCount(r => r.DateTime >= low && r.DateTime < high);
        }),
        Measure("filter-timespan", static (row, n) => row.TimeSpan = new TimeSpan(n), static rows =>
        {
            (TimeSpan low, TimeSpan high) = (new TimeSpan(10), new TimeSpan(90));
            return rows.LongCount(r => r.TimeSpan >= low && r.TimeSpan < high);
        }),
        Measure("filter-int128", static (row, n) => row.Int128 = Change.Measure.WideOf(n), static rows =>
        {
            (Int128 low, Int128 high) = (Change.Measure.WideOf(10), Change.Measure.WideOf(90));
            return rows.LongCount(r => r.Int128 >= low && r.Int128 < high);
        }),
        Measure("filter-guid", static (row, n) => row.Guid = Change.Measure.GuidOf(n), static rows =>
        {
            (Guid low, Guid high) = (Change.Measure.GuidOf(10), Change.Measure.GuidOf(90));
            return rows.LongCount(r => r.Guid.CompareTo(low) >= 0 && r.Guid.CompareTo(high) < 0);
        }),
        Whole("filter-list", static (row, n) => row.Int = n, static rows =>
        {
            List<int> inside = [.. Enumerable.Range(10, 80)];
            return rows.LongCount(r => inside.Contains(r.Int));
        }),
        Whole("filter-computed", static (row, n) => row.Int = n, static rows => rows.LongCount(r => r.Int + 1 > 10 && r.Int * 2 < 180)),
        Whole("filter-outside", static (row, n) => row.Int = n, static rows => rows.LongCount(r => r.Number >= 0) - rows.LongCount(r => r.Int < 10 || r.Int >= 90)),
        new("filter-rewritten", "a row whose value is stored again passes", static setting =>
        {
            ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Change.Whole.Add(rows, i, setting.NumberAt(i, Members.Values)));
            int fives = Enumerable.Range(0, setting.Rows).Count(i => setting.NumberAt(i, Members.Values) == 5);
            return new ChangeWorld(
                setting.Rows,
                (_, i) => table.Handles[i].Int = setting.NumberAt(i, Members.Values),
                () => Answers.Count(table.Rows.LongCount(r => r.Int == 5), fives));
        }),
        new("filter-two-columns", Promise, static setting =>
        {
            ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Change.Whole.Add(rows, i, setting.NumberAt(i, Members.Values)));
            int inside = Members.Inside(setting);
            return new ChangeWorld(
                setting.Rows,
                (random, i) =>
                {
                    table.Handles[i].Short = (short)Members.Move(setting, random, i);
                    table.Handles[i].Byte = (byte)Members.Move(setting, random, i);
                },
                () => Answers.Count(table.Rows.LongCount(r => r.Short >= 10 && r.Short < 90 && r.Byte >= 10 && r.Byte < 90), inside));
        }),
        new("filter-row-layout", Promise, static setting =>
        {
            ChangeTable<WholeRow> table = setting.Table<WholeRow>((rows, i) => rows.Add(number: i, @int: setting.NumberAt(i, Members.Values), byteKind: default, text: ""));
            int inside = Members.Inside(setting);
            return new ChangeWorld(
                setting.Rows,
                (random, i) => table.Handles[i].Int = Members.Move(setting, random, i),
                () => Answers.Count(table.Rows.LongCount(r => r.Int >= 10 && r.Int < 90), inside));
        }),
        new("filter-rows-come-and-go", "rows that stay pass, others never do", static setting =>
        {
            ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Change.Whole.Add(rows, i, setting.NumberAt(i, Members.Values)));
            int inside = Members.Inside(setting);
            Queue<Whole> guests = [];
            return new ChangeWorld(
                setting.Rows,
                (random, i) =>
                {
                    guests.Enqueue(Change.Whole.Add(table.Rows, i, random.Next(2) == 0 ? random.Next(10) : random.Next(90, 120)));
                    if (guests.Count > 100) table.Rows.Remove(guests.Dequeue());
                    table.Handles[i].Int = Members.Move(setting, random, i);
                },
                () => Answers.Count(table.Rows.LongCount(r => r.Int >= 10 && r.Int < 90), inside));
        }),
    ];

    private static ChangeMechanism Whole(string name, Action<Whole, int> write, Func<Collection<Whole>, long> count) => new(name, Promise, setting =>
    {
        ChangeTable<Whole> table = setting.Table<Whole>((rows, i) => Change.Whole.Add(rows, i, setting.NumberAt(i, Members.Values)));
        int inside = Members.Inside(setting);
        return new ChangeWorld(
            setting.Rows,
            (random, i) => write(table.Handles[i], Members.Move(setting, random, i)),
            () => Answers.Count(count(table.Rows), inside));
    });

    private static ChangeMechanism Measure(string name, Action<Measure, int> write, Func<Collection<Measure>, long> count) => new(name, Promise, setting =>
    {
        ChangeTable<Measure> table = setting.Table<Measure>((rows, i) => Change.Measure.Add(rows, i, setting.NumberAt(i, Members.Values)));
        int inside = Members.Inside(setting);
        return new ChangeWorld(
            setting.Rows,
            (random, i) => write(table.Handles[i], Members.Move(setting, random, i)),
            () => Answers.Count(count(table.Rows), inside));
    });
}
