using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Translation;

/// <summary>Grouping, and what is asked of a group.</summary>
public sealed partial class QueryTranslator
{
    private SequenceValue? Grouped(LinqCall call, SequenceValue source) => call.Operator switch
    {
        "GroupBy" => Derive(() => GroupBy(source.Open(), call)),
        "CountBy" => Derive(() => CountBy(source.Open(), call)),
        "AggregateBy" => Derive(() => AggregateBy(source.Open(), call)),
        _ => null,
    };

    private Pipe GroupBy(Pipe source, LinqCall call)
    {
        SymbolicValue element = source.Element;
        LogicalOperator input = source.Input;
        if (call.Lambda("elementSelector") is { } selector)
            (input, element) = Shared(input, Apply(selector, call.Scope, source.Element));
        (GroupBuilder group, SymbolicValue key) = GroupOf(source with { Input = input }, call);
        GroupElements elements = new(group, Predicate: null, element) { Form = SequenceForm.Snapshot };
        return call.Lambda("resultSelector") is { } resultSelector
            ? Shared(new PendingAggregate(group), Apply(resultSelector, call.Scope, key, elements))
            : new Pipe(new PendingAggregate(group), new GroupValue(call.Node.ElementType, key, elements));
    }

    private (GroupBuilder Group, SymbolicValue Key) GroupOf(Pipe source, LinqCall call)
    {
        Pipe keyed = Shared(source.Input, Apply(call.RequiredLambda("keySelector"), call.Scope, source.Element));
        List<ScalarExpression> keys = KeysOf(Compared(call, keyed.Element), call.Node);
        GroupBuilder group = new(_numbers, _tree.Shapes, keyed.Input, keys);
        // Of texts that a comparer takes for equal the first is the key.
        if (EqualityComparer(call) is not null && AsScalar(keyed.Element, call.Node) is var text)
            return (group, new ScalarValue(group.TryRead(new AggregateCall(AggregateKind.First, text, Predicate: null, text.Type))!));
        int next = 0;
        return (group, KeyReads(keyed.Element));

        SymbolicValue KeyReads(SymbolicValue key) => key switch
        {
            ObjectValue { IsComparedByParts: true } composite => composite with { Parts = [.. composite.Parts.Select(p => p with { Value = KeyReads(p.Value) })] },
            _ => new ScalarValue(group.Key(next++)),
        };
    }

    /// <summary>Groups in a dictionary, which refuses a null key.</summary>
    private (GroupBuilder Group, SymbolicValue Key, LogicalOperator Groups) GroupOfKeysThatAreNotNull(Pipe source, LinqCall call)
    {
        bool mayBeNull = Apply(call.RequiredLambda("keySelector"), call.Scope, source.Element) is ScalarValue { Expression: var scalar } && MayBeNull(scalar);
        (GroupBuilder group, SymbolicValue key) = GroupOf(source, call);
        LogicalOperator groups = new PendingAggregate(group);
        return (group, key, mayBeNull ? new Filter(groups, NotNull(KeyThatIsNotNull.Of(AsScalar(key, call.Node)))) : groups);
    }

    private static bool MayBeNull(ScalarExpression value) => value switch
    {
        Constant constant => constant.Literal == "null",
        ColumnRead => value.Type.IsNullable,
        Binary => value.Type.IsNullable,
        Conditional conditional => MayBeNull(conditional.IfTrue) || MayBeNull(conditional.IfFalse),
        Coalesce coalesce => MayBeNull(coalesce.Right),
        _ => CanBeNull(value.Type),
    };

    private Pipe CountBy(Pipe source, LinqCall call)
    {
        (GroupBuilder group, SymbolicValue key, LogicalOperator groups) = GroupOfKeysThatAreNotNull(source, call);
        AggregateRead count = group.TryRead(new AggregateCall(AggregateKind.Count, Selector: null, Predicate: null, PlanType.Int32))!;
        return new Pipe(groups, KeyValuePair(call, key, new ScalarValue(count)));
    }

    private Pipe AggregateBy(Pipe source, LinqCall call)
    {
        (GroupBuilder group, SymbolicValue key, LogicalOperator groups) = GroupOfKeysThatAreNotNull(source, call);
        SymbolicValue seed = call.Lambda("seedSelector") is { } selector ? Apply(selector, call.Scope, key) : Evaluate(call.Required("seed"), call.Scope);
        SymbolicValue value = Fold(new GroupElements(group, Predicate: null, source.Element), call, seed)
            ?? throw Rejected("AggregateBy that reads its groups", call.Node);
        return new Pipe(groups, KeyValuePair(call, key, value));
    }

    private static ObjectValue KeyValuePair(LinqCall call, SymbolicValue key, SymbolicValue value) => new(
        call.Node.ElementType ?? throw Rejected($"{call.Operator} of an unknown type", call.Node),
        [new ObjectPart("Key", key, IsArgument: true, IsReadable: true), new ObjectPart("Value", value, IsArgument: true, IsReadable: true)]);

    /// <summary>What can be an aggregate of the group, or stays a sequence that can; null for everything else, which reads the rows of the group.</summary>
    private SymbolicValue? OfGroup(LinqCall call, GroupElements elements)
    {
        switch (call.Operator)
        {
            case "AsEnumerable":
                return elements;
            case "Where" when call.RequiredLambda("predicate") is { Parameters.Count: 1 } predicate:
                return WhereOfGroup(elements, AsScalar(Apply(predicate, call.Scope, elements.Element), predicate));
            case "Select" when !elements.IsDistinct && call.RequiredLambda("selector") is { Parameters.Count: 1 } selector:
                return SelectOfGroup(elements, Apply(selector, call.Scope, elements.Element));
            case "Distinct" when elements.Element is ScalarValue && EqualityComparer(call) is null:
                return elements with { Form = SequenceForm.Deferred, IsDistinct = true };
            case "First" or "FirstOrDefault" when call.Argument("defaultValue") is null && !elements.IsDistinct && FirstOfGroup(call, elements) is { } first:
                return first;
            case "Aggregate":
                return AggregateOfGroup(call, elements);
            default:
                return AggregateKindOf(call.Operator) is { } kind && Comparers(call).All(IsDefault) && AggregateOf(call, kind, elements) is { } value ? new ScalarValue(value) : null;
        }
    }

    /// <summary>Several aggregates may read the condition: a subquery in it is evaluated below the group, where every row is asked.</summary>
    private GroupElements? WhereOfGroup(GroupElements elements, ScalarExpression condition)
    {
        if (TellsEqualElementsApart(elements, condition))
            return null;
        if (condition.SelfAndDescendants().OfType<Subquery>().Any())
        {
            if (elements.Predicate is not null || elements.IsDistinct || elements.Group.TryBind(condition) is not { } bound)
                return null;
            condition = bound;
        }

        return elements with { Form = SequenceForm.Deferred, Predicate = And(elements.Predicate, condition) };
    }

    /// <summary>Whether a condition on distinct elements may hold for some of the equal ones only: then it matters which of them is kept, and only the rows can say.</summary>
    private bool TellsEqualElementsApart(GroupElements elements, ScalarExpression condition) => elements is { IsDistinct: true, Element: ScalarValue { Expression: var element } }
        && !EqualKeys.AreIdentical(element, _tree.Shapes) && !EqualKeys.AreOneFor(condition, part => part.Equals(element));

    /// <summary>Costly values are bound below the group, where every row has them; not behind a condition that guards them.</summary>
    private static GroupElements? SelectOfGroup(GroupElements elements, SymbolicValue element)
    {
        bool isBound = true;
        SymbolicValue bound = element.MapLeaves((leaf, _) =>
        {
            if (!IsCostly(leaf))
                return leaf;
            ValueVariable? variable = elements.Predicate is null ? elements.Group.TryBind(leaf) : null;
            isBound &= variable is not null || !leaf.SelfAndDescendants().OfType<Subquery>().Any();
            return variable ?? leaf;
        });
        return isBound ? elements with { Form = SequenceForm.Deferred, Element = bound } : null;
    }

    /// <summary>A group has a first element; with a condition it may have none, which <c>First</c> refuses.</summary>
    private SymbolicValue? FirstOfGroup(LinqCall call, GroupElements elements)
    {
        ScalarExpression? predicate = Conjunction(call, elements);
        bool isScalar = elements.Element is ScalarValue;
        if (elements.Outward is not null || !(isScalar || HasOnlyScalars(elements.Element)) || (predicate is not null && (!isScalar || call.Operator == "First")))
            return null;
        bool isComplete = true;
        SymbolicValue first = elements.Element.MapLeaves((leaf, _) =>
        {
            AggregateRead? read = elements.Group.TryRead(new AggregateCall(AggregateKind.First, leaf, predicate, leaf.Type));
            isComplete &= read is not null;
            return read ?? leaf;
        });
        return isComplete ? first : null;
    }

    private static bool HasOnlyScalars(SymbolicValue value) => value is ScalarValue || (value is ObjectValue made && made.Parts.All(p => HasOnlyScalars(p.Value)));

    private ScalarExpression? Conjunction(LinqCall call, GroupElements elements) => call.Lambda("predicate") is { } predicate
        ? And(elements.Predicate, AsScalar(Apply(predicate, call.Scope, elements.Element), predicate))
        : elements.Predicate;

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

    /// <summary>The aggregate of the elements of a group; null when only the rows themselves can say.</summary>
    private ScalarExpression? AggregateOf(LinqCall call, AggregateKind kind, GroupElements elements)
    {
        ScalarExpression? predicate = elements.Predicate;
        ScalarExpression? selector = null;
        bool isDistinct = false;
        switch (kind)
        {
            case AggregateKind.Count or AggregateKind.LongCount:
                predicate = Conjunction(call, elements);
                isDistinct = elements.IsDistinct;
                selector = isDistinct ? AsScalar(elements.Element, call.Node) : null;
                break;
            case AggregateKind.Any:
                predicate = Conjunction(call, elements);
                break;
            case AggregateKind.All:
                LambdaNode condition = call.RequiredLambda("predicate");
                ScalarExpression holds = AsScalar(Apply(condition, call.Scope, elements.Element), condition);
                predicate = predicate is null ? holds : Or(Not(predicate), holds);
                break;
            default:
                LambdaNode? lambda = call.Lambda("selector");
                if (elements.IsDistinct && lambda is not null)
                    return null;
                isDistinct = elements.IsDistinct && kind is AggregateKind.Sum or AggregateKind.Average;
                selector = AsScalar(lambda is null ? elements.Element : Apply(lambda, call.Scope, elements.Element), call.Node);
                if (selector.Type.Kind == TypeKind.Tabular || selector is With or Elements or New { Type.Kind: TypeKind.Anonymous or TypeKind.Class or TypeKind.Tuple })
                    throw Rejected($"{kind} of {selector.Type}", call.Node);
                break;
        }

        if (predicate is not null && TellsEqualElementsApart(elements, predicate))
            return null;
        AggregateRead? read = elements.Group.TryRead(new AggregateCall(kind, selector, predicate, call.Type, isDistinct));
        return read is null || elements.Outward is null ? read : elements.Outward(read);
    }

    private SymbolicValue? AggregateOfGroup(LinqCall call, GroupElements elements)
    {
        if (elements.Predicate is not null || elements.IsDistinct || elements.Outward is not null || call.Argument("resultSelector") is not null)
            return null;
        return Fold(elements, call, call.Argument("seed") is { } seed ? Evaluate(seed, call.Scope) : null);
    }

    /// <summary>
    /// Values folded into one; without a seed the first element begins. An anonymous object, whose type has no name, is accumulated as a tuple of its members. Null when only the rows
    /// themselves can say.
    /// </summary>
    private SymbolicValue? Fold(GroupElements elements, LinqCall call, SymbolicValue? seed)
    {
        if (seed is ObjectValue { Type.Kind: TypeKind.Anonymous, Present: null, Parts.Count: > 1 } made)
            return FoldMembers(elements, call, made);
        ScalarExpression begin = AsScalar(seed ?? elements.Element, call.Node);
        ValueVariable accumulated = _numbers.Value(begin.Type, "accumulated");
        LambdaNode func = call.RequiredLambda("func");
        ScalarExpression next = AsScalar(Apply(func, call.Scope, new ScalarValue(accumulated), elements.Element), func);
        return Fold(elements, accumulated, next, begin, hasSeed: seed is not null) is { } read ? new ScalarValue(read) : null;
    }

    private SymbolicValue? FoldMembers(GroupElements elements, LinqCall call, ObjectValue seed)
    {
        LambdaNode func = call.RequiredLambda("func");
        EquatableArray<ScalarExpression> begin = Members(seed);
        PlanType type = new(TypeKind.Tuple, $"({string.Join(", ", begin.Select(member => member.Type.Text))})");
        ValueVariable accumulated = _numbers.Value(type, "accumulated");
        if (Apply(func, call.Scope, OverTuple(accumulated), elements.Element) is not ObjectValue { Type.Kind: TypeKind.Anonymous, Present: null } next)
            throw Rejected("an anonymous object that is accumulated is not made anew for each element", func);
        return Fold(elements, accumulated, TupleOf(Members(next)), TupleOf(begin), hasSeed: true) is { } read ? OverTuple(read) : null;

        EquatableArray<ScalarExpression> Members(ObjectValue value) => value.Parts.Select(p => AsScalar(p.Value, func)).ToEquatableArray();

        New TupleOf(EquatableArray<ScalarExpression> members) => new(type, members, EquatableArray<MemberInitializer>.Empty);

        ObjectValue OverTuple(ScalarExpression tuple) => seed with
        {
            Parts = [.. seed.Parts.Select((p, i) => p with { Value = new ScalarValue(new MemberRead(begin[i].Type, tuple, TupleMember(i))) })],
        };
    }

    private static AggregateRead? Fold(GroupElements elements, ValueVariable accumulated, ScalarExpression next, ScalarExpression begin, bool hasSeed) => elements.Group.TryRead(new AggregateCall(
        AggregateKind.Fold, next, Predicate: null, accumulated.Type, IsDistinct: false, hasSeed ? begin : null, hasSeed ? null : begin, accumulated.Variable));
}
