using Microsoft.CodeAnalysis.Operations;

namespace Smc.QueryCompiler.Generator;

/// <summary>A query as one of the ways puts it together, with what it takes from outside.</summary>
internal sealed record ChainForm(ChainWay Way, ChainCaptures Captures);

/// <summary>The forms of the query that a call ends. Each can be distinguished at run time from the others, by its operators and their marks.</summary>
internal static class ChainForms
{
    /// <summary>The forms, at least one.</summary>
    /// <exception cref="QueryRejectedException">A part is elsewhere, there are too many, or they cannot be distinguished.</exception>
    public static IEnumerable<ChainForm> Of(IInvocationOperation end)
    {
        Dictionary<string, ChainForm> forms = new(StringComparer.Ordinal);
        foreach (ChainWay way in ChainWays.Of(end))
        {
            ChainCaptures captures = ChainCaptures.Of(end, way) ?? throw NotHere(end, "parts of it are not written in this function");
            if (captures.AmbiguousName is { } name)
                throw NotHere(end, $"it captures two variables named '{name}': rename one");
            if (!forms.TryGetValue(captures.Operators, out ChainForm? same))
                forms.Add(captures.Operators, new ChainForm(way, captures));
            else if (!same.Captures.Calls.SequenceEqual(captures.Calls))
                throw NotHere(end, "a part in query syntax looks like another one when the query runs: write it as calls");
        }

        return forms.Count > 0 ? forms.Values : throw NotHere(end, "it is never assigned");
    }

    private static QueryRejectedException NotHere(IInvocationOperation end, string reason) => new(RejectionKind.InParts, reason, end.Syntax);
}
