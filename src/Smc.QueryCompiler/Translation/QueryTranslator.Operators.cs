using Smc.QueryCompiler.Plan;
using Convert = Smc.QueryCompiler.Plan.Convert;

namespace Smc.QueryCompiler.Translation;

/// <summary>Operators that make a sequence of one sequence. Joins, set operations and groups have parts of their own.</summary>
public sealed partial class QueryTranslator
{
    private SymbolicValue EvaluateLinq(LinqNode node, Scope scope)
    {
        LinqCall call = new(node, scope);
        RejectComparer(call);
        if (node.Arguments.Count == 0 || node.Operator is "Range" or "Repeat")
            return EvaluateGenerator(call);
        SymbolicValue source = Evaluate(call.Source, scope);
        if (source is ScalarValue { Expression: var list } && node.Operator == "Contains" && !HasDefaultEquality(list.Type))
            return PassThrough(call, list);
        SequenceValue sequence = AsSequence(source, call.Source);
        if (node.Operator is not ("Contains" or "Any" or "ToHashSet"))
            sequence = Enumerated(sequence);
        SymbolicValue result = (sequence is GroupElements elements ? OfGroup(call, elements) : null)
            ?? Derived(call, sequence)
            ?? Combined(call, sequence)
            ?? Grouped(call, sequence)
            ?? Chosen(call, sequence)
            ?? Collected(call, sequence)
            ?? Aggregated(call, sequence)
            ?? throw Rejected($"the operator {node.Operator}", node);
        // An ordered sequence can be ordered further, which a list cannot.
        return sequence.Form is SequenceForm.Snapshot or SequenceForm.OfSnapshot && result is SequenceValue { Form: SequenceForm.Deferred } deferred && !IsOrder(call)
            ? deferred with { Form = SequenceForm.OfSnapshot, Type = call.Type }
            : result;
    }

    private static bool IsOrder(LinqCall call) => call.Operator is "OrderBy" or "OrderByDescending" or "ThenBy" or "ThenByDescending" or "Order" or "OrderDescending";

    /// <summary>Comparers that tell elements apart in kernels: none, the default ones, and those of <c>StringComparer</c>. An order may have any.</summary>
    private static void RejectComparer(LinqCall call)
    {
        if (!Orders(call) && Comparers(call).Any(comparer => !IsDefault(comparer)) && StringComparerOf(call) is null)
            throw Rejected($"{call.Operator} with a comparer", call.Node);
    }

    private static bool Orders(LinqCall call) => IsOrder(call) || call.Operator is "MinBy" or "MaxBy" or "Min" or "Max";

    private static bool IsDefault(QueryNode comparer) => comparer is LiteralNode { Text: "null" }
        || (comparer is MemberNode { Instance: null } member && member.Member.StartsWith("global::System.Collections.Generic.", StringComparison.Ordinal)
            && (member.Member.EndsWith("Comparer.Default", StringComparison.Ordinal) || member.Member.EndsWith(">.Default", StringComparison.Ordinal)));

    /// <summary>The comparer by which an operator orders; null for the default one.</summary>
    private ScalarExpression? OrderComparer(LinqCall call)
    {
        if (Comparers(call).FirstOrDefault() is not { } node || IsDefault(node))
            return null;
        ScalarExpression comparer = Scalar(node, call.Scope);
        if (comparer.SelfAndDescendants().Any(part => part is not (ParameterRead or Constant or New or MemberRead { Instance: null })))
            throw Rejected($"{call.Operator} with a comparer that is neither a parameter nor a static member nor a new object", call.Node);
        if (StringComparerOf(call) is null)
            _raisesOtherwise |= Raised.Anything;
        return comparer;
    }

    /// <summary>The comparer by which an operator tells strings apart; null where it does as <c>==</c> does.</summary>
    private static string? EqualityComparer(LinqCall call) => StringComparerOf(call) is { } comparer and not "global::System.StringComparer.Ordinal" ? comparer : null;

    private static string? StringComparerOf(LinqCall call) =>
        Comparers(call).FirstOrDefault() is MemberNode { Instance: null } member && member.Member.StartsWith("global::System.StringComparer.", StringComparison.Ordinal) ? member.Member : null;

    /// <summary>A key as the operator compares it.</summary>
    private SymbolicValue Compared(LinqCall call, SymbolicValue key) => Compared(EqualityComparer(call), key, call.Node);

    private SymbolicValue Compared(string? comparer, SymbolicValue key, QueryNode node) =>
        comparer is null ? key : new ScalarValue(ComparedText.Of(AsScalar(key, node), comparer));

    private static IEnumerable<QueryNode> Comparers(LinqCall call)
    {
        foreach (LinqArgument argument in call.Node.Arguments.Where(a => a.Name is "comparer" or "keyComparer"))
        {
            QueryNode comparer = argument.Value;
            while (comparer is ConvertNode conversion)
                comparer = conversion.Operand;
            yield return comparer;
        }
    }

    /// <summary>Lists and arrays compare by default equality; other collections bring their own, so they are asked.</summary>
    private static bool HasDefaultEquality(PlanType type) =>
        type.CSharp.EndsWith("[]", StringComparison.Ordinal) || type.CSharp.StartsWith("global::System.Collections.Generic.List<", StringComparison.Ordinal);

    private ScalarValue PassThrough(LinqCall call, ScalarExpression source)
    {
        string typeArguments = call.Node.TypeArguments.Count == 0 ? "" : $"<{string.Join(", ", call.Node.TypeArguments.Select(t => t.Text))}>";
        IEnumerable<ScalarExpression> others = call.Node.Arguments.Skip(1).Select(a => Scalar(a.Value, call.Scope));
        return new ScalarValue(new Call(
            call.Type, $"global::System.Linq.Enumerable.{call.Operator}{typeArguments}", Instance: null, others.Prepend(source).ToEquatableArray()));
    }

    /// <summary><c>Range</c>, <c>Repeat</c> and <c>Empty</c> are sequences that the kernel enumerates.</summary>
    private ScalarValue EvaluateGenerator(LinqCall call)
    {
        if (call.Operator is not ("Range" or "Repeat" or "Empty"))
            throw Rejected($"the operator {call.Operator}", call.Node);
        string typeArguments = call.Node.TypeArguments.Count == 0 ? "" : $"<{string.Join(", ", call.Node.TypeArguments.Select(t => t.Text))}>";
        return new ScalarValue(new Call(
            call.Type,
            $"global::System.Linq.Enumerable.{call.Operator}{typeArguments}",
            Instance: null,
            call.Node.Arguments.Select(a => Scalar(a.Value, call.Scope)).ToEquatableArray()));
    }

    private SequenceValue AsSequence(SymbolicValue value, QueryNode node) => value switch
    {
        SequenceValue sequence => sequence,
        GroupValue group => group.Elements,
        ScalarValue { Expression: var list } when node.ElementType is { } type => new DerivedSequence(() =>
        {
            ValueVariable element = _numbers.Value(type, "element");
            return new Pipe(new Enumerate(list, type, element.Variable), new ScalarValue(element));
        }),
        ChosenValue chosen => throw Rejected($"a sequence inside the result of {chosen.Terminal}", node),
        KeyedValue keyed when node.ElementType is not null => AsSequence(new ScalarValue(KeyedCollection(keyed, node)), node),
        _ => throw Rejected("a value that is not a known sequence", node),
    };

    private SequenceValue EvaluateElements(ElementsNode node, Scope scope)
    {
        List<SymbolicValue> elements = [.. node.Elements.Select(e => Evaluate(e, scope))];
        return new WrittenSequence(elements, () => elements.Count == 0
            ? new Pipe(new Filter(new Unit(), False), new ScalarValue(DefaultOf(node.ElementType ?? throw Rejected("an empty array or collection", node))))
            : elements.Select(e => new Pipe(new Unit(), e)).Aggregate((left, right) => Concatenated(left, right, node)))
        {
            Form = node.Type.CSharp.EndsWith("[]", StringComparison.Ordinal) ? SequenceForm.Array
                : node.Type.CSharp.StartsWith("global::System.Collections.Generic.HashSet<", StringComparison.Ordinal) ? SequenceForm.HashSet : SequenceForm.List,
            Type = node.Type,
        };
    }

    private SequenceValue? Derived(LinqCall call, SequenceValue source)
    {
        switch (call.Operator)
        {
            case "AsEnumerable" or "AsQueryable":
                return source;
            case "Where":
                return Derive(() => Filtered(source.Open(), call.RequiredLambda("predicate"), call));
            case "Select":
                return Derive(() => Selected(source.Open(), call.RequiredLambda("selector"), call));
            case "Index":
                return Derive(() => Indexed(source.Open(), call));
            case "OfType" or "Cast":
                return Derive(() => OfType(source.Open(), call));
            case "OrderBy" or "OrderByDescending" or "Order" or "OrderDescending":
                return Derive(() => Ordered(source.Open(), call));
            case "ThenBy" or "ThenByDescending":
                return Derive(() => ThenOrdered(source.Open(), call));
            case "Take" when call.Argument("range") is { } range:
                RequireNoEffects(range, call);
                return Derive(() => TakenRange(source.Open(), range, call));
            case "Take":
                return Derive(() => Over(source.Open(), input => new Limit(input, Count(call))));
            case "Skip":
                return Derive(() => Over(source.Open(), input => new Skip(input, Count(call))));
            case "TakeLast":
                return Derive(() => Over(source.Open(), input => new Reverse(new Limit(new Reverse(input), Count(call)))));
            case "SkipLast":
                return Derive(() => Over(source.Open(), input => new Reverse(new Skip(new Reverse(input), Count(call)))));
            case "TakeWhile" or "SkipWhile":
                return Derive(() => While(source.Open(), call));
            case "Reverse":
                return Derive(() => Over(source.Open(), input => new Reverse(input)));
            case "Distinct" or "DistinctBy":
                return Derive(() => Distinct(source.Open(), call));
            case "DefaultIfEmpty":
                return Derive(() => DefaultIfEmpty(source.Open(), call.Argument("defaultValue"), call));
            case "Chunk":
                return Derive(() => Chunked(source.Open(), call));
            default:
                return null;
        }
    }

    private static DerivedSequence Derive(Func<Pipe> recipe) => new(recipe);

    private static Pipe Over(Pipe pipe, Func<LogicalOperator, LogicalOperator> make) => pipe with { Input = make(pipe.Input) };

    private ScalarExpression Count(LinqCall call) => Scalar(call.Required("count"), call.Scope);

    private Pipe Filtered(Pipe source, LambdaNode predicate, LinqCall call)
    {
        (LogicalOperator input, SymbolicValue[] arguments) = Arguments(source, predicate);
        return source with { Input = new Filter(input, AsScalar(Apply(predicate, call.Scope, arguments), predicate)) };
    }

    private Pipe Selected(Pipe source, LambdaNode selector, LinqCall call)
    {
        (LogicalOperator input, SymbolicValue[] arguments) = Arguments(source, selector);
        return Shared(input, Apply(selector, call.Scope, arguments));
    }

    /// <summary>What a lambda gets for an element: with two parameters its position, too.</summary>
    private (LogicalOperator Input, SymbolicValue[] Arguments) Arguments(Pipe source, LambdaNode lambda)
    {
        if (lambda.Parameters.Count < 2)
            return (source.Input, [source.Element]);
        ValueVariable index = _numbers.Value(PlanType.Int32, "index");
        return (new Number(source.Input, index.Variable), [source.Element, new ScalarValue(index)]);
    }

    /// <summary>Elements whose costly values (calls, subqueries) are variables, so that they are evaluated once however often they are read.</summary>
    private Pipe Shared(LogicalOperator input, SymbolicValue element)
    {
        List<Binding> bindings = [];
        SymbolicValue shared = element.MapLeaves((leaf, name) =>
        {
            if (!IsCostly(leaf))
                return leaf;
            ValueVariable variable = _numbers.Value(leaf.Type, name ?? "value");
            bindings.Add(new Binding(variable.Variable, variable.Name, leaf));
            return variable;
        });
        return new Pipe(bindings.Count == 0 ? input : new Compute(input, bindings.ToEquatableArray()), shared);
    }

    private static bool IsCostly(ScalarExpression value) => value.SelfAndDescendants().Any(part => part is Subquery or Call);

    private Pipe Indexed(Pipe source, LinqCall call)
    {
        ValueVariable index = _numbers.Value(PlanType.Int32, "index");
        PlanType type = call.Node.ElementType ?? throw Rejected("Index of an unknown type", call.Node);
        return new Pipe(new Number(source.Input, index.Variable), Tuple(type, new ScalarValue(index), source.Element));
    }

    private static ObjectValue Tuple(PlanType type, params SymbolicValue[] items) => new(
        type, [.. items.Select((item, i) => new ObjectPart(TupleMember(i), item, IsArgument: true, IsReadable: true))]);

    private static string TupleMember(int index) => "Item" + (index + 1).ToString(System.Globalization.CultureInfo.InvariantCulture);

    private Pipe OfType(Pipe source, LinqCall call)
    {
        PlanType type = call.Node.TypeArguments[0];
        if (source.Element is not ScalarValue { Expression: var element } || element.Type.AsNonNullable() != type.AsNonNullable())
            return source.Element is ObjectValue made && made.Type == type ? source : throw Rejected($"{call.Operator} to another type than the elements have", call.Node);
        bool canBeNull = element.Type.IsReferenceType || element.Type.IsNullable;
        if (call.Operator == "OfType" && canBeNull)
        {
            ScalarExpression value = element.Type is { IsNullable: true, IsReferenceType: false } ? new MemberRead(element.Type.AsNonNullable(), element, "Value") : element;
            return new Pipe(new Filter(source.Input, NotNull(element)), new ScalarValue(type == value.Type || type.IsReferenceType ? value : new Convert(type, value)));
        }

        if (type.IsReferenceType || type.IsNullable == element.Type.IsNullable)
            return source;
        return type.IsNullable
            ? source with { Element = new ScalarValue(new Convert(type, element)) }
            : throw Rejected("Cast of a nullable value to one that is not", call.Node);
    }

    private Pipe Ordered(Pipe source, LinqCall call) => source with { Input = new Order(source.Input, OrderKeys(source, call).ToEquatableArray()) };

    private Pipe ThenOrdered(Pipe source, LinqCall call) => source.Input is Order order
        ? source with { Input = order with { Keys = order.Keys.Concat(OrderKeys(source, call)).ToEquatableArray() } }
        : throw Rejected($"{call.Operator} that does not follow OrderBy", call.Node);

    private IEnumerable<OrderKey> OrderKeys(Pipe source, LinqCall call)
    {
        bool descending = call.Operator.EndsWith("Descending", StringComparison.Ordinal);
        SymbolicValue key = call.Lambda("keySelector") is { } selector ? Apply(selector, call.Scope, source.Element) : source.Element;
        ScalarExpression? comparer = OrderComparer(call);
        return OrderValues(key, comparer, call.Node).Select(value => new OrderKey(value, descending, comparer));
    }

    /// <summary>A comparer compares whole values. Without one tuples compare element by element; other objects have no order that a plan knows.</summary>
    private IEnumerable<ScalarExpression> OrderValues(SymbolicValue key, ScalarExpression? comparer, QueryNode node) => comparer is null ? OrderValues(key, node) : [AsScalar(key, node)];

    private IEnumerable<ScalarExpression> OrderValues(SymbolicValue key, QueryNode node)
    {
        if (key is ObjectValue { Type.Kind: TypeKind.Tuple } tuple)
            return tuple.Parts.SelectMany(part => OrderValues(part.Value, node));
        ScalarExpression value = key is ObjectValue { Type.Kind: TypeKind.Anonymous or TypeKind.Class } ? throw Rejected("an order by an object", node) : Unboxed(AsScalar(key, node));
        return value.Type.Kind == TypeKind.Tabular ? throw Rejected($"an order by rows of {value.Type}: name the property to order by", node) : [value];
    }

    /// <summary>A value that is ordered as an <c>object</c> or <c>IComparable</c> compares itself, so it has the order of its type.</summary>
    private static ScalarExpression Unboxed(ScalarExpression key) =>
        key is Convert { Type.Kind: TypeKind.Class, Operand: var value } && (value.Type.Kind == TypeKind.String || ScalarTraits.IsUnmanaged(value.Type)) ? value : key;

    private Pipe While(Pipe source, LinqCall call)
    {
        LambdaNode predicate = call.RequiredLambda("predicate");
        (LogicalOperator input, SymbolicValue[] arguments) = Arguments(source, predicate);
        ScalarExpression condition = AsScalar(Apply(predicate, call.Scope, arguments), predicate);
        return source with { Input = new While(input, condition, call.Operator == "TakeWhile") };
    }

    /// <summary>Positions from the end go by reversal; a start from the end with an end from the start needs positions.</summary>
    private Pipe TakenRange(Pipe source, QueryNode range, LinqCall call)
    {
        (QueryNode start, QueryNode end) = range is RangeNode written ? (written.Start, written.End) : (EndOf(range, "Start"), EndOf(range, "End"));
        switch ((start as IndexNode)?.IsFromEnd, (end as IndexNode)?.IsFromEnd)
        {
            case (false, false):
                return Over(source, input => new Limit(new Skip(input, Start()), new Binary(PlanType.Int32, BinaryOperator.Subtract, End(), Start())));
            case (false, true):
                return Over(source, input => new Skip(WithoutLast(input, End()), Start()));
            case (true, true):
                return Over(source, input => WithoutLast(Last(input, Start()), End()));
            case (true, false):
                return Over(source, input => Before(End(), numbered => Last(numbered, Start()), input));
            default:
                // From where the ends are counted is known when the query runs: of each pair of steps one then takes all.
                return Over(source, input => Before(
                    Choice(IsFromEnd(end, call.Scope), IntegerOf(int.MaxValue), End()),
                    numbered => WithoutLast(
                        new Skip(Last(numbered, Choice(IsFromEnd(start, call.Scope), Start(), IntegerOf(int.MaxValue))), Choice(IsFromEnd(start, call.Scope), IntegerOf(0), Start())),
                        Choice(IsFromEnd(end, call.Scope), End(), IntegerOf(0))),
                    input));
        }

        // Evaluated where it is used, each time anew: a subquery in it has variables of its own.
        ScalarExpression Start() => Position(start, call.Scope);

        ScalarExpression End() => Position(end, call.Scope);

        static ScalarExpression Choice(ScalarExpression test, ScalarExpression ifTrue, ScalarExpression ifFalse) => new Conditional(PlanType.Int32, test, ifTrue, ifFalse);
    }

    private static MemberNode EndOf(QueryNode range, string name) => new(s_index, range, name) { Where = range.Where };

    private static LogicalOperator Last(LogicalOperator input, ScalarExpression count) => new Reverse(new Limit(new Reverse(input), count));

    private static LogicalOperator WithoutLast(LogicalOperator input, ScalarExpression count) =>
        count is Constant { Literal: "0" } ? input : new Reverse(new Skip(new Reverse(input), count));

    /// <summary>Of what is left the elements that stood before a position.</summary>
    private Filter Before(ScalarExpression end, Func<LogicalOperator, LogicalOperator> rest, LogicalOperator input)
    {
        ValueVariable index = _numbers.Value(PlanType.Int32, "index");
        return new Filter(rest(new Number(input, index.Variable)), new Binary(PlanType.Boolean, BinaryOperator.LessThan, index, end));
    }

    private static readonly PlanType s_index = new(TypeKind.Struct, "global::System.Index");

    private ScalarExpression IsFromEnd(QueryNode index, Scope scope) =>
        index is IndexNode written ? written.IsFromEnd ? True : False : new MemberRead(PlanType.Boolean, Scalar(index, scope), "IsFromEnd");

    /// <summary>The number in an index. <c>System.Index</c> refuses negative ones, so one that is written in place and not a constant goes through it.</summary>
    private ScalarExpression Position(QueryNode index, Scope scope) =>
        index is IndexNode written && Scalar(written.Value, scope) is Constant constant && !constant.Literal.StartsWith("-", StringComparison.Ordinal)
            ? constant
            : new MemberRead(PlanType.Int32, Scalar(index, scope), "Value");

    private New IndexOf(IndexNode index, Scope scope) =>
        new(s_index, EquatableArray.Of(Scalar(index.Value, scope), index.IsFromEnd ? True : False), EquatableArray<MemberInitializer>.Empty);

    /// <summary>A size, an index or a range is computed in several places.</summary>
    private void RequireNoEffects(QueryNode value, LinqCall call)
    {
        if (Scalar(value, call.Scope).SelfAndDescendants().OfType<Call>().FirstOrDefault(c => !Purity.IsPureCall(c.Method, c.Instance?.Type)) is { } effect)
            throw Rejected($"an argument of {call.Operator} is computed more than once, and {MethodNames.Last(effect.Method)} may have effects: compute it before the query", value);
    }

    private Pipe Distinct(Pipe source, LinqCall call)
    {
        SymbolicValue key = call.Lambda("keySelector") is { } selector ? Apply(selector, call.Scope, source.Element) : source.Element;
        return source with { Input = new Distinct(source.Input, KeysOf(Compared(call, key), call.Node).ToEquatableArray()) };
    }

    /// <summary>The scalars that equal keys have in common: the parts of anonymous objects and tuples.</summary>
    private List<ScalarExpression> KeysOf(SymbolicValue key, QueryNode node)
    {
        List<ScalarExpression> keys = [];
        Collect(key);
        return keys.Count > 0 ? keys : throw Rejected("a key without members", node);

        void Collect(SymbolicValue part)
        {
            switch (part)
            {
                case ScalarValue scalar:
                    keys.Add(scalar.Expression);
                    break;
                case ObjectValue { IsComparedByParts: true, Present: null } composite:
                    foreach (ObjectPart member in composite.Parts)
                        Collect(member.Value);
                    break;
                case ObjectValue { Type.Kind: not (TypeKind.Class or TypeKind.Struct or TypeKind.Anonymous) } value:
                    keys.Add(AsScalar(value, node));
                    break;
                case ObjectValue made:
                    throw Rejected($"a key of type {made.Type}: use an anonymous object, a tuple or a positional record", node);
                default:
                    throw Rejected("a key that is not a value", node);
            }
        }
    }

    private Pipe DefaultIfEmpty(Pipe source, QueryNode? defaultValue, LinqCall call)
    {
        ValueVariable match = _numbers.Value(PlanType.Boolean, "match");
        LogicalOperator input = new DefaultIfEmpty(source.Input, match.Variable);
        if (defaultValue is null)
            return new Pipe(input, Defaulted(source, match, call.Node));
        SymbolicValue other = Evaluate(defaultValue, call.Scope);
        return new Pipe(input, Unified(source.Element, other, call.Node, (name, a, b) => new Conditional(a.Type, match, a, b)));
    }

    /// <summary>What an element is where it may stand for none: the default of its type.</summary>
    private SymbolicValue Defaulted(Pipe source, ScalarExpression match, QueryNode node)
    {
        HashSet<int> visible = [.. PlanCompletion.Complete(source.Input).Visible()];
        return Default(source.Element);

        SymbolicValue Default(SymbolicValue value) => value switch
        {
            // Variables of the input hold their defaults then.
            ScalarValue { Expression: RowVariable row } when visible.Contains(row.Variable) => value,
            ScalarValue { Expression: ValueVariable variable } when visible.Contains(variable.Variable) => value,
            ScalarValue { Expression: var leaf } => new ScalarValue(new Conditional(leaf.Type, match, leaf, DefaultOf(leaf.Type))),
            ObjectValue { Type.IsReferenceType: true } made => made with { Present = made.Present is null ? match : And(match, made.Present) },
            ObjectValue { Type.Kind: TypeKind.Tuple } tuple => tuple with { Parts = [.. tuple.Parts.Select(p => p with { Value = Default(p.Value) })] },
            ObjectValue made => Default(new ScalarValue(Materialize(made, node))),
            _ => throw Rejected("DefaultIfEmpty of groups or sequences", node),
        };
    }

    /// <summary>Arrays of a fixed number of elements: groups of equal position divided by it.</summary>
    private Pipe Chunked(Pipe source, LinqCall call)
    {
        LogicalOperator input = source.Input;
        if (ValueOf(Size()) is not >= 1)
        {
            RequireNoEffects(call.Required("size"), call);
            // Refused before anything is read, also where there is nothing to read.
            New tooSmall = new(new PlanType(TypeKind.Class, "global::System.ArgumentOutOfRangeException"), EquatableArray.Of<ScalarExpression>(new Constant(PlanType.String, "\"size\"")), EquatableArray<MemberInitializer>.Empty);
            ScalarExpression isPositive = new Binary(PlanType.Boolean, BinaryOperator.GreaterThan, Size(), IntegerOf(0));
            input = new Limit(input, new Conditional(PlanType.Int32, isPositive, IntegerOf(int.MaxValue), Thrown.Of(PlanType.Int32, tooSmall)));
        }

        ValueVariable index = _numbers.Value(PlanType.Int32, "index");
        GroupBuilder group = new(_numbers, _tree.Shapes, new Number(input, index.Variable), [new Binary(PlanType.Int32, BinaryOperator.Divide, index, Size())]);
        return new Pipe(new PendingAggregate(group), new GroupElements(group, Predicate: null, source.Element) { Form = SequenceForm.Array, Type = call.Node.ElementType });

        ScalarExpression Size() => Scalar(call.Required("size"), call.Scope);
    }
}
