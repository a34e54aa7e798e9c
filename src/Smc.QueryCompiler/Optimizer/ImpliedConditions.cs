using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// A condition with alternatives over several rows says something of each row by itself: of <c>a.X == 1 &amp;&amp; b.Y == 2 || a.X == 3 &amp;&amp; b.Y == 4</c> both
/// <c>a.X == 1 || a.X == 3</c> and <c>b.Y == 2 || b.Y == 4</c> follow. They stand before it and can go where it cannot: to the sources of joins, and to referenced rows.
/// </summary>
/// <remarks>
/// Nothing follows for a row that one of the alternatives says nothing of, or whose conditions have effects. What follows only spares the condition itself, so it may read other values than that,
/// and names no place in the text (<see cref="ColumnRead.Place"/>).
/// </remarks>
internal static class ImpliedConditions
{
    public static QueryPlan Apply(QueryPlan plan) => plan.MapOperators(node => node is Filter filter ? WithImplied(filter) : node);

    private static Filter WithImplied(Filter filter)
    {
        List<ScalarExpression> conditions = [];
        foreach (ScalarExpression condition in Conjunctions.Split(filter.Predicate))
        {
            conditions.AddRange(Implied(condition).Where(c => !conditions.Contains(c)).Select(WithoutPlaces));
            conditions.Add(condition);
        }

        return filter with { Predicate = Conjunctions.Join(conditions) };
    }

    private static IEnumerable<ScalarExpression> Implied(ScalarExpression condition)
    {
        List<List<ScalarExpression>> alternatives = [.. Alternatives(condition).Select(a => Conjunctions.Split(a).ToList())];
        List<ScalarExpression> all = [.. alternatives.SelectMany(a => a)];
        if (alternatives.Count < 2 || all.Select(ReadRow.Of).Distinct().Count() < 2)
            yield break;
        foreach (ScalarExpression row in all.Select(ReadRow.Of).OfType<ScalarExpression>().Distinct())
        {
            List<List<ScalarExpression>> ofRow = [.. alternatives.Select(a => a.Where(c => row.Equals(ReadRow.Of(c))).ToList())];
            if (ofRow.All(conditions => conditions.Count > 0 && conditions.All(Purity.IsPure)))
                yield return ofRow.Select(Conjunctions.Join).Distinct().Aggregate((left, right) => new Binary(PlanType.Boolean, BinaryOperator.OrElse, left, right));
        }
    }

    private static IEnumerable<ScalarExpression> Alternatives(ScalarExpression condition) =>
        condition is Binary { Operator: BinaryOperator.OrElse, Type.IsNullable: false } or ? Alternatives(or.Left).Concat(Alternatives(or.Right)) : [condition];

    private static ScalarExpression WithoutPlaces(ScalarExpression expression) =>
        expression.MapChildren(WithoutPlaces) is var mapped && mapped is ColumnRead read ? read with { Place = 0 } : mapped;
}
