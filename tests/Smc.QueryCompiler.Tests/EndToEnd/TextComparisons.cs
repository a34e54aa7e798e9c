using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>Strings compared and grouped by in columns that share equal texts, have stopped doing so, or never did: the answer is LINQ's in all of them.</summary>
public sealed class TextComparisons
{
    private const string Data = ShopSource.Usings + """
        namespace Shop;

        public sealed class Data : IDisposable
        {
            public readonly Collection<Customer> Customers = new();
            public readonly Collection<Order> Orders = new();
            public readonly Collection<Line> Lines = new(new CollectionOptions { BlockCapacity = 192 });
            private readonly List<Line> _added = [];
            private readonly Order[] _orders;

            public Data(string state)
            {
                string[] segments = ["BUILDING", "AUTOMOBILE", "HOUSEHOLD", "short"];
                _orders = [.. Enumerable.Range(0, 40).Select(i => Orders.Add(
                    key: i, customer: Customers.Add(name: "Customer " + (i % 9), segment: segments[i % 4], rating: i), date: new DateOnly(1995, 1, 1), priority: i % 5, comment: i % 3 == 0 ? null : "a comment " + (i % 6)))];
                switch (state)
                {
                    case "few texts": Fill(700, i => i % 7); break;
                    case "short and long texts": Fill(700, i => i % 7 == 0 ? -1 : i % 7); break;
                    case "distinct texts": Fill(3000, i => i); break;
                    case "the column is full": Fill(6000, i => i % 2 == 0 ? i % 40 : i); break;
                    case "changed to other texts": Fill(700, i => i % 7); for (int i = 0; i < 700; i += 3) Change(i, Text(1 + i % 5)); break;
                    case "changed to distinct texts": Fill(2000, i => i % 7); for (int i = 0; i < 2000; i += 2) Change(i, Text(i)); break;
                    case "removed and added again":
                        Fill(700, i => i % 7);
                        foreach (Line line in _added.Where((_, i) => i % 3 != 0)) Lines.Remove(line);
                        Fill(300, i => i % 9);
                        break;
                    case "cleared and filled again": Fill(3000, i => i); Lines.Clear(); Fill(700, i => i % 7); break;
                    case "very long texts": Fill(300, i => i % 3, new string('x', 300)); break;
                    case "texts too long to share beside others": Fill(300, i => i % 3); Fill(300, i => i % 3, new string('x', 300)); break;
                }
            }

            private static string Text(int number, string tail = "") => number < 0 ? "AIR" : "shipped by way " + number + tail;

            private void Change(int row, string text)
            {
                Line line = _added[row];
                line.Mode = text;
            }

            private void Fill(int rows, Func<int, int> text, string tail = "")
            {
                for (int i = 0; i < rows; i++)
                    _added.Add(Lines.Add(
                        order: _orders[i % 40], quantity: 1, price: i, discount: 0, tax: 0, exact: 1, flag: "AR"[i % 2], isGift: i % 5 == 0, status: Status.Open, small: 1, shipDate: new DateOnly(1995, 1, 1),
                        commitDate: new DateOnly(1995, 1, 1), delay: default, stamp: default, id: default, weight: 0, ratio: 0, number: i, big: i, maybe: null, rebate: null, mode: Text(text(i), tail), note: i % 4 == 0 ? null : Text(text(i) % 3)));
            }

            public void Dispose()
            {
                Lines.Dispose();
                Orders.Dispose();
                Customers.Dispose();
            }
        }
        """;

    private static readonly string[] s_states =
    [
        "few texts", "short and long texts", "distinct texts", "the column is full", "changed to other texts", "changed to distinct texts",
        "no rows", "removed and added again", "cleared and filled again", "very long texts", "texts too long to share beside others",
    ];

    private static readonly string[] s_queries =
    [
        "items.Where(l => l.Mode == \"shipped by way 2\").Select(l => l.Number).ToList()",
        "items.Where(l => \"shipped by way 2\" == l.Mode && l.Number > 20).Select(l => l.Number).ToList()",
        "items.Where(l => l.Mode != \"shipped by way 2\").Count()",
        "items.Where(l => l.Mode == \"shipped by way 5999\").Select(l => l.Number).ToList()",
        "items.Where(l => l.Mode == \"shipped by way 4999\" || l.Mode == \"shipped by way 2\" || l.Mode == \"AIR\").Select(l => l.Number).ToList()",
        "items.Where(l => l.Mode == \"a text that no row has\").Count()",
        "items.Where(l => l.Mode != \"a text that no row has\").Count()",
        "items.Where(l => l.Mode == \"AIR\").Count()",
        "items.Where(l => l.Note == null).Count()",
        "items.Where(l => l.Note != null).Count()",
        "items.Where(l => l.Note == null || l.Note == \"shipped by way 1\").Select(l => l.Number).ToList()",
        "items.Where(l => l.Mode == l.Note).Count()",
        "items.Where(l => string.CompareOrdinal(l.Mode, \"shipped by way 2\") >= 0).Select(l => l.Number).ToList()",
        "items.Where(l => string.CompareOrdinal(l.Mode, \"shipped by way 2\") < 0 && string.CompareOrdinal(\"shipped by way 1\", l.Mode) <= 0).Select(l => l.Number).ToList()",
        "items.Where(l => 0 < string.CompareOrdinal(l.Mode, l.Note)).Select(l => l.Number).ToList()",
        "items.Where(l => string.Compare(l.Note, \"shipped by way 1\", StringComparison.Ordinal) > 0).Select(l => l.Number).ToList()",
        "items.Where(l => string.CompareOrdinal(l.Note, null) > 0 || StringComparer.Ordinal.Compare(l.Mode, \"B\") < 0).Select(l => l.Number).ToList()",
        "items.Select(l => string.CompareOrdinal(l.Note, \"shipped by way 1\")).ToList()",
        "items.Where(l => string.CompareOrdinal(l.Order.Comment, \"a comment 3\") <= 0).Select(l => l.Number).ToList()",
        "items.Where(l => l.Mode.Contains(\"way 2\")).Select(l => l.Number).ToList()",
        "items.Where(l => l.Mode.StartsWith(\"shipped by way 1\", StringComparison.Ordinal) || l.Mode.EndsWith(\"xx\", StringComparison.Ordinal)).Select(l => l.Number).ToList()",
        "items.Select(l => l.Mode.IndexOf(\"way\", StringComparison.Ordinal)).ToList()",
        "items.Where(l => l.Mode.IndexOf(\"p\", 3, StringComparison.Ordinal) > 3).Count()",
        "items.Where(l => l.Mode.IndexOf(\"p\", l.Number, StringComparison.Ordinal) >= 0).Count()",
        "items.GroupBy(l => l.Mode.Substring(0, 3)).Count()",
        "items.Select(l => l.Mode.Substring(2, l.Number)).ToList()",
        "items.Count(l => l.Note.Contains(\"1\"))",
        "items.Count(l => l.Note == null || l.Note.Contains(\"\"))",
        "items.Where(l => l.Mode == \"shipped by way 1\" || l.Number > 600).Count()",
        "items.Where(l => l.Mode == \"shipped by way 1\" || l.Note == \"shipped by way 1\").Count()",
        "items.Where(l => l.Number < 90 && l.Mode == \"shipped by way 1\" && l.Note != \"shipped by way 2\").Sum(l => l.Price)",
        "items.Where(l => l.Order.Customer.Segment == \"BUILDING\" && l.Order.Comment != \"a comment 2\").Count()",
        "items.Where(l => l.Order.Customer.Name == \"Customer 3\").Select(l => l.Number).ToList()",
        "items.GroupBy(l => l.Mode).Select(g => new { g.Key, N = g.Count(), S = g.Sum(l => l.Price) }).ToList()",
        "items.GroupBy(l => l.Note).Select(g => new { g.Key, N = g.Count() }).ToList()",
        "items.GroupBy(l => new { l.Mode, l.Note, l.Flag }).Select(g => new { g.Key.Mode, g.Key.Note, N = g.Count() }).ToList()",
        "items.GroupBy(l => l.Order.Customer.Segment).Select(g => new { g.Key, N = g.Count() }).ToList()",
    ];

    private static readonly Dictionary<string, Lazy<CompiledShop>> s_shops = new[] { "Columnar", "Row" }
        .ToDictionary(layout => layout, layout => new Lazy<CompiledShop>(() => new CompiledShop(layout, s_queries, Data)));

    public static TheoryData<string, string, string> Cases() =>
        [.. s_shops.Keys.SelectMany(layout => s_states.SelectMany(state => s_queries.Select(query => (layout, state, query))))];

    [Theory]
    [MemberData(nameof(Cases), DisableDiscoveryEnumeration = true)]
    public void The_answer_is_LINQs(string layout, string state, string query)
    {
        CompiledShop shop = s_shops[layout].Value;
        IDisposable data = shop.Filled(state);
        string expected = Answer.Of(() => shop.Linq(query, data), isOrdered: false);
        string actual = Answer.Of(() => shop.Run(query, data), isOrdered: false);
        Assert.True(expected == actual, $"LINQ:\n{expected}\n\nkernel:\n{actual}\n\n{shop.Kernel(query).SourceText}");
    }

    [Fact]
    public void Words_of_texts_are_not_kept_beyond_the_section_in_which_they_were_asked_for() =>
        Assert.DoesNotContain(", section)", s_shops["Columnar"].Value.Kernel("items.Where(l => l.Mode == \"AIR\").Count()").SourceText);

    [Theory]
    [InlineData("items.Where(l => l.Mode == \"shipped by way 2\").Select(l => l.Number).ToList()", @"TextFilter\.Keep\(s\.Texts\d+, true,")]
    [InlineData("items.Where(l => l.Mode != \"shipped by way 2\").Count()", @"TextFilter\.Keep\(s\.Texts\d+, false,")]
    [InlineData("items.Where(l => l.Note == null || l.Note == \"shipped by way 1\").Select(l => l.Number).ToList()", "s\\.Texts\\d+\\.Add\\(\"shipped by way 1\", s\\.Context0, Line_Note, 2, ref s\\.Region\\);")]
    [InlineData("items.GroupBy(l => l.Note).Select(g => new { g.Key, N = g.Count() }).ToList()", @"HashText\(k0, s\.HasExactWords")]
    public void Kernels_compare_words_of_whole_columns(string query, string part) =>
        Assert.Matches(part, s_shops["Columnar"].Value.Kernel(query).SourceText);
}
