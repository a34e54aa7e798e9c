using System.Linq.Expressions;
using System.Text;

namespace Smc.Collections;

/// <summary>The text of <see cref="Query{T}.Explain"/>.</summary>
internal static class QueryExplanation
{
    public static string Of(RecordedCall call) => QueryProvider.Current is { } provider
        ? provider.Explain(call)
        : $"LINQ to Objects: no provider compiles queries at run time (RuntimeQueries.Enable() of the package Smc.QueryCompiler.Runtime does). A chain that the project's build compiled has its kernel among the generated files.\n{Text(call)}";

    /// <summary>The recorded calls as a chain, one a line.</summary>
    private static string Text(RecordedCall call)
    {
        StringBuilder text = new();
        Append(call, text);
        return text.ToString();
    }

    private static void Append(RecordedCall call, StringBuilder text)
    {
        if (call.Source.Call is { } before)
            Append(before, text);
        else
            text.Append(call.Source.ElementType.Name).Append(" rows\n");
        text.Append("  .").Append(call.Operator).Append('(').AppendJoin(", ", call.Arguments.Select(a => Text(a.Value))).Append(")\n");
    }

    private static string Text(Expression argument) => argument is ConstantExpression { Value: IRecordedQuery other } ? $"{other.ElementType.Name} rows" : argument.ToString();
}
