using Smc.Collections.Kernels;

namespace Smc.Collections;

/// <content>Options of compiled queries.</content>
public static partial class Query
{
    /// <summary>
    /// Sets the options of queries that the calling thread runs with <c>Run</c>, <c>Compile</c> or <see cref="CompiledQueryAttribute"/>,
    /// until the returned scope is disposed. For chains on a collection, <see cref="Query{T}.WithOptions"/> takes precedence.
    /// The token also cancels enumerations of collections that begin in the scope, and so queries that run as LINQ to Objects.
    /// </summary>
    /// <remarks>
    /// <code>
    /// using (Query.Use(new QueryOptions { DegreeOfParallelism = 4 }))
    ///     return Revenue(items, since);
    /// </code>
    /// The scope belongs to the thread: queries of other threads do not see it, and it cannot be kept across <c>await</c>.
    /// </remarks>
    /// <param name="options">The options.</param>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    /// <exception cref="OperationCanceledException">The token of the options has been cancelled.</exception>
    public static KernelOptions.Scope Use(QueryOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return KernelOptions.Use(options);
    }
}
