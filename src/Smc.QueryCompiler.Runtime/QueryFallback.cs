using Smc.Collections;

namespace Smc.QueryCompiler;

/// <summary>A query that ran as LINQ to Objects although queries are compiled at run time.</summary>
/// <param name="Query">The query, as a chain of calls.</param>
/// <param name="Reason">Why it has no kernel.</param>
/// <param name="IsPending">Whether it will have one: the compiler is at it.</param>
public sealed record QueryFallback(string Query, string Reason, bool IsPending);
