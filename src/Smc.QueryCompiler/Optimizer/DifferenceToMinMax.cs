using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>
/// That there is an element with the same key and another value is known from the least and the greatest value for the key: <c>lines.Any(l => l.Order == o &amp;&amp; l.Supplier != s)</c>.
/// The table then has one entry for each key instead of all elements.
/// </summary>
/// <remarks>Only for values whose order and equality agree and that are never null; with further conditions on the pair the join stays.</remarks>
internal static class DifferenceToMinMax
{
    public static QueryPlan Apply(QueryPlan plan) => plan.MapOperators((node, facts) => node is Join { Kind: JoinKind.Semi or JoinKind.Anti, Keys.Count: > 0 } join ? Rewrite(join, facts) : node);

    private static LogicalOperator Rewrite(Join join, PlanFacts facts)
    {
        if (join.Residual is not Binary { Operator: BinaryOperator.NotEqual } difference || !IsOrdered(difference.Left.Type) || difference.Left.Type != difference.Right.Type)
            return join;
        Names left = Names.Visible(join.Left), right = Names.Visible(join.Right);
        Names first = Names.Free(difference.Left), second = Names.Free(difference.Right);
        (ScalarExpression wanted, ScalarExpression value) = first.Overlaps(right) ? (difference.Right, difference.Left) : (difference.Left, difference.Right);
        if (Names.Free(wanted).Overlaps(right) || Names.Free(value).Overlaps(left) || first.IsEmpty || second.IsEmpty)
            return join;

        AggregateCall least = new(AggregateKind.Min, value, null, value.Type), greatest = least with { Kind = AggregateKind.Max };
        GroupLookUp lookUp = new(join.Right, join.Keys);
        EquatableArray<AggregateCall> calls = EquatableArray.Of(least, greatest);
        JoinedGroups groups = lookUp.FindIn(join.Left, calls) ?? lookUp.AddTo(join.Left, calls, facts);
        ScalarExpression match = new ValueVariable(PlanType.Boolean, groups.Match, "match");
        ScalarExpression differs = Or(IsNot(0), IsNot(1));
        return join.Kind == JoinKind.Semi
            ? new Filter(groups.Input, new Binary(PlanType.Boolean, BinaryOperator.AndAlso, match, differs))
            : new Filter(groups.Input, Or(Not(match), Not(differs)));

        Binary IsNot(int call) => new(PlanType.Boolean, BinaryOperator.NotEqual, new AggregateRead(value.Type, groups.Positions[call], groups.Group), wanted);
    }

    private static Binary Or(ScalarExpression left, ScalarExpression right) => new(PlanType.Boolean, BinaryOperator.OrElse, left, right);

    private static Unary Not(ScalarExpression operand) => new(PlanType.Boolean, UnaryOperator.Not, operand);

    private static bool IsOrdered(PlanType type) => !type.IsNullable
        && (ScalarTraits.IsIntegral(type.Kind) || type.Kind is TypeKind.DateOnly or TypeKind.TimeOnly or TypeKind.TimeSpan or TypeKind.Char);
}
