using System.Globalization;
using System.Reflection;
using Smc.QueryCompiler.Tests.Generation;
using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>Keys that are equal and yet differ: in the kind of a time, the scale of a decimal, the sign of a zero. LINQ keeps the first of them.</summary>
public sealed class EqualKeys
{
    private const string Rows = QueryCompilation.Usings + """
        namespace Shop;

        [Tabular]
        public readonly partial struct Event
        {
            public partial int Id { get; set; }
            public partial DateTime When { get; set; }
            public partial DateTimeOffset Where { get; set; }
            public partial decimal Amount { get; set; }
            public partial double Weight { get; set; }
            public partial float Ratio { get; set; }
            [Precision(9, 2)] public partial decimal Price { get; set; }
            public partial Money Cost { get; set; }
            public partial Money? Refund { get; set; }
            public partial string Name { get; set; }
        }

        public readonly record struct Money(decimal Amount);

        public static class SomeEvents
        {
            public static Collection<Event> Rows = Fill();

            public static IEnumerable<Event> Hidden() { foreach (Event row in Rows) yield return row; }

            private static Collection<Event> Fill()
            {
                Collection<Event> rows = new();
                DateTime noon = new(2024, 5, 6, 12, 0, 0);
                for (int i = 0; i < 40; i++)
                {
                    bool isOdd = i % 2 == 1;
                    rows.Add(id: i, when: DateTime.SpecifyKind(noon.AddDays(i / 2 % 5), isOdd ? DateTimeKind.Utc : DateTimeKind.Local),
                        where: new DateTimeOffset(noon.AddDays(i / 2 % 5).AddHours(isOdd ? 2 : 0), TimeSpan.FromHours(isOdd ? 2 : 0)),
                        amount: isOdd ? 1.00m : 1.0m, weight: isOdd ? 0.0 : -0.0, ratio: isOdd ? -0f : 0f, price: i % 3, cost: new Money(isOdd ? 1.00m : 1.0m), refund: i % 4 == 0 ? null : new Money(isOdd ? 2.00m : 2.0m), name: isOdd ? "A" : "a");
                }

                return rows;
            }
        }
        """;

    private static readonly string[] s_queries =
    [
        "rows.GroupBy(r => r.When).Where(g => g.Key.Kind == DateTimeKind.Utc).Select(g => g.Count()).ToList()",
        "rows.GroupBy(r => r.When).Where(g => g.Key.Kind == DateTimeKind.Local).Select(g => g.Count()).ToList()",
        "rows.GroupBy(r => r.When).Select(g => g.Key.Kind).ToList()",
        "rows.GroupBy(r => r.When).Where(g => g.Key > new DateTime(2024, 5, 7)).Select(g => (g.Key.Kind, g.Count())).ToList()",
        "rows.GroupBy(r => r.Where).Where(g => g.Key.Offset == TimeSpan.FromHours(2)).Select(g => g.Count()).ToList()",
        "rows.GroupBy(r => r.Where).Select(g => g.Key.Offset).ToList()",
        "rows.GroupBy(r => new { r.Where, r.Price }).Select(g => (g.Key.Where.Offset, g.Key.Price, g.Count())).ToList()",
        "rows.GroupBy(r => new { Where = r.Id % 7 == 0 ? (DateTimeOffset?)null : r.Where, r.Price }).Select(g => (g.Key.Where?.Offset, g.Key.Price, g.Count())).ToList()",
        "rows.Select(r => new { r.Where, r.Price }).Distinct().Select(w => (w.Where.Offset, w.Price)).ToList()",
        "rows.Join(rows, r => r.Where, s => s.Where, (r, s) => (r.Id, s.Id)).ToList()",
        "rows.GroupBy(r => r.Price).Select(g => g.Select(r => r.Where).Distinct().Count(w => w.Offset == TimeSpan.Zero)).ToList()",
        "rows.GroupBy(r => new { r.Cost, r.Price }).Select(g => (g.Key.Cost.ToString(), g.Key.Price, g.Count())).ToList()",
        "rows.GroupBy(r => new { r.Price, r.Refund }).Select(g => (g.Key.Refund.ToString(), g.Key.Price, g.Count())).ToList()",
        "rows.Select(r => new { r.Cost, r.Price }).Distinct().Select(w => (w.Cost.ToString(), w.Price)).ToList()",
        "rows.GroupBy(r => r.Price).Select(g => string.Join(' ', g.Select(r => r.Cost).Distinct())).ToList()",
        "rows.CountBy(r => (r.Cost, r.Price)).Select(p => (p.Key.ToString(), p.Value)).ToList()",
        "rows.GroupBy(r => r.Cost).Select(g => (g.Key.ToString(), g.Count())).ToList()",
        "rows.GroupBy(r => r.Price).Select(g => g.Select(r => r.Name).Distinct(StringComparer.OrdinalIgnoreCase).First()).ToList()",
        "rows.GroupBy(r => r.Price).Select(g => g.Select(r => r.Name).Distinct(StringComparer.OrdinalIgnoreCase).Count(n => n == \"a\")).ToList()",
        "rows.GroupBy(r => r.Price).Select(g => g.Select(r => r.Cost).Distinct().Count(c => c.ToString() == \"Money { Amount = 1.0 }\")).ToList()",
        "rows.GroupBy(r => r.Name, StringComparer.OrdinalIgnoreCase).Select(g => (g.Key, g.Count())).ToList()",
        "rows.GroupBy(r => r.Amount).Where(g => g.Key.ToString(System.Globalization.CultureInfo.InvariantCulture) == \"1.00\").Select(g => g.Count()).ToList()",
        "rows.GroupBy(r => r.Amount).Where(g => g.Key == 1m).Select(g => (g.Key, g.Count())).ToList()",
        "rows.GroupBy(r => r.Weight).Where(g => double.IsNegative(g.Key)).Select(g => g.Count()).ToList()",
        "rows.GroupBy(r => r.Weight).Where(g => 1 / g.Key > 0).Select(g => g.Count()).ToList()",
        "rows.GroupBy(r => r.Weight).Where(g => g.Key >= 0).Select(g => (1 / g.Key, g.Count())).ToList()",
        "rows.GroupBy(r => r.Ratio).Where(g => 1 / g.Key < 0).Select(g => g.Count()).ToList()",
        "rows.GroupBy(r => r.Price).Where(g => g.Key.ToString(System.Globalization.CultureInfo.InvariantCulture) == \"1.00\").Select(g => g.Count()).ToList()",
        "rows.GroupBy(r => new { r.When, r.Price }).Where(g => g.Key.When.Kind == DateTimeKind.Utc && g.Key.Price > 0).Select(g => g.Count()).ToList()",
        "rows.Select(r => r.When).Distinct().Where(w => w.Kind == DateTimeKind.Utc).ToList()",
        "rows.Select(r => r.When).Distinct().Count(w => w.Kind == DateTimeKind.Utc)",
        "rows.Select(r => r.When).Distinct().Any(w => w.Kind == DateTimeKind.Utc)",
        "rows.Select(r => r.Weight).Distinct().Any(w => 1 / w > 0)",
        "rows.Where(r => rows.Select(s => s.When).Distinct().Any(w => w.Kind == DateTimeKind.Utc)).Count()",
        "rows.DistinctBy(r => r.When).Where(r => r.When.Kind == DateTimeKind.Utc).Select(r => r.Id).ToList()",
        "rows.Select(r => r.When).Union(rows.Select(r => r.When)).Where(w => w.Kind == DateTimeKind.Utc).ToList()",
        "rows.GroupBy(r => r.When).Select(g => g.Count(r => g.Key.Kind == DateTimeKind.Utc)).ToList()",
        "rows.GroupBy(r => r.When).Select(g => g.Sum(r => g.Key.Kind == DateTimeKind.Local ? r.Id : 0)).ToList()",
        "rows.GroupBy(r => r.Weight).Select(g => g.Count(r => 1 / g.Key > 0)).ToList()",
        "rows.GroupBy(r => r.Id / 4).OrderBy(g => g.Key).Select(g => g.Select(r => r.When).Distinct().Count(w => w.Kind == DateTimeKind.Utc)).ToList()",
        "rows.GroupBy(r => r.Id / 4).OrderBy(g => g.Key).Select(g => g.Select(r => r.Weight).Distinct().Where(w => 1 / w > 0).Sum()).ToList()",
        "rows.GroupBy(r => r.Id / 4).OrderBy(g => g.Key).Select(g => g.Select(r => r.When).Distinct().Any(w => w.Kind == DateTimeKind.Utc)).ToList()",
        "rows.GroupBy(r => r.Id / 4).OrderBy(g => g.Key).Select(g => g.Select(r => r.When).Distinct().All(w => w.Kind == DateTimeKind.Local)).ToList()",
        "rows.ToLookup(r => r.When)[new DateTime(2024, 5, 6, 12, 0, 0)].Count(r => r.When.Kind == DateTimeKind.Utc)",
        "rows.GroupBy(r => r.When).Where(g => rows.Any(r => r.When == g.Key && r.Id > 3)).Select(g => (g.Key.Kind, g.Count())).ToList()",
    ];

    private static readonly string s_source = QueryCompilation.Usings + $$"""
        namespace Shop;

        public static class Program
        {
        {{string.Join("\n", s_queries.Select((query, i) => $"    public static object? Q{i}(IEnumerable<Event> rows) => Query.Run(rows, static rows => {query});"))}}
        }
        """;

    private static readonly Lazy<Assembly> s_program = new(() => QueryProgram.Load(Rows, s_source));

    public static TheoryData<int, string> Numbered => new(s_queries.Select((query, i) => new TheoryDataRow<int, string>(i, query)));

    [Theory]
    [MemberData(nameof(Numbered))]
    public void What_a_query_sees_of_a_key_is_what_the_first_element_has(int number, string query)
    {
        Type data = s_program.Value.GetType("Shop.SomeEvents")!;
        object rows = data.GetField("Rows")!.GetValue(null)!, hidden = data.GetMethod("Hidden")!.Invoke(null, [])!;
        MethodInfo method = s_program.Value.GetType("Shop.Program")!.GetMethod("Q" + number.ToString(CultureInfo.InvariantCulture))!;

        Assert.Equal(SomeRows.Text(method.Invoke(null, [hidden])), SomeRows.Text(method.Invoke(null, [rows])));
        Assert.NotEmpty(query);
    }

    [Fact]
    public async Task Every_one_of_them_is_compiled() => Assert.Empty(await GeneratorRun.Analyze(new GeneratorRun(QueryCompilation.Create(Rows, s_source)).Output));
}
