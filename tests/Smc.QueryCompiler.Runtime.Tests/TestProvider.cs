using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Smc.Collections;

namespace Smc.QueryCompiler.Runtime.Tests;

/// <summary>The provider of the test process: each test has its own behind it, so that tests may run side by side.</summary>
internal sealed class TestProvider : QueryProvider
{
    private static readonly AsyncLocal<QueryProvider?> s_current = new();

    [ModuleInitializer]
    [SuppressMessage("Usage", "CA2255", Justification = "Tests run in any order; the provider has to be there before the first.")]
    internal static void Register() => Register(new TestProvider());

    /// <summary>Runs queries of this test with a provider.</summary>
    public static T With<T>(QueryProvider? provider, Func<T> query)
    {
        QueryProvider? before = s_current.Value;
        s_current.Value = provider;
        try
        {
            return query();
        }
        finally
        {
            s_current.Value = before;
        }
    }

    /// <summary>The call that ends the query in <paramref name="query"/>.</summary>
    public static RecordedCall Record(Func<object?> query)
    {
        Recorder recorder = new();
        try
        {
            With(recorder, query);
        }
        catch (Exception) when (recorder.Call is not null)
        {
            // What LINQ says of the data is not asked here.
        }

        return recorder.Call!;
    }

    public override bool TryRun<TResult>(RecordedCall call, [MaybeNullWhen(false)] out TResult result)
    {
        result = default;
        return s_current.Value is { } provider && provider.TryRun(call, out result);
    }

    public override string Explain(RecordedCall call) => s_current.Value!.Explain(call);

    public override string ExplainAnalyze(RecordedCall call) => s_current.Value!.ExplainAnalyze(call);

    private sealed class Recorder : QueryProvider
    {
        public RecordedCall? Call { get; private set; }

        public override bool TryRun<TResult>(RecordedCall call, [MaybeNullWhen(false)] out TResult result)
        {
            Call ??= call;
            result = default;
            return false;
        }

        public override string Explain(RecordedCall call) => "";

        public override string ExplainAnalyze(RecordedCall call) => "";
    }
}
