using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>A left join with aggregates of the right side by key: each element on the left finds the one group that it belongs to.</summary>
/// <param name="Elements">What is grouped.</param>
/// <param name="Keys">An expression over the left, and the one over <paramref name="Elements"/> that groups have.</param>
internal sealed record GroupLookUp(LogicalOperator Elements, EquatableArray<JoinKey> Keys)
{
    /// <summary>The join that an input has already with the same groups, with the aggregates added that it lacks; or null.</summary>
    public JoinedGroups? FindIn(LogicalOperator input, EquatableArray<AggregateCall> calls)
    {
        switch (input)
        {
            case Join { Kind: JoinKind.Left, Residual: null, Match: { } match, Right: Aggregate aggregate } join when IsSame(join, aggregate):
                List<AggregateCall> all = [.. aggregate.Aggregates];
                int[] positions = [.. calls.Select(call => Add(all, Over(aggregate, call)))];
                return new JoinedGroups(join with { Right = aggregate with { Aggregates = all.ToEquatableArray() } }, aggregate.Group, positions, match);
            case Filter or Compute or Order or Join:
                return FindIn(input.Source!, calls) is { } found
                    ? found with { Input = input.MapInputs(i => ReferenceEquals(i, input.Source) ? found.Input : i) }
                    : null;
            default:
                return null;
        }
    }

    /// <summary>The input joined with the groups.</summary>
    public JoinedGroups AddTo(LogicalOperator input, EquatableArray<AggregateCall> calls, PlanFacts facts)
    {
        int group = facts.NewGroup(), match = facts.NewVariable();
        Aggregate aggregate = new(Elements, Keys.Select(key => key.Right).ToEquatableArray(), calls, group);
        EquatableArray<JoinKey> keys = Keys.Select((key, i) => key with { Right = new KeyRead(key.Right.Type, i, group) }).ToEquatableArray();
        return new JoinedGroups(new Join(JoinKind.Left, input, aggregate, keys, null, match), group, [.. Enumerable.Range(0, calls.Count)], match);
    }

    private static int Add(List<AggregateCall> calls, AggregateCall call)
    {
        int position = calls.IndexOf(call);
        if (position >= 0)
            return position;
        calls.Add(call);
        return calls.Count - 1;
    }

    private bool IsSame(Join join, Aggregate aggregate) =>
        join.Keys.Select(key => (key.Left, key.NullsMatch)).SequenceEqual(Keys.Select(key => (key.Left, key.NullsMatch)))
        && Renumbering.AreEqual(Groups, Of(aggregate));

    /// <summary>Elements and keys, for comparison.</summary>
    private Distinct Groups => new(Elements, Keys.Select(key => key.Right).ToEquatableArray());

    private static Distinct Of(Aggregate aggregate) => new(aggregate.Input, aggregate.Keys);

    /// <summary>The call over the elements of another aggregate, which do the same.</summary>
    private AggregateCall Over(Aggregate aggregate, AggregateCall call)
    {
        return call with { Selector = Moved(call.Selector), Predicate = Moved(call.Predicate) };

        ScalarExpression? Moved(ScalarExpression? expression) => expression is null ? null : Renumbering.Onto(expression, Groups, Of(aggregate));
    }
}

/// <summary>An input joined with groups.</summary>
/// <param name="Input">The join, under what stood above it.</param>
/// <param name="Group">The number of the groups.</param>
/// <param name="Positions">Where each aggregate that was asked for is among those of the group.</param>
/// <param name="Match">The variable that says whether an element has a group.</param>
internal sealed record JoinedGroups(LogicalOperator Input, int Group, IReadOnlyList<int> Positions, int Match);
