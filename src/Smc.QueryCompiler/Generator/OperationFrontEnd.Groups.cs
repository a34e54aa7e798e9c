using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Plan;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>Grouping, and what is asked of a group.</summary>
internal sealed partial class OperationFrontEnd
{
    private SequenceValue ReadGroupBy(IInvocationOperation call, SequenceValue sequence)
    {
        IOperation keySelector = Argument(call, "keySelector")!;
        SymbolicValue rowKey = Apply(keySelector, sequence.Element);
        List<ScalarExpression> keys = [];
        CollectKeys(rowKey, keys, keySelector.Syntax);
        if (keys.Count == 0)
            throw Rejected("a group key without members", keySelector.Syntax);

        GroupBuilder builder = new(_groups++, sequence.Input, keys);
        int next = 0;
        SymbolicValue key = MapLeaves(rowKey, _ => builder.Key(next++));
        SymbolicValue element = Argument(call, "elementSelector") is { } selector ? Apply(selector, sequence.Element) : sequence.Element;
        GroupElements elements = new(builder, Predicate: null, element);
        SymbolicValue result = Argument(call, "resultSelector") is { } resultSelector
            ? Apply(resultSelector, key, elements)
            : new GroupValue(key, elements);
        return new SequenceValue(new PendingAggregate(builder), result);
    }

    private void CollectKeys(SymbolicValue key, List<ScalarExpression> keys, SyntaxNode where)
    {
        switch (key)
        {
            case ScalarValue scalar:
                keys.Add(scalar.Expression);
                break;
            case ObjectValue { Type.Kind: TypeKind.Anonymous or TypeKind.Tuple } composite:
                foreach (KeyValuePair<string, SymbolicValue> member in composite.Members)
                    CollectKeys(member.Value, keys, where);
                break;
            case ObjectValue created:
                throw Rejected($"a group key of type {created.Type}: use an anonymous object or a tuple", where);
            default:
                throw Rejected("a group key that is not a value", where);
        }
    }

    /// <summary>The same anonymous object or tuple around other scalars, visited in the order of <see cref="CollectKeys"/>.</summary>
    private static SymbolicValue MapLeaves(SymbolicValue value, Func<ScalarExpression, ScalarExpression> map)
    {
        if (value is ScalarValue scalar)
            return new ScalarValue(map(scalar.Expression));
        ObjectValue composite = (ObjectValue)value;
        List<KeyValuePair<string, SymbolicValue>> members = [.. composite.Members.Select(m => new KeyValuePair<string, SymbolicValue>(m.Key, MapLeaves(m.Value, map)))];
        return composite.Type.Kind == TypeKind.Tuple
            ? composite with { Members = members, Arguments = [.. members.Select(m => m.Value)] }
            : composite with { Members = members, Initializers = members };
    }

    private SymbolicValue ReadGroupOperator(IInvocationOperation call, GroupElements elements)
    {
        string name = call.TargetMethod.Name;
        switch (name)
        {
            case "AsEnumerable":
                return elements;
            case "Where":
                return elements with { Predicate = And(elements.Predicate, AsScalar(Apply(Argument(call, 1), elements.Element), call.Syntax)) };
            case "Select":
                return elements with { Element = Apply(Argument(call, 1), elements.Element) };
        }

        return AggregateKindOf(name) is { } kind
            ? new ScalarValue(ReadAggregate(kind, LambdaOf(call), TypeOf(call.TargetMethod.ReturnType, call.Syntax), elements, call.Syntax))
            : throw Rejected($"the operator {name} on a group", call.Syntax);
    }

    private static AggregateKind? AggregateKindOf(string name) => name switch
    {
        "Count" => AggregateKind.Count,
        "LongCount" => AggregateKind.LongCount,
        "Sum" => AggregateKind.Sum,
        "Min" => AggregateKind.Min,
        "Max" => AggregateKind.Max,
        "Average" => AggregateKind.Average,
        "Any" => AggregateKind.Any,
        "All" => AggregateKind.All,
        _ => null,
    };

    private ScalarExpression ReadAggregate(AggregateKind kind, IOperation? lambda, PlanType type, GroupElements elements, SyntaxNode where)
    {
        ScalarExpression? predicate = elements.Predicate;
        ScalarExpression? selector = null;
        switch (kind)
        {
            case AggregateKind.Count or AggregateKind.LongCount or AggregateKind.Any:
                predicate = lambda is null ? predicate : And(predicate, AsScalar(Apply(lambda, elements.Element), where));
                break;
            case AggregateKind.All:
                ScalarExpression condition = AsScalar(Apply(lambda!, elements.Element), where);
                predicate = predicate is null ? condition : Or(Not(predicate), condition);
                break;
            default:
                selector = AsScalar(lambda is null ? elements.Element : Apply(lambda, elements.Element), where);
                if (selector.Type.Kind == TypeKind.Tabular || selector is New)
                    throw Rejected($"{kind} of {selector.Type}", where);
                selector = AtRow(selector, elements.Builder, where);
                break;
        }

        predicate = predicate is null ? null : AtRow(predicate, elements.Builder, where);
        return elements.Builder.Read(new AggregateCall(kind, selector, predicate, type));
    }

    /// <summary>An expression inside an aggregate is evaluated per row: there the group's key is the expression that it was made from.</summary>
    private static ScalarExpression AtRow(ScalarExpression expression, GroupBuilder builder, SyntaxNode where) => expression.Replace(part => part switch
    {
        GroupKeyRead key when key.Builder == builder => builder.Keys[key.Index],
        GroupAggregateRead read when read.Builder == builder => throw Rejected("an aggregate inside an aggregate of the same group", where),
        _ => null,
    });
}
