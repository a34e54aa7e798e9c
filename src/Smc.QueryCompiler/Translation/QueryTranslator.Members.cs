using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Translation;

/// <summary>Members, calls and indexers: of objects that the query makes, of groups and lists, and of values.</summary>
public sealed partial class QueryTranslator
{
    private static readonly HashSet<string> Clocks =
    [
        "global::System.DateTime.Now", "global::System.DateTime.UtcNow", "global::System.DateTime.Today",
        "global::System.DateTimeOffset.Now", "global::System.DateTimeOffset.UtcNow",
        "global::System.Guid.NewGuid", "global::System.Guid.CreateVersion7",
        "global::System.Environment.TickCount", "global::System.Environment.TickCount64",
    ];

    private SymbolicValue EvaluateMember(MemberNode node, Scope scope)
    {
        if (node.Instance is not { } instance)
        {
            RejectClock(node.Member, node);
            return new ScalarValue(new MemberRead(node.Type, Instance: null, node.Member) { Access = node.Access });
        }

        // A row's own, which the generator makes: it asks what a comparison asks.
        return node.Member == "IsNull" && instance.Type is { Kind: TypeKind.Tabular, IsNullable: false }
            ? Evaluate(new BinaryNode(PlanType.Boolean, BinaryOperator.Equal, instance, new LiteralNode(instance.Type, "null")) { Where = node.Where }, scope)
            : MemberOf(Evaluate(instance, scope), node, instance, scope);
    }

    private ObjectValue EvaluateNew(NewNode node, Scope scope) => new(
        node.Type,
        [
            .. node.Arguments.Select(a => new ObjectPart(a.Member, Evaluate(a.Value, scope), IsArgument: true, IsReadable: a.Member is not null)),
            .. node.Initializers.Select(i => new ObjectPart(i.Name, Evaluate(i.Value, scope), IsArgument: false, i.IsPlain)),
        ])
    {
        IsRecordOfItsArguments = node.IsRecordOfItsArguments,
    };

    /// <summary>An object that is its parts becomes one of other parts; what else is copied is an object first.</summary>
    private SymbolicValue EvaluateWith(WithNode node, Scope scope)
    {
        SymbolicValue operand = Evaluate(node.Operand, scope);
        if (operand is ObjectValue { IsComparedByParts: true, Present: null } made && node.Initializers.All(i => i.IsPlain && made.Member(i.Name) is not null))
        {
            Dictionary<string, SymbolicValue> values = node.Initializers.ToDictionary(i => ObjectValue.Unescaped(i.Name), i => Evaluate(i.Value, scope), StringComparer.Ordinal);
            return made with { Parts = [.. made.Parts.Select(part => part.Member is { } name && values.TryGetValue(ObjectValue.Unescaped(name), out SymbolicValue? value) ? part with { Value = value } : part)] };
        }

        return new ScalarValue(new With(node.Type, AsScalar(operand, node.Operand), node.Initializers.Select(i => new MemberInitializer(i.Name, Scalar(i.Value, scope))).ToEquatableArray()));
    }

    private SymbolicValue MemberOf(SymbolicValue value, MemberNode node, QueryNode instance, Scope scope)
    {
        switch (value)
        {
            case ObjectValue { Present: not null } when !scope.IsNotNull(instance):
                throw Rejected($"the member {node.Member} of an object that may be null: test it for null before", node);
            case ObjectValue made when made.Member(node.Member) is { } member:
                return member;
            case GroupValue group when node.Member == "Key":
                return group.Key;
            case SequenceValue sequence when node is { Access: null, Member: "Count" or "Length" or "LongCount" }:
                return new ScalarValue(CountOf(sequence, node.Type));
            case ChosenValue chosen when !IsOrDefault(chosen.Terminal) || scope.IsNotNull(instance) || instance.Type.Kind == TypeKind.Tuple:
                return Choose(chosen.Terminal, new DerivedSequence(() => MemberOfElement(chosen.Source.Open())), node, chosen.IsOfMatches);
            case ChosenValue { Type.IsReferenceType: true } chosen:
                // Where there is no element the kernel raises, and LINQ says what.
                _raisesOtherwise |= Raised.Invalid | Raised.Argument;
                return Choose(WithoutDefault(chosen.Terminal), new DerivedSequence(() => MemberOfElement(chosen.Source.Open())), node);
            case ChosenValue when CanBeNull(instance.Type):
                throw Rejected($"the member {node.Member} of what may be null: test it for null before", node);
            default:
                return new ScalarValue(new MemberRead(node.Type, AsScalar(value, instance), node.Member) { Access = node.Access });
        }

        Pipe MemberOfElement(Pipe pipe) => pipe with { Element = MemberOf(pipe.Element, node, instance, scope) };
    }

    private static bool IsOrDefault(Terminal terminal) => terminal is Terminal.FirstOrDefault or Terminal.SingleOrDefault or Terminal.LastOrDefault;

    /// <summary>Values that change between two readings: LINQ reads them per row, so no plan can stand for them.</summary>
    private static void RejectClock(string member, QueryNode node)
    {
        bool changes = Clocks.Contains(member)
            || member.StartsWith("global::System.Random.", StringComparison.Ordinal)
            || member.StartsWith("global::System.Diagnostics.Stopwatch.", StringComparison.Ordinal);
        if (changes)
            throw Rejected($"{ShortName(member)} changes between two readings: read it before the query, into a local variable or an argument of Query.Run", node);
    }

    /// <summary>Type and member without namespaces.</summary>
    private static string ShortName(string member)
    {
        int dot = member.LastIndexOf('.');
        int before = member.LastIndexOfAny(['.', ':'], dot - 1);
        return member.Substring(before + 1);
    }

    private SymbolicValue EvaluateCall(CallNode node, Scope scope)
    {
        RejectClock(node.Method, node);
        SymbolicValue? instance = node.Instance is { } target ? Evaluate(target, scope) : null;
        if (instance is not null && node.Access is null && EvaluateCallOnCollection(instance, node, scope) is { } known)
            return known;
        return new ScalarValue(new Call(
            node.Type,
            node.Method,
            instance is null ? null : AsScalar(instance, node.Instance!),
            node.Arguments.Select(a => Argument(node, a, scope)).ToEquatableArray()) { Out = node.Out, OutAt = node.OutAt, Access = node.Access });
    }

    /// <summary><c>string.Join</c> and <c>string.Concat</c> read a sequence at once: a list of its elements is as good.</summary>
    private ScalarExpression Argument(CallNode call, QueryNode argument, Scope scope)
    {
        SymbolicValue value = Evaluate(argument, scope);
        bool isReadAtOnce = MethodNames.IsOfString(call.Method);
        return isReadAtOnce && value is SequenceValue { Form: SequenceForm.Deferred } sequence
            ? Collection(sequence with { Form = SequenceForm.Snapshot, Type = argument.Type }, argument)
            : AsScalar(value, argument);
    }

    /// <summary>Methods of lists, sets and look-ups that the query itself makes.</summary>
    private SymbolicValue? EvaluateCallOnCollection(SymbolicValue instance, CallNode node, Scope scope)
    {
        string method = node.Method.Substring(node.Method.LastIndexOf('.') + 1);
        return (instance, method) switch
        {
            (SequenceValue sequence, "Contains") when node.Arguments.Count == 1 => new ScalarValue(Contains(sequence, sequence.Comparer, () => Evaluate(node.Arguments[0], scope), node)),
            (KeyedValue { Terminal: Terminal.Dictionary } dictionary, "ContainsKey") => new ScalarValue(ContainsKey(dictionary, node.Arguments[0], scope)),
            (KeyedValue { Terminal: Terminal.Lookup } lookup, "Contains") => new ScalarValue(ContainsKey(lookup, node.Arguments[0], scope)),
            _ => null,
        };
    }

    private ScalarExpression ContainsKey(KeyedValue keyed, QueryNode key, Scope scope)
    {
        SymbolicValue wanted = Evaluate(key, scope);
        return AnyOf(new DerivedSequence(() => WithKey(keyed, wanted, key)));
    }

    /// <summary>The elements of a dictionary or look-up that have a key.</summary>
    private Pipe WithKey(KeyedValue keyed, SymbolicValue key, QueryNode node)
    {
        KeyedPipe pipe = keyed.Open();
        return new Pipe(new Filter(pipe.Input, AreEqual(Compared(keyed.Comparer, pipe.Key, node), Compared(keyed.Comparer, key, node), node)), pipe.Value);
    }

    private SymbolicValue EvaluateIndexer(IndexerNode node, Scope scope)
    {
        SymbolicValue instance = Evaluate(node.Instance, scope);
        if (instance is KeyedValue { Terminal: Terminal.Lookup } lookup && node.Arguments.Count == 1)
        {
            SymbolicValue key = Evaluate(node.Arguments[0], scope);
            return new DerivedSequence(() => WithKey(lookup, key, node)) { Form = SequenceForm.Snapshot, Type = node.Type };
        }

        return new ScalarValue(new Call(node.Type, "this[]", AsScalar(instance, node.Instance), node.Arguments.Select(a => Scalar(a, scope)).ToEquatableArray()));
    }
}
