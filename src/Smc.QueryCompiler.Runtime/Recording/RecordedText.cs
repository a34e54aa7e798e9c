using System.Linq.Expressions;
using System.Text;
using Smc.Collections;

namespace Smc.QueryCompiler.Recording;

/// <summary>A recorded query as a chain of calls, one a line: the comment of its kernel.</summary>
internal static class RecordedText
{
    public static string Of(RecordedCall call)
    {
        StringBuilder text = new();
        Append(call, text);
        return text.ToString();
    }

    private static void Append(RecordedCall call, StringBuilder text)
    {
        Append(call.Source, text);
        text.Append("\n    .").Append(call.Operator).Append('(').AppendJoin(", ", call.Arguments.Select(a => Text(a.Value))).Append(')');
    }

    private static void Append(IRecordedQuery query, StringBuilder text)
    {
        if (query.Call is { } call)
            Append(call, text);
        else
            text.Append(query.ElementType.Name).Append(" rows");
    }

    private static string Text(Expression argument) => argument switch
    {
        ConstantExpression { Value: IRecordedQuery { Call: { } inner } } => Of(inner).Replace("\n", "\n    ", StringComparison.Ordinal),
        ConstantExpression { Value: IRecordedQuery rows } => rows.ElementType.Name + " rows",
        ConstantExpression => "…",
        _ => argument.ToString(),
    };
}
