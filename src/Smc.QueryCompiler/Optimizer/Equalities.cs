using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>Conditions <c>a == b</c> that can be keys of a join: <c>==</c> means the same as <c>EqualityComparer&lt;T&gt;.Default</c> for the type.</summary>
internal static class Equalities
{
    /// <summary>The key that the condition is for a join of what the two sides show, or null. Null equals null in it, as for <c>==</c>.</summary>
    public static JoinKey? Key(ScalarExpression condition, Names left, Names right)
    {
        if (condition is not Binary { Operator: BinaryOperator.Equal } equal || !IsKeyType(equal.Left.Type) || equal.Left.Type.AsNonNullable() != equal.Right.Type.AsNonNullable())
            return null;
        Names first = Names.Free(equal.Left), second = Names.Free(equal.Right);
        if (first.Overlaps(left) && !first.Overlaps(right) && second.Overlaps(right) && !second.Overlaps(left))
            return new JoinKey(equal.Left, equal.Right, NullsMatch: true);
        if (second.Overlaps(left) && !second.Overlaps(right) && first.Overlaps(right) && !first.Overlaps(left))
            return new JoinKey(equal.Right, equal.Left, NullsMatch: true);
        return null;
    }

    /// <summary>Not floating point (NaN differs from itself), nor types whose <c>==</c> somebody wrote.</summary>
    private static bool IsKeyType(PlanType type) =>
        ComparedText.Is(type) || (!ScalarTraits.IsFloating(type.Kind) && type.Kind is not (TypeKind.Other or TypeKind.Binary or TypeKind.Struct or TypeKind.Tuple or TypeKind.Class or TypeKind.Anonymous));
}
