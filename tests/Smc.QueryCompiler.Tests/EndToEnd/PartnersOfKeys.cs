using System.Collections;
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using Smc.QueryCompiler.Tests.Generation;
using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>Elements of another sequence with keys of each kind, of which more are asked for than the first scans answer: they are looked up.</summary>
public sealed class PartnersOfKeys
{
    private const string Rows = QueryCompilation.Usings + """
        namespace Shop;

        public enum Sort { Low, High }

        [Tabular]
        public readonly partial struct Village
        {
            public partial int Id { get; set; }
            public partial string Name { get; set; }
            public partial string? Nick { get; set; }
        }

        [Tabular]
        public readonly partial struct Stall
        {
            public partial int Id { get; set; }
            public partial Village Town { get; set; }
            public partial Village Other { get; set; }
            public partial string? Name { get; set; }
            public partial int? Rank { get; set; }
            public partial decimal Exact { get; set; }
            [Precision(9, 2)] public partial decimal Price { get; set; }
            [Precision(9, 2)] public partial decimal? Rebate { get; set; }
            public partial Guid Code { get; set; }
            public partial Sort Kind { get; set; }
            public partial bool IsOpen { get; set; }
            public partial ulong Big { get; set; }
            public partial Int128 Wide { get; set; }
            public partial DateOnly Day { get; set; }
            public partial DateTime When { get; set; }
            public partial double Weight { get; set; }
        }

        public static class SomeShops
        {
            public static Collection<Village> Towns = new();
            public static Collection<Stall> Shops = Fill();

            public static IEnumerable<Village> HiddenTowns() { foreach (Village row in Towns) yield return row; }
            public static IEnumerable<Stall> HiddenShops() { foreach (Stall row in Shops) yield return row; }

            private static Collection<Stall> Fill()
            {
                Collection<Stall> rows = new();
                List<Village> towns = [];
                for (int i = 0; i < 40; i++)
                    towns.Add(Towns.Add(id: i, name: "Town " + i % 30, nick: i % 7 == 0 ? null : i % 2 == 0 ? "TOWN " + i % 9 : "town " + i % 9));
                for (int i = 0; i < 400; i++)
                {
                    rows.Add(id: i, town: towns[i * 7 % 40], other: i % 11 == 0 ? default : towns[i % 40], name: i % 13 == 0 ? null : "Town " + i % 35, rank: i % 5 == 0 ? null : i % 17, exact: i % 3 == 0 ? i % 19 : i % 19 + 0.0m,
                        price: i % 23 * 0.5m, rebate: i % 4 == 0 ? null : i % 6, code: new Guid(i % 29, 0, 0, new byte[8]), kind: (Sort)(i % 2), isOpen: i % 3 == 0, big: ulong.MaxValue - (ulong)(i % 31), wide: (Int128)i % 37 << 70,
                        day: new DateOnly(2024, 1, 1).AddDays(i % 21), when: new DateTime(2024, 1, 1, 0, 0, 0, i % 5 == 0 ? DateTimeKind.Utc : DateTimeKind.Local).AddHours(i % 24), weight: i % 12 / 4.0);
                }

                return rows;
            }
        }
        """;

    private const string SharedPartners = "shops.GroupJoin(shops, a => a.Kind, b => b.Kind, (a, bs) => bs).ToList()";
    private const string OnePartners = "shops.GroupJoin(shops.Where(s => s.Id < 3), a => 1, b => b.Id, (a, bs) => bs).ToList()";
    private const string OwnPartners = "shops.GroupJoin(shops, a => a.Kind, b => b.Kind, (a, bs) => bs.ToList()).ToList()";

    private static readonly string[] s_queries =
    [
        "shops.GroupJoin(shops, a => a.Name, b => b.Name, (a, bs) => new { a.Id, Bs = bs }).Select(x => (x.Id, x.Bs.Select(b => b.Id).ToList())).ToList()",
        "shops.GroupJoin(shops, a => a.Name, b => b.Name, (a, bs) => (a.Id, bs.Select(b => b.Id).ToArray())).ToList()",
        "shops.GroupJoin(towns, a => a.Name, t => t.Name, (a, ts) => (a.Id, ts.Select(t => t.Id).ToList())).ToList()",
        "shops.GroupJoin(towns, a => a.Name, t => t.Name, (a, ts) => (a.Id, ts)).ToList()",
        "towns.GroupJoin(shops, t => t.Nick, s => s.Name, (t, ss) => (t.Id, ss), StringComparer.OrdinalIgnoreCase).ToList()",
        "shops.GroupJoin(shops, a => a.Rank, b => b.Rank, (a, bs) => (a.Id, bs)).ToList()",
        "shops.GroupJoin(shops, a => a.Exact, b => b.Exact, (a, bs) => (a.Id, bs)).ToList()",
        "shops.GroupJoin(shops, a => a.Price, b => b.Price, (a, bs) => (a.Id, bs.Select(b => b.Price).ToList())).ToList()",
        "shops.GroupJoin(shops, a => a.Rebate, b => b.Rebate, (a, bs) => (a.Id, bs)).ToList()",
        "shops.GroupJoin(shops, a => a.Code, b => b.Code, (a, bs) => (a.Id, bs)).ToArray()",
        "shops.GroupJoin(shops, a => a.Kind, b => b.Kind, (a, bs) => (a.Id, bs)).ToList()",
        "shops.GroupJoin(shops, a => a.IsOpen, b => b.IsOpen, (a, bs) => (a.Id, bs)).ToList()",
        "shops.GroupJoin(shops, a => a.Big, b => b.Big, (a, bs) => (a.Id, bs)).ToList()",
        "shops.GroupJoin(shops, a => a.Wide, b => b.Wide, (a, bs) => (a.Id, bs)).ToList()",
        "shops.GroupJoin(shops, a => a.Day, b => b.Day, (a, bs) => (a.Id, bs)).ToList()",
        "shops.GroupJoin(shops, a => a.When, b => b.When, (a, bs) => (a.Id, bs)).ToList()",
        "shops.GroupJoin(shops, a => a.Weight, b => b.Weight, (a, bs) => (a.Id, bs)).ToList()",
        "shops.GroupJoin(towns, a => a.Town, t => t, (a, ts) => (a.Id, ts)).ToList()",
        "shops.GroupJoin(shops, a => new { a.Name, a.Rank }, b => new { b.Name, b.Rank }, (a, bs) => (a.Id, bs)).ToList()",
        "shops.GroupJoin(shops, a => (a.Kind, a.Price, a.Town), b => (b.Kind, b.Price, b.Town), (a, bs) => (a.Id, bs.ToList())).ToList()",
        "shops.GroupJoin(shops, a => new { a.IsOpen, a.Kind }, b => new { b.IsOpen, b.Kind }, (a, bs) => (a.Id, bs)).ToList()",
        "shops.GroupJoin(shops, a => a.Town.Name, b => b.Town.Nick, (a, bs) => (a.Id, bs)).ToList()",
        "towns.GroupJoin(shops, t => t.Id, s => s.Town.Id, (t, ss) => (t.Id, ss)).ToList()",
        "towns.GroupJoin(shops, t => t.Id, s => s.Other.Id, (t, ss) => (t.Id, ss)).ToList()",
        "towns.Select(t => shops.Where(s => s.Other != null && s.Other.Id == t.Id).ToList()).ToList()",
        "towns.Select(t => shops.Where(s => s.Other.Id == t.Id).FirstOrDefault()).ToList()",
        "towns.Select(t => shops.Where(s => s.Other.Id == t.Id && s.Id > 0).Take(1).ToList()).ToList()",
        "towns.Select(t => shops.Where(s => s.Town.Name == t.Name && s.Id % 3 == 0).ToList()).ToList()",
        "towns.Select(t => shops.Where(s => s.Name == t.Name && s.Price > t.Id).ToList()).ToList()",
        "towns.SelectMany(t => shops.Where(s => s.Name == t.Nick), (t, s) => (t.Id, s.Id)).ToList()",
        "shops.GroupJoin(shops.Where(s => s.Price > 2), a => a.Name, b => b.Name, (a, bs) => (a.Id, bs.Where(b => b.Id > a.Id).Select(b => b.Name).ToList())).ToList()",
        "shops.GroupJoin(shops, a => a.Name, b => b.Name, (a, bs) => (a.Id, bs.OrderByDescending(b => b.Price).ThenBy(b => b.Id).Take(3).Select(b => b.Name).ToList())).ToList()",
        "shops.GroupJoin(shops, a => a.Name, b => b.Name, (a, bs) => bs).SelectMany(bs => bs).Count()",
        "towns.GroupJoin(shops.Where(s => s.Town.Id > 5), t => t.Id, s => s.Town.Id, (t, ss) => (t.Id, ss)).ToList()",
        "towns.GroupJoin(shops.Where(s => s.Other.Id > 5), t => t.Id, s => s.Other.Id, (t, ss) => (t.Id, ss)).ToList()",
        "towns.GroupJoin(shops.Where(s => s.Other != null).Where(s => s.Other.Id > 5), t => t.Id, s => s.Other.Id, (t, ss) => (t.Id, ss)).ToList()",
        "towns.Select(t => shops.Where(s => s.Other != null && s.Other.Id > 5 && s.Town.Id == t.Id).ToList()).ToList()",
        "towns.Select(t => shops.Where(s => s.Town.Id == t.Id && s.Other.Id > 5).ToList()).ToList()",
        "towns.Take(0).GroupJoin(shops.Where(s => s.Other.Id > 5), t => t.Id, s => s.Other.Id, (t, ss) => (t.Id, ss)).ToList()",
        "shops.GroupJoin(shops.Where(s => s.Town.Id > 5), a => a.IsOpen, b => b.Town.Id > 20, (a, bs) => bs.Sum(b => b.Weight)).ToList()",
        "shops.GroupJoin(shops.Where(s => s.Town.Id > 5), a => a.Kind, b => b.Kind, (a, bs) => bs.Select(b => b.Name).LastOrDefault()).ToList()",
        "shops.GroupJoin(shops.Where(s => s.Town.Id > 5), a => a.Kind, b => b.Kind, (a, bs) => bs.Max(b => (int?)b.Id)).ToList()",
        "shops.GroupJoin(shops, a => a.Exact, b => b.Exact, (a, bs) => (a.Id, bs.Select(b => (a.Exact, b.Id)))).ToList()",
        "shops.GroupJoin(shops, a => a.When, b => b.When, (a, bs) => (a.Id, bs.Select(b => (a.When.Kind, b.Id)))).ToList()",
        "shops.GroupJoin(shops, a => a.Kind, b => b.Kind, (a, bs) => (a.Id, bs.Select(b => (a.Kind, b.Id)))).ToList()",
        "shops.GroupJoin(shops.Where(s => s.Town.Id > 38), a => 1, b => b.Town.Id - 38, (a, bs) => (a.Id, bs)).ToList()",
        SharedPartners,
        OwnPartners,
        OnePartners,
    ];

    private static readonly string s_source = QueryCompilation.Usings + $$"""
        namespace Shop;

        public static class Program
        {
        {{string.Join("\n", s_queries.Select((query, i) => $"    public static object? Q{i}(IEnumerable<Stall> shops, IEnumerable<Village> towns) => Query.Run(shops, towns, static (shops, towns) => {query});"))}}
        }
        """;

    private static readonly Lazy<Assembly> s_program = new(() => QueryProgram.Load(Rows, s_source));

    public static TheoryData<int, string> Numbered => new(s_queries.Select((query, i) => new TheoryDataRow<int, string>(i, query)));

    [Theory]
    [MemberData(nameof(Numbered))]
    public void A_query_gives_what_LINQ_to_Objects_gives(int number, string query)
    {
        Assert.Equal(Answer(() => Ask(number, asKernel: false)), Answer(() => Ask(number, asKernel: true)));
        Assert.NotEmpty(query);
    }

    [Theory]
    [InlineData(SharedPartners, 2)]
    [InlineData(OwnPartners, 400)]
    [InlineData(OnePartners, 1)]
    public void Partners_of_one_key_are_one_sequence_and_lists_of_them_are_not(string query, int sequences)
    {
        IEnumerable<object> partners = ((IEnumerable)Ask(Array.IndexOf(s_queries, query), asKernel: true)!).Cast<object>();

        Assert.Equal(sequences, partners.Distinct(ReferenceEqualityComparer.Instance).Count());
    }

    [Fact]
    public async Task Every_one_of_them_is_compiled() => Assert.Empty(await GeneratorRun.Analyze(new GeneratorRun(QueryCompilation.Create(Rows, s_source)).Output));

    private static object? Ask(int number, bool asKernel)
    {
        Type data = s_program.Value.GetType("Shop.SomeShops")!;
        object? shops = asKernel ? data.GetField("Shops")!.GetValue(null) : data.GetMethod("HiddenShops")!.Invoke(null, []);
        object? towns = asKernel ? data.GetField("Towns")!.GetValue(null) : data.GetMethod("HiddenTowns")!.Invoke(null, []);
        return s_program.Value.GetType("Shop.Program")!.GetMethod("Q" + number.ToString(CultureInfo.InvariantCulture))!.Invoke(null, [shops, towns]);
    }

    private static string Answer(Func<object?> query)
    {
        try
        {
            return Text(query());
        }
        catch (TargetInvocationException exception)
        {
            return exception.InnerException!.GetType().Name;
        }
    }

    private static string Text(object? value) => value switch
    {
        string text => text,
        ITuple tuple => "(" + string.Join(", ", Enumerable.Range(0, tuple.Length).Select(i => Text(tuple[i]))) + ")",
        IEnumerable elements => "[" + string.Join(", ", elements.Cast<object?>().Select(Text)) + "]",
        _ => SomeRows.Text(value),
    };
}
