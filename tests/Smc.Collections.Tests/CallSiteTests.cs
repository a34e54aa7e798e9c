using System.Runtime.CompilerServices;

using Xunit;

#pragma warning disable SMC1001 // Queries that are not compiled are what is tested.

namespace Smc.Collections.Tests;

/// <summary>Counters of what runs as LINQ to Objects say where in the program, as file and line.</summary>
public sealed class CallSites
{
    [Fact]
    public void A_lambda_that_is_not_compiled_is_counted_with_its_call()
    {
        using Collection<Item> rows = Fill();
        Func<IEnumerable<Item>, int> query = Enumerable.Count;
        (int count, IReadOnlyList<string> sites) = Instruments.Sites("smc.query.fallbacks", () => Query.Run((IEnumerable<Item>)rows, query));

        Assert.Equal(3, count);
        Assert.Equal(Here(-3), Assert.Single(sites));
    }

    [Fact]
    public void A_query_in_parts_is_counted_where_it_ends()
    {
        using Collection<Item> rows = Fill();
        Query<Item> some = rows.Where(r => r.Key > 1);
        (_, IReadOnlyList<string> sites) = Instruments.Sites("smc.query.fallbacks", () => some.Count());

        Assert.Equal(Here(-2), Assert.Single(sites));
    }

    [Fact]
    public void A_collection_that_LINQ_to_Objects_reads_is_counted_where_that_is_enumerated()
    {
        using Collection<Item> rows = Fill();
        IEnumerable<Item> sequence = Sequence(rows);
        (_, IReadOnlyList<string> sites) = Instruments.Sites("smc.query.enumerations", () => sequence.Where(r => r.Key > 1).Select(r => r.Key).ToList());

        Assert.Equal(Here(-2), Assert.Single(sites));
    }

    [Fact]
    public void A_query_that_falls_back_is_not_counted_as_an_enumeration_too()
    {
        using Collection<Item> rows = Fill();
        Query<Item> some = rows.Where(r => r.Key > 1);
        Assert.Empty(Instruments.Sites("smc.query.enumerations", () => some.Count()).Sites);
    }

    private static IEnumerable<Item> Sequence(IEnumerable<Item> rows) => rows;

    private static string Here(int offset, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) => $"{file}:{line + offset}";

    private static Collection<Item> Fill()
    {
        Collection<Item> rows = new();
        for (int i = 0; i < 3; i++)
            rows.Add(key: i, text: "");
        return rows;
    }
}
