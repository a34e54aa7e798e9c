using Smc.QueryCompiler.Fuzz.Queries;

namespace Smc.QueryCompiler.Fuzz.Shrinking;

/// <summary>Smaller queries that are made of the pieces of a query: operators left out, expressions replaced by parts of theirs or by constants.</summary>
internal static class QuerySimplifier
{
    /// <summary>All queries that are one step smaller: smallest first, and those last that may not be C# any more.</summary>
    public static IEnumerable<RandomQueryCase> Simpler(RandomQueryCase query)
    {
        HashSet<string> seen = [query.Query.Text];
        HashSet<string> given = [.. query.Query.FreeVariables];
        IEnumerable<RandomQueryCase> inPlace = query.Query.All.Any(n => n.IsMethod) ? [query with { Query = WithoutMethods(query.Query) }] : [];
        return inPlace.Concat(Sorted(Roots(query.Query, given).Concat(Replaced(query.Query, given, SameType)))
            .Concat(Sorted(Replaced(query.Query, given, OtherType)))
            .Where(q => seen.Add(q.Text) && q.Text.Length < query.Query.Text.Length && OrderAnalysis.IsDetermined(q))
            .Select(q => new RandomQueryCase(q, query.Parameters).Used()));
    }

    private static QueryNode WithoutMethods(QueryNode node) => node with { IsMethod = false, Parts = [.. node.Parts.Select(WithoutMethods)] };

    private static IEnumerable<QueryNode> Sorted(IEnumerable<QueryNode> queries) => queries.OrderBy(q => q.Size);

    /// <summary>A closed part of the query, asked for alone.</summary>
    private static IEnumerable<QueryNode> Roots(QueryNode query, HashSet<string> given) => query.All.Skip(1)
        .Where(part => part.Type is not LambdaType and not GroupType && part.FreeVariables.All(given.Contains))
        .Select(part => part.Type is not SequenceType ? part
            : part.Template.EndsWith(".ToList()", StringComparison.Ordinal) || part.Template.EndsWith(".ToArray()", StringComparison.Ordinal) ? part
            : new QueryNode("$0.ToList()", part.Type, part) { Order = OrderRule.Keep });

    /// <summary>One node replaced by something smaller.</summary>
    private static IEnumerable<QueryNode> Replaced(QueryNode node, HashSet<string> available, Func<QueryNode, bool, IEnumerable<QueryNode>> smaller, bool mustBeSorted = false)
    {
        foreach (QueryNode replacement in smaller(node, mustBeSorted).Where(r => r.FreeVariables.All(available.Contains)))
            yield return replacement;
        HashSet<string> inside = [.. available, .. node.Binds];
        for (int i = 0; i < node.Parts.Length; i++)
        {
            foreach (QueryNode part in Replaced(node.Parts[i], inside, smaller, i == 0 && node.Template.StartsWith("$0.ThenBy", StringComparison.Ordinal)))
            {
                QueryNode[] parts = [.. node.Parts];
                parts[i] = part;
                yield return node with { Parts = parts };
            }
        }
    }

    private static IEnumerable<QueryNode> SameType(QueryNode node, bool mustBeSorted)
    {
        foreach (QueryNode part in node.All.Skip(1))
        {
            if (part.Type.Equals(node.Type) && part.Type is not LambdaType && (!mustBeSorted || part.Order == OrderRule.Sort))
                yield return part;
        }

        if (node.Type is ScalarType scalar && node.Parts.Length > 0)
        {
            foreach (string constant in Constants(scalar))
                yield return new QueryNode(constant, scalar);
        }
    }

    /// <summary>An operator left out though its elements are of another type; an object replaced by one of its members. Right where nobody looks.</summary>
    private static IEnumerable<QueryNode> OtherType(QueryNode node, bool mustBeSorted)
    {
        if (node.Type is SequenceType and not GroupType && node.Parts is [{ Type: SequenceType } source, ..] && !source.Type.Equals(node.Type) && !mustBeSorted)
            return [source];
        return node.Type is CompositeType ? node.Parts : [];
    }

    private static IEnumerable<string> Constants(ScalarType type) => type switch
    {
        { Kind: ScalarKind.Bool, IsNullable: false } => ["true", "false"],
        { Kind: ScalarKind.Int, IsNullable: false } => ["0", "1"],
        { Kind: ScalarKind.Long, IsNullable: false } => ["0L", "1L"],
        { Kind: ScalarKind.Decimal, IsNullable: false } => ["0m", "1m"],
        { Kind: ScalarKind.Double, IsNullable: false } => ["0d", "1d"],
        { Kind: ScalarKind.String } => ["\"\"", "\"A\""],
        _ => [],
    };
}
