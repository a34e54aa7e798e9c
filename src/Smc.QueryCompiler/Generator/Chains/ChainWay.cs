using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using System.Text;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// One way to put a query together: which value each local in it holds, and which branch each <c>?:</c> and <c>switch</c> expression takes. With its choices made,
/// a query in parts is an inline chain. A query that is one expression has one way, without choices.
/// </summary>
internal sealed class ChainWay
{
    private readonly ImmutableDictionary<IOperation, IOperation> _choices;

    private ChainWay(ImmutableDictionary<IOperation, IOperation> choices) => _choices = choices;

    /// <summary>The way of a query that is one expression.</summary>
    public static ChainWay Straight { get; } = new(ImmutableDictionary.Create<IOperation, IOperation>());

    /// <summary>The expressions that were chosen.</summary>
    public IEnumerable<IOperation> Parts => _choices.Values;

    /// <summary>What is chosen in place of an operation, which may be below conversions; null where nothing is to be chosen.</summary>
    public IOperation? Choice(IOperation operation) =>
        _choices.Count > 0 && InlineChain.IsQuery(operation.Type) && _choices.TryGetValue(InlineChain.Unwrap(operation), out IOperation? chosen) ? InlineChain.Unwrap(chosen) : null;

    /// <summary>This way with one more choice.</summary>
    public ChainWay With(IOperation operation, IOperation chosen) => new(_choices.SetItem(operation, chosen));

    /// <summary>Both ways at once; null if they differ in a choice.</summary>
    public ChainWay? And(ChainWay other)
    {
        foreach (KeyValuePair<IOperation, IOperation> choice in other._choices)
        {
            if (_choices.TryGetValue(choice.Key, out IOperation? own) && own != choice.Value)
                return null;
        }

        return new ChainWay(_choices.SetItems(other._choices));
    }

    /// <summary>The query as one expression, a call a line.</summary>
    public string TextOf(IInvocationOperation end)
    {
        StringBuilder text = new();
        Append(end, text);
        return text.ToString();
    }

    private void Append(IOperation operation, StringBuilder text)
    {
        if (Choice(operation) is { } chosen)
        {
            Append(chosen, text);
        }
        else if (operation is IInvocationOperation { Syntax: InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax access } syntax } call
            && InlineChain.IsOperator(call.TargetMethod))
        {
            Append(InlineChain.SourceOf(call), text);
            text.Append("\n    .").Append(access.Name).Append(syntax.ArgumentList);
        }
        else
        {
            text.Append(operation.Syntax);
        }
    }
}
