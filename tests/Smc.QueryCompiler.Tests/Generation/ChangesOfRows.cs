using System.Reflection;
using Xunit;

namespace Smc.QueryCompiler.Tests.Generation;

/// <summary><c>RemoveWhere</c> and <c>Update</c> on a collection: the rows are found by a kernel, then changed.</summary>
public sealed class ChangesOfRows
{
    private const string Source = QueryCompilation.Usings + """
        namespace Shop;

        public static class Program
        {
            private const string Segment = "new";

            public static string Remove(int least)
            {
                using Collection<Customer> customers = Fill();
                long removed = customers.RemoveWhere(c => c.Rating >= least && c.Name != "C9");
                return $"{removed} of {removed + customers.Count}";
            }

            public static string Update(int rating, string segment)
            {
                using Collection<Customer> customers = Fill();
                string before = "old";
                long updated = customers.Update(c => c.Rating == rating && c.MktSegment == before, c => c.Set(mktSegment: segment));
                return $"{updated}, then {customers.Count(c => c.MktSegment == segment)}";
            }

            public static string NoRowTwice()
            {
                using Collection<Customer> customers = Fill();
                return customers.Update(c => c.Rating < 4, c => c.Rating++) + ": " + customers.Sum(c => c.Rating);
            }

            public static string Delegates()
            {
                using Collection<Customer> customers = Fill();
                Func<Customer, bool> match = c => c.Rating is 1 or 2;
                return $"{customers.Update(match, c => c.MktSegment = Segment)}, {customers.RemoveWhere(match)}";
            }

            public static void Throwing()
            {
                using Collection<Customer> customers = Fill();
                customers.Update(c => c.Rating / (c.Rating - 5) < 9, c => throw new InvalidOperationException("from update"));
            }

            private static Collection<Customer> Fill()
            {
                Collection<Customer> customers = new();
                for (int i = 0; i < 50; i++)
                    customers.Add(name: "C" + i, mktSegment: "old", rating: i % 5);
                return customers;
            }
        }
        """;

    private static readonly Lazy<Type> Program = new(() => QueryProgram.Load(Source).GetType("Shop.Program")!);

    [Theory]
    [InlineData("Remove", "19 of 50", 3)]
    [InlineData("Update", "10, then 10", 2, "new")]
    [InlineData("NoRowTwice", "40: 140")]
    public void Rows_are_found_by_a_kernel_and_changed(string method, string expected, params object[] arguments)
    {
        (object? result, long fallbacks) = Fallbacks.Count(() => Program.Value.GetMethod(method)!.Invoke(null, arguments));

        Assert.Equal(expected, result);
        Assert.Equal(0, fallbacks);
    }

    [Fact]
    public void A_delegate_is_called_row_by_row() => Assert.Equal("20, 20", Program.Value.GetMethod("Delegates")!.Invoke(null, []));

    [Fact]
    public void What_the_update_throws_comes_through()
    {
        TargetInvocationException thrown = Assert.Throws<TargetInvocationException>(() => Program.Value.GetMethod("Throwing")!.Invoke(null, []));
        Assert.Equal("from update", thrown.InnerException!.Message);
    }

    [Fact]
    public async Task Strictly_nothing_is_reported() =>
        Assert.Empty(await GeneratorRun.Analyze(new GeneratorRun(QueryCompilation.Create(Source)).Output, ("SmcStrict", "true")));
}
