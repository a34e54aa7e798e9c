using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// What the locals and parameters of a function that are queries may hold where they are read: one walk over the function's statements in their order. A variable holds one of the
/// values assigned to it on some way to the place. Where the walk cannot know all values (loops, references, other functions), the variable is unknown, with the reason.
/// </summary>
/// <remarks>An answer that is too long costs a kernel that no query uses, one that is too short a query that runs as LINQ to Objects: what a query was put together from, the query itself says when it runs.</remarks>
internal sealed class QueryVariables
{
    private readonly Dictionary<IOperation, Held> _reads = [];
    private readonly Dictionary<ISymbol, Held> _shared = new(SymbolEqualityComparer.Default);

    /// <summary>Where a <c>break</c> of the innermost statement leads: the states at the breaks of a <c>switch</c>, null for a loop.</summary>
    private readonly Stack<List<State>?> _breaks = new();

    private State? _state = new();
    private bool _hasJumps;

    private QueryVariables()
    {
    }

    /// <summary>The outermost operation of the function around an operation.</summary>
    public static IOperation FunctionAround(IOperation operation)
    {
        IOperation function = operation;
        while (function.Parent is { } around && around is not (IAnonymousFunctionOperation or ILocalFunctionOperation))
            function = around;
        return function;
    }

    /// <summary>The variables of a function.</summary>
    /// <param name="function">Its outermost operation.</param>
    /// <param name="call">The call whose arguments its parameters hold at first; null if it may be called with anything.</param>
    public static QueryVariables Of(IOperation function, IInvocationOperation? call = null)
    {
        QueryVariables variables = new();
        variables.BindParameters(function, call);
        variables.FindShared(function);
        if (!variables._hasJumps)
            variables.Visit(function);
        return variables;
    }

    /// <summary>The symbol of a local or parameter that is a query; null for other operations.</summary>
    public static ISymbol? VariableOf(IOperation operation) => operation switch
    {
        ILocalReferenceOperation { Local: { } local } when InlineChain.IsQuery(local.Type) => local,
        IParameterReferenceOperation { Parameter: { } parameter } when InlineChain.IsQuery(parameter.Type) => parameter,
        _ => null,
    };

    /// <summary>What a variable may hold where it is read: the expressions that were assigned to it; null with the reason if not all of them are known.</summary>
    public IReadOnlyList<IOperation>? ValuesOf(IOperation read, out string reason)
    {
        Held held = _reads.TryGetValue(read, out Held? known) ? known
            : Held.Unknown(_hasJumps ? "its function jumps with goto" : $"'{VariableOf(read)!.Name}' is assigned outside of this function");
        reason = held.Reason;
        return held.Values;
    }

    private void BindParameters(IOperation function, IInvocationOperation? call)
    {
        foreach (IOperation operation in function.Descendants())
        {
            if (operation is IParameterReferenceOperation && VariableOf(operation) is { } parameter)
                _state![parameter] = Held.Unknown($"'{parameter.Name}' is a parameter, whose parts are not in this function");
        }

        foreach (IArgumentOperation argument in call?.Arguments ?? [])
        {
            // A partial method has its parameters twice; its body refers to those beside it.
            if (argument.Parameter is { RefKind: RefKind.None } parameter && InlineChain.IsQuery(parameter.Type))
                _state![call!.TargetMethod.PartialImplementationPart?.Parameters[parameter.Ordinal] ?? parameter] = new Held([argument.Value], "");
        }
    }

    /// <summary>Variables that are not only assigned by statements of this function.</summary>
    private void FindShared(IOperation function)
    {
        foreach (IOperation operation in function.Descendants())
        {
            if (VariableOf(operation) is { } variable && IsShared(operation, variable, function) is { } reason)
                _shared[variable] = Held.Unknown(reason);
            _hasJumps |= operation is ILabeledOperation or IBranchOperation { BranchKind: BranchKind.GoTo };
        }
    }

    private static string? IsShared(IOperation reference, ISymbol variable, IOperation function) => reference.Parent switch
    {
        IArgumentOperation { Parameter.RefKind: not RefKind.None } => $"'{variable.Name}' is passed by reference",
        IVariableInitializerOperation { Parent: IVariableDeclaratorOperation { Symbol.IsRef: true } } => $"'{variable.Name}' has a reference",
        ITupleOperation { Parent: IDeconstructionAssignmentOperation } or ICoalesceAssignmentOperation or IAddressOfOperation => $"'{variable.Name}' is assigned by other means than '='",
        ISimpleAssignmentOperation assignment when assignment.Target == reference && (assignment.IsRef || IsInFunction(reference, function)) => $"'{variable.Name}' is assigned in a function inside this one",
        _ => null,
    };

    private static bool IsInFunction(IOperation operation, IOperation function)
    {
        for (IOperation? at = operation; at is not null && at != function; at = at.Parent)
        {
            if (at is IAnonymousFunctionOperation or ILocalFunctionOperation)
                return true;
        }

        return false;
    }

    private void Visit(IOperation? operation)
    {
        switch (operation)
        {
            case null or IAnonymousFunctionOperation or ILocalFunctionOperation:
                break;
            case IVariableDeclaratorOperation { Symbol: { } local } declarator when InlineChain.IsQuery(local.Type):
                Visit(declarator.GetVariableInitializer()?.Value);
                Assign(local, declarator.GetVariableInitializer()?.Value);
                break;
            case ISimpleAssignmentOperation { Target: { } target } assignment when VariableOf(target) is { } variable:
                Visit(assignment.Value);
                Assign(variable, assignment.Value);
                break;
            case ILocalReferenceOperation or IParameterReferenceOperation when VariableOf(operation) is { } variable:
                if (_shared.TryGetValue(variable, out Held? shared))
                    _reads[operation] = shared;
                else if (_state is not null && _state.TryGetValue(variable, out Held? held))
                    _reads[operation] = held;
                break;
            case IConditionalOperation choice:
                Visit(choice.Condition);
                VisitBranches(choice.WhenTrue, choice.WhenFalse);
                break;
            case IBinaryOperation { OperatorKind: BinaryOperatorKind.ConditionalAnd or BinaryOperatorKind.ConditionalOr } binary:
                Visit(binary.LeftOperand);
                VisitBranches(binary.RightOperand, null);
                break;
            case ICoalesceOperation coalesce:
                Visit(coalesce.Value);
                VisitBranches(coalesce.WhenNull, null);
                break;
            case IConditionalAccessOperation access:
                Visit(access.Operation);
                VisitBranches(access.WhenNotNull, null);
                break;
            case ISwitchExpressionOperation choice:
                Visit(choice.Value);
                VisitBranches([.. choice.Arms]);
                break;
            case ISwitchOperation choice:
                VisitSwitch(choice);
                break;
            case ILoopOperation loop:
                VisitLoop(loop);
                break;
            case ITryOperation attempt:
                VisitTry(attempt);
                break;
            case IBranchOperation branch:
                if (branch.BranchKind == BranchKind.Break && _breaks.Peek() is { } breaks && _state is not null)
                    breaks.Add(_state);
                _state = null;
                break;
            case IReturnOperation { Kind: OperationKind.Return } or IThrowOperation:
                VisitChildren(operation);
                _state = null;
                break;
            default:
                VisitChildren(operation);
                break;
        }
    }

    private void VisitChildren(IOperation operation)
    {
        foreach (IOperation child in operation.ChildOperations)
            Visit(child);
    }

    /// <summary>One of several operations runs.</summary>
    private void VisitBranches(params IOperation?[] branches)
    {
        State? before = _state, after = null;
        foreach (IOperation? branch in branches)
        {
            _state = before?.Copy();
            Visit(branch);
            after = State.Merge(after, _state);
        }

        _state = after;
    }

    private void VisitSwitch(ISwitchOperation choice)
    {
        Visit(choice.Value);
        List<State> ends = [];
        bool isExhaustive = choice.Cases.Any(section => section.Clauses.Any(clause => clause is IDefaultCaseClauseOperation));
        State? before = _state;
        _breaks.Push(ends);
        foreach (ISwitchCaseOperation section in choice.Cases)
        {
            _state = before?.Copy();
            VisitChildren(section);
            if (_state is not null)
                ends.Add(_state);
        }

        _breaks.Pop();
        _state = ends.Aggregate(isExhaustive ? null : before, State.Merge);
    }

    private void VisitLoop(ILoopOperation loop)
    {
        Forget(loop, "in a loop");
        State? before = _state?.Copy();
        _breaks.Push(null);
        VisitChildren(loop);
        _breaks.Pop();
        _state = before;
    }

    private void VisitTry(ITryOperation attempt)
    {
        State? before = _state?.Copy();
        Visit(attempt.Body);
        State? after = _state;
        foreach (IOperation handler in attempt.Catches)
        {
            _state = before?.Copy();
            Forget(attempt.Body, "in a try block");
            Visit(handler);
            after = State.Merge(after, _state);
        }

        if (attempt.Finally is { } final)
        {
            _state = before?.Copy();
            Forget(attempt, "in a try block");
            Visit(final);
            _state = after;
            Forget(final, "in a finally block");
            return;
        }

        _state = after;
    }

    /// <summary>Makes the variables unknown that an operation assigns.</summary>
    private void Forget(IOperation operation, string where)
    {
        foreach (ISimpleAssignmentOperation assignment in operation.Descendants().OfType<ISimpleAssignmentOperation>())
        {
            if (VariableOf(assignment.Target) is { } variable && _state?.ContainsKey(variable) == true)
                _state[variable] = Held.Unknown($"'{variable.Name}' is assigned {where}");
        }
    }

    private void Assign(ISymbol variable, IOperation? value)
    {
        if (_state is not null)
            _state[variable] = new Held(value is null ? [] : [value], "");
    }

    /// <summary>What a variable holds: one of some values, or null and why they are not known.</summary>
    private sealed record Held(IReadOnlyList<IOperation>? Values, string Reason)
    {
        public static Held Unknown(string reason) => new(Values: null, reason);

        public Held Or(Held other) => Values is null ? this : other.Values is null ? other : new([.. Values.Union(other.Values)], "");
    }

    /// <summary>What the variables hold at one place of the function.</summary>
    private sealed class State : Dictionary<ISymbol, Held>
    {
        public State()
            : base(SymbolEqualityComparer.Default)
        {
        }

        private State(State other)
            : base(other, SymbolEqualityComparer.Default)
        {
        }

        public State Copy() => new(this);

        /// <summary>After one of two ways; null for a way that does not come here.</summary>
        public static State? Merge(State? one, State? other)
        {
            if (one is null || other is null)
                return one ?? other;
            State merged = one.Copy();
            foreach (KeyValuePair<ISymbol, Held> variable in other)
                merged[variable.Key] = merged.TryGetValue(variable.Key, out Held? held) ? held.Or(variable.Value) : variable.Value;
            return merged;
        }
    }
}
