using System.Reflection;
using Xunit;

namespace Smc.QueryCompiler.Tests.EndToEnd;

/// <summary>A kernel that finds no element, or too many, throws with the text of LINQ.</summary>
public sealed class TextsOfExceptions
{
    private static readonly string[] Queries =
    [
        "rows.First()",
        "rows.Where(c => c.Name == \"?\").First()",
        "rows.First(c => c.Name == \"?\")",
        "rows.First(c => c.Name == \"?\").Name",
        "rows.Single()",
        "rows.Single(c => c.Name == \"?\")",
        "rows.Single(c => c.MktSegment == \"s\")",
        "rows.Single(c => c.MktSegment == \"s\").Name",
        "rows.SingleOrDefault(c => c.MktSegment == \"s\")",
        "rows.Where(c => c.MktSegment == \"s\").Single()",
        "rows.Last(c => c.Name == \"?\")",
        "rows.Select(c => c.Rating).Last(r => r > 100)",
        "rows.OrderBy(c => c.Name).First(c => c.Name == \"?\")",
    ];

    private static readonly Lazy<Type> Program = new(() => QueryProgram.Load(QueryCompilation.Usings + $$"""
        namespace Shop;

        public static class Program
        {
            private static readonly Collection<Customer> Customers = new();

            static Program()
            {
                Customers.Add(name: "A", mktSegment: "s", rating: 1);
                Customers.Add(name: "B", mktSegment: "s", rating: 2);
            }

        {{string.Join("\n", Queries.Select((query, i) => $$$"""
                public static object? Door{{{i}}}(bool isEmpty) => Query.Run(isEmpty ? new Collection<Customer>() : Customers, static rows => {{{query}}});
                public static object? Chain{{{i}}}(bool isEmpty) { var rows = isEmpty ? new Collection<Customer>() : Customers; return {{{query}}}; }
                public static object? Linq{{{i}}}(bool isEmpty) { var rows = isEmpty ? new List<Customer>() : Customers.ToList(); return {{{query}}}; }
            """))}}
        }
        """).GetType("Shop.Program")!);

    public static TheoryData<string, bool> Cases => new(Queries.SelectMany(_ => new[] { false, true }, (query, isEmpty) => (query, isEmpty)));

    [Theory]
    [MemberData(nameof(Cases))]
    public void Kernels_throw_as_LINQ_does(string query, bool isEmpty)
    {
        int number = Array.IndexOf(Queries, query);
        string? linq = Thrown("Linq" + number, isEmpty);

        Assert.Equal(linq, Thrown("Door" + number, isEmpty));
        Assert.Equal(linq, Thrown("Chain" + number, isEmpty));
    }

    private static string? Thrown(string method, bool isEmpty)
    {
        TargetInvocationException? thrown = null;
        try
        {
            Program.Value.GetMethod(method)!.Invoke(null, [isEmpty]);
        }
        catch (TargetInvocationException exception)
        {
            thrown = exception;
        }

        return thrown?.InnerException is { } inner ? $"{inner.GetType().Name}: {inner.Message}" : null;
    }
}
