using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Physical;

/// <summary>
/// A part of the query that depends on some values of the element around it alone: elements with the same values get the same result, where it would otherwise be made once for each. Either a sequence in a
/// result, such as the partners of a group join, which LINQ shares, too; or a single value, if what it depends on has so few values that they are no keys to look up by.
/// </summary>
/// <param name="Root">The operators that make it.</param>
/// <param name="Values">The values; none if it depends on nothing.</param>
internal sealed record SharedResult(LogicalOperator Root, IReadOnlyList<ScalarExpression> Values) : PhysicalOperator
{
    public override bool KeepsOnlyValues => false;

    public override IEnumerable<string> Describe() =>
        [Values.Count == 0 ? "made once for all elements" : $"made once for all elements with the same {string.Join(" and ", Values.Select(PlanPrinter.Print))}"];

    /// <summary>For a subquery; null for a list or an array, which belongs to its element alone, and where it reads more of the element than what keys are compared with.</summary>
    public static SharedResult? TryOf(Subquery query)
    {
        bool isSequence = query.Terminal == Terminal.Sequence;
        if (!(isSequence || IsValueOfScan(query)) || !Purity.CanRunAgain(query.Root))
            return null;
        HashSet<PlanRead> free = [.. PlanReads.Free(query.Root).Select(read => read.Read)];
        List<ScalarExpression> values = [];
        foreach (Binary condition in query.Root.SelfAndInputs().OfType<Filter>().SelectMany(filter => Conjunctions.Split(filter.Predicate)).OfType<Binary>().Where(c => c.Operator == BinaryOperator.Equal))
            values.AddRange(new[] { condition.Left, condition.Right }.Where(side => IsAround(side) && !values.Contains(side)));
        if (!isSequence && !(values.Count > 0 && values.TrueForAll(value => KeyBounds.HasFewValues(value.Type))))
            return null;
        // Equal decimals and times are one only for who compares them.
        bool areOne = query.Root.SelfAndAll().SelectMany(node => node.Expressions()).All(part => EqualKeys.AreOneFor(part, value => EqualKeys.MayDifferIfEqual(value.Type) && values.Contains(value)));
        return areOne && PlanReads.IsClosed(((Subquery)query.Replace(Unread)).Root) ? new SharedResult(query.Root, values) : null;

        ScalarExpression? Unread(ScalarExpression part) => values.Contains(part) ? new Constant(part.Type, "default") : null;

        bool IsAround(ScalarExpression side) => KeyBounds.CanEqual(side.Type) && !ComparedText.Is(side.Type) && !ScalarTraits.CanThrow(side)
            && PlanReads.Of(side).Any() && PlanReads.Of(side).All(read => free.Contains(read.Read)) && !side.SelfAndDescendants().Any(part => part is Subquery);
    }

    // What is no object of its own: nobody can tell whether it was computed again.
    private static bool IsValueOfScan(Subquery query) => !query.Terminal.MakesCollection() && (ScalarTraits.IsUnmanaged(query.Type) || query.Type.Kind is TypeKind.String or TypeKind.Tabular)
        && query.Root.SelfAndInputs().Any(node => node is Scan);
}
