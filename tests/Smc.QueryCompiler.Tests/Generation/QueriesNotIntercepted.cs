using System.Diagnostics.CodeAnalysis;
using Smc.Collections;

namespace Smc.QueryCompiler.Tests.Generation;

/// <summary>Counts the recorded queries of one test that ran without being intercepted.</summary>
internal sealed class QueriesNotIntercepted : QueryProvider
{
    private static readonly AsyncLocal<QueriesNotIntercepted?> s_current = new();

    static QueriesNotIntercepted() => Register(new QueriesNotIntercepted());

    public int Recorded { get; private set; }

    public object? During(Func<object?> query)
    {
        s_current.Value = this;
        return query();
    }

    public override bool TryRun<TResult>(RecordedCall call, [MaybeNullWhen(false)] out TResult result)
    {
        if (s_current.Value is { } counter)
            counter.Recorded++;
        result = default;
        return false;
    }

    public override string Explain(RecordedCall call) => "";

    public override string ExplainAnalyze(RecordedCall call) => "";
}
