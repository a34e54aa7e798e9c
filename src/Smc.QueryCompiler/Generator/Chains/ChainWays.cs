using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// The ways to put together the query that a call ends, as far as its function shows them: locals that are assigned in <c>if</c>, <c>else</c> and <c>switch</c>, conditional
/// expressions. Each way is compiled by itself; the query says at run time which one it is (<c>CapturedValues.Has</c>).
/// </summary>
internal sealed class ChainWays
{
    /// <summary>The most ways that are compiled: four independent decisions. Each costs a kernel.</summary>
    public const int Maximum = 16;

    private readonly IInvocationOperation _end;
    private QueryLocals? _locals;

    private ChainWays(IInvocationOperation end) => _end = end;

    /// <summary>The ways, at least one.</summary>
    /// <exception cref="QueryRejectedException">A part of the query is not in this function, or there are too many ways.</exception>
    public static IReadOnlyList<ChainWay> Of(IInvocationOperation end) => new ChainWays(end).OfSource(InlineChain.SourceOf(end));

    private IReadOnlyList<ChainWay> OfSource(IOperation source)
    {
        source = InlineChain.Unwrap(source);
        if (InlineChain.RowTypeOf(source) is not null)
            return [ChainWay.Straight];
        return source switch
        {
            IInvocationOperation call when InlineChain.IsOperator(call.TargetMethod) => OfCall(call),
            ILocalReferenceOperation local => OfChoice(local, ValuesOf(local)),
            IConditionalOperation { WhenFalse: { } otherwise } choice => OfChoice(choice, [choice.WhenTrue, otherwise]),
            ISwitchExpressionOperation choice => OfChoice(choice, choice.Arms.Select(arm => arm.Value)),
            IParameterReferenceOperation parameter => throw NotHere($"'{parameter.Parameter.Name}' is a parameter, whose parts are not in this function"),
            IInvocationOperation call => throw NotHere($"'{call.TargetMethod.Name}' returns a query, whose parts are not in this function"),
            IMemberReferenceOperation member => throw NotHere($"'{member.Member.Name}' holds a query, whose parts are not in this function"),
            _ => throw NotHere("parts of it are not written in this function"),
        };
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

    private IReadOnlyList<IOperation> ValuesOf(ILocalReferenceOperation local)
    {
        _locals ??= QueryLocals.Around(_end);
        return _locals.ValuesOf(local, out string reason) ?? throw NotHere(reason);
    }

    private IReadOnlyList<ChainWay> Bounded(IEnumerable<ChainWay> ways)
    {
        ChainWay[] some = [.. ways.Take(Maximum + 1)];
        return some.Length <= Maximum ? some : throw NotHere($"there are more than {Maximum} ways to put it together");
    }

    private static bool IsThrown(IOperation value) => value is IThrowOperation or IConversionOperation { Operand: IThrowOperation };

    private QueryRejectedException NotHere(string reason) => new(RejectionKind.InParts, reason, _end.Syntax);
}
