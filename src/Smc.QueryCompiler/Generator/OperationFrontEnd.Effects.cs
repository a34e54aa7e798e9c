using Microsoft.CodeAnalysis;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Translation;

namespace Smc.QueryCompiler.Generator;

/// <summary>Values that take the place of a name are computed wherever it stands, which is right only for those without effects.</summary>
internal sealed partial class OperationFrontEnd
{
    private static void RequireNoEffects(QueryNode value, string what, SyntaxNode where)
    {
        if (FirstEffect(value) is { } method)
            throw Rejected($"{what} is computed more than once, and {method} may have effects: compute it in a 'let' or a Select before", where);
    }

    /// <summary>The name of the first method in a value that may have an effect; null for none.</summary>
    private static string? FirstEffect(QueryNode node) => node switch
    {
        CallNode call when !Purity.IsPureCall(call.Method, call.Instance?.Type) => MethodNames.Last(call.Method),
        CallNode call => First([call.Instance, .. call.Arguments]),
        BinaryNode binary => First([binary.Left, binary.Right]),
        UnaryNode unary => FirstEffect(unary.Operand),
        ConvertNode conversion => FirstEffect(conversion.Operand),
        ConditionalNode conditional => First([conditional.Test, conditional.IfTrue, conditional.IfFalse]),
        CoalesceNode coalesce => First([coalesce.Left, coalesce.Right]),
        NotNullNode test => FirstEffect(test.Operand),
        ColumnNode column => FirstEffect(column.Row),
        MemberNode { Instance: { } instance } => FirstEffect(instance),
        IndexerNode indexer => First([indexer.Instance, .. indexer.Arguments]),
        NewNode made => First([.. made.Arguments.Select(a => a.Value), .. made.Initializers.Select(i => i.Value)]),
        WithNode copy => First([copy.Operand, .. copy.Initializers.Select(i => i.Value)]),
        ElementsNode elements => First(elements.Elements),
        RangeNode range => First([range.Start, range.End]),
        IndexNode index => FirstEffect(index.Value),
        // A sequence is computed anew by LINQ, too; what ends a query is computed once.
        _ => null,
    };

    private static string? First(IEnumerable<QueryNode?> nodes) => nodes.Select(n => n is null ? null : FirstEffect(n)).FirstOrDefault(name => name is not null);
}
