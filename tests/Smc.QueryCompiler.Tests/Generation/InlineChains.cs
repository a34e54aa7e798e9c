using System.Reflection;
using Xunit;

namespace Smc.QueryCompiler.Tests.Generation;

/// <summary>Ordinary LINQ on a collection, written in one expression: the call that ends it is intercepted and runs a kernel.</summary>
public sealed class InlineChains
{
    private static readonly Lazy<Type> s_program = new(() => QueryProgram.Load(QueryCompilation.Usings + """
        using System.Threading.Tasks;

        namespace Shop;

        public class Program(int limit)
        {
            private readonly Collection<Customer> _customers = Fill();
            private readonly int _least = 3;

            public string Captured() { int least = 2; return Names(_customers.Where(c => c.Rating >= least).Select(c => c.Name).ToList()); }
            public int FieldsOfThis() => _customers.Count(c => c.Rating >= _least && c.Rating < this.limitField);
            public int MembersOfAnAnonymousObject() { var between = new { Least = 2, End = new { Most = 4 } }; return _customers.Count(c => c.Rating >= between.Least && c.Rating <= between.End.Most); }
            public int PrimaryParameter() => _customers.Where(c => c.Rating < limit).Count();
            public int Nested() { int a = 1, sum = 0; for (int i = 0; i < 2; i++) { int b = i; sum += _customers.Count(c => c.Rating > a + b); } return sum; }
            public string Anonymous() => string.Join(";", _customers.Where(c => c.Rating == 2).Select(c => new { c.Name, Twice = c.Rating * 2 }).ToList());
            public string Syntax() { int least = 2; return Names((from c in _customers let r = c.Rating * 2 where r >= least * 2 orderby c.Name descending select c.Name).ToList()); }
            public string Paged(int count) => Names(_customers.OrderBy(c => c.Name).Take(count).Select(c => c.Name).ToArray());
            public string PagedByRange(int from, int to) => Names(_customers.OrderBy(c => c.Name).Take(from..^to).Select(c => c.Name).ToArray());
            public string PagedInPlace() => Names(_customers.OrderBy(c => c.Name).Take(1..^3).Select(c => c.Name).ToArray());
            public string FromEnd(int back) => _customers.OrderBy(c => c.Name).Select(c => c.Name).ElementAt(^back);
            public string Chunks(int size) => string.Join(";", _customers.OrderBy(c => c.Name).Select(c => c.Name).Chunk(size).Select(c => c[0] + c.Length).ToList());
            public string ComparedByOwn(int middle) => Names(_customers.OrderBy(c => c.Rating ?? 0, new Nearest(middle)).ThenBy(c => c.Name).Take(3).Select(c => c.Name).ToList());
            public string Argument(int rating) => _customers.Where(c => c.Rating == rating).Select(c => c.Name).Single();
            public string List() { int[] wanted = [1, 4]; return Names(_customers.Where(c => c.Rating != null && wanted.Contains(c.Rating.Value)).OrderBy(c => c.Name).Select(c => c.Name).ToList()); }
            public decimal Numbers() => _customers.Select(c => (decimal)(c.Rating ?? 0)).Sum();
            public string Compared() { int least = 3; return Names(_customers.Where(c => c.Rating > least).OrderByDescending(c => c.Name, StringComparer.Ordinal).Select(c => c.Name.ToLower()).Distinct(StringComparer.OrdinalIgnoreCase).ToList()); }
            public int ComparedAtTheEnd() => _customers.ToDictionary(c => c.Name, c => c.Rating, StringComparer.OrdinalIgnoreCase)["c4"]!.Value;
            public string Handle() { Customer x = _customers.First(c => c.Name == "C3"); return _customers.Where(c => c == x).Select(c => c.Name).Single(); }
            public async Task<int> Async() { int least = 2; await Task.Yield(); return _customers.Count(c => c.Rating >= least); }
            public int Generic() => CountOf<string>("x");
            public int PrivateMembers() => _customers.Count(c => IsBetween(c.Rating ?? 0, _least) && c.Rating < s_most);
            public int Elsewhere() { var query = Rated(); return query.Count(); }

            public virtual Query<Customer> Rated() => _customers.Where(c => c.Rating > 1);

            private int CountOf<T>(T value) { int least = 4; return _customers.Count(c => c.Rating >= least); }
            private sealed class Nearest(int middle) : IComparer<int> { public int Compare(int x, int y) => Math.Abs(x - middle).CompareTo(Math.Abs(y - middle)); }
            private readonly int limitField = 5;
            private static readonly int s_most = 5;
            private static bool IsBetween(int rating, int least) { while (rating > 100) rating--; return rating >= least; }
            private static string Names(IEnumerable<string> names) => string.Join(",", names);

            private static Collection<Customer> Fill()
            {
                Collection<Customer> rows = new();
                for (int i = 0; i < 6; i++) rows.Add(name: "C" + i, mktSegment: "", rating: i);
                return rows;
            }
        }
        """).GetType("Shop.Program")!);

    [Theory]
    [InlineData("Captured", "C2,C3,C4,C5")]
    [InlineData("FieldsOfThis", 2)]
    [InlineData("MembersOfAnAnonymousObject", 3)]
    [InlineData("PrimaryParameter", 4)]
    [InlineData("Nested", 4 + 3)]
    [InlineData("Anonymous", "{ Name = C2, Twice = 4 }")]
    [InlineData("Syntax", "C5,C4,C3,C2")]
    [InlineData("Paged", "C0,C1", 2)]
    [InlineData("PagedByRange", "C2,C3,C4", 2, 1)]
    [InlineData("PagedInPlace", "C1,C2")]
    [InlineData("FromEnd", "C4", 2)]
    [InlineData("Chunks", "C04;C42", 4)]
    [InlineData("ComparedByOwn", "C3,C2,C4", 3)]
    [InlineData("Argument", "C3", 3)]
    [InlineData("List", "C1,C4")]
    [InlineData("Compared", "c5,c4")]
    [InlineData("ComparedAtTheEnd", 4)]
    [InlineData("Handle", "C3")]
    [InlineData("Generic", 2)]
    [InlineData("PrivateMembers", 2)]
    public void A_chain_runs_its_kernel(string method, object expected, params object[] arguments)
    {
        QueriesNotIntercepted counter = new();
        Assert.Equal(expected, counter.During(() => Call(method, arguments)));
        Assert.Equal(0, counter.Recorded);
    }

    [Fact]
    public void The_sum_of_a_query_of_numbers_runs_its_kernel()
    {
        QueriesNotIntercepted counter = new();
        Assert.Equal(15m, counter.During(() => Call("Numbers")));
        Assert.Equal(0, counter.Recorded);
    }

    [Fact]
    public async Task A_chain_in_an_async_method_runs_its_kernel()
    {
        QueriesNotIntercepted counter = new();
        Assert.Equal(4, await (Task<int>)counter.During(() => Call("Async"))!);
        Assert.Equal(0, counter.Recorded);
    }

    [Fact]
    public void A_query_that_is_put_together_elsewhere_goes_to_the_provider()
    {
        QueriesNotIntercepted counter = new();
        Assert.Equal(4, counter.During(() => Call("Elsewhere")));
        Assert.Equal(1, counter.Recorded);
    }

    private static object? Call(string method, params object[] arguments) =>
        s_program.Value.GetMethod(method)!.Invoke(Activator.CreateInstance(s_program.Value, 4), BindingFlags.DoNotWrapExceptions, null, arguments, null);
}
