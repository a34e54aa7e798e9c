using System.Reflection;
using Xunit;

namespace Smc.QueryCompiler.Tests.Generation;

/// <summary>
/// Queries that a method puts together from parts. Every method stands twice in the program, over a collection and over a list, so each answer is compared with that of
/// LINQ to Objects in every combination of what is decided at run time.
/// </summary>
public sealed class QueriesInParts
{
    private const string Methods = """
        public string Optional(int bits) { string? name = Is(bits, 1) ? "C3" : null; int? least = Is(bits, 2) ? 2 : null; bool ascending = Is(bits, 4); int count = Is(bits, 8) ? 3 : 20;
            var q = rows.Where(c => c.Name != "C0");
            if (name != null) q = q.Where(c => c.Name != name);
            if (least is { } number) { q = q.Where(c => c.Rating >= number); }
            q = ascending ? q.OrderBy(c => c.Rating) : q.OrderByDescending(c => c.Rating);
            return Names(q.Take(count).Select(c => c.Name).ToList()); }

        public string Else(int bits) { Query<Customer> q;
            if (Is(bits, 1)) q = rows.Where(c => c.Rating > 1);
            else if (Is(bits, 2)) { q = rows.Where(c => c.Rating > 2); if (Is(bits, 4)) q = q.Where(c => c.MktSegment == "odd"); }
            else q = rows.Skip(0).Where(c => c.Rating < 4);
            return Names(q.OrderBy(c => c.Name).Select(c => c.Name).ToArray()); }

        public string Switch(int bits) { Query<Customer> q = rows; OrderedQuery<Customer> sorted;
            switch (bits & 3)
            {
                case 0: sorted = q.OrderBy(c => c.Name); break;
                case 1: sorted = q.OrderByDescending(c => c.Name); break;
                case 2: if (Is(bits, 4)) { sorted = q.OrderByDescending(c => c.Rating); break; } sorted = q.OrderBy(c => c.Rating); break;
                default: sorted = q.OrderBy(c => c.MktSegment); break;
            }
            return Names(sorted.ThenBy(c => c.Name).Select(c => c.Name).ToList()); }

        public string Arms(int bits) { var q = rows.Where(c => c.Rating != null);
            var sorted = (bits & 3) switch { 0 => q.OrderBy(c => c.Rating), 1 => q.OrderByDescending(c => c.Rating), 2 => q.OrderBy(c => c.MktSegment), _ => q.OrderBy(c => -c.Rating) };
            return Names((Is(bits, 4) ? sorted.ThenBy(c => c.Name) : sorted.ThenByDescending(c => c.Name)).Select(c => c.Name).ToList()); }

        public string Page(int bits) { var q = rows.Where(c => c.Rating >= 0);
            if (Is(bits, 1)) q = q.Where(c => c.MktSegment == "odd");
            int all = q.Count();
            if (Is(bits, 2)) q = q.Where(c => c.Rating > 1);
            return all + " " + q.Count() + " " + Names(q.OrderBy(c => c.Name).Skip(1).Take(2).Select(c => c.Name).ToList()); }

        public string ReadLate(int bits) { int least = 1, most = 5, count = 3;
            var q = rows.Where(c => c.Rating >= least).OrderBy(c => c.Name).Take(count).Where(c => true);
            if (Is(bits, 1)) q = q.Where(c => c.Rating <= most);
            least = 2; most = 4; count = 1;
            return Names(q.Select(c => c.Name).ToList()); }

        public string Twice(int bits) { int least = 1; var q = rows.Where(c => c.Rating >= least);
            if (Is(bits, 1)) q = q.Where(c => c.Rating < 5);
            string first = q.Count() + " ";
            least = 3;
            return first + q.Count(); }

        public string Ends(int bits) { int least = 2; var q = rows.Where(c => c.Rating > 0);
            if (Is(bits, 1)) q = q.Where(c => c.Rating != least);
            return q.Count(c => c.Rating > least) + " " + q.Any() + " " + q.Max(c => c.Rating) + " " + q.Sum(c => c.Rating) + " " + q.ToDictionary(c => c.Name).Count; }

        public string Shapes(int bits) { var q = rows.Where(c => c.Rating > 0);
            if (Is(bits, 1)) q = q.Where(c => c.Rating < 4);
            var pairs = q.Select(c => new { c.Name, Twice = c.Rating * 2 });
            if (Is(bits, 2)) pairs = pairs.Where(p => p.Twice > 2);
            return string.Join(";", (Is(bits, 4) ? pairs.OrderBy(p => p.Name) : pairs.OrderByDescending(p => p.Twice)).ToList()) + " "
                + string.Join(";", q.GroupBy(c => c.MktSegment).Select(g => new { g.Key, Count = g.Count() }).OrderBy(g => g.Key).ToList()); }

        public string Both(int bits) { var some = rows.Where(c => c.Rating < 2); var others = rows.Where(c => c.Rating > 3);
            if (Is(bits, 1)) others = others.Where(c => c.MktSegment == "odd");
            if (Is(bits, 2)) some = some.Concat(others);
            return Names(some.Select(c => c.Name).OrderBy(n => n).ToList()); }

        public string Sources(int bits) { Query<Customer> q = Is(bits, 1) ? rows : others;
            if (Is(bits, 2)) q = q.Where(c => c.Rating > 2);
            return Names(q.OrderBy(c => c.Name).Select(c => c.Name).ToList()); }

        public string Leaves(int bits) { var q = rows.Where(c => c.Rating > 1);
            if (Is(bits, 1)) { q = q.Where(c => c.Rating < 5); return q.Count().ToString(); }
            try { if (Is(bits, 2)) q = q.Where(c => c.Rating > 2); return Names(q.OrderBy(c => c.Name).Select(c => c.Name).ToList()); }
            finally { q = q.Where(c => false); } }

        public string EachTurn(int bits) { string all = "";
            foreach (int least in new[] { 1, 3 })
            {
                var q = rows.Where(c => c.Rating >= least);
                if (Is(bits, 1)) q = q.Where(c => c.MktSegment == "odd");
                all += q.Count();
            }
            return all; }

        public string InALambda(int bits) { Func<int, string> page = least => {
                var q = rows.Where(c => c.Rating >= least);
                if (Is(bits, 1)) q = q.Where(c => c.Rating != most);
                return Names(q.OrderBy(c => c.Name).Select(c => c.Name).ToList()); };
            return page(1) + page(3); }

        public string Syntax(int bits) { var q = from c in rows where c.Rating > 0 select c;
            if (Is(bits, 1)) q = from c in q where c.Rating < 4 orderby c.Name select c;
            return Names((Is(bits, 2) ? q.Reverse() : q).Select(c => c.Name).OrderBy(n => n).ToList()); }

        public string Same(int bits) { var q = rows.Where(c => c.Rating > 1);
            if (Is(bits, 1)) q = Is(bits, 2) ? q : q.Where(c => c.Name == "C3");
            return Names(q.Concat(q).Select(c => c.Name).OrderBy(n => n).ToList()); }

        public string Given(int bits) { Query<Customer> q = Rated(rows); if (Is(bits, 1)) q = q.Where(c => c.Rating > 3); return q.Count().ToString(); }

        public string Chained(int bits) => Names(Sorted(Narrowed(Rated(rows), Is(bits, 1) ? 3 : null, Is(bits, 2)), Is(bits, 4)).Take(3).Select(c => c.Name).ToList());

        public string Extended(int bits) { int least = 2; var q = rows.Where(c => c.Rating != least);
            if (Is(bits, 1)) q = q.Odd(Is(bits, 2));
            return Names(q.OrderBy(c => c.Name).Select(c => c.Name).ToList()); }

        public string Own(int bits) { var q = Below(rows.Where(c => c.Rating >= 0)); if (Is(bits, 1)) q = Named(q, "C3"); return q.Count() + " " + Names(q.Select(c => c.Name).OrderBy(n => n).ToList());
            Query<Customer> Named(Query<Customer> from, string not) { string prefix = "C"; return from.Where(c => c.Name != not && c.Name.StartsWith(prefix, StringComparison.Ordinal)); } }

        public string Held(int bits) => (Is(bits, 1) ? Low : High).Count() + " " + High.OrderBy(c => c.Name).Select(c => c.Name).First();

        public string Through(int bits) => Is(bits, 1) ? Outer(rows, 1).Count().ToString() : Outer(others, 2).Count().ToString();

        private Query<Customer> Low => rows.Where(c => c.Rating < most);
        private Query<Customer> High { get { var q = others.Where(c => c.Rating < most); return q.Where(c => c.Rating > 1); } }
        private static Query<Customer> Rated(Query<Customer> from) => from.Where(c => c.Rating > 2);
        private Query<Customer> Below(Query<Customer> from) => from.Where(c => c.Rating < most);
        private static Query<Customer> Outer(Query<Customer> from, int least) { var q = Inner(from, least + 1); return least > 1 ? q.Where(c => c.Name != "C1") : q; }
        private static Query<Customer> Inner(Query<Customer> from, int most) => from.Where(c => c.Rating <= most);
        private static OrderedQuery<Customer> Sorted(Query<Customer> from, bool ascending) => ascending ? from.OrderBy(c => c.Rating) : from.OrderByDescending(c => c.Rating);
        private static Query<Customer> Narrowed(Query<Customer> from, int? least, bool isOdd)
        {
            if (least is { } number)
                from = from.Where(c => c.Rating >= number);
            if (!isOdd)
                return from;
            return from.Where(c => c.MktSegment == "odd");
        }
        """;

    private const string ElsewhereMethods = """
        public string InALoop(int bits) { var q = rows.Where(c => c.Rating >= 0);
            for (int i = 0; i < bits; i++) { int not = i; q = q.Where(c => c.Rating != not); }
            return q.Count().ToString(); }

        public string OneName(int bits) { var q = rows.Where(c => c.Rating >= 0);
            if (Is(bits, 1)) { int limit = 4; q = q.Where(c => c.Rating < limit); }
            if (Is(bits, 2)) { int limit = 1; q = q.Where(c => c.Rating > limit); }
            return q.Count().ToString(); }

        public string CalledTwice(int bits) => NotNamed(NotNamed(rows, "C" + bits), "C3").Count().ToString();

        public string NamedAlike(int bits) { string not = "C" + bits; return NotNamed(rows.Where(c => c.Name != not), "C3").Count().ToString(); }

        public string Overridden(int bits) => Chosen(rows).Count().ToString();

        public string Generic(int bits) => First(rows, 3).Count().ToString();

        public string Assigned(int bits) => Twice(rows, bits).Count().ToString();

        public string Jumps(int bits) { var q = rows.Where(c => c.Rating > 1); int i = 0;
            again: q = q.Where(c => c.Rating != 3); if (i++ < bits) goto again;
            return q.Count().ToString(); }

        public string ByReference(int bits) { Query<Customer> q = rows; if (Is(bits, 1)) Narrow(ref q); return q.Count().ToString(); }

        public string Confused(int bits) { var q = from c in rows where c.Rating > 1 select c;
            if (Is(bits, 1)) q = from c in rows where c.Rating > 2 select c;
            return q.Count().ToString(); }

        private static Query<Customer> NotNamed(Query<Customer> from, string not) => from.Where(c => c.Name != not);
        public virtual Query<Customer> Chosen(Query<Customer> from) => from.Where(c => c.Rating > 2);
        private static Query<T> First<T>(Query<T> from, int count) => from.Take(count);
        private static Query<Customer> Twice(Query<Customer> from, int times) { for (int i = 0; i < times; i++) from = from.Skip(1); return from; }
        private static void Narrow(ref Query<Customer> q) { q = q.Where(c => c.Rating > 4); }
        """;

    private static readonly Lazy<Assembly> s_program = new(() => QueryProgram.Load(QueryCompilation.Usings + $$"""
        namespace Shop;

        public abstract class Base
        {
            protected readonly int most = 4;
            protected static bool Is(int bits, int bit) => (bits & bit) != 0;
            protected static string Names(IEnumerable<string> names) => string.Join(",", names);

            protected static Collection<Customer> Fill(int count)
            {
                Collection<Customer> rows = new();
                for (int i = 0; i < count; i++) rows.Add(name: "C" + i, mktSegment: i % 2 == 1 ? "odd" : "even", rating: i % 6);
                return rows;
            }
        }

        public static class Parts
        {
            public static Query<Customer> Odd(this Query<Customer> from, bool isRated) => isRated ? from.Where(c => c.MktSegment == "odd" && c.Rating > 1) : from.Where(c => c.MktSegment == "odd");
            public static IEnumerable<Customer> Odd(this IEnumerable<Customer> from, bool isRated) => isRated ? from.Where(c => c.MktSegment == "odd" && c.Rating > 1) : from.Where(c => c.MktSegment == "odd");
        }

        public class Compiled : Base
        {
            private readonly Collection<Customer> rows = Fill(8), others = Fill(4);
            public string Explained(int bits) { var q = rows.Where(c => c.Rating > 0); if (Is(bits, 1)) q = q.Where(c => c.MktSegment == "odd"); return q.OrderBy(c => c.Name).Explain(); }
            public string ExplainedElsewhere(int bits) => Chosen(rows).Explain();
            {{Methods}}
            {{ElsewhereMethods}}
        }

        public class Linq : Base
        {
            private readonly List<Customer> rows = Fill(8).ToList(), others = Fill(4).ToList();
            {{InLinq(Methods)}}
            {{InLinq(ElsewhereMethods)}}
        }
        """));

    [Theory]
    [InlineData("Optional", 4)]
    [InlineData("Else", 3)]
    [InlineData("Switch", 3)]
    [InlineData("Arms", 3)]
    [InlineData("Page", 2)]
    [InlineData("ReadLate", 1)]
    [InlineData("Twice", 1)]
    [InlineData("Ends", 1)]
    [InlineData("Shapes", 3)]
    [InlineData("Both", 2)]
    [InlineData("Sources", 2)]
    [InlineData("Leaves", 2)]
    [InlineData("EachTurn", 1)]
    [InlineData("InALambda", 1)]
    [InlineData("Same", 2)]
    [InlineData("Syntax", 2)]
    [InlineData("Given", 1)]
    [InlineData("Chained", 3)]
    [InlineData("Extended", 2)]
    [InlineData("Own", 1)]
    [InlineData("Held", 1)]
    [InlineData("Through", 1)]
    public void Every_combination_runs_its_kernel_and_has_the_answer_of_Linq(string method, int decisions)
    {
        for (int bits = 0; bits < 1 << decisions; bits++)
        {
            QueriesNotIntercepted counter = new();
            Assert.Equal($"{bits}: {Run("Linq", method, bits)}", $"{bits}: {counter.During(() => Run("Compiled", method, bits))}");
            Assert.Equal(0, counter.Recorded);
        }
    }

    [Theory]
    [InlineData("InALoop")]
    [InlineData("OneName")]
    [InlineData("CalledTwice")]
    [InlineData("NamedAlike")]
    [InlineData("Overridden")]
    [InlineData("Generic")]
    [InlineData("Assigned")]
    [InlineData("Jumps")]
    [InlineData("ByReference")]
    [InlineData("Confused")]
    public void A_query_whose_parts_are_not_all_known_goes_to_the_provider_and_has_the_answer_of_Linq(string method)
    {
        for (int bits = 0; bits < 4; bits++)
        {
            QueriesNotIntercepted counter = new();
            Assert.Equal(Run("Linq", method, bits), counter.During(() => Run("Compiled", method, bits)));
            Assert.Equal(1, counter.Recorded);
        }
    }

    [Fact]
    public void A_function_of_one_file_is_a_part_of_queries_in_others()
    {
        const string Part = QueryCompilation.Usings + """
            namespace Shop;
            public static partial class Parts { public static partial Query<Customer> From(this Query<Customer> customers, int least); }
            public static partial class Parts { public static partial Query<Customer> From(this Query<Customer> customers, int least) => customers.Where(c => c.Rating >= least); }
            """;
        const string Ask = QueryCompilation.Usings + """
            namespace Shop;
            public static class Asks#
            {
                public static int Ask()
                {
                    using Collection<Customer> customers = new();
                    for (int i = 0; i < 5; i++) customers.Add(name: "C" + i, mktSegment: "odd", rating: i);
                    return customers.From(#).Count();
                }
            }
            """;
        Assembly program = QueryProgram.Load(Part, Ask.Replace('#', '1'), Ask.Replace('#', '2'));
        QueriesNotIntercepted counter = new();

        Assert.Equal(4, counter.During(() => program.GetType("Shop.Asks1")!.GetMethod("Ask")!.Invoke(null, null)));
        Assert.Equal(3, counter.During(() => program.GetType("Shop.Asks2")!.GetMethod("Ask")!.Invoke(null, null)));
        Assert.Equal(0, counter.Recorded);
    }

    [Fact]
    public void An_explanation_is_of_the_way_in_which_the_query_was_put_together()
    {
        string without = (string)Run("Compiled", "Explained", 0)!, with = (string)Run("Compiled", "Explained", 1)!;

        Assert.StartsWith("compiled when the project was built", without, StringComparison.Ordinal);
        Assert.Contains("rows\n    .Where(c => c.Rating > 0)\n    .OrderBy(c => c.Name)", without, StringComparison.Ordinal);
        Assert.Contains("Scan rows as Shop.Customer", without, StringComparison.Ordinal);
        Assert.DoesNotContain("odd", without, StringComparison.Ordinal);
        Assert.Contains(".Where(c => c.MktSegment == \"odd\")", with, StringComparison.Ordinal);
    }

    [Fact]
    public void A_query_from_elsewhere_is_explained_by_the_provider() => Assert.Equal("", new QueriesNotIntercepted().During(() => Run("Compiled", "ExplainedElsewhere", 0)));

    private static string InLinq(string methods) => methods.Replace("OrderedQuery<", "IOrderedEnumerable<", StringComparison.Ordinal).Replace("Query<", "IEnumerable<", StringComparison.Ordinal)
        .Replace("q = ascending ? q.OrderBy", "q = ascending ? (IEnumerable<Customer>)q.OrderBy", StringComparison.Ordinal);

    private static object? Run(string type, string method, int bits)
    {
        Type program = s_program.Value.GetType("Shop." + type)!;
        return program.GetMethod(method)!.Invoke(Activator.CreateInstance(program), BindingFlags.DoNotWrapExceptions, null, [bits], null);
    }
}
