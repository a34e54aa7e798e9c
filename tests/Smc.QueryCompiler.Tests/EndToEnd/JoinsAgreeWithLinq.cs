using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>Joins by keys of every kind, which filter scans before anything is looked up, give what LINQ to Objects gives over the same rows; also what they raise.</summary>
public sealed class JoinsAgreeWithLinq
{
    private const string Few = "items.Where(b => b.Number > 85)";

    private static readonly string[] s_ordered =
    [
        $"(from a in items join b in {Few} on a.Number equals b.Number select (a.Price, b.Price)).ToList()",
        $"(from a in items join b in {Few} on a.Big equals b.Big select (a.Price, b.Price)).ToList()",
        $"(from a in items join b in {Few} on a.ShipDate equals b.CommitDate select (a.Price, b.Price)).ToList()",
        $"(from a in items join b in {Few} on a.Discount equals b.Discount where a.Number > 80 select (a.Price, b.Price)).ToList()",
        $"(from a in items join b in {Few} on a.Quantity equals b.Tax select (a.Price, b.Price)).ToList()",
        $"(from a in items join b in {Few} on a.Status equals b.Status where a.Number > 90 select (a.Price, b.Price)).ToList()",
        $"(from a in items join b in {Few} on a.Flag equals b.Flag where a.Number > 90 select (a.Price, b.Price)).ToList()",
        $"(from a in items join b in {Few} on a.Maybe equals b.Maybe where a.Number > 90 select (a.Price, b.Price)).ToList()",
        $"(from a in items join b in {Few} on a.Weight equals b.Weight select (a.Price, b.Price)).ToList()",
        $"(from a in items join b in {Few} on a.Order equals b.Order select (a.Price, b.Price)).ToList()",
        $"(from a in items join b in {Few} on a.Id equals b.Id where a.Number > 90 select (a.Price, b.Price)).ToList()",
        $"(from a in items join b in {Few} on new {{ a.Number, a.Small }} equals new {{ b.Number, b.Small }} select (a.Price, b.Price)).ToList()",
        $"(from a in items join b in {Few} on new {{ a.Number, a.Mode }} equals new {{ b.Number, b.Mode }} select (a.Price, b.Price)).ToList()",
        $"(from a in items join b in {Few} on (long)a.Number equals b.Big select (a.Price, b.Price)).ToList()",
        "(from a in items join b in items on a.Number equals b.Number where a.Number > 90 select (a.Price, b.Price)).ToList()",
        "(from a in items join b in items.Where(b => b.Number > 1000) on a.Number equals b.Number select (a.Price, b.Price)).ToList()",
        // A chain of joins, of which the last filters the right side of the first.
        $"(from a in items join b in items.Where(b => b.Flag == 'R') on a.Number equals b.Number join c in {Few} on b.Small equals c.Small select (a.Price, b.Price, c.Price)).ToList()",
        $"(from a in items join b in items on a.Big equals b.Big join c in {Few} on b.Small equals c.Small select (a.Price, b.Price, c.Price)).ToList()",
        $"(from a in items join b in items.Where(b => b.Number > 1000) on a.Number equals b.Number into bs from b in bs.DefaultIfEmpty() join c in {Few} on a.Small equals c.Small select (a.Price, b == null, c.Price)).ToList()",
        // What raises for rows that have no partner, or depends on how many there are.
        $"(from a in items where 100 / a.Number > 0 join b in {Few} on a.Number equals b.Number select a.Price).ToList()",
        $"(from a in items let share = 100 / a.Number where share < 1000 join b in {Few} on a.Number equals b.Number select share).ToList()",
        $"(from a in items where a.Order.Customer.Rating > 3 join b in {Few} on a.Number equals b.Number select a.Price).ToList()",
        $"(from a in items.Take(200) join b in {Few} on a.Number equals b.Number select a.Price).ToList()",
        $"(from x in items.Select((a, i) => new {{ a.Number, i }}) join b in {Few} on x.Number equals b.Number select x.i).ToList()",
        $"(from a in items join m in items.Where(m => m.Number > 1000) on a.Small equals m.Small into ms from m in ms.DefaultIfEmpty() where m.Number > 0 join b in {Few} on a.Number equals b.Number select a.Price).ToList()",
        // Whether there is a partner.
        "items.Where(a => items.Any(b => b.Small > 150 && b.Number == a.Number)).Select(a => a.Price).ToList()",
        "items.Where(a => !items.Any(b => b.Small > 150 && b.Number == a.Number)).Select(a => a.Price).ToList()",
        "items.Where(a => items.Any(b => b.Big == a.Big && b.Flag == 'R')).Select(a => a.Price).ToList()",
        "items.Where(a => !items.Any(b => b.Big == a.Big && b.Flag == 'R')).Select(a => a.Price).ToList()",
        "items.Where(a => items.Any(b => b.Quantity == a.Tax)).Select(a => a.Price).ToList()",
        "items.Where(a => items.Any(b => b.Order == a.Order && b.Number > 85)).Select(a => a.Price).ToList()",
        $"items.Where(a => !items.Any(b => b.Number == a.Number && {Few}.Any(c => c.Small == b.Small))).Select(a => a.Price).ToList()",
        // A join below a row that is counted from the end, and on the right side of another one.
        "items.Where(a => items.Any(b => b.ShipDate == a.Order.Date)).OrderBy(a => a.Price).Select(a => a.Price).ElementAt(^1)",
        "items.Where(a => a.Number > 90).GroupJoin(items.Where(a => items.Any(b => b.ShipDate == a.Order.Date)), a => a.Small, b => b.Small, (a, bs) => bs.Select(b => b.Number).Distinct().Count()).ToList()",
        // The left is two scans in a row.
        $"(from a in items.Where(a => a.Number < 20).Concat(items.Where(a => a.Small > 100)) join b in {Few} on a.Number equals b.Number select (a.Price, b.Price)).ToList()",
        $"(from a in items.Where(a => a.Number < 95).UnionBy(items.Where(a => a.Small > 100), a => a.Number) join b in {Few} on a.Number equals b.Number select (a.Price, b.Price)).ToList()",
        // Rows with a second key of integers beside a reference, or beside one another: only a part of the key filters the scan on the left.
        $"(from a in items join b in {Few} on new {{ a.Order, a.Number }} equals new {{ b.Order, b.Number }} select (a.Price, b.Price)).ToList()",
        $"(from a in items join b in {Few} on new {{ a.Number, a.Order }} equals new {{ b.Number, b.Order }} where a.Small > 20 select (a.Price, b.Price)).ToList()",
        $"(from a in items join b in {Few} on new {{ a.Order, a.Big, a.Small }} equals new {{ b.Order, b.Big, b.Small }} select (a.Price, b.Price)).ToList()",
        $"(from a in items join b in {Few} on new {{ a.Order, a.Number }} equals new {{ b.Order, b.Number }} into bs from b in bs.DefaultIfEmpty() where a.Number > 80 select (a.Price, b == null)).ToList()",
        "items.Where(a => items.Any(b => b.Order == a.Order && b.Number == a.Number && b.Small > 150)).Select(a => a.Price).ToList()",
        "items.Where(a => !items.Any(b => b.Order == a.Order && b.Number == a.Number && b.Small > 150)).Select(a => a.Price).ToList()",
        $"(from o in items.Select(a => a.Order).Distinct() join b in {Few} on new {{ Row = o, Number = o.Priority }} equals new {{ Row = b.Order, b.Number }} select (o.Key, b.Price)).ToList()",
        $"(from o in items.Select(a => a.Order).Distinct() join b in {Few} on new {{ Number = o.Priority, Row = o }} equals new {{ b.Number, Row = b.Order }} select (o.Key, b.Price)).ToList()",
    ];

    private static readonly string[] s_unordered =
    [
        // Groups of which only those with a partner count.
        $"(from a in {Few} join g in items.GroupBy(b => b.Number).Select(g => new {{ g.Key, Most = g.Max(b => b.Small), Sum = g.Sum(b => b.Price) }}) on a.Number equals g.Key where g.Most > 100 select g.Sum - a.Price).Sum()",
        $"(from a in {Few} join g in items.GroupBy(b => new {{ b.Number, b.Flag }}).Select(g => new {{ g.Key.Number, g.Key.Flag, N = g.Count() }}) on new {{ a.Number, a.Flag }} equals new {{ g.Number, g.Flag }} select g.N).Sum()",
        $"(from a in {Few} join g in items.GroupBy(b => b.Big).Select(g => new {{ g.Key, Average = g.Average(b => b.Quantity) }}) on a.Big equals g.Key select g.Average).Max()",
        $"(from a in {Few} join g in items.GroupBy(b => b.Small).Select(g => new {{ g.Key, Sum = g.Sum(b => int.MaxValue - b.Number) }}) on a.Number equals g.Key select g.Sum).Max()",
        $"(from a in {Few} join g in items.GroupBy(b => b.Small).Select(g => new {{ g.Key, Share = g.Min(b => b.Number == 0 ? 0 : 100 / b.Number) }}) on a.Number equals g.Key select g.Share).Sum()",
        // What aggregates over pairs have in common, also where some pairs do not ask.
        $"(from a in items join b in {Few} on a.Number equals b.Number group new {{ a, b }} by a.Flag into g select new {{ g.Key, Sum = g.Sum(x => x.a.Price * (1 - x.b.Discount)), Some = g.Sum(x => x.b.Flag == 'R' ? x.a.Price * (1 - x.b.Discount) : 0), Most = g.Max(x => x.a.Price * (1 - x.b.Discount) * 2) }}).ToList()",
        $"(from a in items join b in {Few} on a.Small equals b.Small group new {{ a, b }} by a.Flag into g select new {{ g.Key, Sum = g.Sum(x => 100 / x.a.Number), Most = g.Max(x => 100 / x.a.Number) }}).ToList()",
        $"(from a in items join b in items.Where(b => b.Flag == 'R') on a.Number equals b.Number join c in {Few} on b.Small equals c.Small group a by c.Mode into g select new {{ g.Key, N = g.Count(), Sum = g.Sum(a => a.Price) }}).ToList()",
        // Groups by referenced rows, and by what stands behind them, of either side; a side that may be null raises.
        $"(from a in items join b in {Few} on a.Number equals b.Number group a by b.Order into g select new {{ g.Key.Key, N = g.Count(), Sum = g.Sum(a => a.Price) }}).ToList()",
        $"(from a in items join b in {Few} on a.Number equals b.Number group b by a.Order.Customer.Segment into g select new {{ g.Key, N = g.Count(), Most = g.Max(b => b.Small) }}).ToList()",
        $"(from a in items join b in {Few} on a.Number equals b.Number group a by new {{ a.Order.Priority, b.Order.Customer.Segment }} into g select new {{ g.Key.Priority, g.Key.Segment, N = g.Count() }}).ToList()",
        "(from a in items let twice = a.Number * 2 where twice > 10 group a by a.Order into g select new { g.Key.Key, N = g.Count() }).ToList()",
        "(from a in items let twice = a.Number * 2 where twice > 10 group a by new { a.Order.Customer.Segment, a.Flag } into g select new { g.Key.Segment, g.Key.Flag, N = g.Count() }).ToList()",
        "(from a in items join b in items.Where(b => b.Number > 1000) on a.Number equals b.Number into bs from b in bs.DefaultIfEmpty() group a by b.Order into g select g.Count()).ToList()",
        "(from a in items join b in items.Where(b => b.Number > 1000) on a.Number equals b.Number into bs from b in bs.DefaultIfEmpty() group a by b.Order.Customer.Segment into g select g.Count()).ToList()",
    ];

    private static readonly Dictionary<string, Lazy<CompiledShop>> s_shops = new[] { "Columnar", "Row" }
        .ToDictionary(layout => layout, layout => new Lazy<CompiledShop>(() => new CompiledShop(layout, [.. s_ordered, .. s_unordered], ShopSource.Data)));

    public static TheoryData<string, string, string> Cases() => [.. s_shops.Keys.SelectMany(layout =>
        new[] { "several blocks", "removed", "empty", "one row" }.SelectMany(state => s_ordered.Concat(s_unordered).Select(query => (layout, state, query))))];

    [Theory]
    [MemberData(nameof(Cases), DisableDiscoveryEnumeration = true)]
    public void The_answer_is_that_of_LINQ(string layout, string state, string query)
    {
        CompiledShop shop = s_shops[layout].Value;
        Assert.Null(shop.ReasonFor(query));
        IDisposable data = shop.Filled(state);
        bool isOrdered = s_ordered.Contains(query);
        Assert.Equal(Answer.Of(() => shop.Linq(query, data), isOrdered), Answer.Of(() => shop.Run(query, data), isOrdered));
    }

    [Theory]
    [InlineData(0, @"Keys\d+_0\.NumbersIn\(block, Line_Number_Zone")]
    [InlineData(2, @"Keys\d+_0\.NumbersIn\(block, Line_ShipDate_Zone")]
    [InlineData(11, @"Keys\d+_1\.NumbersIn\(block, Line_Small_Zone")]
    public void The_keys_of_a_filtered_side_filter_the_scan_of_the_other(int query, string filter) => Assert.Matches(filter, Kernel(s_ordered[query]));

    [Fact]
    public void The_keys_of_a_later_side_filter_that_of_an_earlier_join() => Assert.Matches(@"Keys\d+_0\.NumbersIn\(block, Line_Small_Zone", Kernel(s_ordered[17]));

    [Theory]
    [InlineData(14)] // all rows have partners
    [InlineData(19)] // a condition that raises
    [InlineData(20)] // a value that raises
    [InlineData(22)] // the first few rows
    [InlineData(23)] // numbers of rows
    [InlineData(24)] // a row that may be null
    public void Rows_are_not_dropped_before_what_observes_them(int query) => Assert.DoesNotMatch(@"\.NumbersIn\(block, Line_Number_Zone", Kernel(s_ordered[query]));

    [Fact]
    public void Where_only_the_presence_of_a_key_counts_the_right_side_is_bits()
    {
        string kernel = Kernel(s_ordered[25]);
        Assert.Contains("KeyFilter.Over(", kernel);
        Assert.Matches(@"Keys\d+_0\.IsExact\)\s*\{\s*if \(!s\.Keys\d+_0\.TryAdd", kernel);
    }

    [Fact]
    public void Unsigned_keys_of_64_bits_are_not_taken_for_what_their_zone_maps_hold()
    {
        string query = s_ordered[27], data = ShopSource.Data.Replace("random.NextInt64(-1_000_000_000_000, 1_000_000_000_000)", "(ulong)random.NextInt64(1_000)");
        CompiledShop shop = new("Columnar", [query], data, schema: ShopSource.Schema("Columnar").Replace("public partial long Big", "public partial ulong Big"));
        IDisposable rows = shop.Filled("several blocks");
        Assert.Equal(Answer.Of(() => shop.Linq(query, rows), isOrdered: true), Answer.Of(() => shop.Run(query, rows), isOrdered: true));
        Assert.DoesNotContain("KeyFilter.Over(", shop.Kernel(query).SourceText);
    }

    [Fact]
    public void Groups_are_made_of_rows_that_have_partners() => Assert.Matches(@"\.NumbersIn\(block, Line_Number_Zone", Kernel(s_unordered[0]));

    [Fact]
    public void Groups_that_may_raise_are_all_made() => Assert.DoesNotMatch(@"\.NumbersIn\(block, Line_Small_Zone", Kernel(s_unordered[4]));

    private static string Kernel(string query)
    {
        string text = s_shops["Columnar"].Value.Kernel(query).SourceText;
        int plain = text.IndexOf("private static class Plain", StringComparison.Ordinal);
        return plain < 0 ? text : text[..plain];
    }
}
