using Smc.QueryCompiler.Fuzz.Change;
using Smc.QueryCompiler.Fuzz.Queries;
using Smc.QueryCompiler.Fuzz.Schema;
using Xunit;

namespace Smc.QueryCompiler.Tests.RandomQueries;

/// <summary>What random queries hold of a result while rows change: wrong results are told from those that some moment explains.</summary>
public sealed class WhatIsKnownUnderChange
{
    private static readonly FactCheck s_check = new((_, value) => value is 1 or 2);

    [Fact]
    public void Groups_of_all_rows_are_accepted() => Assert.Null(Problem((1, 3), (2, 1)));

    [Fact]
    public void A_key_that_two_groups_have_is_told() => Assert.Contains("twice", Problem((1, 3), (1, 1)));

    [Fact]
    public void A_row_in_no_group_is_told() => Assert.Contains("add up to 3", Problem((1, 2), (2, 1)));

    [Fact]
    public void A_value_that_was_never_stored_is_told() => Assert.Contains("never stored", Problem((1, 3), (7, 1)));

    /// <summary>What is wrong with a result of <c>shops.GroupBy(x => x.Kind).Select(g => new { A = g.Key, B = g.Count() })</c> over four rows.</summary>
    private static string? Problem(params (int Key, int Count)[] groups)
    {
        RowType shop = new("Shop");
        QueryNode shops = new("shops", new SequenceType(shop)) { Variable = "shops" };
        QueryNode key = new("$0.Kind", ScalarType.Int, new QueryNode("x", shop) { Variable = "x" });
        GroupType group = new(ScalarType.Int, shop);
        QueryNode grouped = new("$0.GroupBy($1)", new SequenceType(group), shops, new QueryNode("x => $0", new LambdaType(key.Type, 1), key) { Binds = ["x"] });
        QueryNode g = new("g", group) { Variable = "g" };
        QueryNode result = new(
            "new { A = $0, B = $1 }",
            new CompositeType(CompositeForm.Anonymous, [("A", ScalarType.Int), ("B", ScalarType.Int)]),
            new QueryNode("$0.Key", ScalarType.Int, g),
            new QueryNode("$0.Count()", ScalarType.Int, g));
        QueryNode query = new("$0.Select($1)", new SequenceType(result.Type), grouped, new QueryNode("g => $0", new LambdaType(result.Type, 1), result) { Binds = ["g"] });
        TableSchema table = new("Shop", IsColumnar: true, BlockCapacity: 8, [new ColumnSchema("Kind", ScalarType.Int, false, 0, 0, Spread.Few, false)], IsIndexed: false);
        Facts facts = new FactAnalysis(new DatabaseSchema([table]), new Dictionary<string, Bounds> { ["Shop"] = new(4, 4) }).Of(query);
        return s_check.Problem(facts, groups.Select(one => new { A = one.Key, B = one.Count }).ToList());
    }
}
