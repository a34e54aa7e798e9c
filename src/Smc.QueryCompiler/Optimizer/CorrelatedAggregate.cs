using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>A subquery whose value is made of aggregates over its elements, the first element included.</summary>
internal sealed class CorrelatedAggregate
{
    private readonly Subquery _query;
    private readonly ScalarExpression? _result;
    private readonly int _group;

    private CorrelatedAggregate(Subquery query, LogicalOperator elements, EquatableArray<AggregateCall> calls, ScalarExpression? result, int group)
    {
        _query = query;
        Elements = elements;
        Calls = calls;
        _result = result;
        _group = group;
    }

    public LogicalOperator Elements { get; }

    public EquatableArray<AggregateCall> Calls { get; }

    public bool IsPure => Purity.IsPure(_query);

    /// <summary>The subquery taken apart, or null when it is something else.</summary>
    public static CorrelatedAggregate? Of(Subquery query) => query switch
    {
        { Terminal: Terminal.Any } => new(query, query.Root, EquatableArray<AggregateCall>.Empty, null, 0),
        { Terminal: Terminal.Scalar, Root: Project { Input: Aggregate { Keys.Count: 0 } aggregate } project } when aggregate.Aggregates.All(HasValueOfNothing) =>
            new(query, aggregate.Input, aggregate.Aggregates, project.Result, aggregate.Group),
        { Terminal: Terminal.First or Terminal.FirstOrDefault, Root: Project { Key: null } project } when project.Result is not New =>
            new(query, project.Input, EquatableArray.Of(new AggregateCall(AggregateKind.First, project.Result, null, project.Result.Type)), null, 0),
        _ => null,
    };

    /// <summary>The value for an element, read from the group that it was joined with or made for no elements.</summary>
    /// <param name="group">The number of the group that has the aggregates.</param>
    /// <param name="positions">Where in it.</param>
    /// <param name="match">The variable that says whether there is a group.</param>
    public ScalarExpression Value(int group, IReadOnlyList<int> positions, int match)
    {
        ValueVariable hasGroup = new(PlanType.Boolean, match, "match");
        if (_query.Terminal == Terminal.Any)
            return hasGroup;
        if (_query.Terminal != Terminal.Scalar)
            return Read(0, _query.Terminal == Terminal.First ? Raising(_query.Type) : Default(Calls[0].Type));
        return _result!.Replace(part => part is AggregateRead read && read.Group == _group ? Read(read.Index, OfNothing(Calls[read.Index])) : null);

        ScalarExpression Read(int index, ScalarExpression ofNothing) =>
            new Conditional(Calls[index].Type, hasGroup, new AggregateRead(Calls[index].Type, positions[index], group), ofNothing);
    }

    private static bool HasValueOfNothing(AggregateCall call) => call.Kind != AggregateKind.Fold;

    private static ScalarExpression OfNothing(AggregateCall call) => call.Kind switch
    {
        AggregateKind.Count or AggregateKind.LongCount or AggregateKind.Sum => Zero(call.Type),
        AggregateKind.Any => new Constant(call.Type, "false"),
        AggregateKind.All => new Constant(call.Type, "true"),
        AggregateKind.First => Default(call.Type),
        _ when call.Type.IsNullable || call.Type.IsReferenceType => new Constant(call.Type, "null"),
        _ => Raising(call.Type),
    };

    private static ScalarExpression Zero(PlanType type)
    {
        Constant zero = new(type.AsNonNullable(), type.Kind switch
        {
            TypeKind.Int64 => "0L",
            TypeKind.Decimal => "0m",
            TypeKind.Double => "0d",
            TypeKind.Single => "0f",
            _ => "0",
        });
        return type.IsNullable ? new Plan.Convert(type, zero) : zero;
    }

    private static Constant Default(PlanType type) => new(type, "default");

    /// <summary>What raises as aggregates over nothing do: the first of no elements.</summary>
    private static Subquery Raising(PlanType type) =>
        new(type, new Project(new Filter(new Unit(), new Constant(PlanType.Boolean, "false")), Default(type)), Terminal.First);
}
