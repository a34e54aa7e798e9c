using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Translation;

/// <summary>Symbolic values, and operators in the making, over other expressions.</summary>
internal static class SymbolicMapping
{
    /// <summary>The same value with every expression in it replaced, those of sequences too.</summary>
    public static SymbolicValue Map(this SymbolicValue value, Func<ScalarExpression, ScalarExpression> map) => value switch
    {
        ScalarValue scalar => new ScalarValue(map(scalar.Expression)),
        ObjectValue made => made with
        {
            Parts = [.. made.Parts.Select(p => p with { Value = p.Value.Map(map) })],
            Present = made.Present is null ? null : map(made.Present),
        },
        GroupElements elements => elements.MapOutward(map),
        GroupValue group => group with { Key = group.Key.Map(map), Elements = group.Elements.MapOutward(map) },
        WrittenSequence written => written with { Elements = [.. written.Elements.Select(e => e.Map(map))], Recipe = () => written.Recipe().Map(map) },
        SequenceValue sequence => new DerivedSequence(() => sequence.Open().Map(map)) { Form = sequence.Form, Type = sequence.Type },
        ChosenValue chosen => chosen with { Source = (SequenceValue)chosen.Source.Map(map) },
        KeyedValue keyed => keyed with { Open = () => keyed.Open().Map(map) },
        _ => throw new InvalidOperationException(value.GetType().Name),
    };

    /// <summary>The same objects around other scalars. Sequences stay; <paramref name="map"/> gets the name of the member, if there is one.</summary>
    public static SymbolicValue MapLeaves(this SymbolicValue value, Func<ScalarExpression, string?, ScalarExpression> map, string? name = null) => value switch
    {
        ScalarValue scalar => new ScalarValue(map(scalar.Expression, name)),
        ObjectValue made => made with
        {
            Parts = [.. made.Parts.Select(p => p with { Value = p.Value.MapLeaves(map, p.Member) })],
            Present = made.Present is null ? null : map(made.Present, "present"),
        },
        _ => value,
    };

    /// <summary>Every expression in operators that may still be in the making.</summary>
    public static LogicalOperator MapAll(this LogicalOperator node, Func<ScalarExpression, ScalarExpression> map)
    {
        if (node is PendingAggregate pending)
            pending.Group.Map(map);
        return node.MapInputs(input => input.MapAll(map)).MapExpressions(map);
    }

    private static Pipe Map(this Pipe pipe, Func<ScalarExpression, ScalarExpression> map) => new(pipe.Input.MapAll(map), pipe.Element.Map(map));

    private static KeyedPipe Map(this KeyedPipe pipe, Func<ScalarExpression, ScalarExpression> map) =>
        new(pipe.Input.MapAll(map), pipe.Key.Map(map), pipe.Value.Map(map));

    private static GroupElements MapOutward(this GroupElements elements, Func<ScalarExpression, ScalarExpression> map) =>
        elements with { Outward = elements.Outward is { } before ? e => map(before(e)) : map };
}
