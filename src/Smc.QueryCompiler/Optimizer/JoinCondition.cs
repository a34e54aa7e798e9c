using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>Conditions on pairs of elements, sorted into what a join is made of.</summary>
/// <param name="Right">The right side with the conditions that concern it alone.</param>
/// <param name="Keys">The equalities.</param>
/// <param name="Rest">What is left, in order.</param>
internal sealed record JoinCondition(LogicalOperator Right, EquatableArray<JoinKey> Keys, IReadOnlyList<ScalarExpression> Rest)
{
    /// <summary>What is left as one condition, or null.</summary>
    public ScalarExpression? Residual => Rest.Count == 0 ? null : Conjunctions.Join(Rest);

    public static JoinCondition Of(IReadOnlyList<ScalarExpression> conditions, LogicalOperator left, LogicalOperator right, PlanFacts facts)
    {
        Names leftNames = Names.Visible(left), rightNames = Names.Visible(right);
        List<JoinKey> keys = [];
        List<ScalarExpression> ofRight = [], rest = [];
        foreach (ScalarExpression condition in conditions)
        {
            // Keys and conditions of the right side come before the rest: they must not keep it from raising, nor raise where it would have guarded them.
            if (rest.Any(r => facts.CanRaise(r, left, right)) || (rest.Count > 0 && facts.CanRaise(condition, left, right)))
            {
                rest.Add(condition);
                continue;
            }

            if (Equalities.Key(condition, leftNames, rightNames) is { } key)
                keys.Add(key);
            else if (!Names.Free(condition).Overlaps(leftNames) && Names.Free(condition).Overlaps(rightNames))
                ofRight.Add(condition);
            else
                rest.Add(condition);
        }

        List<ScalarExpression> nullTests = [.. rest.Where(condition => keys.Any(key => IsNullTest(condition, key)))];
        return new JoinCondition(
            right.Where(ofRight),
            keys.Select(key => nullTests.Any(test => IsNullTest(test, key)) ? key with { NullsMatch = false } : key).ToEquatableArray(),
            [.. rest.Except(nullTests)]);
    }

    /// <summary>Whether the condition says that the left part of the key is not null: then nulls have no partners.</summary>
    private static bool IsNullTest(ScalarExpression condition, JoinKey key) => condition switch
    {
        Binary { Operator: BinaryOperator.NotEqual, Right: Constant { Literal: "null" } } test => test.Left.Equals(key.Left),
        Binary { Operator: BinaryOperator.NotEqual, Left: Constant { Literal: "null" } } test => test.Right.Equals(key.Left),
        MemberRead { Member: "HasValue", Instance: { } instance } => instance.Equals(key.Left),
        _ => false,
    };
}
