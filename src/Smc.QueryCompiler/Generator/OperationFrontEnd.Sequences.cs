using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Plan;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>Operators of <c>System.Linq.Enumerable</c> over a collection, and how a query ends.</summary>
internal sealed partial class OperationFrontEnd
{
    private static bool IsLinq(IMethodSymbol method) =>
        method.ContainingType is { Name: "Enumerable", ContainingNamespace: { Name: "Linq", ContainingNamespace: { Name: "System", ContainingNamespace.IsGlobalNamespace: true } } };

    private SymbolicValue ReadLinq(IInvocationOperation call)
    {
        RejectUnsupportedOverload(call);
        return Read(Argument(call, 0)) switch
        {
            SequenceValue sequence => ReadSequenceOperator(call, sequence),
            GroupValue group => ReadGroupOperator(call, group.Elements),
            GroupElements elements => ReadGroupOperator(call, elements),
            TerminalValue terminal => throw Rejected($"{call.TargetMethod.Name} after {terminal.Terminal}", call.Syntax),
            _ => ReadCall(call),
        };
    }

    private static void RejectUnsupportedOverload(IInvocationOperation call)
    {
        string name = call.TargetMethod.Name;
        foreach (IParameterSymbol parameter in call.TargetMethod.OriginalDefinition.Parameters)
        {
            if (parameter.Type.Name is "IEqualityComparer" or "IComparer")
                throw Rejected($"{name} with a comparer", call.Syntax);
            if (parameter.Name is "predicate" or "selector" && parameter.Type is INamedTypeSymbol { Name: "Func", TypeArguments: { Length: 3 } types } && types[1].SpecialType == SpecialType.System_Int32)
                throw Rejected($"{name} with the index of the element", call.Syntax);
        }
    }

    private static IOperation Argument(IInvocationOperation call, int ordinal) => call.Arguments.First(a => a.Parameter?.Ordinal == ordinal).Value;

    private static IOperation? Argument(IInvocationOperation call, string name) => call.Arguments.FirstOrDefault(a => a.Parameter?.Name == name)?.Value;

    private SymbolicValue ReadSequenceOperator(IInvocationOperation call, SequenceValue sequence)
    {
        string name = call.TargetMethod.Name;
        switch (name)
        {
            case "AsEnumerable":
                return sequence;
            case "Where":
                return Filtered(sequence, Argument(call, 1));
            case "Select":
                return sequence with { Element = Apply(Argument(call, 1), sequence.Element) };
            case "GroupBy":
                return ReadGroupBy(call, sequence);
            case "OrderBy" or "OrderByDescending" or "Order" or "OrderDescending":
                return sequence with { Input = new Order(sequence.Input, ReadOrderKeys(call, sequence).ToEquatableArray()) };
            case "ThenBy" or "ThenByDescending" when sequence.Input is Order order:
                return sequence with { Input = order with { Keys = order.Keys.Concat(ReadOrderKeys(call, sequence)).ToEquatableArray() } };
            case "Take" when call.TargetMethod.Parameters[1].Type.SpecialType == SpecialType.System_Int32:
                return sequence with { Input = new Limit(sequence.Input, Scalar(Argument(call, 1))) };
        }

        if (AggregateKindOf(name) is { } kind && name != "Any")
            return new ScalarValue(ReadAggregate(kind, LambdaOf(call), TypeOf(call.TargetMethod.ReturnType, call.Syntax), ScalarGroup(sequence, call.Syntax), call.Syntax));
        if (TerminalOf(name) is { } terminal && Argument(call, "defaultValue") is null)
            return ReadTerminal(call, sequence, terminal);
        throw Rejected($"the operator {Signature(call)}", call.Syntax);
    }

    private static string Signature(IInvocationOperation call) =>
        call.TargetMethod.Parameters.Length > 1 && call.TargetMethod.Name is "Take" or "FirstOrDefault" or "SingleOrDefault"
            ? $"{call.TargetMethod.Name}({string.Join(", ", call.TargetMethod.Parameters.Skip(1).Select(p => Display(p.Type)))})"
            : call.TargetMethod.Name;

    private SequenceValue Filtered(SequenceValue sequence, IOperation predicate) =>
        sequence with { Input = new Filter(sequence.Input, AsScalar(Apply(predicate, sequence.Element), predicate.Syntax)) };

    private IEnumerable<OrderKey> ReadOrderKeys(IInvocationOperation call, SequenceValue sequence)
    {
        bool descending = call.TargetMethod.Name.EndsWith("Descending", StringComparison.Ordinal);
        SymbolicValue key = call.Arguments.Length > 1 ? Apply(Argument(call, 1), sequence.Element) : sequence.Element;
        return OrderValues(key, call.Syntax).Select(value => new OrderKey(value, descending));
    }

    /// <summary>Tuples compare element by element; other objects have no order that a plan knows.</summary>
    private IEnumerable<ScalarExpression> OrderValues(SymbolicValue key, SyntaxNode where)
    {
        if (key is ObjectValue { Type.Kind: TypeKind.Tuple } tuple)
            return tuple.Arguments.SelectMany(argument => OrderValues(argument, where));
        ScalarExpression value = key is ObjectValue ? throw Rejected("an order by an object", where) : AsScalar(key, where);
        return value.Type.Kind == TypeKind.Tabular ? throw Rejected($"an order by rows of {value.Type}: name the property to order by", where) : [value];
    }

    private static Terminal? TerminalOf(string name) => name switch
    {
        "ToList" => Terminal.List,
        "ToArray" => Terminal.Array,
        "First" => Terminal.First,
        "FirstOrDefault" => Terminal.FirstOrDefault,
        "Single" => Terminal.Single,
        "SingleOrDefault" => Terminal.SingleOrDefault,
        "Any" => Terminal.Any,
        _ => null,
    };

    private TerminalValue ReadTerminal(IInvocationOperation call, SequenceValue sequence, Terminal terminal)
    {
        RejectSubquery(call.Syntax);
        return new TerminalValue(terminal, LambdaOf(call) is { } predicate ? Filtered(sequence, predicate) : sequence);
    }

    private void RejectSubquery(SyntaxNode where)
    {
        if (_lambdaDepth > 0)
            throw Rejected("a query over a whole collection inside another query", where);
    }

    private static IOperation? LambdaOf(IInvocationOperation call) => Argument(call, "predicate") ?? Argument(call, "selector");

    /// <summary>The one group over all elements that a scalar query aggregates.</summary>
    private GroupElements ScalarGroup(SequenceValue sequence, SyntaxNode where)
    {
        RejectSubquery(where);
        _scalarGroup ??= new GroupBuilder(_groups++, sequence.Input, []);
        if (!_scalarGroup.Input.Equals(sequence.Input))
            throw Rejected("aggregates over two different sequences in one query", where);
        return new GroupElements(_scalarGroup, Predicate: null, sequence.Element);
    }

    private (LogicalOperator Root, Terminal Terminal) Complete(SymbolicValue result, SyntaxNode where) => result switch
    {
        TerminalValue { Terminal: Terminal.Any } any => (any.Sequence.Input, Terminal.Any),
        TerminalValue terminal => (new Project(terminal.Sequence.Input, Materialize(terminal.Sequence.Element, where)), terminal.Terminal),
        SequenceValue => throw Rejected("it returns a sequence that is evaluated later: end it with ToList() or ToArray()", where),
        ScalarValue or ObjectValue when _scalarGroup is not null =>
            (new Project(new PendingAggregate(_scalarGroup), Materialize(result, where)), Terminal.Scalar),
        _ => throw Rejected("it does not query a collection", where),
    };
}
