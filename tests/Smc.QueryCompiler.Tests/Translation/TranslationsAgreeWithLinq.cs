using Smc.QueryCompiler.Tests.EndToEnd;
using Xunit;

namespace Smc.QueryCompiler.Tests.Translation;

/// <summary>What operators mean is what LINQ to Objects gives: the whole way from source to answers.</summary>
public sealed class TranslationsAgreeWithLinq
{
    private static readonly string[] s_ordered =
    [
        "items.Where((l, i) => i % 3 == 1).Select(l => l.Number).ToList()",
        "items.Select((l, i) => new { l.Number, i }).Where(x => x.i > 2).Select(x => x.i * x.Number).ToList()",
        "items.Index().Where(x => x.Index < 5).Select(x => x.Item.Number).ToList()",
        "items.Select(l => l.Note).OfType<string>().ToList()",
        "items.Skip(2).Take(5).Select(l => l.Number).ToList()",
        "items.Take(2..5).Select(l => l.Number).ToList()",
        "items.Take(^3..).Select(l => l.Number).ToList()",
        "items.Take(1..^3).Select(l => l.Number).ToList()",
        "items.Take(^5..^3).Select(l => l.Number).ToList()",
        "items.Take(^5..3).Select(l => l.Number).ToList()",
        "items.TakeLast(3).SkipLast(1).Select(l => l.Number).ToList()",
        "items.TakeWhile(l => l.Number < 90).Select(l => l.Number).ToList()",
        "items.SkipWhile((l, i) => i < 4).Select(l => l.Number).ToList()",
        "items.Select(l => l.Number).Append(7).Prepend(8).ToList()",
        "items.Select(l => l.Number).Reverse().ToList()",
        "items.Where(l => l.Number > 1000).Select(l => l.Number).DefaultIfEmpty(7).ToList()",
        "items.Select(l => l.Weight * 2).DefaultIfEmpty().ToList()",
        "items.Select(l => l.Number).FirstOrDefault(x => x > 99, -1)",
        "items.Select(l => l.Number).ElementAt(3)",
        "items.Select(l => l.Number).ElementAt(^2)",
        "items.Select(l => l.Number).ElementAtOrDefault(-1)",
        "items.OrderBy(l => l.Number).ThenBy(l => l.Price).Select(l => (l.Number, l.Price)).LastOrDefault()",
        "items.OrderBy(l => (object)l.Number).ThenByDescending(l => (object?)l.Note).Select(l => l.Price).ToList()",
        "items.Select(l => string.Join(',', (object)new[] { l.Mode, l.Note })).ToList()",
        "items.Chunk(3).Select(c => c.Sum(l => l.Number)).ToList()",
        "items.Chunk(4).Select(c => c.Length).ToList()",
        "items.Zip(items.Skip(1), (a, b) => a.Number - b.Number).ToList()",
        "items.Take(20).SelectMany(a => items.Take(3), (a, b) => a.Number + b.Number).ToList()",
        "items.Take(20).SelectMany((a, i) => items.Take(i % 3).Select(b => b.Number)).ToList()",
        "(from a in items.Take(30) join b in items.Take(40) on a.Number equals b.Number select (a.Price, b.Price)).ToList()",
        "(from a in items.Take(30) join b in items.Take(40) on a.Note equals b.Note select (a.Price, b.Price)).ToList()",
        "(from a in items.Take(30) join b in items.Take(40) on new { a.Note, a.Flag } equals new { b.Note, b.Flag } select (a.Price, b.Price)).ToList()",
        "(from a in items.Take(30) join b in items.Take(40) on a.Note equals b.Note into bs select new { a.Number, Count = bs.Count(), Sum = bs.Sum(b => b.Number) }).ToList()",
        "(from a in items.Take(30) join b in items.Where(b => b.Number > 50) on a.Number equals b.Number into bs from b in bs.DefaultIfEmpty() select new { a.Number, None = b == null }).ToList()",
        "items.Take(30).LeftJoin(items.Where(b => b.Number > 50), a => a.Number, b => b.Number, (a, b) => new { a.Number, None = b == null }).ToList()",
        "items.Where(b => b.Number > 50).RightJoin(items.Take(30), a => a.Number, b => b.Number, (a, b) => new { b.Number, None = a == null }).ToList()",
        "items.Take(30).Where(a => items.Any(b => b.Number == a.Number && b.Price > a.Price)).Select(a => a.Price).ToList()",
        "items.Take(30).Where(a => !items.Any(b => b.Number == a.Number + 1)).Select(a => a.Price).ToList()",
        "items.Take(30).Select(a => new { a.Number, Same = items.Where(b => b.Number == a.Number).Sum(b => b.Price), Max = items.Max(b => b.Number) }).ToList()",
        "(from a in items.Take(30) let same = items.Count(b => b.Flag == a.Flag && b.Number < a.Number) where same > 1 orderby same, a.Number, a.Price select new { a.Number, same }).ToList()",
        "items.Take(20).Select(a => items.Where(b => b.Number == a.Number).OrderBy(b => b.Price).Select(b => b.Price).ToList()).ToList()",
        "items.OrderBy(l => l.Number).ThenBy(l => l.Price).GroupBy(l => l.Flag).Select(g => new { g.Key, First = g.First().Number, Last = g.Last().Number }).ToList()",
        "items.OrderBy(l => l.Number).ThenBy(l => l.Price).GroupBy(l => l.Flag).SelectMany(g => g.Skip(1).Take(2)).Select(l => (l.Number, l.Price)).ToList()",
        "items.OrderBy(l => l.Number).ThenBy(l => l.Price).DistinctBy(l => l.Mode).Select(l => (l.Number, l.Price)).ToList()",
        "items.OrderBy(l => l.Number).ThenBy(l => l.Price).MinBy(l => l.Note).Number",
        "items.OrderBy(l => l.Number).ThenBy(l => l.Price).MaxBy(l => l.Maybe).Number",
        "items.OrderBy(l => l.Number).Select(l => l.Number).Aggregate(17, (a, x) => unchecked(a * 31 + x))",
        "items.Select(l => l.Number).SequenceEqual(items.Select(l => l.Number))",
        "items.Select(l => l.Number).SequenceEqual(items.Skip(1).Select(l => l.Number))",
        "new { Count = items.Count(), Sum = items.Sum(l => l.Number), Heavy = items.Count(l => l.Weight > 50), None = !items.Any() }",
        "new[] { 3, 4 }.Contains(items.Count()) || items.Select(l => l.Weight).Contains(double.NaN)",
        "items.OrderBy(l => l.Number).Skip((items.Count() - 1) / 2).Take(1).Select(l => l.Number).ToList()",
        "items.Select(l => $\"{l.Number,4}|{l.Mode}\").Take(9).ToList()",
        "items.Select(l => l.Note).Except(items.Where(l => l.Number > 0).Select(l => l.Note == null ? null : l.Note.ToUpperInvariant()), StringComparer.CurrentCultureIgnoreCase).ToList()",
        "items.Select(l => l.Note).Contains(\"NOTE 3\", StringComparer.OrdinalIgnoreCase)",
        "items.Take(30).Select(l => l.Mode.ToLowerInvariant()).SequenceEqual(items.Take(30).Select(l => l.Mode), StringComparer.OrdinalIgnoreCase)",
        "items.Select(l => l.Mode.ToLowerInvariant()).ToHashSet(StringComparer.OrdinalIgnoreCase).Contains(\"Air\")",
        "items.GroupBy(l => l.Mode).Select(g => new { g.Key, N = g.Count() }).ToDictionary(r => r.Key, r => r.N, StringComparer.OrdinalIgnoreCase).ContainsKey(\"air\")",
    ];

    private static readonly string[] s_unordered =
    [
        "items.Select(l => l.Mode).Distinct().ToList()",
        "items.Select(l => new { l.Mode, l.Flag }).Distinct().ToList()",
        "items.Select(l => l.Number).Union(items.Select(l => l.Number + 50)).ToList()",
        "items.Where(l => l.Number < 60).Select(l => l.Number).Intersect(items.Where(l => l.Number > 40).Select(l => l.Number)).ToList()",
        "items.Select(l => l.Note).Except(items.Where(l => l.Number > 40).Select(l => l.Note)).ToList()",
        "items.CountBy(l => l.Flag).ToList()",
        "items.AggregateBy(l => l.Flag, 0, (a, l) => a + l.Number).ToList()",
        "items.GroupBy(l => l.Flag).Select(g => new { g.Key, Modes = g.Select(l => l.Mode).Distinct().Count(), Rich = g.Count(l => l.Price > g.Average(x => x.Price)) }).ToList()",
        "items.GroupBy(l => l.Flag).GroupBy(g => g.Count() % 2).Select(h => new { h.Key, Sum = h.Sum(g => g.Sum(l => l.Number)), Groups = h.Count() }).ToList()",
        "(from l in items group l by l.Flag into g let top = g.Max(l => l.Number) from l in g where l.Number == top select (l.Flag, l.Number)).ToList()",
        "items.GroupBy(l => l.Flag).Select(g => g.OrderBy(l => l.Number).ThenBy(l => l.Price).Select(l => l.Price).Take(2).ToArray()).ToList()",
        "items.ToLookup(l => l.Number > 0 ? l.Mode : l.Mode.ToLowerInvariant(), l => l.Number, StringComparer.OrdinalIgnoreCase).Select(g => new { g.Key, N = g.Count() }).ToList()",
        "items.AggregateBy(l => l.Mode, 0, (sum, l) => sum + l.Number, StringComparer.OrdinalIgnoreCase).ToList()",
    ];

    private static readonly Lazy<CompiledShop> s_shop = new(() => new CompiledShop("Columnar", [.. s_ordered, .. s_unordered], ShopSource.Data));

    public static TheoryData<string, string> Cases()
    {
        TheoryData<string, string> cases = [];
        foreach (string state in new[] { "removed", "empty", "one row" })
        {
            foreach (string query in s_ordered.Concat(s_unordered))
                cases.Add(state, query);
        }

        return cases;
    }

    [Theory]
    [MemberData(nameof(Cases), DisableDiscoveryEnumeration = true)]
    public void The_answer_is_that_of_LINQ(string state, string query)
    {
        CompiledShop shop = s_shop.Value;
        Assert.SkipWhen(shop.ReasonFor(query) is not null, shop.ReasonFor(query) ?? "");
        IDisposable data = shop.Filled(state);
        bool isOrdered = s_ordered.Contains(query);
        // Before the first element of none, which nobody asks for.
        bool computesForNone = state == "empty" && query.Contains("Max = items.Max(", StringComparison.Ordinal);
        Assert.Equal(Answer.Of(() => shop.Linq(query, data), isOrdered), Answer.Of(() => shop.Run(query, data, computesForNone), isOrdered));
    }
}
