namespace Smc.QueryCompiler.Plan;

/// <summary>
/// What an element around a part of the query asks of the part's elements such that they can be looked up: that keys of theirs equal something, another lies between bounds, or both.
/// <c>y.Store == x.Store &amp;&amp; y.Date &gt; x.Date.AddDays(-30) &amp;&amp; y.Date &lt;= x.Date</c>, for instance.
/// </summary>
/// <param name="Exact">The keys that equal something, and what.</param>
/// <param name="Key">The key between bounds; null if there is none.</param>
/// <param name="Bounds">Its bounds.</param>
/// <param name="Rest">The other conditions.</param>
internal sealed record KeyBounds(IReadOnlyList<(ScalarExpression Key, ScalarExpression Value)> Exact, ScalarExpression? Key, IReadOnlyList<RangeBound> Bounds, IReadOnlyList<ScalarExpression> Rest)
{
    /// <summary>The keys and bounds in conditions on the elements of a node; null where there are none, and where one bound alone would leave half of the elements to look at.</summary>
    /// <param name="conditions">The conditions, in their order.</param>
    /// <param name="node">The node.</param>
    /// <param name="readsAll">Whether the conditions are tested on all elements, as LINQ does: a key that they test first may raise then.</param>
    public static KeyBounds? TryOf(IReadOnlyList<ScalarExpression> conditions, LogicalOperator node, bool readsAll = false)
    {
        if (!conditions.All(Purity.IsPure))
            return null;
        HashSet<int> variables = [.. node.Visible()], groups = [.. node.VisibleGroups()];
        List<(ScalarExpression Condition, ScalarExpression Key, RangeBound Bound)> comparisons = [];
        bool isFirst = readsAll;
        foreach (ScalarExpression condition in conditions)
        {
            if (condition is Binary binary && (TryCompare(binary.Left, binary.Operator, binary.Right) ?? TryCompare(binary.Right, RangeBound.Mirror(binary.Operator), binary.Left)) is { } found)
                comparisons.Add((condition, found.Key, found.Bound));
            isFirst &= !Reads(condition).Any(IsOfNode);
        }

        // Keys with few values are tested on what is found, which costs less than to number their combinations with others.
        List<(ScalarExpression Condition, ScalarExpression Key, RangeBound Bound)> exact = [.. comparisons.Where(c => c.Bound.Operator == BinaryOperator.Equal && !HasFewValues(c.Key.Type))];
        var window = comparisons.Where(c => c.Bound.Operator != BinaryOperator.Equal).GroupBy(c => c.Key)
            .OrderByDescending(g => g.Any(c => IsLower(c.Bound)) && g.Any(c => !IsLower(c.Bound))).FirstOrDefault()?.ToList() ?? [];
        bool isWindow = window.Exists(c => IsLower(c.Bound)) && window.Exists(c => !IsLower(c.Bound));
        if (exact.Count == 0 && !isWindow)
            return null;
        List<ScalarExpression> used = [.. window.Select(c => c.Condition), .. exact.Select(c => c.Condition)];
        List<ScalarExpression> rest = [.. conditions.Where(c => !used.Exists(u => ReferenceEquals(u, c)))];
        // What the query's text reads in one place is tested on one load.
        if (rest.Exists(r => used.Exists(u => PlacedReads.Share(r, u))))
            return null;
        return new KeyBounds([.. exact.Select(c => (c.Key, c.Bound.Value!))], window.Count == 0 ? null : window[0].Key, [.. window.Select(c => c.Bound)], rest);

        (ScalarExpression Key, RangeBound Bound)? TryCompare(ScalarExpression key, BinaryOperator op, ScalarExpression value)
        {
            if (op is BinaryOperator.NotEqual || op < BinaryOperator.Equal || !AreOfOneType(key.Type, value.Type) || !(op == BinaryOperator.Equal ? CanEqual(key.Type) : HasNumber(key.Type)))
                return null;
            return (isFirst || !ScalarTraits.CanThrow(key)) && !HasSubquery(key) && !HasSubquery(value) && Reads(key).All(IsOfNode) && Reads(key).Any() && !Reads(value).Any(IsOfNode) && Reads(value).Any()
                ? (key, new RangeBound(op, value))
                : null;
        }

        bool IsOfNode(PlanRead read) => (read.Kind is ReadKind.Row or ReadKind.Value ? variables : groups).Contains(read.Number);
    }

    private static IEnumerable<PlanRead> Reads(ScalarExpression expression) => PlanReads.Of(expression).Select(r => r.Read);

    private static bool IsLower(RangeBound bound) => bound.Operator is BinaryOperator.GreaterThan or BinaryOperator.GreaterThanOrEqual;

    private static bool HasSubquery(ScalarExpression expression) => expression.SelfAndDescendants().Any(part => part is Subquery);

    /// <summary>Whether values of a type are numbers of 64 bits with a sign, in their order.</summary>
    public static bool HasNumber(PlanType type) => !type.IsNullable && type.Kind is TypeKind.SByte or TypeKind.Byte or TypeKind.Int16 or TypeKind.UInt16 or TypeKind.Int32 or TypeKind.UInt32 or TypeKind.Int64 or TypeKind.Char
        or TypeKind.DateOnly or TypeKind.DateTime or TypeKind.DateTimeOffset or TypeKind.TimeOnly or TypeKind.TimeSpan;

    // Of references the annotation may differ.
    private static bool AreOfOneType(PlanType key, PlanType value) => key == value || (key.IsReferenceType && value.IsReferenceType && key.AsNonNullable() == value.AsNonNullable());

    /// <summary>Whether values that <c>==</c> finds equal are those that their own equality does, null among them.</summary>
    public static bool CanEqual(PlanType type) => HasNumber(type) || ComparedText.Is(type) || (type.Kind == TypeKind.Tabular && !type.IsNullable)
        || type.Kind is TypeKind.String or TypeKind.Decimal or TypeKind.Guid or TypeKind.Enum or TypeKind.Boolean or TypeKind.UInt64 or TypeKind.Int128 or TypeKind.UInt128
        || (type.IsNullable && HasNumber(type.AsNonNullable()));

    /// <summary>Whether a type has so few values that many elements have one of them, as far as the type tells.</summary>
    public static bool HasFewValues(PlanType type) => type.Kind is TypeKind.SByte or TypeKind.Byte or TypeKind.Char or TypeKind.Boolean or TypeKind.Enum;
}
