using Smc.QueryCompiler.Plan;
using Convert = Smc.QueryCompiler.Plan.Convert;

namespace Smc.QueryCompiler.Translation;

/// <summary>Operators over two sequences: joins, nested sequences, set operations.</summary>
public sealed partial class QueryTranslator
{
    private SequenceValue? Combined(LinqCall call, SequenceValue first)
    {
        switch (call.Operator)
        {
            case "SelectMany":
                return Derive(() => Flattened(first.Open(), call));
            case "Join":
                return Derive(() => Joined(first.Open(), Second(call, "inner").Open(), call));
            case "LeftJoin":
                return Derive(() => LeftJoined(first.Open(), Second(call, "inner").Open(), call));
            case "RightJoin":
                return Derive(() => RightJoined(first.Open(), Second(call, "inner").Open(), call));
            case "GroupJoin":
                return Derive(() => GroupJoined(first.Open(), Second(call, "inner"), call));
            case "Concat":
                return Derive(() => Concatenated(first.Open(), Second(call, "second").Open(), call.Node));
            case "Append" or "Prepend":
                return Derive(() => Extended(first.Open(), call));
            case "Union" or "UnionBy":
                return Derive(() => Distinct(Concatenated(first.Open(), Second(call, "second").Open(), call.Node), call));
            case "Intersect" or "IntersectBy" or "Except" or "ExceptBy":
                return Derive(() => Matched(first.Open(), Second(call, "second").Open(), call));
            case "Zip":
                return Derive(() => Zipped(first.Open(), call));
            default:
                return null;
        }
    }

    private SequenceValue Second(LinqCall call, string name)
    {
        QueryNode node = call.Required(name);
        return AsSequence(Evaluate(node, call.Scope), node);
    }

    private Pipe Flattened(Pipe source, LinqCall call)
    {
        LambdaNode selector = call.Lambda("collectionSelector") ?? call.RequiredLambda("selector");
        (LogicalOperator input, SymbolicValue[] arguments) = Arguments(source, selector);
        Pipe inner = AsSequence(Apply(selector, call.Scope, arguments), selector.Body).Open();
        LogicalOperator both = new Apply(input, inner.Input);
        return call.Lambda("resultSelector") is { } result
            ? Shared(both, Apply(result, call.Scope, source.Element, inner.Element))
            : new Pipe(both, inner.Element);
    }

    private Pipe Joined(Pipe outer, Pipe inner, LinqCall call)
    {
        LogicalOperator join = new Join(JoinKind.Inner, outer.Input, inner.Input, JoinKeys(outer, inner, call));
        return Shared(join, Apply(call.RequiredLambda("resultSelector"), call.Scope, outer.Element, inner.Element));
    }

    private Pipe LeftJoined(Pipe outer, Pipe inner, LinqCall call)
    {
        ValueVariable match = _numbers.Value(PlanType.Boolean, "match");
        LogicalOperator join = new Join(JoinKind.Left, outer.Input, inner.Input, JoinKeys(outer, inner, call), Residual: null, match.Variable);
        return Shared(join, Apply(call.RequiredLambda("resultSelector"), call.Scope, outer.Element, Defaulted(inner, match, call.Node)));
    }

    /// <summary>A left join with the sides exchanged: <c>RightJoin</c> keeps the order of its inner sequence.</summary>
    private Pipe RightJoined(Pipe outer, Pipe inner, LinqCall call)
    {
        ValueVariable match = _numbers.Value(PlanType.Boolean, "match");
        EquatableArray<JoinKey> keys = JoinKeys(outer, inner, call).Select(k => new JoinKey(k.Right, k.Left, k.NullsMatch)).ToEquatableArray();
        LogicalOperator join = new Join(JoinKind.Left, inner.Input, outer.Input, keys, Residual: null, match.Variable);
        return Shared(join, Apply(call.RequiredLambda("resultSelector"), call.Scope, Defaulted(outer, match, call.Node), inner.Element));
    }

    /// <summary>A null key has no partner; a null inside an anonymous object or tuple equals another.</summary>
    private EquatableArray<JoinKey> JoinKeys(Pipe outer, Pipe inner, LinqCall call)
    {
        SymbolicValue left = Apply(call.RequiredLambda("outerKeySelector"), call.Scope, outer.Element);
        SymbolicValue right = Apply(call.RequiredLambda("innerKeySelector"), call.Scope, inner.Element);
        return Pairs(Compared(call, left), Compared(call, right), nullsMatch: left is ObjectValue, call.Node);
    }

    private EquatableArray<JoinKey> Pairs(SymbolicValue left, SymbolicValue right, bool nullsMatch, QueryNode node)
    {
        List<ScalarExpression> lefts = KeysOf(left, node), rights = KeysOf(right, node);
        if (lefts.Count != rights.Count)
            throw Rejected("keys that are not made alike", node);
        return lefts.Zip(rights, (l, r) => new JoinKey(l, r, nullsMatch)).ToEquatableArray();
    }

    /// <summary>The inner elements of a key are a query of their own: what is asked of them decides how they are found.</summary>
    private Pipe GroupJoined(Pipe outer, SequenceValue inner, LinqCall call)
    {
        SymbolicValue key = Apply(call.RequiredLambda("outerKeySelector"), call.Scope, outer.Element);
        Pipe keyed = Shared(outer.Input, Compared(call, key));
        LambdaNode result = call.RequiredLambda("resultSelector");
        DerivedSequence partners = new(() =>
        {
            Pipe pipe = inner.Open();
            SymbolicValue innerKey = Apply(call.RequiredLambda("innerKeySelector"), call.Scope, pipe.Element);
            ScalarExpression isPartner = AreEqual(keyed.Element, Compared(call, innerKey), call.Node);
            if (keyed.Element is ScalarValue { Expression: var scalar })
                isPartner = And(NotNull(scalar), isPartner);
            return pipe with { Input = new Filter(pipe.Input, isPartner) };
        })
        {
            Form = SequenceForm.Snapshot,
            Type = call.Argument("inner")!.ElementType is { } element ? new PlanType(TypeKind.Class, element.CSharp.Length == 0 ? "" : $"global::System.Collections.Generic.IEnumerable<{element.Text}>") : null,
        };
        return Shared(keyed.Input, Apply(result, call.Scope, outer.Element, partners));
    }

    private Pipe Concatenated(Pipe left, Pipe right, QueryNode node)
    {
        List<ConcatColumn> columns = [];
        SymbolicValue element = Unified(left.Element, right.Element, node, (name, a, b) =>
        {
            ValueVariable variable = _numbers.Value(a.Type, name);
            columns.Add(new ConcatColumn(variable.Variable, variable.Name, a, b));
            return variable;
        });
        return new Pipe(new Concat(left.Input, right.Input, columns.ToEquatableArray()), element);
    }

    /// <summary>Two values of one C# type that are made alike, as one value over pairs of scalars.</summary>
    private SymbolicValue Unified(SymbolicValue left, SymbolicValue right, QueryNode node, Func<string, ScalarExpression, ScalarExpression, ScalarExpression> pair)
    {
        return Unify(left, right, "value");

        SymbolicValue Unify(SymbolicValue a, SymbolicValue b, string name)
        {
            switch (a, b)
            {
                case (ObjectValue x, ObjectValue y) when AreAlike(x, y):
                    bool mayBeNull = x.Present is not null || y.Present is not null;
                    return x with
                    {
                        Parts = [.. x.Parts.Zip(y.Parts, (p, q) => p with { Value = Unify(p.Value, q.Value, p.Member ?? name) })],
                        Present = mayBeNull ? pair("present", x.Present ?? True, y.Present ?? True) : null,
                    };
                case (ObjectValue or ScalarValue, ObjectValue or ScalarValue):
                    (ScalarExpression l, ScalarExpression r) = SameType(AsScalar(a, node), AsScalar(b, node), node);
                    return new ScalarValue(pair(name, l, r));
                default:
                    throw Rejected("groups or sequences as elements of two sequences that become one", node);
            }
        }
    }

    private static bool AreAlike(ObjectValue a, ObjectValue b) =>
        a.Type == b.Type && a.Parts.Count == b.Parts.Count
        && a.Parts.Zip(b.Parts, (p, q) => p.Member == q.Member && p.IsArgument == q.IsArgument && p.IsReadable == q.IsReadable).All(same => same);

    /// <summary>Reference types may differ in their annotation: the values are then nullable.</summary>
    private static (ScalarExpression Left, ScalarExpression Right) SameType(ScalarExpression left, ScalarExpression right, QueryNode node)
    {
        if (left.Type == right.Type)
            return (left, right);
        if (!left.Type.IsReferenceType || left.Type.AsNonNullable() != right.Type.AsNonNullable())
            throw Rejected($"elements of type {left.Type} and {right.Type} in one sequence", node);
        return left.Type.IsNullable ? (left, new Convert(left.Type, right)) : (new Convert(right.Type, left), right);
    }

    private Pipe Extended(Pipe source, LinqCall call)
    {
        Pipe one = new(new Unit(), Evaluate(call.Required("element"), call.Scope));
        return call.Operator == "Append" ? Concatenated(source, one, call.Node) : Concatenated(one, source, call.Node);
    }

    /// <summary>Distinct elements of the first sequence that the second has, or has not.</summary>
    private Pipe Matched(Pipe first, Pipe second, LinqCall call)
    {
        SymbolicValue key = call.Lambda("keySelector") is { } selector ? Apply(selector, call.Scope, first.Element) : first.Element;
        JoinKind kind = call.Operator.StartsWith("Intersect", StringComparison.Ordinal) ? JoinKind.Semi : JoinKind.Anti;
        key = Compared(call, key);
        LogicalOperator distinct = new Distinct(first.Input, KeysOf(key, call.Node).ToEquatableArray());
        return first with { Input = new Join(kind, distinct, second.Input, Pairs(key, Compared(call, second.Element), nullsMatch: true, call.Node)) };
    }

    /// <summary>Elements of equal position.</summary>
    private Pipe Zipped(Pipe first, LinqCall call)
    {
        ValueVariable position = _numbers.Value(PlanType.Int32, "index");
        LogicalOperator joined = new Number(first.Input, position.Variable);
        List<SymbolicValue> elements = [first.Element];
        foreach (string name in new[] { "second", "third" }.Where(n => call.Argument(n) is not null))
        {
            Pipe other = Second(call, name).Open();
            ValueVariable index = _numbers.Value(PlanType.Int32, "index");
            joined = new Join(JoinKind.Inner, joined, new Number(other.Input, index.Variable), EquatableArray.Of(new JoinKey(position, index, NullsMatch: false)));
            elements.Add(other.Element);
        }

        return call.Lambda("resultSelector") is { } result
            ? Shared(joined, Apply(result, call.Scope, [.. elements]))
            : new Pipe(joined, Tuple(call.Node.ElementType!, [.. elements]));
    }
}
