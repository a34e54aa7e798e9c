using Smc.QueryCompiler.Generator;
using Xunit;

namespace Smc.QueryCompiler.Tests.FrontEnd;

/// <summary>What is not compiled, and the reason that the user reads.</summary>
public sealed class Rejections
{
    [Theory]
    [InlineData("items.OrderBy(l => l.Number, Comparer<int>.Create(null!)).ToList()", "OrderBy with a comparer that is neither a parameter nor a static member nor a new object")]
    [InlineData("items.GroupBy(l => l.Order.Comment, StringComparer.Create(System.Globalization.CultureInfo.InvariantCulture, true)).Select(g => g.Count()).ToList()", "GroupBy with a comparer")]
    [InlineData("items.OrderBy(l => l.Order).ToList()", "an order by rows of Shop.Order: name the property to order by")]
    [InlineData("items.GroupBy(l => new Version(l.Number, 1)).Select(g => g.Count()).ToList()", "a key of type System.Version: use an anonymous object, a tuple or a positional record")]
    [InlineData("items.Where(l => l.Number > 3)", "it returns a sequence that is evaluated later: end it with ToList() or ToArray()")]
    [InlineData("items.Shuffle().ToList()", "the operator Shuffle")]
    [InlineData("items.Select(l => l.Order.Comment).Distinct(StringComparer.FromComparison(StringComparison.Ordinal)).Count()", "Distinct with a comparer")]
    [InlineData("items.Chunk(Queries.Next()).ToList()", "an argument of Chunk is computed more than once, and Next may have effects: compute it before the query")]
    [InlineData("items.Select(l => items.Where(m => m.Number == l.Number)).ToList()", "a sequence that is evaluated later is part of the result: end it with ToList() or ToArray()")]
    [InlineData("items.GroupBy(l => l.ReturnFlag).Select(g => g.OrderBy(l => l.Number)).ToList()", "a sequence that is evaluated later is part of the result: end it with ToList() or ToArray()")]
    [InlineData("items.ToLookup(l => l.ReturnFlag)['R'].Select(l => l.Number)", "it returns a sequence that is evaluated later: end it with ToList() or ToArray()")]
    [InlineData("items.GroupBy(l => new { l.Number }).ToList()", "a group of anonymous objects is part of the result: take its key or aggregate it")]
    [InlineData("5", "it does not query a collection")]
    [InlineData("items.Count(l => DateTime.Now.Year > l.Number)", "DateTime.Now changes between two readings: read it before the query, into a local variable or an argument of Query.Run")]
    [InlineData("items.Count(l => l.Number > Queries.Changing)", "the static field Queries.Changing can change: read it before the query, into a local variable or an argument of Query.Run")]
    [InlineData("items.Count(l => System.Threading.Interlocked.Increment(ref Queries.Changing) > 0)", "Interlocked.Increment(ref int): results or parameters by reference")]
    [InlineData("items.Count(l => Queries.Twice(l.Number, out int twice) && twice > 3)", "what Queries.Twice(int, out int) gives back as 'twice' is computed more than once, and Twice may have effects: compute it in a 'let' or a Select before")]
    [InlineData("items.Select(l => new PriceRow('a', 'b', l.Discount, 1m, 2) { Count = 3 }.Count).Count(c => c > l2)", "it has an error")]
    public void The_reason_names_the_construct(string query, string reason)
    {
        QueryRejection rejection = QueryCompilation.Rejection(query, members: "public static int Changing; public static int Next() => ++Changing; public static bool Twice(int n, out int twice) { twice = n * 2; return true; }");
        Assert.Equal(reason, rejection.Reason);
    }

    [Fact]
    public void A_function_that_is_not_written_in_place_is_named() =>
        Assert.Equal("the function of Count is not written in place: write a lambda there", QueryCompilation.Rejection("items.Count(Good)", members: "public static readonly Func<LineItem, bool> Good = l => l.Number > 3;").Reason);

    [Theory]
    [InlineData("field", "items => items.Count(l => l.Number > field)")]
    [InlineData("Property", "items => items.Count(l => l.Number > this.Property)")]
    [InlineData("argument", "items => items.Count(l => l.Number > argument)")]
    [InlineData("local", "items => items.Count(l => l.Number > local)")]
    [InlineData("primary", "items => items.Count(l => l.Number > primary)")]
    public void A_capture_is_named(string name, string lambda)
    {
        string source = $$"""
            {{QueryCompilation.Usings}}
            namespace Shop;
            public class Report(int primary)
            {
                private int field = 1;
                public int Property => field;
                public int Ask(IEnumerable<LineItem> items, int argument)
                {
                    int local = argument;
                    return Query.Run(items, {{lambda}});
                }
            }
            """;
        QueryRejection rejection = QueryCompilation.Read(QueryCompilation.Create(source)).Rejection!;
        Assert.Equal(RejectionKind.Captures, rejection.Kind);
        Assert.Equal(name, rejection.Reason);
    }

    [Theory]
    [InlineData("[Tabular] private readonly partial struct Hidden { public partial int X { get; set; } } int Ask(IEnumerable<Hidden> rows) => Query.Run(rows, static rows => rows.Sum(r => r.X));", "Report.Hidden")]
    [InlineData("private sealed record Hidden(int X); object Ask(IEnumerable<LineItem> rows) => Query.Run(rows, static rows => rows.Select(r => new Hidden(r.Number)).ToList());", "Report.Hidden")]
    [InlineData("private enum Hidden { A, B } private static int Of(Hidden hidden) { while (hidden > 0) hidden--; return 0; } int Ask(IEnumerable<LineItem> rows) => Query.Run(rows, static rows => rows.Count(r => r.Number > Of(Hidden.B)));", "Report.Hidden")]
    [InlineData("private Report(int x) { } object Ask(IEnumerable<LineItem> rows) => Query.Run(rows, static rows => rows.Select(r => new Report(r.Number)).ToList());", "Report.Report(int)")]
    [InlineData("private int Hidden { get; set; } object Ask(IEnumerable<LineItem> rows) => Query.Run(rows, static rows => rows.Select(r => new Report { Hidden = r.Number }).ToList());", "Report.Hidden")]
    [InlineData("private volatile int hidden; int Ask(IEnumerable<LineItem> rows, Report it) => Query.Run(rows, it, static (rows, it) => rows.Count(r => r.Number > it.hidden));", "Report.hidden")]
    [InlineData("private ReadOnlySpan<char> Hidden(string s) { s += s; return s; } int Ask(IEnumerable<LineItem> rows, Report it) => Query.Run(rows, it, static (rows, it) => rows.Count(r => r.Number > it.Hidden(\"a\").Length));", "Report.Hidden(string)")]
    [InlineData("public struct Counter { private int _count; private int Next() => ++_count; public static int Ask(IEnumerable<LineItem> rows, Counter it) => Query.Run(rows, it, static (rows, it) => rows.Count(r => r.Number > it.Next())); }", "Report.Counter.Next()")]
    [InlineData("public static class Of<T> { private static T Same(T value) { T same = value; same = value; return same; } public static int Ask(IEnumerable<LineItem> rows) => Query.Run(rows, static rows => rows.Count(r => r.Number > Of<int>.Same(3))); }", "Report.Of<int>.Same(int)")]
    public void What_generated_code_cannot_name_is_named(string members, string name)
    {
        QueryRejection rejection = QueryCompilation.Read(QueryCompilation.Create($"{QueryCompilation.Usings} namespace Shop; public partial class Report {{ {members} }}")).Rejection!;
        Assert.Equal(RejectionKind.NotAccessible, rejection.Kind);
        Assert.Equal(name, rejection.Reason);
    }

    [Fact]
    public void A_file_local_type_cannot_be_named()
    {
        string source = QueryCompilation.Usings + "namespace Shop; file sealed record Local(int X); class Report { object Ask(IEnumerable<LineItem> rows) => Query.Run(rows, static rows => rows.Select(r => new Local(r.Number)).ToList()); }";
        Assert.Equal(RejectionKind.NotAccessible, QueryCompilation.Read(QueryCompilation.Create(source)).Rejection!.Kind);
    }

    [Fact]
    public void A_type_parameter_is_named()
    {
        string source = QueryCompilation.Usings + "namespace Shop; class Report { T[] Ask<T>(IEnumerable<LineItem> rows, T value) => Query.Run(rows, value, static (rows, value) => rows.Select(r => value).ToArray()); }";
        Assert.Equal("it depends on the type parameter T", QueryCompilation.Read(QueryCompilation.Create(source)).Rejection!.Reason);
    }
}
