using Smc.Collections.Kernels;

namespace Smc.Collections;

/// <content>Options of compiled queries.</content>
public static partial class Query
{
    /// <summary>
    /// Sets the options of the queries that the calling thread runs compiled, with <c>Run</c>, <c>Compile</c> or <see cref="CompiledQueryAttribute"/>,
    /// until the returned scope ends. Chains on a collection have <see cref="Query{T}.WithOptions"/>, which comes before these.
    /// The token also ends enumerations of collections that begin in the scope, and with them queries that run as LINQ to Objects.
    /// </summary>
    /// <remarks>
    /// <code>
    /// using (Query.Use(new QueryOptions { DegreeOfParallelism = 4 }))
    ///     return Revenue(items, since);
    /// </code>
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
