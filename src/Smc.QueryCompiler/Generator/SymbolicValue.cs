using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>What an expression of the query stands for while it is read. Intermediates exist only here: plans hold scalars.</summary>
internal abstract record SymbolicValue;

/// <summary>A value that a plan can hold.</summary>
internal sealed record ScalarValue(ScalarExpression Expression) : SymbolicValue;

/// <summary>An anonymous object, a tuple or a constructed object, known by its parts.</summary>
/// <param name="Type">Its type.</param>
/// <param name="Members">The members whose values are known, by name.</param>
/// <param name="Arguments">What its constructor gets.</param>
/// <param name="Initializers">What its initialiser assigns; all members of an anonymous object.</param>
internal sealed record ObjectValue(
    PlanType Type,
    IReadOnlyList<KeyValuePair<string, SymbolicValue>> Members,
    IReadOnlyList<SymbolicValue> Arguments,
    IReadOnlyList<KeyValuePair<string, SymbolicValue>> Initializers) : SymbolicValue
{
    public SymbolicValue? Member(string name) => Members.FirstOrDefault(m => m.Key == name).Value;
}

/// <summary>A sequence in the making: operators so far, and what one of its elements is.</summary>
internal sealed record SequenceValue(LogicalOperator Input, SymbolicValue Element) : SymbolicValue;

/// <summary>One group of an aggregation: its key and its elements.</summary>
internal sealed record GroupValue(SymbolicValue Key, GroupElements Elements) : SymbolicValue;

/// <summary>The elements of a group, perhaps filtered and projected.</summary>
internal sealed record GroupElements(GroupBuilder Builder, ScalarExpression? Predicate, SymbolicValue Element) : SymbolicValue;

/// <summary>A query that is complete but for its place at the root of the plan.</summary>
internal sealed record TerminalValue(Terminal Terminal, SequenceValue Sequence) : SymbolicValue;

/// <summary>Collects the aggregates of one grouping while the operators above it are read; equal aggregates are shared.</summary>
internal sealed class GroupBuilder(int number, LogicalOperator input, IReadOnlyList<ScalarExpression> keys)
{
    private readonly List<AggregateCall> _aggregates = [];

    /// <summary>The group's number in the plan.</summary>
    public int Number => number;

    public LogicalOperator Input => input;

    public IReadOnlyList<ScalarExpression> Keys => keys;

    public IReadOnlyList<AggregateCall> Aggregates => _aggregates;

    public GroupKeyRead Key(int index) => new(keys[index].Type, this, index);

    public GroupAggregateRead Read(AggregateCall call)
    {
        int index = _aggregates.IndexOf(call);
        if (index < 0)
        {
            index = _aggregates.Count;
            _aggregates.Add(call);
        }

        return new GroupAggregateRead(call.Type, this, index);
    }
}

/// <summary>An <see cref="Aggregate"/> whose list of aggregates is not complete yet. Never in a finished plan.</summary>
internal sealed record PendingAggregate(GroupBuilder Builder) : LogicalOperator;

/// <summary>A <see cref="KeyRead"/> that still knows its group. Never in a finished plan.</summary>
internal sealed record GroupKeyRead(PlanType Type, GroupBuilder Builder, int Index) : ScalarExpression(Type);

/// <summary>An <see cref="AggregateRead"/> that still knows its group. Never in a finished plan.</summary>
internal sealed record GroupAggregateRead(PlanType Type, GroupBuilder Builder, int Index) : ScalarExpression(Type);
