using System.Globalization;
using System.Reflection;
using Xunit;

namespace Smc.QueryCompiler.Tests.Generation;

/// <summary>An <c>Index</c> or a <c>Range</c> that comes as an argument, not written in the query.</summary>
public sealed class Positions
{
    private static readonly string[] s_queries =
    [
        "items.OrderBy(l => l.Weight).ThenBy(l => l.ExtendedPrice).ElementAt(at).ExtendedPrice",
        "items.OrderBy(l => l.Weight).ThenBy(l => l.ExtendedPrice).Select(l => l.ExtendedPrice).ElementAt(at)",
        "items.OrderBy(l => l.Weight).ThenBy(l => l.ExtendedPrice).Select(l => l.ExtendedPrice).ElementAtOrDefault(at)",
        "items.OrderBy(l => l.Weight).ThenBy(l => l.ExtendedPrice).Select(l => new PriceRow(l.ReturnFlag, l.LineStatus, l.ExtendedPrice, 0, 0)).ElementAtOrDefault(at)",
        "items.GroupBy(l => l.Number).OrderBy(g => g.Key).Select(g => g.Count()).ElementAt(at)",
        // A join that could use an index, in a method of its own.
        "items.Where(l => items.Any(m => m.Number == l.Order.Customer.Rating)).OrderBy(l => 0).Select(l => 0L).ElementAt(at)",
        "items.Where(l => items.Where(m => m.ShipDate == l.Order.OrderDate).Any(m => true)).OrderBy(l => 0).Select(l => 0L).ElementAt(at)",
        "items.OrderBy(l => l.Weight).Select(l => l.Number).Take(within).ToList()",
        "items.OrderBy(l => l.Weight).Select(l => l.Number).Take(at..).ToList()",
        "items.Select(l => l.Number).Take(new Range(at, at)).ToList()",
        "items.OrderBy(l => l.Weight).Skip(at.Value).Select(l => new { l.Number, Picked = l }).ElementAt(Index.FromEnd(at.Value + 1)).Number",
    ];

    private static readonly Lazy<Assembly> s_program = new(() => QueryProgram.Load(Source(s_queries)));

    public static TheoryData<int, string> Places => new(from query in Enumerable.Range(0, s_queries.Length)
        from at in new[] { "0", "3", "^1", "^3", "^0", "100000", "^100000" }
        select new TheoryDataRow<int, string>(query, at));

    [Theory]
    [MemberData(nameof(Places))]
    public void The_element_is_the_one_that_LINQ_to_Objects_finds(int query, string at)
    {
        Index index = at[0] == '^' ? ^int.Parse(at[1..], CultureInfo.InvariantCulture) : int.Parse(at, CultureInfo.InvariantCulture);
        (object items, object hidden) = SomeRows.Of(s_program.Value);
        MethodInfo method = s_program.Value.GetType("Shop.Program")!.GetMethod("Q" + query.ToString(CultureInfo.InvariantCulture))!;

        Assert.Equal(Answer(hidden), Answer(items));

        string Answer(object rows)
        {
            try
            {
                return SomeRows.Text(method.Invoke(null, [rows, index, index..^2]));
            }
            catch (TargetInvocationException raised)
            {
                return raised.InnerException!.GetType().Name;
            }
        }
    }

    [Fact]
    public async Task All_are_compiled() => Assert.Empty(await GeneratorRun.Analyze(new GeneratorRun(QueryCompilation.Create(Source(s_queries))).Output));

    private static string Source(string[] queries) => $$"""
        {{SomeRows.Source}}

        public static class Program
        {
        {{string.Join("\n", queries.Select((query, i) => $"    public static object? Q{i}(IEnumerable<LineItem> items, Index at, Range within) => Query.Run(items, at, within, static (items, at, within) => {query});"))}}
        }
        """;
}
