using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Physical;

/// <summary>
/// A sequence in a result, such as the partners of a group join, depends on some values of the element around it alone: elements with the same values get the same sequence, as in LINQ,
/// where it would otherwise be made once for each.
/// </summary>
/// <param name="Root">The operators that make it.</param>
/// <param name="Values">The values.</param>
internal sealed record SharedSequence(LogicalOperator Root, IReadOnlyList<ScalarExpression> Values) : PhysicalOperator
{
    public override bool KeepsOnlyValues => false;

    public override IEnumerable<string> Describe() => [$"made once for all elements with the same {string.Join(" and ", Values.Select(PlanPrinter.Print))}"];

    /// <summary>For a subquery that is a sequence; null for a list or an array, which belongs to its element alone, and where it reads more of the element than what keys are compared with.</summary>
    public static SharedSequence? TryOf(Subquery query)
    {
        if (query.Terminal != Terminal.List || !query.Type.CSharp.StartsWith("global::System.Collections.Generic.IEnumerable<", StringComparison.Ordinal) || !Purity.CanRunAgain(query.Root))
            return null;
        HashSet<PlanRead> free = [.. PlanReads.Free(query.Root).Select(read => read.Read)];
        List<ScalarExpression> values = [];
        foreach (Binary condition in query.Root.SelfAndInputs().OfType<Filter>().SelectMany(filter => Conjunctions.Split(filter.Predicate)).OfType<Binary>().Where(c => c.Operator == BinaryOperator.Equal))
            values.AddRange(new[] { condition.Left, condition.Right }.Where(side => IsAround(side) && !values.Contains(side)));
        ScalarExpression? Unread(ScalarExpression part) => values.Contains(part) ? new Constant(part.Type, "default") : null;
        return values.Count > 0 && PlanReads.IsClosed(((Subquery)query.Replace(Unread)).Root) ? new SharedSequence(query.Root, values) : null;

        bool IsAround(ScalarExpression side) => KeyBounds.CanEqual(side.Type) && !ComparedText.Is(side.Type) && !ScalarTraits.CanThrow(side)
            && PlanReads.Of(side).Any() && PlanReads.Of(side).All(read => free.Contains(read.Read)) && !side.SelfAndDescendants().Any(part => part is Subquery);
    }
}
