using System.Reflection;
using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>Joins give what LINQ gives whichever collection has far more rows, and so is scanned.</summary>
public sealed class BuildSideAnswers
{
    private static readonly string[] s_queries =
    [
        "masters.Join(details, m => m.Id, d => d.MasterId, (m, d) => new { m, d }).Count()",
        "masters.Where(m => m.Kind != 2).Join(details, m => m.Id, d => d.MasterId, (m, d) => new { m, d }).Sum(x => x.d.Price * x.m.Rate)",
        "(from m in masters join d in details.Where(d => d.Price > 3) on m.Id equals d.MasterId where m.Kind < 4 group d.Price by m.Kind into g orderby g.Key select (g.Key, g.Count(), g.Max())).ToList()",
        "(from m in masters join d in details on new { m.Id, m.Kind } equals new { Id = d.MasterId, d.Kind } group m by d.Text into g orderby g.Count() descending, g.Key select (g.Key, g.Count())).Take(5).ToList()",
        "masters.Join(details, m => m.Name, d => d.Text, (m, d) => d.Id + m.Id).Sum()",
        "masters.Join(details, m => m.Optional, d => d.Kind, (m, d) => m.Id).Min()",
        "(from m in masters join d in details on m.Id equals d.MasterId join o in masters on d.Kind equals o.Kind group d by o.Id into g select g.Sum(x => x.Price)).Max()",
        "masters.Any(m => masters.Join(details, a => a.Id, d => d.MasterId, (a, d) => d.Kind).Count(k => k == m.Kind) > 3)",
        "masters.Join(details, m => m.Id, d => d.MasterId, (m, d) => (m.Id, d.Id)).ToList()",
        "masters.Join(details, m => m.Id, d => d.MasterId, (m, d) => d.Price).Average()",
    ];

    private static readonly Lazy<Assembly> s_program = new(() => QueryProgram.Load(
        ShopSource.Usings + """
        namespace Sides;

        [Tabular]
        public readonly partial struct Master
        {
            public partial int Id { get; set; }
            public partial int Kind { get; set; }
            public partial int? Optional { get; set; }
            [Precision(9, 2)] public partial decimal Rate { get; set; }
            public partial string Name { get; set; }
        }

        [Tabular]
        public readonly partial struct Detail
        {
            public partial long Id { get; set; }
            public partial int MasterId { get; set; }
            public partial int Kind { get; set; }
            [Precision(15, 2)] public partial decimal Price { get; set; }
            public partial string Text { get; set; }
        }

        public static class Data
        {
            public static Collection<Master> Masters(int count)
            {
                Collection<Master> masters = new();
                for (int i = 0; i < count; i++)
                    masters.Add(id: i, kind: i % 5, optional: i % 3 == 0 ? null : i % 4, rate: 1 + i % 10 / 10m, name: "text " + i % 7);
                return masters;
            }

            public static Collection<Detail> Details(int count)
            {
                Collection<Detail> details = new();
                for (int i = 0; i < count; i++)
                    details.Add(id: i, masterId: i * 7 % 13, kind: i % 5, price: i % 100 / 4m, text: "text " + i % 9);
                return details;
            }
        }

        """,
        ShopSource.Usings + "namespace Sides;\npublic static class Cases\n{\n"
            + string.Join("\n", s_queries.Select((q, i) => $"    public static object? Case{i}(IEnumerable<Master> masters, IEnumerable<Detail> details) => Query.Run(masters, details, static (masters, details) => {q});")) + "\n}\n"));

    public static TheoryData<int, int, int> Cases() =>
        [.. from query in Enumerable.Range(0, s_queries.Length) from sizes in new[] { (12, 3000), (3000, 12), (40, 50), (0, 9), (9, 0) } select (query, sizes.Item1, sizes.Item2)];

    [Theory]
    [MemberData(nameof(Cases))]
    public void The_kernel_gives_what_LINQ_gives(int query, int masters, int details)
    {
        using IDisposable ofMasters = (IDisposable)Invoke("Data", "Masters", masters)!, ofDetails = (IDisposable)Invoke("Data", "Details", details)!;
        object?[] lists = [List(ofMasters), List(ofDetails)];
        Assert.Equal(
            Answer.Of(() => Invoke("Cases", "Case" + query, lists), isOrdered: true),
            Answer.Of(() => Invoke("Cases", "Case" + query, ofMasters, ofDetails), isOrdered: true));
    }

    [Fact]
    public void Only_the_query_whose_result_are_the_pairs_scans_the_left_side_always() => Assert.Equal(
        [8],
        Enumerable.Range(0, s_queries.Length).Where(i => !s_program.Value.GetTypes().Any(type => type.Name == "OtherSide" && type.DeclaringType!.Name.StartsWith($"Cases_Case{i}_", StringComparison.Ordinal))));

    private static object? Invoke(string type, string method, params object?[] arguments) => s_program.Value.GetType("Sides." + type)!.GetMethod(method)!.Invoke(null, BindingFlags.DoNotWrapExceptions, null, arguments, null);

    private static object List(object rows) =>
        typeof(Enumerable).GetMethod(nameof(Enumerable.ToList))!.MakeGenericMethod(rows.GetType().GetGenericArguments()[0]).Invoke(null, [rows])!;
}
