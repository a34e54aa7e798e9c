using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;

namespace Smc.Collections;

/// <summary>Runs recorded queries that were not compiled with their project. The package <c>Smc.QueryCompiler.Runtime</c> has the one that compiles them.</summary>
[EditorBrowsable(EditorBrowsableState.Advanced)]
public abstract class QueryProvider
{
    private static volatile QueryProvider? s_current;

    /// <summary>The provider of this process, or null: then such queries run as LINQ to Objects.</summary>
    public static QueryProvider? Current => s_current;

    /// <summary>Makes a provider the one of this process.</summary>
    /// <param name="provider">The provider, or null for none.</param>
    /// <returns>The provider until now.</returns>
    public static QueryProvider? Register(QueryProvider? provider) => Interlocked.Exchange(ref s_current, provider);

    /// <summary>Runs a query, if the provider can.</summary>
    /// <param name="call">The call that ends the query.</param>
    /// <param name="result">Its result.</param>
    /// <returns>False when the query has to run as LINQ to Objects.</returns>
    public abstract bool TryRun<TResult>(RecordedCall call, [MaybeNullWhen(false)] out TResult result);

    /// <summary>How the query would run, as text for people.</summary>
    public abstract string Explain(RecordedCall call);

    /// <summary>Runs a query on the calling thread, whose options are set, and says what it did.</summary>
    public abstract string ExplainAnalyze(RecordedCall call);
}
