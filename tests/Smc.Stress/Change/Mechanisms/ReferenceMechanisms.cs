using Smc.Collections;

namespace Smc.Stress.Change.Mechanisms;

/// <summary>Conditions and values behind references, joins by key and by row, groups by referenced row. Both sides change.</summary>
internal static class ReferenceMechanisms
{
    private const int PurchaseKeys = 1_000;

    public static IEnumerable<ChangeMechanism> All =>
    [
        Of("navigate-filter", "lines pass whose purchase is inside all the time", Write.Status, static shop =>
            Answers.Count(shop.Lines.Rows.LongCount(l => l.Purchase.Status >= 10 && l.Purchase.Status < 90), shop.LinesInside)),
        Of("navigate-filter-text", "lines pass whose purchase has a label", Write.Label, static shop =>
            Answers.Count(shop.Lines.Rows.LongCount(l => l.Purchase.Label.StartsWith("a text", StringComparison.Ordinal)), shop.Lines.Handles.Length)),
        Of("navigate-value", "every status was stored", Write.Status, static shop =>
            Answers.Values(shop.Lines.Rows.Select(l => l.Purchase.Status).ToList(), shop.Lines.Handles.Length, Members.IsNumber)),
        Of("navigate-reference", "a line refers to a purchase inside all the time", Write.Reference, static shop =>
            Answers.Count(shop.Lines.Rows.LongCount(l => l.Purchase.Status >= 10 && l.Purchase.Status < 90), shop.LinesInside)),
        Of("navigate-settled", "while no reference changes, the lines pass whose purchase is inside", Write.OtherSide, static shop =>
            shop.AskSettled(static lines => lines.LongCount(l => l.Purchase.Status >= 10 && l.Purchase.Status < 90))),
        Of("group-settled", "while no reference changes, the lines are in groups of the statuses that they have", Write.OtherSide, static shop =>
            shop.AskSettled(static lines => lines.Where(l => l.Number >= 0).GroupBy(l => l.Purchase.Status).Where(g => g.Key >= 10 && g.Key < 90).Select(g => g.LongCount()).ToList().Sum())),
        Of("navigate-two", "a line passes if both of its purchases do, whichever is asked first", Write.BothReferences, static shop =>
            Answers.Count(shop.Lines.Rows.LongCount(l => l.Purchase.Status >= 10 && l.Purchase.Status < 90 && l.Former.Key < PurchaseKeys / 2), shop.LinesInsideBoth)),
        Of("navigate-optional", "a line refers to no purchase or to one inside", Write.Gift, static shop =>
            Answers.Count(Query.Run(shop.Lines.Rows, static (IEnumerable<Line> lines) => lines.LongCount(l => (l.Gift?.Status ?? 5) >= 0)), shop.Lines.Handles.Length)),
        Of("navigate-removed", "a line refers to a purchase with a status, whichever it is", Write.NewPurchase, static shop =>
            Answers.Count(shop.Lines.Rows.LongCount(l => l.Purchase.Status >= 0 && l.Purchase.Status < 120), shop.Lines.Handles.Length), removes: true),
        Of("navigate-removed-side", "lines pass whose purchase is inside, whichever it is", Write.NewPurchaseAlike, static shop =>
            Answers.Count(shop.Lines.Rows.LongCount(l => l.Purchase.Status >= 10 && l.Purchase.Status < 90), shop.LinesInside), removes: true),
        Of("navigate-retired", "lines pass whose purchase is inside, retired or not", Write.Retire, static shop =>
            Answers.Count(shop.Lines.Rows.LongCount(l => l.Purchase.Status >= 10 && l.Purchase.Status < 90), shop.LinesInside), removes: true),
        Of("navigate-narrowed", "lines with numbers pass whose purchase is inside, whichever it is", Write.NewPurchaseAlike, static shop =>
            Answers.Count(shop.Lines.Rows.LongCount(l => l.Number >= 0 && l.Purchase.Status >= 10 && l.Purchase.Status < 90), shop.LinesInside), removes: true),
        Of("navigate-two-narrowed", "a line with a number passes if both of its purchases do", Write.BothReferences, static shop =>
            Answers.Count(shop.Lines.Rows.LongCount(l => l.Number >= 0 && l.Purchase.Status >= 10 && l.Purchase.Status < 90 && l.Former.Key < PurchaseKeys / 2), shop.LinesInsideBoth)),
        Of("navigate-held", "a purchase that a query holds passes if it is inside itself", Write.AnyReference, static shop =>
        {
            foreach (int status in (from l in shop.Lines.Rows let p = l.Purchase where p.Status >= 10 && p.Status < 90 group l by new { p.Status, p.Label } into g select g.Key.Status).ToList())
                ViolationException.Require(Members.IsInside(status), $"a purchase with the status {status} passes");
        }),
        Of("navigate-removed-value", "every key belongs to a purchase", Write.NewPurchase, static shop =>
            Answers.Values(shop.Lines.Rows.Select(l => l.Purchase.Key).ToList(), shop.Lines.Handles.Length, static key => key >= 0), removes: true),
        Of("group-reference", "every line is in the group of one purchase", Write.Reference, static shop => Answers.Groups(
            shop.Lines.Rows.GroupBy(l => l.Purchase).Select(g => new { g.Key.Key, Count = g.Count() }).ToList().ConvertAll(static g => (g.Key, g.Count)), shop.Lines.Handles.Length, static key => key >= 0)),
        Of("group-reference-sum", "amounts of groups add up", Write.Reference, static shop =>
        {
            var groups = shop.Lines.Rows.GroupBy(l => l.Purchase).Select(g => new { g.Key.Key, Sum = g.Sum(l => (long)l.Amount), Count = g.Count() }).ToList();
            Answers.Groups(groups.ConvertAll(static g => (g.Key, g.Count)), shop.Lines.Handles.Length, static key => key >= 0);
            ViolationException.Require(groups.Sum(static g => g.Sum) == 3L * shop.Lines.Handles.Length, $"amounts of groups add up to {groups.Sum(static g => g.Sum):N0}, not to {3L * shop.Lines.Handles.Length:N0}");
        }),
        Of("group-removed", "every line is in one group", Write.NewPurchase, static shop => Answers.Count(
            shop.Lines.Rows.GroupBy(l => l.Purchase).Select(g => g.Count()).ToList().Sum(), shop.Lines.Handles.Length, "the sum of groups"), removes: true),
        Of("group-removed-value", "every group has the key of a purchase", Write.NewPurchase, static shop =>
        {
            foreach (int key in shop.Lines.Rows.GroupBy(l => l.Purchase).Select(g => g.Key.Key).ToList())
                ViolationException.Require(key is >= 0 and < 2 * PurchaseKeys, $"a group has the key {key}, which no purchase ever had");
        }, removes: true),
        Of("group-by-navigation", "every line is in the group of one status", Write.Status, static shop => Answers.Groups(
            shop.Lines.Rows.GroupBy(l => l.Purchase.Status).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList(), shop.Lines.Handles.Length, Members.IsNumber)),
        Of("group-by-removed-navigation", "every line is in one group", Write.NewPurchase, static shop => Answers.Groups(
            shop.Lines.Rows.GroupBy(l => l.Purchase.Status).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList(), shop.Lines.Handles.Length, Members.IsNumber), removes: true),
        Of("group-by-navigation-text", "every line is in the group of one label, half a status and its own number", Write.StatusOrLabel, static shop => Answers.Groups(
            shop.Lines.Rows.GroupBy(l => new { l.Purchase.Label, Half = l.Purchase.Status / 2, Odd = l.Number % 2 }).Select(g => ValueTuple.Create(ValueTuple.Create(g.Key.Label, g.Key.Half, g.Key.Odd), g.Count())).ToList(),
            shop.Lines.Handles.Length,
            static key => Members.IsNumber(key.Item2 * 2) && key.Item1.StartsWith("a text", StringComparison.Ordinal))),
        Of("group-by-two-navigations", "every line is in the group of two labels", Write.StatusOrReference, static shop => Answers.Groups(
            shop.Lines.Rows.GroupBy(l => new { l.Purchase.Label, l.Former.Status }).Select(g => ValueTuple.Create(ValueTuple.Create(g.Key.Label, g.Key.Status), g.Count())).ToList(),
            shop.Lines.Handles.Length,
            static key => Members.IsNumber(key.Item2) && key.Item1.StartsWith("a text", StringComparison.Ordinal))),
        Of("group-reference-filtered", "every line that passes is in the group of one purchase", Write.Reference, static shop => Answers.Groups(
            shop.Lines.Rows.Where(l => l.Number % 16 == 3).GroupBy(l => l.Purchase).Select(g => new { g.Key.Key, Count = g.Count() }).ToList().ConvertAll(static g => (g.Key, g.Count)),
            (shop.Lines.Handles.Length + 12) / 16,
            static key => key >= 0)),
        Of("group-rows-kept-navigation", "lines of purchases inside are kept in the groups that are large enough", Write.StatusOrReference, static shop => Answers.Count(
            shop.Lines.Rows.GroupBy(l => l.Number % 7).Where(g => g.Count() > 1).SelectMany(g => g.Where(l => l.Purchase.Status >= 10 && l.Purchase.Status < 90), (g, l) => new { g.Key, l.Number }).ToList().Count,
            shop.LinesInside,
            "the rows of groups that are kept")),
        Of("group-rows-kept-removed", "every row of a group is kept, whichever purchase it has", Write.NewPurchase, static shop => Answers.Count(
            shop.Lines.Rows.GroupBy(l => l.Number % 7).SelectMany(g => g.Where(l => l.Purchase.Status >= 0 && l.Purchase.Status < 120), (g, l) => new { g.Key, l.Number }).ToList().Count,
            shop.Lines.Handles.Length,
            "the rows of groups that are kept"), removes: true),
        Of("group-having-sum", "amounts of groups that are not too small add up", Write.Reference, static shop => Answers.Count(
            shop.Lines.Rows.GroupBy(l => l.Purchase).Where(g => g.Sum(l => (long)l.Amount) > 2).Select(g => g.Sum(l => (long)l.Amount)).ToList().Sum(), 3L * shop.Lines.Handles.Length, "the sum of groups")),
        Of("group-reference-near", "every line is in the group of one purchase, and comes to the places of another thread now and then", Write.NearReference, static shop => Answers.Groups(
            shop.Lines.Rows.GroupBy(l => l.Purchase).Select(g => new { g.Key.Key, Count = g.Count() }).ToList().ConvertAll(static g => (g.Key, g.Count)), shop.Lines.Handles.Length, static key => key >= 0), isNear: true),
        Of("group-rows-near", "rows of groups are all lines", Write.NearReference, static shop => Answers.Count(
            shop.Lines.Rows.GroupBy(l => l.Purchase).SelectMany(g => g.Where(l => l.Amount > 0), (g, l) => l.Number).ToList().Count, shop.Lines.Handles.Length, "the rows of groups"), isNear: true),
        Of("group-distinct-near", "a line has one number in its group", Write.NearReference, static shop => Answers.Count(
            shop.Lines.Rows.GroupBy(l => l.Purchase).Select(g => g.Select(l => l.Number).Distinct().Count()).ToList().Sum(), shop.Lines.Handles.Length, "the distinct numbers"), isNear: true),
        Of("group-runs", "a line is in the group of a purchase that it may have, also where its neighbour has just got the same", Write.LastReference, static shop =>
        {
            int last = shop.Lines.Handles.Length - Shop.LastLines;
            var groups = shop.Lines.Rows.GroupBy(l => l.Purchase)
                .Select(g => new
                {
                    g.Key.Key,
                    Count = g.Count(),
                    First = g.Count(l => l.Number >= last && l.Number % 3 == 0),
                    Second = g.Count(l => l.Number >= last && l.Number % 3 == 1),
                    Third = g.Count(l => l.Number >= last && l.Number % 3 == 2),
                }).ToList();
            Answers.Count(groups.Sum(static g => g.Count), shop.Lines.Handles.Length, "the sum of groups");
            foreach (var group in groups)
            {
                int strangers = (group.Key - shop.FreeKey) switch { 0 => group.Second, 1 => group.Third, 2 => group.First, _ => 0 };
                ViolationException.Require(strangers == 0, $"the group of the purchase {group.Key} has {strangers} lines that never had it");
            }
        }),
        Of("distinct-reference-near", "a purchase comes once", Write.NearReference, static shop => Answers.Distinct(
            shop.Lines.Rows.Select(l => l.Purchase).Distinct().Select(p => p.Key).ToList(), static key => key is >= 0 and < PurchaseKeys), isNear: true),
        Of("distinct-reference", "a purchase comes once", Write.Reference, static shop => Answers.Distinct(
            shop.Lines.Rows.Select(l => l.Purchase).Distinct().Select(p => p.Key).ToList(), static key => key is >= 0 and < PurchaseKeys)),
        Of("join-key", "a line finds the one purchase with its key", Write.Key, static shop => Answers.Count(
            shop.Lines.Rows.Join(shop.Purchases.Rows, l => l.Key, p => p.Key, (l, p) => new { l.Number, p.Key }).LongCount(), shop.Lines.Handles.Length, "the join")),
        Of("join-key-values", "both sides of a pair have the same key", Write.Key, static shop =>
        {
            var pairs = shop.Lines.Rows.Select(l => new { l.Number, l.Key }).Join(shop.Purchases.Rows.Select(p => new { p.Key, p.Status }), l => l.Key, p => p.Key, (l, p) => new { l.Number, Left = l.Key, Right = p.Key }).ToList();
            Answers.Count(pairs.Count, shop.Lines.Handles.Length, "the join");
            foreach (var pair in pairs) ViolationException.Require(pair.Left == pair.Right, $"the join pairs the keys {pair.Left} and {pair.Right}");
        }),
        Of("join-key-filter", "lines of purchases inside find them", Write.StatusAndKeyInside, static shop => Answers.Count(
            shop.Lines.Rows.Join(shop.Purchases.Rows.Where(p => p.Status >= 10 && p.Status < 90), l => l.Key, p => p.Key, (l, p) => l.Number).LongCount(), shop.LinesInside, "the join")),
        Of("join-shared-key", "lines of purchases inside find them, and once more among those that they may have", Write.StatusAndKeyInside, static shop => Answers.Count(
            shop.Lines.Rows.Join(shop.Purchases.Rows.Where(p => p.Status >= 10 && p.Status < 90), l => l.Key, p => p.Key, (l, p) => l).Join(shop.Purchases.Rows, l => l.Key, p => p.Key, (l, p) => p.Label).ToList().Count, shop.LinesInside, "the join")),
        Of("join-build-unusual", "keys that no line has change nothing", Write.ForeignKey, static shop => Answers.Count(
            shop.Lines.Rows.Join(shop.Purchases.Rows.Where(p => p.Status >= 0), l => l.Key, p => p.Key, (l, p) => l.Number).LongCount(), shop.Lines.Handles.Length, "the join")),
        Of("join-probe-unusual", "lines find a purchase, or have a key that none has", Write.LineKeyUnusual, static shop =>
            StayingLinesAreJoined(shop, shop.Lines.Rows.Join(shop.Purchases.Rows, l => l.Key, p => p.Key, (l, p) => l.Number).ToList())),
        Of("join-filter-unusual", "lines find a purchase whose key was looked for ahead, or have a key that none has", Write.LineKeyUnusual, static shop =>
            StayingLinesAreJoined(shop, shop.Lines.Rows.Join(shop.Purchases.Rows.Where(p => p.Status >= 0), l => l.Key, p => p.Key, (l, p) => l.Number).ToList())),
        Of("join-constant", "a line finds the one purchase with a key", Write.Key, static shop => Answers.Count(
            shop.Lines.Rows.Join(shop.Purchases.Rows.Where(p => p.Key == 7), l => 7, p => p.Key, (l, p) => p.Label).ToList().Count, shop.Lines.Handles.Length, "the join")),
        Of("join-group", "a purchase finds lines, all in all every line", Write.Key, static shop => Answers.Count(
            shop.Purchases.Rows.GroupJoin(shop.Lines.Rows, p => p.Key, l => l.Key, (p, lines) => lines.Count()).ToList().Sum(), shop.Lines.Handles.Length, "the group join")),
        Of("join-reference", "a line finds its purchase", Write.Status, static shop => Answers.Count(
            shop.Lines.Rows.Join(shop.Purchases.Rows, l => l.Purchase, p => p, (l, p) => p.Status).ToList().Count, shop.Lines.Handles.Length, "the join")),
        Of("join-contains", "every line has the key of a purchase", Write.Key, static shop => Answers.Count(
            shop.Lines.Rows.LongCount(l => shop.Purchases.Rows.Any(p => p.Key == l.Key)), shop.Lines.Handles.Length)),
        Of("join-nothing", "no line has a key that no purchase has", Write.Key, static shop => Answers.Count(
            shop.Lines.Rows.LongCount(l => !shop.Purchases.Rows.Any(p => p.Key == l.Key)), 0)),
        Of("join-select-many", "lines of purchases are all lines", Write.Reference, static shop => Answers.Count(
            shop.Purchases.Rows.SelectMany(p => shop.Lines.Rows.Where(l => l.Purchase == p), (p, l) => l.Number).LongCount(), shop.Lines.Handles.Length, "the join")),
        Of("join-union", "each key comes once", Write.Key, static shop => Answers.Distinct(
            shop.Lines.Rows.Select(l => l.Key).Union(shop.Purchases.Rows.Select(p => p.Key)).ToList(), static key => key is >= 0 and < PurchaseKeys)),
        Of("join-except", "no key of a line is missing", Write.Key, static shop => Answers.Count(
            shop.Lines.Rows.Select(l => l.Key).Except(shop.Purchases.Rows.Select(p => p.Key)).Count(), 0, "the set of keys without a purchase")),
    ];

    /// <summary>Lines with even numbers keep their keys while those of others become unusual.</summary>
    private static void StayingLinesAreJoined(Shop shop, List<long> joined)
    {
        Answers.Distinct(joined, static _ => true);
        Answers.Count(joined.Count(static number => number % 2 == 0), (shop.Lines.Handles.Length + 1) / 2, "the join, of the lines that keep their keys,");
    }

    private static ChangeMechanism Of(string name, string promise, Action<Shop, Random, int> write, Action<Shop> ask, bool removes = false, bool isNear = false) => new(name, promise, setting =>
    {
        Shop shop = new(setting, isNear);
        return new ChangeWorld(setting.Rows, (random, i) => write(shop, random, i), () => ask(shop)) { RemovesReferencedRows = removes };
    });

    /// <summary>Purchases with different keys, and lines that refer to them by reference and by key.</summary>
    internal sealed class Shop
    {
        /// <summary>So many lines that a few of them are behind the last whole vector.</summary>
        public const int LastLines = 16;

        private readonly ChangeSetting _setting;
        private readonly bool _isNear;
        private readonly int[] _keys;

        // Odd while a reference changes.
        private long _changes;
        private long _settledInside;

        /// <param name="setting">The setting.</param>
        /// <param name="isNear">Whether neighbouring lines have neighbouring purchases.</param>
        public Shop(ChangeSetting setting, bool isNear)
        {
            _setting = setting;
            _isNear = isNear;
            Purchases = setting.Table<Purchase>(PurchaseKeys, static (rows, i) => Purchase.Add(rows, i, i % Members.Values));
            Lines = setting.Table<Line>((rows, i) => rows.Add(number: i, key: KeyAt(i), amount: 3, purchase: Purchases.Handles[KeyAt(i)], former: Purchases.Handles[KeyAt(i)], gift: null));
            LinesInside = Enumerable.Range(0, setting.Rows).Count(i => Members.IsInside(StatusAt(KeyAt(i))));
            _keys = [.. Enumerable.Range(0, setting.Rows).Select(KeyAt)];
            _settledInside = LinesInside;
            FreeKey = Enumerable.Range(0, PurchaseKeys - 2).First(key => Enumerable.Range(setting.Rows - LastLines, LastLines).All(line => KeyAt(line) < key || KeyAt(line) > key + 2));
            LinesInsideBoth = Enumerable.Range(0, setting.Rows).Count(i => Members.IsInside(StatusAt(KeyAt(i))) && KeyAt(i) < PurchaseKeys / 2);
        }

        /// <summary>The first of three keys that none of <see cref="LastLines"/> has at first.</summary>
        public int FreeKey { get; }

        public ChangeTable<Purchase> Purchases { get; }

        public ChangeTable<Line> Lines { get; }

        public int LinesInside { get; }

        /// <summary>Those of <see cref="LinesInside"/> whose former purchase is in the lower half of the keys, too.</summary>
        public int LinesInsideBoth { get; }

        /// <summary>Leads a line to a purchase on whichever side of the range.</summary>
        public void Lead(int line, int key)
        {
            Interlocked.Increment(ref _changes);
            _settledInside += Inside(key) - Inside(_keys[line]);
            _keys[line] = key;
            Lines.Handles[line].Purchase = Purchases.Handles[key];
            Interlocked.Increment(ref _changes);
        }

        /// <summary>Compares the number of lines inside with what it has to be, if no reference changed meanwhile: after the writer's last change, at least.</summary>
        public void AskSettled(Func<Collection<Line>, long> count)
        {
            long before = Interlocked.Read(ref _changes), inside = Interlocked.Read(ref _settledInside), answer = count(Lines.Rows);
            if (Interlocked.Read(ref _changes) == before && before % 2 == 0)
                Answers.Count(answer, inside);
        }

        private static int Inside(int key) => Members.IsInside(StatusAt(key)) ? 1 : 0;

        public int KeyAt(int line) => _isNear ? (int)((long)line * PurchaseKeys / _setting.Rows) : _setting.NumberAt(line, PurchaseKeys);

        public static int StatusAt(int key) => key % Members.Values;

        /// <summary>Another status on the same side of the range.</summary>
        public static int MoveStatus(Random random, int key) => Members.Move(random, StatusAt(key), 120);

        /// <summary>Another key whose first status is on the same side of the range.</summary>
        public static int MoveKey(Random random, int key)
        {
            int hundred = random.Next(PurchaseKeys / Members.Values) * Members.Values;
            return hundred + Members.Move(random, StatusAt(key), Members.Values);
        }
    }

    private static class Write
    {
        public static void Status(Shop shop, Random random, int i) => shop.Purchases.Handles[i % PurchaseKeys].Status = Shop.MoveStatus(random, i % PurchaseKeys);

        /// <summary>Retires a purchase: lines still refer to it.</summary>
        public static void Retire(Shop shop, Random random, int i) => shop.Purchases.Rows.Retire(shop.Purchases.Handles[i % PurchaseKeys]);

        public static void Label(Shop shop, Random random, int i) => shop.Purchases.Handles[i % PurchaseKeys].Label = Word.SharedOf(random.Next(100));

        public static void Reference(Shop shop, Random random, int i) => shop.Lines.Handles[i].Purchase = shop.Purchases.Handles[Shop.MoveKey(random, shop.KeyAt(i))];

        /// <summary>Leads a line to any purchase, on whichever side of the range.</summary>
        public static void AnyReference(Shop shop, Random random, int i) => shop.Lines.Handles[i].Purchase = shop.Purchases.Handles[random.Next(PurchaseKeys)];

        /// <summary>As <see cref="AnyReference"/>, counted: statuses stay.</summary>
        public static void OtherSide(Shop shop, Random random, int i) => shop.Lead(i, random.Next(PurchaseKeys));

        /// <summary>Leads a line to a purchase near its own, in the blocks beside it perhaps.</summary>
        public static void NearReference(Shop shop, Random random, int i) =>
            shop.Lines.Handles[i].Purchase = shop.Purchases.Handles[Math.Clamp(shop.KeyAt(i) + random.Next(-3, 4), 0, PurchaseKeys - 1)];

        /// <summary>Leads one of the last lines, which fill no vector, to one of two purchases; one of these the line before may have, too, the other one the line behind.</summary>
        public static void LastReference(Shop shop, Random random, int i)
        {
            int line = shop.Lines.Handles.Length - 1 - (i % Shop.LastLines);
            shop.Lines.Handles[line].Purchase = shop.Purchases.Handles[shop.FreeKey + ((line + random.Next(2)) % 3)];
        }

        public static void BothReferences(Shop shop, Random random, int i)
        {
            const int Half = PurchaseKeys / 2;
            if (random.Next(2) == 0) Reference(shop, random, i);
            else shop.Lines.Handles[i].Former = shop.Purchases.Handles[(shop.KeyAt(i) / Half * Half) + random.Next(Half)];
        }

        public static void Gift(Shop shop, Random random, int i) => shop.Lines.Handles[i].Gift = random.Next(2) == 0 ? null : shop.Purchases.Handles[random.Next(PurchaseKeys)];

        public static void StatusOrLabel(Shop shop, Random random, int i)
        {
            if (i % 2 == 0) Status(shop, random, i); else Label(shop, random, i);
        }

        public static void StatusOrReference(Shop shop, Random random, int i)
        {
            if (i % 3 == 0) Status(shop, random, i);
            else if (i % 3 == 1) Reference(shop, random, i);
            else shop.Lines.Handles[i].Former = shop.Purchases.Handles[random.Next(PurchaseKeys)];
        }

        public static void Key(Shop shop, Random random, int i) => shop.Lines.Handles[i].Key = random.Next(PurchaseKeys);

        public static void StatusAndKeyInside(Shop shop, Random random, int i)
        {
            Status(shop, random, i);
            shop.Lines.Handles[i].Key = Shop.MoveKey(random, shop.KeyAt(i));
        }

        /// <summary>Adds purchases with keys that no line has.</summary>
        public static void ForeignKey(Shop shop, Random random, int i) => Purchase.Add(shop.Purchases.Rows, PurchaseKeys + random.Next(1 << 30), 0);

        public static void LineKeyUnusual(Shop shop, Random random, int i)
        {
            if (i % 2 == 1) shop.Lines.Handles[i].Key = random.Next(2) == 0 ? random.Next(PurchaseKeys) : PurchaseKeys + random.Next(1 << 30);
        }

        /// <summary>Gives a line a purchase of its own and removes the one of its own that it had before.</summary>
        public static void NewPurchase(Shop shop, Random random, int i) => NewPurchase(shop, random, i, random.Next(120));

        /// <summary>As <see cref="NewPurchase(Shop, Random, int)"/>, with a status on the same side of the range.</summary>
        public static void NewPurchaseAlike(Shop shop, Random random, int i) => NewPurchase(shop, random, i, Shop.MoveStatus(random, shop.KeyAt(i)));

        private static void NewPurchase(Shop shop, Random random, int i, int status)
        {
            if (random.Next(8) != 0) return;
            Purchase old = shop.Lines.Handles[i].Purchase;
            Purchase added = Purchase.Add(shop.Purchases.Rows, PurchaseKeys + random.Next(PurchaseKeys), status);
            shop.Lines.Handles[i].Purchase = added;
            // Other lines refer to the purchases that were there at the beginning: those stay.
            if (old.Key >= PurchaseKeys) shop.Purchases.Rows.Remove(old);
        }
    }
}
