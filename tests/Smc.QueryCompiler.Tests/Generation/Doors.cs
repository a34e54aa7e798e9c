using Xunit;

namespace Smc.QueryCompiler.Tests.Generation;

/// <summary>The three ways in, running: with a collection through the kernel, with anything else through the lambda.</summary>
public sealed class Doors
{
    private static readonly Lazy<Type> Program = new(() => QueryProgram.Load(QueryCompilation.Usings + """
        namespace Shop;

        public static partial class Program
        {
            [Tabular] private readonly partial struct Hidden { public partial int X { get; set; } }

            private static readonly Collection<Customer> Customers = Fill();
            private static readonly Collection<Hidden> HiddenRows = new();

            private static readonly Func<IEnumerable<Customer>, int, int> Compiled =
                Query.Compile((IEnumerable<Customer> rows, int least) => rows.Count(c => c.Rating >= least));

            public static int CallRun(bool asCollection) => Query.Run(Rows(asCollection), 3, static (rows, least) => rows.Count(c => c.Rating >= least));

            public static int CallCompiled(bool asCollection) => Compiled(Rows(asCollection), 3);

            public static int CallPartial(bool asCollection) => Partial(Rows(asCollection), 3);

            [CompiledQuery(nameof(Definition))]
            private static partial int Partial(IEnumerable<Customer> rows, int least);

            private static int Definition(IEnumerable<Customer> rows, int least) => rows.Count(c => c.Rating >= least);

            public static int CallPrivate(bool asCollection)
            {
                if (HiddenRows.Count == 0)
                    Hidden.Add(HiddenRows, x: 40);
                return Private(asCollection ? HiddenRows : HiddenRows.ToList());
            }

            [CompiledQuery(nameof(PrivateDefinition))]
            private static partial int Private(IEnumerable<Hidden> rows);

            private static int PrivateDefinition(IEnumerable<Hidden> rows) => rows.Sum(r => r.X);

            public static string CallAnonymous(bool asCollection) =>
                string.Join(";", Query.Run(Rows(asCollection), 3, static (rows, least) => rows.Where(c => c.Rating >= least).OrderBy(c => c.Name).Select(c => new { c.Name, Least = least }).Take(2).ToList()));

            private static IEnumerable<Customer> Rows(bool asCollection) => asCollection ? Customers : Customers.Select(c => c);

            private static Collection<Customer> Fill()
            {
                Collection<Customer> customers = new();
                for (int i = 0; i < 100; i++)
                    customers.Add(name: "C" + i, mktSegment: "", rating: i % 5);
                return customers;
            }
        }
        """).GetType("Shop.Program")!);

    [Theory]
    [InlineData("CallRun", 40)]
    [InlineData("CallCompiled", 40)]
    [InlineData("CallPartial", 40)]
    [InlineData("CallPrivate", 40)]
    [InlineData("CallAnonymous", "{ Name = C13, Least = 3 };{ Name = C14, Least = 3 }")]
    public void A_door_gives_the_same_with_and_without_a_collection(string method, object expected)
    {
        Assert.Equal(expected, Call(method, asCollection: true));
        Assert.Equal(expected, Call(method, asCollection: false));
    }

    [Theory]
    [InlineData("CallRun")]
    [InlineData("CallCompiled")]
    [InlineData("CallPartial")]
    public void A_call_allocates_nothing(string method)
    {
        Func<bool, int> call = Program.Value.GetMethod(method)!.CreateDelegate<Func<bool, int>>();
        call(true);
        call(true);
        long before = GC.GetAllocatedBytesForCurrentThread();
        call(true);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    private static object? Call(string method, bool asCollection) => Program.Value.GetMethod(method)!.Invoke(null, [asCollection]);
}
