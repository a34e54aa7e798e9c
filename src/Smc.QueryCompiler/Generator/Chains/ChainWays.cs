using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// The ways to put together the query that a call ends, as far as its function and the functions that it calls show them: variables that are assigned in <c>if</c>,
/// <c>else</c> and <c>switch</c>, conditional expressions, what a function returns. Each way is compiled by itself; the query says at run time which one it is (<c>CapturedValues.Has</c>).
/// </summary>
internal sealed class ChainWays
{
    /// <summary>The most ways that are compiled: four independent decisions. Each costs a kernel.</summary>
    public const int Maximum = 16;

    private readonly IInvocationOperation _end;
    private readonly Dictionary<IOperation, QueryVariables> _variables = [];
    private readonly Dictionary<ISymbol, IOperation> _called = new(SymbolEqualityComparer.Default);

    private ChainWays(IInvocationOperation end) => _end = end;

    /// <summary>The ways, at least one.</summary>
    /// <exception cref="QueryRejectedException">A part of the query is in no function that can be read, or there are too many ways.</exception>
    public static IReadOnlyList<ChainWay> Of(IInvocationOperation end) => new ChainWays(end).OfSource(InlineChain.SourceOf(end));

    private IReadOnlyList<ChainWay> OfSource(IOperation source)
    {
        source = InlineChain.Unwrap(source);
        if (InlineChain.RowTypeOf(source) is not null)
            return [ChainWay.Straight];
        if (InlineChain.IsCollection(source.Type))
            throw NotHere($"the rows are of type '{((INamedTypeSymbol)source.Type!).TypeArguments[0].Name}', which each call of this function chooses");
        return source switch
        {
            IInvocationOperation call when InlineChain.IsOperator(call.TargetMethod) => OfCall(call),
            ILocalReferenceOperation or IParameterReferenceOperation => OfChoice(source, ValuesOf(source)),
            IConditionalOperation { WhenFalse: { } otherwise } choice => OfChoice(choice, [choice.WhenTrue, otherwise]),
            ISwitchExpressionOperation choice => OfChoice(choice, choice.Arms.Select(arm => arm.Value)),
            IInvocationOperation call => OfFunction(call.TargetMethod, call) ?? throw NotHere($"'{call.TargetMethod.Name}' returns a query, whose parts cannot be read here"),
            IPropertyReferenceOperation { Property.GetMethod: { } getter } property when OfFunction(getter, property) is { } ways => ways,
            IMemberReferenceOperation member => throw NotHere($"'{member.Member.Name}' holds a query, whose parts cannot be read here"),
            IInvalidOperation => throw new QueryRejectedException(RejectionKind.DoesNotBind, "it has an error", _end.Syntax),
            _ => throw NotHere("parts of it are not written in this function"),
        };
    }

    /// <summary>
    /// What a function returns; null if that cannot be read. Its parameters hold the arguments of one call: two calls would give each of its variables two values under one name.
    /// </summary>
    private IReadOnlyList<ChainWay>? OfFunction(IMethodSymbol function, IOperation call)
    {
        if (QueryFunction.ValuesOf(function, call) is not { Count: > 0 } values)
            return null;
        string name = (function.AssociatedSymbol ?? function).Name;
        IOperation body = QueryVariables.FunctionAround(values[0]);
        if (body.Syntax == QueryVariables.FunctionAround(_end).Syntax)
            throw NotHere($"'{name}' calls itself");
        if (!_called.TryGetValue(function, out IOperation? known))
        {
            _called.Add(function, call);
            _variables.Add(body, QueryVariables.Of(body, call as IInvocationOperation));
        }
        else if (known != call)
        {
            throw NotHere($"'{name}' is called more than once for it");
        }

        return OfChoice(call, values);
    }

    /// <summary>An operator and what it is called on, with the queries that are its arguments.</summary>
    private IReadOnlyList<ChainWay> OfCall(IInvocationOperation call)
    {
        IReadOnlyList<ChainWay> ways = OfSource(InlineChain.SourceOf(call));
        foreach (IArgumentOperation argument in InlineChain.ArgumentsOf(call))
        {
            if (InlineChain.IsQuery(InlineChain.Unwrap(argument.Value).Type))
                ways = Bounded(ways.SelectMany(_ => OfSource(argument.Value), (way, other) => way.And(other)).OfType<ChainWay>());
        }

        return ways;
    }

    private IReadOnlyList<ChainWay> OfChoice(IOperation choice, IEnumerable<IOperation> values) =>
        Bounded(values.Where(value => !IsThrown(value)).SelectMany(value => OfSource(value).Select(way => way.With(choice, value))));

    private IReadOnlyList<IOperation> ValuesOf(IOperation read)
    {
        IOperation function = QueryVariables.FunctionAround(read);
        if (!_variables.TryGetValue(function, out QueryVariables? variables))
            _variables.Add(function, variables = QueryVariables.Of(function));
        return variables.ValuesOf(read, out string reason) ?? throw NotHere(reason);
    }

    private IReadOnlyList<ChainWay> Bounded(IEnumerable<ChainWay> ways)
    {
        ChainWay[] some = [.. ways.Take(Maximum + 1)];
        return some.Length <= Maximum ? some : throw NotHere($"there are more than {Maximum} ways to put it together");
    }

    private static bool IsThrown(IOperation value) => value is IThrowOperation or IConversionOperation { Operand: IThrowOperation };

    private QueryRejectedException NotHere(string reason) => new(RejectionKind.InParts, reason, _end.Syntax);
}
