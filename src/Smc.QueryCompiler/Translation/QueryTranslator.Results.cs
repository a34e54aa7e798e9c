using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Translation;

/// <summary>How queries end: collections, chosen elements, aggregates; and what the whole query gives.</summary>
public sealed partial class QueryTranslator
{
    private SymbolicValue? Collected(LinqCall call, SequenceValue source)
    {
        switch (call.Operator)
        {
            case "ToList":
                return new DerivedSequence(source.Open) { Form = SequenceForm.List, Type = call.Type };
            case "ToArray":
                return new DerivedSequence(source.Open) { Form = SequenceForm.Array, Type = call.Type };
            case "ToHashSet":
                return new DerivedSequence(source.Open) { Form = SequenceForm.HashSet, Type = call.Type, Comparer = EqualityComparer(call) };
            case "ToDictionary" or "ToLookup":
                return new KeyedValue(call.Type, call.Operator == "ToDictionary" ? Terminal.Dictionary : Terminal.Lookup, () => Keyed(source.Open(), call), EqualityComparer(call));
            default:
                return null;
        }
    }

    /// <summary>Without selectors the elements are pairs of key and value.</summary>
    private KeyedPipe Keyed(Pipe source, LinqCall call)
    {
        if (call.Lambda("keySelector") is not { } keySelector)
        {
            return source.Element is ObjectValue { Parts.Count: 2 } pair
                ? new KeyedPipe(source.Input, pair.Parts[0].Value, pair.Parts[1].Value)
                : throw Rejected($"{call.Operator} of pairs that the query does not make", call.Node);
        }

        SymbolicValue element = call.Lambda("elementSelector") is { } selector ? Apply(selector, call.Scope, source.Element) : source.Element;
        return new KeyedPipe(source.Input, Apply(keySelector, call.Scope, source.Element), element);
    }

    private SymbolicValue? Chosen(LinqCall call, SequenceValue source)
    {
        switch (call.Operator)
        {
            case "First" or "FirstOrDefault" or "Single" or "SingleOrDefault" or "Last" or "LastOrDefault":
                Terminal terminal = (Terminal)Enum.Parse(typeof(Terminal), call.Operator);
                LambdaNode? predicate = call.Lambda("predicate");
                DerivedSequence candidates = new(() => predicate is null ? source.Open() : Filtered(source.Open(), predicate, call));
                return call.Argument("defaultValue") is { } other
                    ? Choose(WithoutDefault(terminal), Derive(() => DefaultIfEmpty(candidates.Open(), other, call)), call.Node)
                    : Choose(terminal, candidates, call.Node, isOfMatches: predicate is not null);
            case "ElementAt" or "ElementAtOrDefault" when call.Required("index") is not IndexNode and { Type.Kind: not TypeKind.Int32 } index:
                return AtIndex(call, index);
            case "ElementAt" or "ElementAtOrDefault":
                Terminal at = call.Operator == "ElementAt" ? Terminal.ElementAt : Terminal.FirstOrDefault;
                return Choose(at, Derive(() => From(source.Open(), call.Required("index"), call.Scope)), call.Node);
            case "Min" or "Max" when Comparers(call).Any(comparer => !IsDefault(comparer)):
            case "MinBy" or "MaxBy":
                return Choose(CanBeNull(call.Type) ? Terminal.FirstOrDefault : Terminal.First, Derive(() => Extreme(source.Open(), call)), call.Node);
            default:
                return null;
        }
    }

    /// <summary>
    /// The element at an index that is a variable: as if the query had <c>index.IsFromEnd ? source.ElementAt(^index.Value) : source.ElementAt(index.Value)</c>.
    /// A kernel may evaluate both; the one that is not asked for takes an element that is there if any is, so that it raises nothing.
    /// </summary>
    private SymbolicValue AtIndex(LinqCall call, QueryNode index)
    {
        RequireNoEffects(index, call);
        MemberNode value = new(PlanType.Int32, index, "Value") { Where = index.Where }, test = new(PlanType.Boolean, index, "IsFromEnd") { Where = index.Where };
        LiteralNode first = new(PlanType.Int32, "0"), last = new(PlanType.Int32, "1");
        return Evaluate(
            new ConditionalNode(call.Type, test, At(isFromEnd: true), At(isFromEnd: false)) { ElementType = call.Node.ElementType, Where = call.Node.Where },
            call.Scope);

        LinqNode At(bool isFromEnd)
        {
            ConditionalNode position = new(PlanType.Int32, test, isFromEnd ? value : first, isFromEnd ? last : value);
            IndexNode place = new(index.Type, position, isFromEnd) { Where = index.Where };
            return call.Node with { Arguments = [.. call.Node.Arguments.Select(a => a.Name == "index" ? a with { Value = place } : a)] };
        }
    }

    private static bool CanBeNull(PlanType type) => type.IsReferenceType || type.IsNullable;

    private static Terminal WithoutDefault(Terminal terminal) => terminal switch
    {
        Terminal.FirstOrDefault => Terminal.First,
        Terminal.SingleOrDefault => Terminal.Single,
        _ => Terminal.Last,
    };

    /// <summary>The elements from a position on; none when it is before the start.</summary>
    private Pipe From(Pipe source, QueryNode index, Scope scope)
    {
        if (index is not IndexNode { IsFromEnd: true } fromEnd)
            return Over(source, input => new Skip(input, PastTheEndWhen(BinaryOperator.LessThan, () => Scalar(index is IndexNode plain ? plain.Value : index, scope), before: 0)));
        return Over(source, input => new Skip(new Reverse(input), PastTheEndWhen(BinaryOperator.LessThanOrEqual, () => Position(fromEnd, scope), before: 1)));
    }

    /// <summary>How many elements to skip to come to a position; all when there is no such position.</summary>
    private static ScalarExpression PastTheEndWhen(BinaryOperator op, Func<ScalarExpression> position, int before)
    {
        Constant none = IntegerOf(int.MaxValue);
        if (ValueOf(position()) is { } number)
            return number < before ? none : IntegerOf(number - before);
        ScalarExpression skipped = before == 0 ? position() : new Binary(PlanType.Int32, BinaryOperator.Subtract, position(), IntegerOf(before));
        return new Conditional(PlanType.Int32, new Binary(PlanType.Boolean, op, position(), IntegerOf(0)), none, skipped);
    }

    /// <summary>The extreme element first, the earliest of equals; elements without a key only when none has one.</summary>
    private Pipe Extreme(Pipe source, LinqCall call)
    {
        (LogicalOperator input, SymbolicValue key) = Shared(source.Input, call.Lambda("keySelector") is { } selector ? Apply(selector, call.Scope, source.Element) : source.Element);
        bool descending = call.Operator is "MaxBy" or "Max";
        ScalarExpression? comparer = OrderComparer(call);
        List<ScalarExpression> values = [.. OrderValues(key, comparer, call.Node)];
        IEnumerable<OrderKey> keys = values.Select(value => new OrderKey(value, descending, comparer));
        if ((!descending || comparer is not null) && values.Count == 1 && CanBeNull(values[0].Type))
            keys = keys.Prepend(new OrderKey(Not(NotNull(values[0])), Descending: false));
        return source with { Input = new Order(input, keys.ToEquatableArray()) };
    }

    /// <summary>One element; an object is chosen member by member, when its members are read.</summary>
    private SymbolicValue Choose(Terminal terminal, DerivedSequence source, QueryNode node, bool isOfMatches = false) => source.Peek().Element switch
    {
        ScalarValue scalar => new ScalarValue(new Subquery(scalar.Expression.Type, Close(new Project(source.Open().Input, scalar.Expression)), terminal) { IsOfMatches = isOfMatches }),
        _ => new ChosenValue(node.Type, terminal, source) { IsOfMatches = isOfMatches },
    };

    private SymbolicValue? Aggregated(LinqCall call, SequenceValue source)
    {
        switch (call.Operator)
        {
            case "Any":
                LambdaNode? predicate = call.Lambda("predicate");
                return new ScalarValue(AnyOf(Derive(() => predicate is null ? source.Open() : Filtered(source.Open(), predicate, call))));
            case "All":
                LambdaNode condition = call.RequiredLambda("predicate");
                return new ScalarValue(Not(AnyOf(Derive(() => Excluded(source.Open(), condition, call)))));
            case "Contains":
                return new ScalarValue(Contains(source, call.Argument("comparer") is null ? source.Comparer : EqualityComparer(call), () => Evaluate(call.Required("value"), call.Scope), call.Node));
            case "SequenceEqual":
                return new ScalarValue(SequenceEqual(source, Second(call, "second"), call));
            case "Aggregate":
                return Folded(source, call);
        }

        if (AggregateKindOf(call.Operator) is not { } kind)
            return null;
        (GroupElements all, Func<ScalarExpression, Subquery> result) = AllOf(source.Open());
        return new ScalarValue(result(AggregateOf(call, kind, all) ?? throw Rejected($"{call.Operator} over itself", call.Node)));
    }

    /// <summary>The one group over all elements, and the subquery that gives a value of it.</summary>
    private (GroupElements All, Func<ScalarExpression, Subquery> Result) AllOf(Pipe source)
    {
        GroupBuilder group = new(_numbers, _tree.Shapes, source.Input, []);
        return (
            new GroupElements(group, Predicate: null, source.Element),
            value => new Subquery(value.Type, Close(new Project(new PendingAggregate(group), value)), Terminal.Scalar));
    }

    private Pipe Excluded(Pipe source, LambdaNode condition, LinqCall call) =>
        Over(source, input => new Filter(input, Not(AsScalar(Apply(condition, call.Scope, source.Element), condition))));

    private static Subquery AnyOf(SequenceValue source) => new(PlanType.Boolean, Close(source.Open().Input), Terminal.Any);

    private Subquery CountOf(SequenceValue source, PlanType type)
    {
        (GroupElements all, Func<ScalarExpression, Subquery> result) = AllOf(Enumerated(source).Open());
        AggregateKind kind = type.Kind == TypeKind.Int64 ? AggregateKind.LongCount : AggregateKind.Count;
        return result(all.Group.TryRead(new AggregateCall(kind, Selector: null, Predicate: null, type))!);
    }

    /// <summary>The elements that enumeration gives: those of a set once.</summary>
    private SequenceValue Enumerated(SequenceValue source) => source.Form != SequenceForm.HashSet
        ? source
        : Derive(() =>
        {
            Pipe pipe = source.Open();
            return pipe with { Input = new Distinct(pipe.Input, KeysOf(Compared(source.Comparer, pipe.Element, _tree.Body), _tree.Body).ToEquatableArray()) };
        });

    private ScalarExpression Contains(SequenceValue source, string? comparer, Func<SymbolicValue> value, QueryNode node)
    {
        if (source is WrittenSequence written)
            return written.Elements.Select(element => AreEqual(Compared(comparer, value(), node), Compared(comparer, element, node), node)).Aggregate((ScalarExpression?)null, (any, test) => any is null ? test : Or(any, test)) ?? False;
        return AnyOf(Derive(() =>
        {
            Pipe pipe = source.Open();
            return pipe with { Input = new Filter(pipe.Input, AreEqual(Compared(comparer, pipe.Element, node), Compared(comparer, value(), node), node)) };
        }));
    }

    /// <summary>As many elements, and none that differs from the one at its place.</summary>
    private ScalarExpression SequenceEqual(SequenceValue first, SequenceValue second, LinqCall call)
    {
        ScalarExpression sameCount = new Binary(PlanType.Boolean, BinaryOperator.Equal, CountOf(first, PlanType.Int32), CountOf(second, PlanType.Int32));
        ScalarExpression differ = AnyOf(Derive(() =>
        {
            Pipe left = first.Open(), right = second.Open();
            ValueVariable i = _numbers.Value(PlanType.Int32, "index"), j = _numbers.Value(PlanType.Int32, "index");
            LogicalOperator pairs = new Join(
                JoinKind.Inner, new Number(left.Input, i.Variable), new Number(right.Input, j.Variable), EquatableArray.Of(new JoinKey(i, j, NullsMatch: false)));
            return left with { Input = new Filter(pairs, Not(AreEqual(Compared(call, left.Element), Compared(call, right.Element), call.Node))) };
        }));
        return And(sameCount, Not(differ));
    }

    private SymbolicValue Folded(SequenceValue source, LinqCall call)
    {
        LambdaNode? selector = call.Lambda("resultSelector");
        if (selector is null && call.Node.Type.Kind == TypeKind.Anonymous)
        {
            // Of the one group the first is chosen, so that its members can be read.
            return new ChosenValue(call.Node.Type, Terminal.First, Derive(() =>
            {
                GroupElements elements = AllOf(source.Open()).All;
                return new Pipe(new PendingAggregate(elements.Group), Folded(elements));
            }));
        }

        (GroupElements all, Func<ScalarExpression, Subquery> result) = AllOf(source.Open());
        SymbolicValue value = Folded(all);
        return new ScalarValue(result(selector is null ? AsScalar(value, call.Node) : Materialize(Apply(selector, call.Scope, value), selector)));

        SymbolicValue Folded(GroupElements elements) =>
            Fold(elements, call, call.Argument("seed") is { } seed ? Evaluate(seed, call.Scope) : null) ?? throw Rejected("Aggregate over itself", call.Node);
    }

    private static LogicalOperator Close(LogicalOperator node) => PlanCompletion.Complete(node);

    /// <summary>The expression that builds a value which is part of the result.</summary>
    private ScalarExpression Materialize(SymbolicValue value, QueryNode node) => value switch
    {
        ScalarValue scalar => scalar.Expression,
        ObjectValue { Present: { } present } perhaps => new Conditional(perhaps.Type, present, Materialize(perhaps with { Present = null }, node), DefaultOf(perhaps.Type)),
        ObjectValue made => new New(
            made.Type,
            made.Parts.Where(p => p.IsArgument).Select(p => Materialize(p.Value, node)).ToEquatableArray(),
            made.Parts.Where(p => !p.IsArgument).Select(p => new MemberInitializer(p.Member!, Materialize(p.Value, node))).ToEquatableArray()),
        ChosenValue chosen => ChosenObject(chosen, node),
        KeyedValue keyed => KeyedCollection(keyed, node),
        GroupValue group => Grouping(group, node),
        SequenceValue { Form: SequenceForm.Deferred } => throw Rejected("a sequence that is evaluated later is part of the result: end it with ToList() or ToArray()", node),
        WrittenSequence { IsMadeAtOnce: true, Type: { } type } written => new Elements(type, written.Elements.Select(e => Materialize(e, node)).ToEquatableArray()),
        SequenceValue sequence => Collection(sequence, node),
        _ => throw new InvalidOperationException(value.GetType().Name),
    };

    private Subquery ChosenObject(ChosenValue chosen, QueryNode node)
    {
        Pipe pipe = chosen.Source.Open();
        return new Subquery(chosen.Type, Close(new Project(pipe.Input, Materialize(pipe.Element, node))), chosen.Terminal) { IsOfMatches = chosen.IsOfMatches };
    }

    private Subquery KeyedCollection(KeyedValue keyed, QueryNode node)
    {
        KeyedPipe pipe = keyed.Open();
        return new Subquery(keyed.Type, Close(new Project(pipe.Input, Materialize(pipe.Value, node), Materialize(pipe.Key, node))), keyed.Terminal) { Comparer = keyed.Comparer };
    }

    private Subquery Collection(SequenceValue sequence, QueryNode node)
    {
        Pipe pipe = sequence.Open();
        Terminal terminal = sequence.Form switch
        {
            SequenceForm.Array => Terminal.Array,
            SequenceForm.HashSet => Terminal.HashSet,
            SequenceForm.List => Terminal.List,
            _ => Terminal.Sequence,
        };
        return new Subquery(sequence.Type ?? node.Type, Close(new Project(pipe.Input, Materialize(pipe.Element, node))), terminal) { Comparer = sequence.Comparer };
    }

    /// <summary>A group as an object.</summary>
    private ScalarExpression Grouping(GroupValue group, QueryNode node)
    {
        if (group.Type is not { CSharp.Length: > 0 } type)
            throw Rejected("a group of anonymous objects is part of the result: take its key or aggregate it", node);
        Pipe pipe = group.Elements.Open();
        ScalarExpression element = Materialize(pipe.Element, node);
        Subquery elements = new(new PlanType(TypeKind.Class, $"global::System.Collections.Generic.List<{element.Type.Text}>"), Close(new Project(pipe.Input, element)), Terminal.List);
        return new Call(type, type.CSharp.Replace("global::System.Linq.IGrouping<", ResultGroup.Method + "<"), Instance: null, EquatableArray.Of(Materialize(group.Key, node), elements));
    }

    /// <summary>What the query returns, as one query.</summary>
    private Subquery Complete(SymbolicValue result)
    {
        if (result is SequenceValue { Form: SequenceForm.Deferred or SequenceForm.OfSnapshot })
            throw Rejected("it returns a sequence that is evaluated later: end it with ToList() or ToArray()", _tree.Body);
        ScalarExpression value = Materialize(result, _tree.Body);
        if (!value.SelfAndDescendants().OfType<Subquery>().Any())
            throw Rejected("it does not query a collection", _tree.Body);
        return ScalarResult.Of(value, _numbers);
    }
}
